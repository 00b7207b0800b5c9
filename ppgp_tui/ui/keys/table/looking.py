"""How keys look closer, find and come back."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place


def _back_hint(place: Place) -> str:
    return place.back if place.back != "back" else ""


OPEN = (
    Topic(
        "open",
        "Look",
        (Action("row.open", ("enter",), "open", needs.opening),),
        lambda place: "" if place.sheet == "confirm" else place.opens,
    ),
)

BACK = (Topic("back", "Look", (Action("back", ("escape",), "back", needs.back),), _back_hint),)

NEAR = (
    Topic(
        "next, previous",
        "Look",
        (
            Action("find.next", ("n",), "next match", needs.next_match),
            Action("find.previous", ("N",), "previous match", needs.next_match),
        ),
        lambda place: place.finds,
    ),
    Topic(
        "lineage",
        "Look",
        (Action("lineage", ("l",), "how it came about, what came of it", needs.lineage),),
        "lineage",
    ),
    Topic(
        "find, filter",
        "Look",
        (Action("find", ("/",), "find; among events kind: actor: run: goal: since:", needs.find),),
        "find",
    ),
    Topic(
        "story, events",
        "Look",
        (Action("story", ("v",), "the story, or every event", needs.story),),
        lambda place: "story" if place.lists == "raw" else "every event",
    ),
    Topic(
        "family",
        "Look",
        (Action("family", ("space",), "show or hide what belongs to it", needs.family),),
        "show, hide",
    ),
)

ORIGIN = (
    Topic(
        "origin",
        "Look",
        (Action("origin", ("o",), "origin", needs.origin),),
        lambda place: "" if place.sheet else "origin",
    ),
)

COPY = (Topic("copy", "Look", (Action("copy", ("c",), "copy", needs.copy),), "copy"),)
