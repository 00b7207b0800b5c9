"""Mend a damaged log when a person asks for it, so that the original can read it again (F17, F19).

Every line that the original stops at is put aside as it is; the rows that it holds are written in
its place, in a form that every reader takes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.lock import WAIT_S, held
from ppgp_tui.persist.disk.rewriting import lines, rewrite
from ppgp_tui.persist.disk.torn import put_aside, rows_in
from ppgp_tui.persist.row import BYTE_ORDER_MARK, bare, decode, encode


class Mended(NamedTuple):
    """What was done."""

    lines: tuple[int, ...] = ()
    """The damaged ones, counted from 1."""
    rows: int = 0
    """Whole rows that were found in them and stay in the log."""
    kept: Path | None = None
    """Where the damaged lines are now."""


def mend(home: Home, *, lock_wait_s: float = WAIT_S) -> Mended:
    """Put damaged lines aside and rewrite the log without them, under the lock.

    A log without damage is left as it is. Raises `LockTimeoutError` and OSError; then the log is
    as it was.
    """
    with held(home.lock, lock_wait_s):
        damaged: dict[int, bytes] = {}
        instead: dict[int, list[bytes]] = {}
        try:
            for number, line in enumerate(lines(home.log), 1):
                rows = _instead(line, first=number == 1)
                if rows is not None:
                    damaged[number], instead[number] = line, rows
        except FileNotFoundError:
            return Mended()
        if not damaged:
            return Mended()
        kept = put_aside(home, b"".join(damaged.values()))
        rewrite(
            home.log,
            (
                sound
                for number, line in enumerate(lines(home.log), 1)
                for sound in instead.get(number, [line])
            ),
        )
        return Mended(tuple(damaged), sum(map(len, instead.values())), kept)


def _instead(line: bytes, *, first: bool) -> list[bytes] | None:
    """What is to stand in the place of a line; None: it is as it should be."""
    inside = bare(line.removeprefix(BYTE_ORDER_MARK) if first else line)
    rows = rows_in(inside)
    if not inside and _is_plain(line):
        return None
    if rows == [inside] and line.endswith(b"\n") and _is_plain(line) and _value(inside):
        return None
    return [_plain(row) for row in rows]


def _is_plain(line: bytes) -> bool:
    """Whether also a reader takes it that splits lines at every kind of line end."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return False
    return "\0" not in text and "\ufeff" not in text[:1] and len(text.rstrip().splitlines()) <= 1


def _plain(row: bytes) -> bytes:
    """The row as a line that every reader takes: where that cannot be all of it, what rows say."""
    value = _value(row)
    if value is None and (found := decode(row)) is not None:
        return encode(found)
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _value(row: bytes) -> Any:
    """What a usual reader of JSON makes of a row; None where it stops at it."""
    try:
        return json.loads(row.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # such as a number of 5,000 digits
        return None
