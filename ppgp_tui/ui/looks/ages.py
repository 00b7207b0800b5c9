"""How long ago, or at what time of day: short, for the right edge of a row.

Which of the two stands there is the person's choice. Words such as `held 4m` and `8m ago` say how
long in either.
"""

from __future__ import annotations

import time
from typing import Literal

Clock = Literal["ages", "times"]
"""`12s 8m 1h02 3d`, or `14:02` of today and `Nov29` of another day."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_shown: list[Clock] = ["ages"]


def age(since_ms: int | None, now_ms: int) -> str:
    """`12s`, `8m`, `1h02`, `3d`; empty when unknown. A time in the future reads `0s`."""
    if since_ms is None:
        return ""
    seconds = max(0, now_ms - since_ms) // 1000
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes}m"
    hours = minutes // 60
    return f"{hours}h{minutes % 60:02d}" if hours < 24 else f"{hours // 24}d"


def show_as(clock: Clock) -> None:
    """From now on `when` gives ages or times of day: one screen has one clock."""
    _shown[0] = clock


def when(at_ms: int | None, now_ms: int, *, ahead: bool = False) -> str:
    """The age of something at the right edge of a row, or when it was; empty when unknown.

    `ahead`: what is still to come then, as from a moment of the past, reads `+8m`.
    """
    if at_ms is not None and _shown[0] == "times":
        return time_of(at_ms, now_ms)
    if not ahead or at_ms is None or at_ms - now_ms < 1000:
        return age(at_ms, now_ms)
    hours, hour, _ = age(now_ms, at_ms).partition("h")
    return f"+{hours}{hour}"


def width() -> int:
    """The most cells of what `when` gives."""
    return 4 if _shown[0] == "ages" else 5


def time_of(at_ms: int, now_ms: int) -> str:
    """`14:02` when it was today here, `Nov29` on another day of this year, else the year."""
    try:
        at, now = time.localtime(at_ms / 1000), time.localtime(now_ms / 1000)
    except (OverflowError, ValueError, OSError):
        return ""
    if (at.tm_year, at.tm_yday) == (now.tm_year, now.tm_yday):
        return f"{at.tm_hour:02d}:{at.tm_min:02d}"
    return (
        f"{_MONTHS[at.tm_mon - 1]}{at.tm_mday:2d}" if at.tm_year == now.tm_year else f"{at.tm_year}"
    )
