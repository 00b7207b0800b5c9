"""Going through the past; and that keys change nothing there."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place

PAST = "this is the past: back to now first"
REPLAY = "a replay only shows: nothing can be changed"
_ACTING = ("For you", "Agent")
"""The groups of the actions that change something."""


def _travels(place: Place) -> str:
    return needs.no_sheet(place) or ("" if place.travels else "there are no events to travel to")


def _pointed(place: Place) -> str:
    return _travels(place) or ("" if place.pointed else "the log does not say when this was")


def _in_past(place: Place) -> str:
    return _travels(place) or ("" if place.past else "this is now")


def _to_now(place: Place) -> str:
    """The way back stays open when the log is gone, whose moment is shown."""
    return needs.no_sheet(place) if place.past == "moment" else _in_past(place)


def _plays(place: Place) -> str:
    if place.playing:
        return needs.no_sheet(place)
    return _travels(place) or ("" if place.past else "this is now: there is nothing to play")


TRAVEL = (
    Topic(
        "event by event",
        "Move",
        (
            Action("travel.back", ("<",), "one event back in time", _travels),
            Action("travel.on", (">",), "one event on in time", _in_past),
        ),
        lambda place: "event" if place.past else "",
    ),
    Topic(
        "back to now",
        "Move",
        (Action("travel.now", ("end",), "back to now", _to_now, ("move.bottom",)),),
        lambda place: {"moment": "now", "replay": "last"}.get(place.past, ""),
    ),
    Topic(
        "play, stop",
        "Move",
        (Action("travel.play", (".",), "play the past, or stop", _plays),),
        lambda place: "stop" if place.playing else "play" if place.past else "",
    ),
    Topic(
        "its moment",
        "Look",
        (Action("travel.there", ("T",), "travel to the moment of this", _pointed),),
        lambda place: "its moment" if place.past else "",
    ),
    Topic(
        "first moment",
        "Move",
        (Action("travel.first", ("home",), "the first moment", _in_past, ("move.top",)),),
    ),
)


def not_in_the_past(topic: Topic) -> Topic:
    """`topic` as it is, but what it changes now is not changed from the past."""
    if topic.group not in _ACTING:
        return topic
    return topic._replace(actions=tuple(_only_now(action) for action in topic.actions))


def _only_now(action: Action) -> Action:
    def refuses(place: Place) -> str:
        if place.past and place.sheet != "confirm":  # only leaving is confirmed there
            return REPLAY if place.past == "replay" else PAST
        return action.refuses(place)

    return action._replace(refuses=refuses)
