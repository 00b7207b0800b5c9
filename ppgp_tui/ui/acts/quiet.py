"""Do not disturb until a time: the sheet that asks for it, and the words that say so."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ppgp_tui.ui.looks.ages import time_of
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.seat.stay import OpenSheet

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

_UNITS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000}
# Compiled when somebody types: a start has no time for it.
_SPAN = r"(?a)(?:\d{1,3}[mhd])+"
_PIECE = r"(?a)(\d+)([mhd])"
_CLOCK = r"(?a)(\d{1,2})[:.](\d{2})"
LONGEST_MS = 30 * 86_400_000
"""Nobody wants to be left alone for longer than a month without saying so again."""


def open_quiet(seat: Seat) -> None:
    """Ask until when."""
    from ppgp_tui.ui.seat.entry import Entry  # nothing is typed at the start

    seat.sheet, seat.entry = OpenSheet("quiet"), Entry()


def until(typed: str, now_ms: int) -> int | None:
    """The moment that `18:00`, `45m` or `1h30m` says, in Unix milliseconds; None for other words.

    A time of day that is over is that of tomorrow.
    """
    said = typed.strip().lower()
    if re.fullmatch(_SPAN, said):
        span = sum(int(number) * _UNITS[unit] for number, unit in re.findall(_PIECE, said))
        return now_ms + span if 0 < span <= LONGEST_MS else None
    clock = re.fullmatch(_CLOCK, said)
    if clock is None or int(clock[1]) > 23 or int(clock[2]) > 59:
        return None
    now = datetime.fromtimestamp(now_ms / 1000).astimezone()
    at = now.replace(hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0)
    return round((at if at > now else at + timedelta(days=1)).timestamp() * 1000)


def quiet_rows(seat: Seat, typed: str) -> tuple[Row, ...]:
    """What can be chosen; what was typed comes alone."""
    now_ms = seat.clock()
    if typed.strip():
        moment = until(typed, now_ms)
        if moment is None:
            wanted = "type 18:00, or how long: 45m, 1h30m"
            return (Row("", (Line((Span(wanted, "soft"),), indent=1),)),)
        return (_choice(f"until {said(moment, now_ms)}", "", moment),)
    rows = [
        _choice(name, f"until {said(now_ms + span, now_ms)}", now_ms + span)
        for name, span in (("30 minutes", 30 * 60_000), ("1 hour", 60 * 60_000))
    ]
    if seat.manner.quiet(now_ms):
        until_now = f"quiet until {said(seat.manner.quiet_until_ms, now_ms)}"
        rows.insert(0, _choice("call me again", until_now, 0))
    hint = Span("or type 18:00, or how long: 45m, 1h30m", "soft")
    return (*rows, Row("", (Line((hint,)),)))


def _choice(words: str, right: str, moment: int) -> Row:
    line = Line((Span(words),), (Span(right, "soft"),), sign="held", sign_role="held")
    return Row(f"until:{moment}", (line,), opens="choose")


def take_quiet(seat: Seat, key: str) -> None:
    """Keep quiet until the moment of the row with that key."""
    moment = int(key.removeprefix("until:"))
    seat.manner.quiet_until_ms = moment
    if moment:
        seat.say(f"quiet until {said(moment, seat.clock())}; no bell and no notification")
    else:
        seat.say("you are called again")


def said(moment_ms: int, now_ms: int) -> str:
    """`18:00`; of another day with its date before it."""
    day = time_of(moment_ms, now_ms)
    clock = time_of(moment_ms, moment_ms)
    return clock if day == clock else f"{day} {clock}"


def quiet_spans(seat: Seat) -> tuple[Span, ...]:
    """What the key line says while nobody is to be called."""
    now_ms = seat.clock()
    if not seat.manner.quiet(now_ms):
        return ()
    until_when = said(seat.manner.quiet_until_ms, now_ms)
    words = f"quiet until {until_when}" if seat.width >= 60 else f"quiet {until_when}"
    return (Span(words, "held", bold=True), Span("  "))
