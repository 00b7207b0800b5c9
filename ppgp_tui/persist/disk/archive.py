"""Rows of loops that closed long ago leave the log, which otherwise only grows (fault F24)."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist.disk.home import Home, opened, private
from ppgp_tui.persist.disk.lock import WAIT_S, held
from ppgp_tui.persist.disk.rewriting import lines, rewrite
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import LogReader, Reading
from ppgp_tui.persist.row import BYTE_ORDER_MARK, bare, decode, head, time_ms, time_text

DAYS: Final = 30
_DAY_MS: Final = 86_400_000


class DamagedError(Exception):
    """The log is damaged; what stands in the damage belongs to nobody knows which loop."""


class Archived(NamedTuple):
    """What was moved."""

    loops: int = 0
    rows: int = 0
    files: tuple[Path, ...] = ()


def archive(home: Home, now_ms: int, *, days: int = DAYS, lock_wait_s: float = WAIT_S) -> Archived:
    """Move the rows of loops that closed more than `days` ago to `archive/state-YYYY-MM.jsonl`.

    The month is that of the loop's last row. The archive is on the disk before the log is shorter;
    a second attempt after a crash between the two moves nothing twice. Raises `DamagedError`,
    `LockTimeoutError` and OSError.
    """
    with held(home.lock, lock_wait_s):
        months = _months(home, now_ms - days * _DAY_MS)
        if not months:
            return Archived()
        moved: dict[str, list[bytes]] = {}
        for line in lines(home.log):
            if (month := _month_of(line, months)) is not None:
                moved.setdefault(month, []).append(_whole(line))
        private(home.archive)
        files = tuple(_add(home, month, rows) for month, rows in moved.items())
        rewrite(home.log, (line for line in lines(home.log) if _month_of(line, months) is None))
        return Archived(len(months), sum(map(len, moved.values())), files)


def _read(home: Home) -> Reading:
    reader = LogReader()
    try:
        with os.fdopen(opened(home.log, os.O_RDONLY), "rb") as file:
            while data := file.read(1 << 22):
                reader.feed(data)
    except FileNotFoundError:
        return Reading()
    reading = reader.reading()
    if reading.bad_count or reading.incomplete_tail:
        raise DamagedError(
            f"{home.log} holds damaged lines; `persist doctor --mend` puts them aside first"
        )
    return reading


def _months(home: Home, before_ms: int) -> dict[str, str]:
    """The loops to move, each with its month."""
    old = [loop for loop in _read(home).loops if _is_old(loop, before_ms)]
    months = {loop.loop_id: time_text(max(0, time_ms(loop.last_ts) or 0))[:7] for loop in old}
    late = {loop.loop_id for loop in old if loop.late_rows}
    for line in lines(home.log) if late else ():
        row = decode(_bare(line))
        # Somebody may still run it: without its end in the log the next late row would reopen it.
        if row is not None and row.loop_id in late and (time_ms(row.ts) or 0) >= before_ms:
            months.pop(row.loop_id, None)
    return months


def _is_old(loop: Loop, before_ms: int) -> bool:
    ended_ms = time_ms(loop.last_ts)
    return not loop.open and ended_ms is not None and ended_ms < before_ms


def _month_of(line: bytes, months: dict[str, str]) -> str | None:
    row = head(_bare(line))
    return None if row is None else months.get(row.loop_id)


def _bare(line: bytes) -> bytes:
    return bare(line.removeprefix(BYTE_ORDER_MARK))


def _whole(line: bytes) -> bytes:
    """The line with its end, and without a mark that only the first one of a file may have."""
    return line.removeprefix(BYTE_ORDER_MARK).rstrip(b"\n") + b"\n"


def _add(home: Home, month: str, rows: Iterable[bytes]) -> Path:
    path = home.archive / f"state-{month}.jsonl"
    if path.is_symlink():
        raise OSError(errno.ELOOP, "a link, which could lead elsewhere; remove it", str(path))
    before = [_whole(line) for line in lines(path)] if path.exists() else []
    there = set(before)
    rewrite(path, (*before, *(row for row in rows if row not in there)))
    return path
