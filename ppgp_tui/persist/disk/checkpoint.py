"""What a long log was found to say, kept outside its home for the next reader of it.

A memory, never a source: it counts while the log is the same file and the same before the mark,
while this version of the program made it, and while it is whole itself. Otherwise the log is read
from its beginning.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Final

import msgspec

from ppgp_tui.persist.disk.home import opened
from ppgp_tui.persist.disk.mark import Mark, agrees
from ppgp_tui.persist.reading import LogReader
from ppgp_tui.version import __version__

_MADE_BY: Final = f"ppgp-tui {__version__} 2"
"""The last number changes with the form of what is kept."""


class _Checkpoint(msgspec.Struct, array_like=True):
    made_by: str
    mark: Mark
    check: int
    """CRC-32 of what follows: a file that lost its end to a crash is none."""
    reader: bytes


def store(path: Path, mark: Mark, reader: LogReader) -> None:
    """Keep the reader that stands at `mark`; failing is no error. The file is its owner's alone."""
    packed = reader.pack()
    data = msgspec.msgpack.encode(_Checkpoint(_MADE_BY, mark, zlib.crc32(packed), packed))
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            fresh.unlink(missing_ok=True)  # what lies there may lead elsewhere
            with os.fdopen(os.open(fresh, flags, 0o600), "wb") as file:
                file.write(data)
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError:
        return


def load(path: Path, log: int) -> tuple[LogReader, Mark] | None:
    """The reader that was kept of the open file `log`; None unless everything agrees."""
    try:
        with os.fdopen(opened(path, os.O_RDONLY), "rb") as file:
            if os.fstat(file.fileno()).st_uid != os.geteuid():
                return None
            kept = msgspec.msgpack.decode(file.read(), type=_Checkpoint)
        if kept.made_by != _MADE_BY or zlib.crc32(kept.reader) != kept.check:
            return None
        if not agrees(log, kept.mark):
            return None
        reader = LogReader.unpack(kept.reader)
    except (OSError, ValueError):  # msgspec.DecodeError is a ValueError
        return None
    return (reader, kept.mark) if reader.ended == kept.mark.offset else None
