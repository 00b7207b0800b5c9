"""The graph of the plan as keys beside other things, where all of it fits."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.rows.layout import Frame, kept
from ppgp_tui.ui.rows.row import Row, blank
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.graph import Drawings, Wanted, chosen
from ppgp_tui.ui.views.plan.list import FOLD_FROM

MOST_LINES = 12
"""Lines the graph takes at most."""
_MOST_TASKS = 200
"""Tasks from which on it is not tried."""


def small_graph(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The graph below a blank line; nothing where it does not fit into `width` columns."""
    plan = snapshot.plan.value
    if not 1 < len(plan.tasks) < _MOST_TASKS:
        return []
    cursor = _at_hand(snapshot, frame)
    nodes, near = chosen(plan, cursor, fold=len(plan.tasks) >= FOLD_FROM)
    wanted = Wanted(nodes, cursor, width, MOST_LINES, frame.look, zoom="keys")
    drawn = None if near else kept(frame, "session.graph", Drawings).rows(wanted)
    if drawn is None or drawn.wider:
        return []
    return [blank(), *drawn]


def _at_hand(snapshot: SessionSnapshot, frame: Frame) -> str:
    """Key of the task that the row under the cursor is about; empty where it is about none."""
    kind, _, name = frame.cursor.get("session.main", "").partition(":")
    place = graph_of(snapshot.plan.value).place
    if kind == "req":
        asked = next((one for one in snapshot.inbox.value if one.id == name), None)
        name = "" if asked is None else asked.scope
    return name if name in place else ""
