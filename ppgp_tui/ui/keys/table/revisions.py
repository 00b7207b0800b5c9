"""How keys go through the plan's history: older, newer, any two, who changed a task."""

from __future__ import annotations

from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.keys.refusals import in_session
from ppgp_tui.ui.seat.place import Place


def _known(place: Place) -> str:
    """Needs revisions that are known."""
    if why := in_session(place):
        return why
    return "" if place.revisions.known else "no revision of the plan is known here"


def older(place: Place) -> str:
    """Needs an older revision."""
    if why := _known(place):
        return why
    return "this is the first one that is known" if place.revisions.oldest else ""


def newer(place: Place) -> str:
    """Needs a comparison that can be walked on from."""
    if why := _known(place):
        return why
    return "" if place.revisions.mode else "this is the newest revision"


def compares(place: Place) -> str:
    """Needs two revisions."""
    if why := _known(place):
        return why
    return "" if place.revisions.known > 1 else "there is only one revision of the plan"


def blames(place: Place) -> str:
    """Needs a task under the cursor."""
    if why := _known(place):
        return why
    return "" if place.revisions.task else "no task is under the cursor"


def _walks(place: Place) -> str:
    return "revisions" if place.revisions.here else ""


def _pairs(place: Place) -> str:
    if not place.revisions.here or not place.revisions.mode:
        return ""
    return "let go" if place.revisions.mode == "pair" else "compare"


_OF_NOW = (
    "plan.family",
    "plan.states",
    "plan.left",
    "plan.right",
    "plan.pan_left",
    "plan.pan_right",
)
"""What keys do with the list of the plan of now, which a comparison takes the place of."""


def not_compared(topic: Topic) -> Topic:
    """`topic` as it is, but what needs the plan of now does not act while two are compared."""
    return topic._replace(actions=tuple(map(_of_now, topic.actions)))


def _of_now(action: Action) -> Action:
    if action.id not in _OF_NOW and not action.id.startswith("go."):
        return action

    def refuses(place: Place) -> str:
        if place.revisions.mode and not place.sheet:
            return "two revisions are compared: Esc goes back to the plan of now"
        return action.refuses(place)

    return action._replace(refuses=refuses)


REVISIONS = (
    Topic(
        "revisions",
        "Look",
        (
            Action("revision.older", ("[",), "older revision of the plan", older),
            Action("revision.newer", ("]",), "newer revision of the plan", newer),
        ),
        _walks,
        each=True,
    ),
    Topic(
        "compare any two",
        "Look",
        (Action("revision.compare", ("=",), "compare any two revisions", compares),),
        _pairs,
    ),
    Topic(
        "blame",
        "Look",
        (Action("blame", ("B",), "who changed this task, and when", blames),),
        lambda place: "blame" if place.revisions.mode else "",
    ),
)
