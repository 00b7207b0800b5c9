"""Bytes of the log that are no rows: put aside, never thrown away (faults F17 and F18)."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist.disk.exchange import exchanged
from ppgp_tui.persist.disk.home import Home, private
from ppgp_tui.persist.row import BYTE_ORDER_MARK, bare, head, salvage

_BLANK: Final = b" \t\r"


class Tail(NamedTuple):
    """What stands after the last line end."""

    offset: int
    """Where it begins, in bytes."""
    line: int
    data: bytes


def end_line(home: Home, log: int, tail: Tail) -> str | None:
    """End the unfinished line of a log that is open for appending, so that another can begin.

    A whole row gets the line end that it lacks. Anything else is put aside into `torn/` and cut
    off, because the original stops at it for good; whole rows inside it are written again. Returns
    what was done, in words; None where nothing was wrong. To be called under the lock; raises
    OSError.
    """
    if not tail.data.strip(_BLANK):
        if tail.data:
            write_whole(log, b"\n", home.log)
        return None
    inside = bare(tail.data.removeprefix(BYTE_ORDER_MARK) if tail.offset == 0 else tail.data)
    where = f"{home.log}: line {tail.line}"
    if head(inside) is not None and b"\0" not in tail.data:
        write_whole(log, b"\n", home.log)
        return f"{where} had no end; it has one now"
    rows = rows_in(inside)
    kept = put_aside(home, tail.data)
    os.ftruncate(log, tail.offset)
    write_whole(log, b"".join(row + b"\n" for row in rows), home.log)
    also = f"; {len(rows)} whole rows inside it stay in the log" if rows else ""
    return f"{where} was cut short: its {len(tail.data)} bytes are now in {kept}{also}"


def rows_in(line: bytes) -> list[bytes]:
    """The rows that a bare line holds: itself where it is one, otherwise whole ones inside it."""
    return [line] if head(line) is not None else list(salvage(line))


def put_aside(home: Home, data: bytes) -> Path:
    """Keep bytes in a file below `torn/` that is named after them; returns its path.

    The same bytes are kept once. To be called under the lock; raises OSError.
    """
    kept = private(home.torn) / f"state-{hashlib.sha256(data).hexdigest()[:16]}.torn"
    with exchanged(kept, home.torn / "torn.new") as file:
        file.write(data)
    return kept


def write_whole(log: int, data: bytes, path: Path) -> None:
    """Append to an open file in one write and see it on the disk, or leave the file as it was.

    A part of a line is never left behind: other programs would glue theirs to it. Raises OSError.
    """
    size = os.fstat(log).st_size
    try:
        written = os.write(log, data)
        if written < len(data):  # the second write says why there was no room for all of it
            written += os.write(log, data[written:])
        if written < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(log)
    except BaseException as error:
        os.ftruncate(log, size)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
