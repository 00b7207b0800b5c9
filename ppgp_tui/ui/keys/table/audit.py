"""What keys do with an audit."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.seat.place import Place


def _shows(place: Place) -> str:
    """Shows the audit from anywhere; in its own view it makes one."""
    if why := needs.in_session(place):
        return why
    if not place.audit.here:
        return ""
    if place.past:
        return "this is the past: nothing can be audited in it"
    if place.audit.running:
        return "this is the audit under way: X cancels it"
    return "" if place.acts else needs.ONLY_LOOKS


def _cancels(place: Place) -> str:
    none = "no audit is under way"
    if place.loop.here:
        none = needs.on_loop(place) or none
    return needs.acting(place) or ("" if place.audit.running else none)


def _takes(place: Place) -> str:
    if why := needs.acting(place):
        return why
    if not place.audit.takes:
        return "no criterion that nothing can check is under the cursor"
    return place.audit.why_not


def _sends(place: Place) -> str:
    if why := needs.acting(place):
        return why
    return "" if place.audit.sends else "no verdict with objections is on the screen"


def _in_plan(place: Place) -> str:
    if place.small:
        return needs.TOO_SMALL
    return "" if place.sheet == "audit" else "this is for the plan of an audit: A shows it"


def _on_check(place: Place) -> str:
    return _in_plan(place) or ("" if place.audit.check else "no check is under the cursor")


def _again(there_was_one: bool) -> str:
    return "again" if there_was_one else "audit"


TAKE = (
    Topic(
        "take it as done",
        "For you",
        (Action("audit.take", ("y",), "take what nothing can check", _takes, ("answer.yes",)),),
        "take it",
    ),
)

AUDIT = (
    Topic(
        "leave a check out",
        "For you",
        (Action("audit.leave_out", ("-",), "leave a check out, or put it back", _on_check),),
        "leave out, put back",
    ),
    Topic(
        "add a command",
        "For you",
        (Action("audit.add", ("+",), "one more command to run", _in_plan),),
        "add a command",
    ),
    Topic(
        "cancel the audit",
        "Agent",
        (Action("audit.cancel", ("X",), "cancel the audit under way", _cancels),),
        lambda place: "cancel" if place.audit.here else "",
    ),
    Topic(
        "send back",
        "Agent",
        (Action("audit.send_back", ("s",), "tell the agents what is objected to", _sends),),
        "send back",
    ),
    Topic(
        "audit",
        "Look",
        (Action("audit", ("A",), "the audit: its verdict, or make one", _shows),),
        lambda place: _again(place.audit.again) if place.audit.here and not place.past else "",
    ),
)

CLOSE = (
    Topic(
        "close the goal",
        "Agent",
        (Action("goal.close", ("D",), "close the goal: done", needs.acting),),
    ),
)
