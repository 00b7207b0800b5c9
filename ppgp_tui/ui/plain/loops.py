"""Restart loops of this repository in sentences: those that are open, and what became of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.ui.looks.loop_ends import why_closed
from ppgp_tui.ui.plain.ages import counted, lasted

_ENDS: Final = {
    "SUCCESS": "reached its condition",
    "BUDGET_EXHAUSTED": "used up its budget",
    "ABANDONED": "was abandoned",
}
_DOES: Final = {
    "starting": "it begins",
    "running": "its agent works",
    "checking": "its agent has ended, what came of it is looked at",
}
"""What a runner does in one run after the other."""


def asking(snapshot: SessionSnapshot) -> list[Loop]:
    """Those that rest for what only the person can decide."""
    return [loop for loop in snapshot.loops.value.here if loop.needs_you]


def loop_sentences(snapshot: SessionSnapshot) -> Iterator[str]:
    """What every open loop does, and how many are closed."""
    loops = snapshot.loops.value
    for loop in loops.here:
        if loop.open:
            yield loop_sentence(loop, snapshot.at_ms)
    if loops.closed_here:
        yield f"{counted(loops.closed_here, 'restart loop')} closed."


def loop_changes(before: SessionSnapshot, after: SessionSnapshot) -> Iterator[str]:
    """What an open loop does now, where that is something else, and how loops ended."""
    for loop in after.loops.value.here:
        old = before.loops.value.loop(loop.id)
        if loop.open and (old is None or _standing(old) != _standing(loop)):
            yield loop_sentence(loop, after.at_ms)
        elif not loop.open and old is not None and old.open:
            yield _end(loop)


def loop_sentence(loop: Loop, now_ms: int) -> str:
    """What it does, at which run it is."""
    of = f" of {loop.max_iterations:,}" if loop.max_iterations is not None else ""
    run = f"run {loop.iteration:,}{of}" if loop.iteration else "no run yet"
    return f"Restart loop {loop.name}, {run}: {_does(loop, now_ms)}."


def _end(loop: Loop) -> str:
    how = _ENDS.get(loop.state, f"ended as {loop.state}")
    why = loop.why if loop.state == "SUCCESS" else why_closed(loop)
    because = f": {why}" if why else ""
    return f"Restart loop {loop.name} {how} at run {loop.iteration:,}{because}."


def _does(loop: Loop, now_ms: int) -> str:
    if loop.orphan:
        closes = f"ppgp-tui persist abandon {loop.id} closes it"
        return f"nobody runs it any more, its process is gone; {closes}"
    if loop.phase in ("rate_limited", "slowed"):
        what = "a rate limit" if loop.phase == "rate_limited" else "failures in a row"
        until = loop.until_ms
        again = f", again in {lasted(now_ms, until)}" if until and until > now_ms else ""
        return f"waits because of {what}{again}"
    if loop.needs_you and loop.pause is not None:
        goes_on = f"ppgp-tui persist resume {loop.id} lets it go on without that"
        return f"it needs you, {loop.pause.reason}; {goes_on}"
    if loop.phase == "paused":
        return f"held by a person{_reason(loop)}"
    if loop.pause is not None:
        return "a person asked for a pause, it rests after this run"
    if loop.phase is not None:
        return _DOES.get(loop.phase, "it ends")
    return f"{loop.state} in the log, whether somebody runs it is not recorded"


def _reason(loop: Loop) -> str:
    return f", {loop.pause.reason}" if loop.pause is not None and loop.pause.reason else ""


def _standing(loop: Loop) -> tuple[object, ...]:
    """When this differs, something is told; that another run began is not."""
    phase = "running" if loop.phase in _DOES else loop.phase
    logged = loop.state == "PAUSED" if phase is None else None  # rows precede the runner's word
    need = loop.pause.need if loop.pause is not None else ""
    return logged, phase, loop.orphan, loop.pause is not None, need
