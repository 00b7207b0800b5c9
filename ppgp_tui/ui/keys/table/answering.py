"""What keys do to the request that waits for a person."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import OPTION_KEYS, Action, Topic
from ppgp_tui.ui.seat.place import Place

_UNDER = {
    "c": ("copy",),
    "d": ("answer.later",),
    "e": ("editor",),
    "f": ("plan.states",),
    "g": ("move.first",),
}
"""Keys that mean something else outside an opened card."""


def _option(letter: str) -> Action:
    under = _UNDER.get(letter, ())
    return Action(f"answer.{letter}", (letter,), f"option {letter}", needs.option(letter), under)


def _yes_hint(place: Place) -> str:
    if place.sheet == "confirm":
        return "do it"
    if place.final:
        return ""
    advised = f"{place.advised}, advised" if place.advised else "advised"
    return {"yes_no": "yes", "advised": advised}.get(place.asks, "")


def _final_hint(place: Place) -> str:
    what = {"yes_no": "yes", "advised": "advised"}.get(place.asks, "")
    return f"{place.armed or place.advised or what}, for good"


CHOOSING = (
    Topic(
        "yes",
        "For you",
        (Action("answer.yes", ("y",), "yes, or what is advised", needs.yes),),
        _yes_hint,
    ),
    Topic(
        "no",
        "For you",
        (Action("answer.no", ("n",), "no", needs.no, ("find.next",)),),
        lambda place: "leave it" if place.sheet == "confirm" else "no",
    ),
    Topic(
        "yes, for good",
        "For you",
        (Action("answer.final", ("Y",), "yes to what cannot be undone", needs.final),),
        _final_hint,
    ),
    Topic(
        "choose",
        "For you",
        tuple(_option(letter) for letter in OPTION_KEYS),
        "choose",
        each=True,
    ),
)

TALKING = (
    Topic(
        "own words",
        "For you",
        (Action("answer.words", ("r",), "answer in your own words", needs.words),),
        "own words",
    ),
    Topic(
        "note",
        "For you",
        (Action("answer.note", ("m",), "add a note to the answer", needs.note),),
        "note",
    ),
    Topic(
        "later",
        "For you",
        (Action("answer.later", ("d",), "leave it for later", needs.later),),
    ),
    Topic(
        "take back",
        "For you",
        (Action("answer.back", ("u",), "take the answer back", needs.take_back),),
        "undo",
    ),
)
