"""A report on disk: one folder with the text and its pictures, all of it or nothing."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

TEXT: Final = "report.md"
_OURS = re.compile(r"report\.md|screens(?:/[\w-]+\.svg)?")


class FolderTakenError(Exception):
    """Something is at the place of the report and stays as it is; the message says what to do."""


def allowed(folder: Path) -> None:
    """Raise `FolderTakenError` where a report has no business: in Git's or the session's own."""
    real = Path(os.path.realpath(folder))
    for part in (".ppgp", ".git"):
        if part in {name.casefold() for name in real.parts}:
            raise FolderTakenError(f"{folder} is inside a folder {part}; name another with --out")


def write(folder: Path, files: Mapping[str, str], *, force: bool = False) -> None:
    """Write `files`, texts by their names below `folder`.

    Only a report, and only with `force`, is ever replaced. Raises `FolderTakenError` and the
    OSErrors of writing; then what was there is there still.
    """
    allowed(folder)
    taken = os.path.lexists(folder)
    if taken:
        _may_replace(folder, force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, content in files.items():
            file = made / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(content, "utf-8", errors="backslashreplace")
        made.chmod(0o755)
        if taken:
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
            folder.rename(old / "report")
            made.rename(folder)
            shutil.rmtree(old)
        else:
            made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _may_replace(folder: Path, force: bool) -> None:
    if folder.is_symlink() or not folder.is_dir():
        raise FolderTakenError(f"{folder} is there and is no folder; name another with --out")
    is_empty = True
    for path in folder.rglob("*"):  # a large folder is not gone through: the first thing decides
        is_empty = False
        if not _OURS.fullmatch(str(path.relative_to(folder))):
            said = "holds other things than a report, so it is left as it is"
            raise FolderTakenError(f"{folder} {said}; name another with --out")
    if not force and not is_empty:
        raise FolderTakenError(
            f"{folder} is there already; name another with --out, or say --force"
        )
