"""Texts as one packed file, the same bytes for the same texts."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.safe import FILE_MODE, Folder


def packed(folder: str, texts: Mapping[str, str], at_ms: int) -> bytes:
    """A gzipped tar of `texts` by their names, below `folder`, as of one moment, by nobody."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in texts.items():
            data = text.encode("utf-8", "backslashreplace")
            member = tarfile.TarInfo(f"{folder}/{name}")
            member.size, member.mtime, member.mode = len(data), at_ms // 1000, FILE_MODE
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(tar.getvalue(), mtime=0)


_TAKEN: Final = "{} is there already; name another with --out, or say --force"


def publish(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write `data` to `path`, all or nothing, for the user alone.

    Raises `FileExistsError` with what to do when something is there and may not be replaced, and
    the other OSErrors of writing.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file")
    if not force and os.path.lexists(path):
        raise FileExistsError(_TAKEN.format(path))
    with Folder.open(path.parent) as folder:
        try:
            folder.publish(path.name, data, exclusive=not force)
        except FileExistsError:
            raise FileExistsError(_TAKEN.format(path)) from None
