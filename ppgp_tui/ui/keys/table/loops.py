"""What keys do to restart loops."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place


def _resume_or_pause(place: Place) -> str:
    if not place.loop.name:
        return ""
    return "resume" if place.loop.paused else "pause"


def _close(place: Place) -> str:
    if not place.loop.name:
        return ""
    return "close it" if place.loop.orphan else "abandon"


LOOPS = (
    Topic(
        "pause the loop, resume it",
        "Agent",
        (
            Action(
                "loop.pause",
                ("P",),
                "pause this loop, or resume it",
                needs.pause_loop,
                ("agent.hold",),
            ),
        ),
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
                needs.on_loop,
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
