"""Line 3 while the past is shown: a full band that says which moment, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.columns import cells
from ppgp_tui.ui.rows.row import Line, Span
from ppgp_tui.ui.screen import lamps

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.journey import Journey
    from ppgp_tui.ui.seat.seat import Seat

_ROLE: Role = "wait"
_BAR_FROM = 100
"""From this width on a bar shows where in the log the moment is."""
_BAR = 24
_LEAST_BAR = 8


class Travels(NamedTuple):
    """What the band is about."""

    moment: Moment | None
    """None: the first picture is being made."""
    target: int | None
    events: int
    """Events of the log."""
    recorded: bool
    """There is no now: times are told from the end of the recording."""
    end_ms: int | None
    """That end, or now."""
    playing: bool
    speed: float
    now_key: str
    play_key: str


def past_lines(
    seat: Seat, journey: Journey, width: int, look: Look, now_ms: int
) -> tuple[Line, Line, Line]:
    """The moment above, what is now in the second line, and the band instead of the tabs."""
    first, then = lamps.lamp_lines(seat.snapshot, width, look, seat.at_ms)
    second = then if journey.recorded else lamps.now_line(seat.live, width, look, now_ms)
    return first, second, band(_travels(seat, journey, now_ms), width, look)


def brief(seat: Seat, journey: Journey) -> Line:
    """That this is the past, where there is no room for the band."""
    travels = _travels(seat, journey, seat.clock())
    return Line((Span(_texts(travels)[-1], _ROLE, bold=True),), (), "changed", _ROLE)


def _travels(seat: Seat, journey: Journey, now_ms: int) -> Travels:
    log, last = seat.live.events.value.log, seat.live.events.value.last
    if journey.pending is not None:
        log = None  # how many there are is not known before all are read
    end_ms = (last.ts_ms if last else None) if journey.recorded else now_ms
    return Travels(
        seat.snapshot.moment, journey.target, 0 if log is None else len(log), journey.recorded,
        end_ms, journey.playing, journey.speed, seat.key("travel.now"), seat.key("travel.play"),
    )  # fmt: skip


def band(travels: Travels, width: int, look: Look) -> Line:
    """The band, `width` cells of it filled: to be drawn one cell wider, and that one cut off."""
    right = _way_back(travels, width)
    room = width - cells(*right)
    texts = _texts(travels)
    text = next((one for one in texts if cells(Span(one, exact=True)) <= room - 2), texts[-1])
    left = [Span(f" {text}", _ROLE, bold=True, band=True, exact=True)]
    bar = _bar(travels, min(_BAR, room - cells(*left) - 4), look) if width >= _BAR_FROM else ""
    left += [Span(f"  {bar}", _ROLE, band=True)] if bar else []
    filling = Span(" " * max(0, room - cells(*left)), _ROLE, band=True, exact=True)
    return Line((*left, filling, *right), indent=0)


def _way_back(travels: Travels, width: int) -> tuple[Span, ...]:
    def key(name: str) -> Span:
        return Span(f" {name} ", _ROLE, bold=True, band=True, underline=True)

    def word(text: str) -> Span:
        return Span(f"{text} ", _ROLE, bold=True, band=True)

    if not travels.recorded:
        return (key(travels.now_key), word("back to now"))
    playing = (key(travels.play_key), word("stop" if travels.playing else "play"))
    return playing if width < 60 else (*playing, key(travels.now_key), word("last"))


def _texts(travels: Travels) -> list[str]:
    """What the band says, from the longest to the shortest."""
    moment, count = travels.moment, travels.events
    if moment is None:
        if not count or travels.target is None:
            return ["REPLAY  reading the log", "REPLAY  reading"]
        return [f"REPLAY  reading event {travels.target + 1:,} of {count:,}", "REPLAY  reading"]
    place = f"event {moment.at + 1:,}"
    of = f"{place} of {moment.of:,}"
    since = age(moment.ts_ms, travels.end_ms) if travels.end_ms is not None else ""
    when = "" if not since else f"{since} before its end" if travels.recorded else f"{since} ago"
    brief = "" if not since else f"-{since}" if travels.recorded else when
    if moment.progress is not None and moment.target is not None:
        part = f"{int(moment.progress * 100)} %"
        return [
            f"REPLAY  reading {part} of the way to event {moment.target + 1:,}: {of}",
            f"REPLAY  reading {part}, {place}",
        ]
    pace = f"x{travels.speed:g}" if travels.playing else ""
    gap = f"a gap of {age(0, moment.shortened_ms)} shortened" if moment.shortened_ms else ""
    return [
        _said(when, of, pace, gap) + ". Keys change nothing",
        _said(when, of, pace, gap),
        _said(when, of, pace),
        _said(when, of),
        _said(brief, of),
        _said(brief, place),
        f"REPLAY  {place}",
    ]


def _said(*parts: str) -> str:
    return "REPLAY  " + ", ".join(part for part in parts if part)


def _bar(travels: Travels, room: int, look: Look) -> str:
    moment = travels.moment
    if moment is None or room < _LEAST_BAR:
        return ""
    full = round((moment.at + 1) / max(1, moment.of) * room)
    return look.sign("bar_full") * full + look.sign("bar_empty") * (room - full)
