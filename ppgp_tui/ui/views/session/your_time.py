"""How much agents took of the person, and the person of them, in the last hour."""

from __future__ import annotations

import time

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.human_load import HumanLoad, load_now
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.row import Line, Row, Span, heading
from ppgp_tui.ui.views.prose import paragraph

_A_SECOND = 1000
_ACTS = {
    "answer": ("answer", "answers"),
    "prompt": ("prompt", "prompts"),
    "pause": ("pause", "pauses"),
    "stop_turn": ("stopped turn", "stopped turns"),
    "freeze": ("freeze", "freezes"),
    "kill": ("ended agent", "ended agents"),
    "note": ("note", "notes"),
    "esc": ("Esc", "times Esc"),
}


def your_time(snapshot: SessionSnapshot, width: int, now_ms: int) -> list[Row]:
    """A heading and two or three lines; nothing where the log says nothing."""
    load = load_now(snapshot, now_ms)
    if load is None:
        return []
    origin = snapshot.load.origin
    return [
        heading("Your time", right=(Span(_window(load), "soft"),)),
        *(paragraph(text, width, key=f"load:{at}", origin=origin)
          for at, text in enumerate(load_words(load))),
    ]  # fmt: skip


def your_time_brief(snapshot: SessionSnapshot, now_ms: int) -> list[Row]:
    """The same in a heading and one line, where it stands beside other things."""
    load = load_now(snapshot, now_ms)
    if load is None:
        return []
    waited = f"agents waited {lasted(load.agents_waited_ms)}, you {lasted(load.you_waited_ms)}"
    said = Line((Span(f"{count(load.interruptions, 'interruption')}; {waited}"),), indent=1)
    head = heading("Your time", right=(Span(_window(load), "soft"),))
    return [head, Row("load", (said,), snapshot.load.origin)]


def load_words(load: HumanLoad) -> tuple[str, ...]:
    """What the numbers say; times are what is known at least, and say so."""
    acts = ", ".join(_act(what, number) for what, number in load.acts)
    hourly = " in this hour" if load.is_hour else ""
    first = f"{count(load.interruptions, 'interruption')}{hourly}{f': {acts}' if acts else ''}"
    if not load.interruptions:
        first = "nothing interrupted you, and you interrupted nobody"
    agents, you = load.agents_waited_ms, load.you_waited_ms
    no_agent, not_you = "no agent is known to have waited for you", "nor you for an agent"
    if agents < _A_SECOND and you < _A_SECOND:
        return (first, f"{no_agent}, {not_you}")
    waited = f"agents waited for you at least {lasted(agents)}{_still(load.waiting)}"
    yours = f"you waited for agents at least {lasted(you)}"
    return (
        first,
        waited if agents >= _A_SECOND else no_agent,
        yours if you >= _A_SECOND else "you are not known to have waited for one",
    )


def lasted(ms: int) -> str:
    """`40s`, `14m`, `1h02`."""
    minutes = ms // 60_000
    if not minutes:
        return f"{ms // 1000}s"
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02d}"


def _still(waiting: int) -> str:
    if not waiting:
        return ""
    return ", one still does" if waiting == 1 else f", {waiting} still do"


def _act(what: str, number: int) -> str:
    one, many = _ACTS.get(what, (what, what))
    return f"{number:,} {one if number == 1 else many}"


def _window(load: HumanLoad) -> str:
    if load.is_hour:
        return "last hour"
    return time.strftime("since %H:%M", time.localtime(load.since_ms / 1000))
