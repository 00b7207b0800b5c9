"""Durations and moments as people type them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_PIECE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([smhd])", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)
_LONGEST_S: Final = 10 * 365 * 86400


def seconds_of(text: str) -> float | None:
    """The seconds in `90`, `90s`, `15m`, `1h30m` or `3d`; None when `text` is no duration."""
    if re.fullmatch(r"\d{1,9}(\.\d{1,3})?", text, re.ASCII):
        return float(text)
    pieces = _PIECE.findall(text)
    if not pieces or "".join(number + unit for number, unit in pieces) != text:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in pieces)


def moment_of(text: str, now_ms: int) -> int:
    """The moment in Unix milliseconds: a duration from now, `18:00`, or an ISO 8601 date and time.

    A clock time that is past today means tomorrow; without a zone it is the local one. Raises
    ValueError with what is wanted.
    """
    seconds = None if text.isdigit() else seconds_of(text)
    if seconds is not None and seconds <= _LONGEST_S:
        return now_ms + round(seconds * 1000)
    now = datetime.fromtimestamp(now_ms / 1000).astimezone()
    try:
        if clock := _CLOCK.fullmatch(text):
            hour, minute = int(clock[1]), int(clock[2])
            at = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
            moment = at if at > now else at + timedelta(days=1)
        else:
            moment = datetime.fromisoformat(text).astimezone()
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        wanted = "a duration (90s, 15m, 2h, 3d), a time (18:00) or a date (2026-09-30T18:00)"
        raise ValueError(f"{text!r} is no time: {wanted} is wanted") from None


def shown(ms: int) -> str:
    """A moment as local date and time: `2026-09-30 18:00`."""
    try:
        return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "at no known time"
