"""What keys do to restart loops."""

from __future__ import annotations

from ppgp_tui.ui import refusals as needs
from ppgp_tui.ui.keys import Action, Topic
from ppgp_tui.ui.place import Place


def _on_loop(place: Place) -> str:
    """Needs a loop under the cursor that is not closed."""
    if why := needs.acting(place):
        return why
    if not place.loop.name:
        return "no loop is under the cursor: the view agents lists them"
    return "" if place.loop.open else f"the loop {place.loop.name} is closed"


def _pauses(place: Place) -> str:
    if why := _on_loop(place):
        return why
    if not place.loop.listens:
        return "another program runs this loop, and does not listen: end it there"
    gone = "its runner is gone, so there is nothing to hold: close the loop"
    return gone if place.loop.orphan else ""


def _resume_or_pause(place: Place) -> str:
    if not place.loop.name:
        return ""
    return "resume the loop" if place.loop.paused else "pause the loop"


def _close(place: Place) -> str:
    if not place.loop.name:
        return ""
    return "close the loop" if place.loop.orphan else "abandon"


LOOPS = (
    Topic(
        "pause the loop, resume it",
        "Agent",
        (Action("loop.pause", ("P",), "pause this loop, or resume it", _pauses, ("agent.hold",)),),
        _resume_or_pause,
    ),
    Topic(
        "abandon the loop",
        "Agent",
        (
            Action(
                "loop.abandon",
                ("X",),
                "abandon this loop, or close one whose runner is gone",
                _on_loop,
                ("audit.cancel",),
            ),
        ),
        _close,
    ),
    Topic(
        "new loop",
        "Agent",
        (Action("loop.new", ("I",), "new loop: an agent again and again", needs.acting),),
        lambda place: "new loop" if place.loop.here else "",
    ),
)
