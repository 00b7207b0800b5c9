"""View 2 while two revisions are compared: the graph with its marks, what changed, the rail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppgp_tui.pi.todo import standing
from ppgp_tui.session.model import Plan, SessionSnapshot, Task
from ppgp_tui.session.plan_history.comparing import Comparison
from ppgp_tui.session.plan_history.marks import Mark, MarkedTask, compared
from ppgp_tui.ui.acts.revisions import CHANGES, RAIL
from ppgp_tui.ui.graph import Node, neighbourhood
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane, free
from ppgp_tui.ui.rows.row import Row, Span, blank, heading
from ppgp_tui.ui.seat.revision_choice import Compared, rail_key
from ppgp_tui.ui.views.plan.graph import MOST_DRAWN, STEPS, Drawings, GraphRows, Wanted, nodes_of
from ppgp_tui.ui.views.plan.revision_rows import (
    RailRows,
    change_rows,
    counts,
    heading_note,
    made,
    rail_line,
)
from ppgp_tui.ui.views.room import ROOMY_HEIGHT, TWO_COLUMNS, found, split, tall

GRAPH = "plan.graph"
LEAST_HEIGHT = 12
"""Rows of a view from which on there is room for a graph."""
MOST_TASKS = 2_000
"""Of plans with more tasks only the list of changes is shown."""
_WORDS: Mapping[Mark, str] = {"added": "new", "reworded": "chg", "rewired": "chg"}


def compared_layout(drawings: Drawings, snapshot: SessionSnapshot, frame: Frame) -> Layout:
    """Return graph, changes and rail for this room; `frame.compared` says what is compared."""
    shown = frame.compared
    assert shown is not None
    width = frame.width
    wide = width >= TWO_COLUMNS
    head = [_heading(shown, frame)]
    if wide and frame.height >= ROOMY_HEIGHT and frame.density != "compact":
        head.append(blank())
    top = [Pane("plan.head", head, width, tall(head), wide=wide)]
    graph = _graph(drawings, snapshot.plan.value, frame)
    if graph is not None:
        top += [
            Pane(GRAPH, graph, width, len(graph), wide=wide),
            Pane("plan.below", [blank()], width, 1, wide=wide),
        ]
    return _columns(shown, frame, top) if wide else (tuple(_stacked(shown, frame, top)),)


def _heading(shown: Compared, frame: Frame) -> Row:
    told = shown.found
    right: tuple[Span, ...] = ()
    if told is not None:
        right = counts(told.added, told.changed, told.removed) or (Span("no change", "soft"),)
    return heading(shown.name, heading_note(shown, frame.now_ms), right)


def _stacked(shown: Compared, frame: Frame, top: list[Pane]) -> list[Pane]:
    width = frame.width
    rows = _found(change_rows(shown), frame.filter)
    rail = [blank(), Row("", (rail_line(shown, width),))]
    above = sum(pane.height or 0 for pane in top)
    room = max(1, frame.height - above - len(rail))
    return [
        *top,
        Pane(CHANGES, rows, width, min(tall(rows), room), about=shown.name),
        Pane(RAIL, rail, width),
    ]


def _columns(shown: Compared, frame: Frame, top: list[Pane]) -> Layout:
    left, right = split(frame.width, 0.48)
    above = sum(pane.height or 0 for pane in top)
    history = shown.history
    rail = heading("Revisions", history.words(), (Span(f"{len(history):,}", "soft"),))
    told = f"{shown.revision.name}, {made(history, shown.revision, frame.now_ms)}"
    rows = _found(change_rows(shown, spaced=True), frame.filter)
    return (
        (
            *top,
            Pane("plan.rail.head", [rail], left, 1),
            Pane(
                RAIL, RailRows(shown, left, frame.look, frame.now_ms), left, uniform=True,
                reveal=rail_key(history.revisions[shown.at], shown.at),
            ),
        ),
        (
            free(above),
            Pane(
                "plan.changes.head",
                [heading("What changed and why", right=(Span(told, "soft"),))], right, 1,
            ),
            Pane(CHANGES, rows, right, about=shown.name),
        ),
    )  # fmt: skip


def _found(rows: Sequence[Row], words: str) -> Sequence[Row]:
    """The rows that say `words`; the very same ones where nothing is looked for."""
    return found(rows, words) if words else rows


# --- the graph ----------------------------------------------------------------------------------


def _graph(drawings: Drawings, now: Plan, frame: Frame) -> GraphRows | None:
    """Both plans in one drawing, or None where there is no room for one."""
    shown = frame.compared
    if shown is None or shown.found is None or frame.height < LEAST_HEIGHT or frame.plan.look.tree:
        return None
    if len(shown.found.after.tasks) > MOST_TASKS:
        return None
    newest = shown.last == len(shown.history) - 1
    edited = shown.revision.origin == "file" and now.source == "log"
    live = now if newest and not edited else _NO_PLAN
    nodes = _nodes.of(shown.found, live)
    if not nodes:
        return None
    cursor = frame.cursor.get(CHANGES, "").removeprefix("changed:")
    if cursor not in {node.key for node in nodes}:
        cursor = next((node.key for node in nodes if node.mark), nodes[0].key)
    near = len(nodes) > MOST_DRAWN
    wide = frame.width >= TWO_COLUMNS
    share = 0.55 if wide or frame.plan.look.zoom == "cards" else 0.4
    wanted = Wanted(
        nodes=neighbourhood(nodes, cursor, STEPS) if near else nodes,
        cursor=cursor,
        width=frame.width,
        height=max(3, frame.height - 14, frame.height // 2) if wide else int(frame.height * share),
        look=frame.look,
        zoom=frame.plan.look.zoom,
        cards=wide,
        fixed=near,
    )
    return drawings.rows(wanted)


class _Nodes:
    """The nodes of the comparison looked at last: they are the same while both plans are."""

    def __init__(self) -> None:
        self._of: tuple[Comparison, Plan] | None = None
        self._made: tuple[Node, ...] = ()

    def of(self, comparison: Comparison, live: Plan) -> tuple[Node, ...]:
        """As `marked_nodes`."""
        if self._of is None or self._of[0] is not comparison or self._of[1] is not live:
            self._made, self._of = marked_nodes(comparison, live), (comparison, live)
        return self._made


_nodes = _Nodes()
_NO_PLAN = Plan()


def marked_nodes(comparison: Comparison, live: Plan) -> tuple[Node, ...]:
    """The tasks of both plans as nodes with their marks.

    `live` is the plan of now where it is the newer side: it knows what stops a task. Where a task
    needs others than before, the edges it lost are kept, to be drawn dashed.
    """
    marked = compared(comparison.before, comparison.after, comparison.change)
    marks = {one.task.key: one.mark for one in marked}
    lost = {rewired.key: rewired.cut for rewired in comparison.change.rewired}
    nodes = nodes_of(_both(marked, live))
    return tuple(_marked(node, marks[node.key], lost.get(node.key, ())) for node in nodes)


def _marked(node: Node, mark: Mark, lost: tuple[str, ...]) -> Node:
    if mark == "removed":
        return node._replace(mark=mark, word="gone", needs=(), needs_no_longer=node.needs)
    word = node.word if node.sign == "blocked" else _WORDS.get(mark, node.word)
    return node._replace(mark=mark, word=word, needs_no_longer=lost)


def _both(marked: Sequence[MarkedTask], live: Plan) -> Plan:
    """Both plans as one, for drawing it."""
    known = {task.key: task for task in live.tasks}
    tasks = [one.task for one in marked]
    return Plan(
        tasks=tuple(
            known.get(task.key)
            or Task(task.key, task.subject, task.status, task.depends_on, task.description, state)
            for task, state in zip(tasks, standing(tasks), strict=True)
        )
    )
