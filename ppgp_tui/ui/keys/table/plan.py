"""How keys look at the plan: how it is drawn, which tasks, along its edges, to the next one."""

from __future__ import annotations

from ppgp_tui.ui.keys.action import Action, Topic
from ppgp_tui.ui.keys.refusals import Refusal, no_sheet
from ppgp_tui.ui.seat.place import Place
from ppgp_tui.ui.seat.plan_choice import LEADS_FROM, NOTHING


def in_plan(place: Place) -> str:
    """Needs the view of a plan that has tasks."""
    return no_sheet(place) or ("" if place.plan.tasks else "this is for the plan: 2 shows it")


def on_task(place: Place) -> str:
    """Needs a task of the plan under the cursor."""
    return in_plan(place) or ("" if place.plan.task else "no task is under the cursor")


def drawn(place: Place) -> str:
    """Needs a plan that is not too large to be drawn."""
    large = f"more than {LEADS_FROM:,} tasks are not drawn; the family of one is"
    return in_plan(place) or (large if place.plan.large else "")


def pans(place: Place) -> str:
    """Needs a graph that is larger than its room."""
    if why := in_plan(place):
        return why
    if not place.plan.zoom:
        return "the plan is not drawn as a graph here"
    return "" if place.plan.wider else "all of the graph is on the screen"


def jumps(letter: str) -> Refusal:
    """Needs a task to go to."""

    def refuses(place: Place) -> str:
        return no_sheet(place) or ("" if letter in place.plan.goes else NOTHING[letter])

    return refuses


def _family_hint(place: Place) -> str:
    return "whole plan" if place.plan.family else "family"


PLAN = (
    Topic("zoom", "Look", (Action("plan.zoom", ("z",), "zoom: dots, keys, cards", drawn),), "zoom"),
    Topic(
        "tree, graph",
        "Look",
        (Action("plan.tree", ("t",), "the plan as a tree, or drawn", in_plan),),
        lambda place: "graph" if place.plan.tree else "tree",
    ),
    Topic(
        "family of a task",
        "Look",
        (
            Action(
                "plan.family",
                ("space",),
                "only this task with its ancestors and descendants",
                on_task,
                ("family",),
            ),
        ),
        _family_hint,
    ),
)

AMONG = (
    Topic(
        "states",
        "Look",
        (Action("plan.states", ("f",), "all, ready, stopped, running, open, done", in_plan),),
        "states",
    ),
    Topic(
        "along the edges",
        "Move",
        (
            Action("plan.left", ("left",), "to what it needs", on_task),
            Action("plan.right", ("right",), "to what needs it", on_task),
        ),
    ),
    Topic(
        "pan the graph",
        "Move",
        (
            Action("plan.pan_left", ("H",), "move the graph back", pans),
            Action("plan.pan_right", ("L",), "move the graph on", pans),
        ),
    ),
    Topic(
        "go to",
        "Move",
        (
            Action("go.ready", ("' r",), "next ready task", jumps("r")),
            Action("go.blocked", ("' b",), "next blocked task", jumps("b")),
            Action("go.running", ("' p",), "next task in progress", jumps("p")),
            Action("go.unblocks", ("' u",), "the task that unblocks most", jumps("u")),
            Action("go.critical", ("' c",), "the longest chain", jumps("c")),
            Action("go.yours", ("' y",), "next task that waits for you", jumps("y")),
        ),
    ),
)
