"""What the keys of the plan do to the seat: how it is drawn, which tasks, where the cursor goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ppgp_tui.session.model import Plan, TaskState
from ppgp_tui.ui.acts import revisions
from ppgp_tui.ui.seat.plan_choice import FOLD, LEADS_FROM, NOTHING, STATES, ZOOMS, OnPlan, PlanLook
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.nodes import looked_at, wants_nodes

if TYPE_CHECKING:
    from ppgp_tui.ui.rows.row import Row
    from ppgp_tui.ui.screen.body import Place as PanePlace
    from ppgp_tui.ui.seat.seat import Seat
    from ppgp_tui.ui.views.plan.graph import GraphRows

VIEW, LIST, GRAPH = "plan", "plan.list", "plan.graph"
PAN = 12
"""Cells that the graph is moved by at once."""
WHEELED = 4
"""The same for a step of the wheel."""
NOWHERE = ("", 0)
MOVES = frozenset(("plan.left", "plan.right"))
"""Actions that move the cursor: it is painted first, what follows it a moment later."""
Act = Callable[["Seat"], None]


# --- what can be done ---------------------------------------------------------------------------


def here(seat: Seat) -> bool:
    """Whether the view on screen is the plan's."""
    return seat.views[seat.current].name == VIEW


def on_plan(seat: Seat) -> OnPlan:
    """What keys can do with the plan where the person is."""
    plan = looked_at(seat.snapshot).plan
    goes = _goes(plan)
    if not here(seat) or not plan.tasks:
        return OnPlan(goes=goes)
    stay, drawing = seat.stay, _drawing(seat)
    return OnPlan(
        tasks=True,
        task=_at(seat, plan) is not None,
        family=stay.plan.family,
        states=stay.plan.states,
        large=len(plan.tasks) > LEADS_FROM and not stay.plan.family,
        zoom=drawing.zoom if drawing is not None else "",
        tree=drawing is None,
        wider=drawing is not None and drawing.wider,
        goes=goes,
    )


def leaves(seat: Seat) -> str:
    """What Esc comes back to from a part of the plan; empty where all of it is shown."""
    if not here(seat):
        return ""
    plan = seat.stay.plan
    if plan.family or plan.chain:
        return "whole plan"
    return "all states" if plan.states != "all" else ""


def leave(seat: Seat) -> None:
    """Show all of the plan again, step by step."""
    plan = seat.stay.plan
    if plan.chain:
        seat.stay.plan = plan._replace(chain=False)
    else:
        seat.stay.plan = plan._replace(family="") if plan.family else plan._replace(states="all")


def want_nodes(seat: Seat) -> None:
    """Have the log's graph folded where it may hold tasks that the recorded plan does not."""
    if here(seat) and wants_nodes(seat.snapshot):
        seat.session.want_graph()


# --- how it is drawn ----------------------------------------------------------------------------


def _zoom(seat: Seat) -> None:
    """To the next zoom after the one that is drawn; from the tree back to the graph."""
    look, drawing = seat.stay.plan.look, _drawing(seat)
    if drawing is None:
        _look(seat, PlanLook(look.zoom or "keys"))
        return
    _look(seat, PlanLook(ZOOMS[(ZOOMS.index(drawing.zoom) + 1) % len(ZOOMS)]))


def _tree(seat: Seat) -> None:
    look, drawing = seat.stay.plan.look, _drawing(seat)
    if drawing is None and not look.tree:
        _look(seat, PlanLook(look.zoom or "keys"))
    else:
        _look(seat, look._replace(tree=drawing is not None))


def _look(seat: Seat, look: PlanLook) -> None:
    seat.stay.plan = seat.stay.plan._replace(look=look, pan=NOWHERE)


def _pan(seat: Seat, cells: int) -> None:
    drawing = _drawing(seat)
    if drawing is not None and LIST in seat.stay.lists:
        pan = (seat.stay.lists[LIST].cursor, drawing.panned(cells))
        seat.stay.plan = seat.stay.plan._replace(pan=pan)


# --- which tasks --------------------------------------------------------------------------------


def _family(seat: Seat) -> None:
    plan = looked_at(seat.snapshot).plan
    at, stay = _at(seat, plan), seat.stay
    if at is None:
        return
    key = plan.tasks[at].key
    stay.plan = stay.plan._replace(family="" if stay.plan.family == key else key, pan=NOWHERE)


def _states(seat: Seat) -> None:
    stay = seat.stay
    after = STATES[(STATES.index(stay.plan.states) + 1) % len(STATES)]
    stay.plan = stay.plan._replace(states=after)


# --- where the cursor goes ----------------------------------------------------------------------


def _along(step: int) -> Act:
    """Along an edge to a neighbour: the nearest one in the picture, else the first in the plan."""

    def act(seat: Seat) -> None:
        plan = looked_at(seat.snapshot).plan
        at = _at(seat, plan)
        if at is None:
            return
        graph, key = graph_of(plan), plan.tasks[at].key
        beside = graph.unlocks.get(key, ()) if step > 0 else plan.tasks[at].depends_on
        able = [one for one in beside if one in graph.place]
        drawing = _drawing(seat)
        target = drawing.nearest(key, able) if drawing is not None else None
        target = target or (able[0] if able else None)
        if target is None:
            seat.say(f"{key} {'unlocks' if step > 0 else 'needs'} nothing")
        else:
            _stand_on(seat, target)

    return act


def _jump(letter: str, wanted: Callable[[Seat, Plan], Iterable[str]]) -> Act:
    """To the next of the `wanted` keys after the cursor, round the end."""

    def act(seat: Seat) -> None:
        plan = looked_at(seat.snapshot).plan
        keys = list(wanted(seat, plan))
        if not keys:
            seat.say(NOTHING[letter])
            return
        seat.show_view([view.name for view in seat.views].index(VIEW))
        revisions.leave(seat)
        seat.arrange()
        seat.stay.plan = seat.stay.plan._replace(chain=wanted is _chain)
        at, key = _at(seat, plan), _key_at_hand(seat, plan)
        if key in keys:
            target = keys[(keys.index(key) + 1) % len(keys)]
        else:
            place = graph_of(plan).place
            ahead = [one for one in keys if at is not None and place[one] > at]
            target = (ahead or keys)[0] if wanted in _IN_ORDER else keys[0]
        _stand_on(seat, target)
        if len(keys) == 1 and key == target:
            seat.say("this is the only one")

    return act


def _in(*states: TaskState) -> Callable[[Seat, Plan], Iterable[str]]:
    def keys(_: Seat, plan: Plan) -> Iterable[str]:
        return dict.fromkeys(plan.keys_in(*states))

    return keys


def _yours(_: Seat, plan: Plan) -> Iterable[str]:
    return graph_of(plan).yours


def _most(_: Seat, plan: Plan) -> Iterable[str]:
    from ppgp_tui.ui.views.plan.figures import figures

    return [key for key, _ in figures(plan).frees]


def _chain(_: Seat, plan: Plan) -> Iterable[str]:
    from ppgp_tui.ui.views.plan.figures import figures

    return figures(plan).chain


_ready, _blocked, _running = _in("ready"), _in("blocked"), _in("running")
_IN_ORDER = (_ready, _blocked, _running, _yours)
"""Those that are gone through in plan order; the others begin with the first one."""


def _goes(plan: Plan) -> str:
    """Letters of the jumps that lead somewhere."""
    graph = graph_of(plan)
    counts = graph.counts
    left = sum(counts.values()) - counts["done"]
    able = {
        "r": counts["ready"],
        "b": counts["blocked"],
        "p": counts["running"],
        "u": left if graph.unlocks else 0,
        "c": left,
        "y": len(graph.yours),
    }
    return "".join(letter for letter, number in able.items() if number)


# --- opening ------------------------------------------------------------------------------------


def opens_row(seat: Seat, row: Row) -> bool:
    """Do what Enter does with a row of the plan, if it is something of the plan's own."""
    if not here(seat):
        return False
    kind, _, rest = row.key.partition(":")
    plan = looked_at(seat.snapshot).plan
    if kind == "fold":
        seat.stay.turned ^= {row.key}
    elif kind == "ref":
        _stand_on(seat, rest.partition(">")[2])
    elif kind == "frees":
        _stand_on(seat, rest)
    elif kind == "stop" and rest.startswith("req_"):
        _read_request(seat, rest)
    elif kind == "task" and (request := _request(seat, plan, rest)):
        _read_request(seat, request)
    else:
        return False
    seat.arrange()
    return True


def _request(seat: Seat, plan: Plan, name: str) -> str:
    from ppgp_tui.ui.views.plan.stop import asked_of

    at = graph_of(plan).place.get(name)
    asked = asked_of(seat.snapshot, plan.tasks[at]) if at is not None else None
    return asked.id if asked is not None else ""


def _read_request(seat: Seat, request: str) -> None:
    """To the request in the inbox; Esc comes back."""
    seat.show_view([view.name for view in seat.views].index("inbox"))
    seat.arrange()
    rows = seat.stay.lists.get("inbox.list")
    if rows is None or not rows.go_to(f"req:{request}"):
        seat.say("this request is no longer there")
        return
    seat.stay.focus = "inbox.list"


def click(seat: Seat, place: PanePlace, x: int, y: int) -> bool:
    """Put the cursor on the task that is drawn at a cell of the body; whether it was the graph."""
    if place.pane.id != GRAPH:
        return False
    drawing = _drawing(seat)
    key = drawing.key_at(x - place.x, y - place.y) if drawing is not None else ""
    if drawing is None or not key:
        return True
    plan, part = looked_at(seat.snapshot).plan, drawing.stands_for(key)
    if seat.walk.mode:
        _among_changes(seat, key)
    elif part and key == drawing.fold:
        seat.stay.turned ^= {FOLD}
    elif not part and key == _key_at_hand(seat, plan) and seat.row is not None:
        opens_row(seat, seat.row)
    else:
        _stand_on(seat, part[0] if part else key)
    seat.arrange()
    return True


def _among_changes(seat: Seat, key: str) -> None:
    """While revisions are compared the cursor is in the list of what changed."""
    rows = seat.stay.lists.get(revisions.CHANGES)
    if rows is not None and rows.go_to(f"changed:{key}"):
        seat.stay.focus = revisions.CHANGES


def wheel(seat: Seat, place: PanePlace, step: int) -> bool:
    """Move the graph under the pointer; whether it was the graph."""
    drawing = _drawing(seat)
    if place.pane.id != GRAPH or drawing is None:
        return False
    _pan(seat, step * WHEELED)
    seat.arrange()
    return True


# --- the cursor ---------------------------------------------------------------------------------


def _at(seat: Seat, plan: Plan) -> int | None:
    """Position in the plan of the task under the cursor."""
    rows = seat.stay.lists.get(LIST)
    kind, _, rest = (rows.cursor if rows is not None else "").partition(":")
    name = rest.partition(">")[2] if kind == "ref" else rest if kind == "task" else ""
    return graph_of(plan).place.get(name)


def _key_at_hand(seat: Seat, plan: Plan) -> str:
    at = _at(seat, plan)
    return "" if at is None else plan.tasks[at].key


def _stand_on(seat: Seat, name: str) -> None:
    """Put the cursor on a task; what hides it is taken away."""
    stay = seat.stay
    if stay.opened is not None:
        stay.opened = None
        seat.arrange()
    stay.focus = LIST
    row = f"task:{name}"
    if LIST in stay.lists and stay.lists[LIST].go_to(row):
        return
    stay.filter, seat.entry = "", None
    stay.plan = stay.plan._replace(family="", states="all")
    seat.arrange()
    if not stay.lists[LIST].go_to(row):
        stay.turned |= {FOLD}
        seat.arrange()
        stay.lists[LIST].go_to(row)


def _drawing(seat: Seat) -> GraphRows | None:
    """The graph as it is on the screen; None where it is not drawn."""
    for place in seat.stay.placed:
        if place.pane.id == GRAPH:
            from ppgp_tui.ui.views.plan.graph import GraphRows

            return place.pane.rows if isinstance(place.pane.rows, GraphRows) else None
    return None


ACTS: dict[str, Act] = {
    "plan.zoom": _zoom,
    "plan.tree": _tree,
    "plan.family": _family,
    "plan.states": _states,
    "plan.left": _along(-1),
    "plan.right": _along(1),
    "plan.pan_left": lambda seat: _pan(seat, -PAN),
    "plan.pan_right": lambda seat: _pan(seat, PAN),
    "go.ready": _jump("r", _ready),
    "go.blocked": _jump("b", _blocked),
    "go.running": _jump("p", _running),
    "go.unblocks": _jump("u", _most),
    "go.critical": _jump("c", _chain),
    "go.yours": _jump("y", _yours),
}
