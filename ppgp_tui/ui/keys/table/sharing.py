"""How keys copy, and write down what is to be given away."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place


def _of_now(place: Place) -> str:
    """A report is read from the files, so it is of now and of a session."""
    if place.past:
        return "a report is of now, and this is the past"
    return needs.no_sheet(place) or needs.in_session(place)


def _block(place: Place) -> str:
    if place.sheet == "card":
        return ""
    return needs.copy(place)


WHOLE = (
    Topic("copy it whole", "Look", (Action("copy.block", ("C",), "copy the whole of it", _block),)),
)

AWAY = (
    Topic(
        "picture",
        "Look",
        (Action("share.screen", (", s",), "a picture of this screen", needs.not_small),),
    ),
    Topic("report", "Look", (Action("share.report", (", r",), "a report to give away", _of_now),)),
    Topic("bug report", "Look", (Action("share.bug", (", b",), "a bug report", _of_now),)),
)
