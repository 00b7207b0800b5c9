"""View 2: the plan drawn as a graph, its tasks as a list, and what hangs on the one at hand."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.rows.layout import GAP, Frame, Layout, Pane, free, kept
from ppgp_tui.ui.rows.row import Row, blank, heading
from ppgp_tui.ui.seat.plan_choice import LEADS_FROM
from ppgp_tui.ui.views.plan.detail import chain_rows, frees_rows
from ppgp_tui.ui.views.plan.figures import figures
from ppgp_tui.ui.views.plan.graph import Drawings, GraphRows, Wanted, chosen, folded_key
from ppgp_tui.ui.views.plan.list import Lists, PlanRows
from ppgp_tui.ui.views.plan.nodes import looked_at
from ppgp_tui.ui.views.plan.scene import LIST, Scene, scene_of
from ppgp_tui.ui.views.plan.tasks import no_tasks
from ppgp_tui.ui.views.plan.words import below_graph, head_rows, list_heading, none_left
from ppgp_tui.ui.views.room import ROOMY_HEIGHT, ROWS_BELOW, THREE_COLUMNS, TWO_COLUMNS, split, tall

GRAPH = "plan.graph"
LEAST_LIST = 5
"""Rows that graph and detail leave to the list."""
NEAR_HEIGHT = 17
"""Lines of the graph on a wide screen where it shows what is near the cursor: four cards."""
NEAR_ROWS = 9
"""The same on a narrow one, where it shows keys."""
LEAST_DETAIL = 6
"""Rows from which on the block about the task at hand is worth its place."""
LEAST_HEIGHT = 10
"""Rows of a view from which on there is room for a graph."""
LIST_WIDTH, DETAIL_WIDTH = 58, 50
"""Columns of list and detail where there are three."""


class PlanView:
    """The graph above the list of tasks, and the task under the cursor."""

    name = "plan"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return graph, list and detail for this room; only the detail where a row was opened."""
        if frame.compared is not None:
            from ppgp_tui.ui.views.plan.compared import compared_layout  # rarely asked for

            return compared_layout(kept(frame, "plan.graph", Drawings), snapshot, frame)
        looked = looked_at(snapshot)
        if not looked.plan.tasks:
            return ((Pane(LIST, no_tasks(snapshot), frame.width),),)
        tree, lists = frame.plan.look.tree, kept(frame, "plan.lists", Lists)
        scene = scene_of(lists, snapshot, looked, frame, tree)
        if frame.opened and frame.width < TWO_COLUMNS and scene.task is not None:
            rows = scene.detail(frame.width)
            return ((Pane("plan.detail", rows, frame.width, about=scene.key),),)
        graph, near = (None, False) if tree or not _may_draw(scene) else _graph(scene)
        if graph is None and not tree and _may_draw(scene):
            scene = scene_of(lists, snapshot, looked, frame, tree=True)
        top = _top(scene, graph, near)
        if frame.width >= TWO_COLUMNS:
            return _columns(scene, top)
        return ((*top, *_stacked(scene, _height(top))),)


def _graph(scene: Scene) -> tuple[GraphRows | None, bool]:
    """The drawing in its room, and whether it shows only what is near the cursor.

    None where it does not fit and was not asked for.
    """
    frame, asked = scene.frame, scene.frame.plan
    nodes, near = chosen(
        scene.plan,
        scene.key,
        of_family=asked.family,
        fold=scene.folds,
        unlike=scene.unlike(),
        chain=scene.chain,
    )
    under = frame.cursor.get(LIST, "")
    wanted = Wanted(
        nodes=nodes,
        cursor=scene.key or folded_key(nodes),
        width=frame.width,
        height=_graph_room(frame, near),
        look=frame.look,
        zoom=asked.look.zoom,
        cards=frame.width >= TWO_COLUMNS,
        pan=asked.pan[1] if under and asked.pan[0] == under else None,
        fixed=near,
    )
    return kept(frame, "plan.graph", Drawings).rows(wanted), near


def _may_draw(scene: Scene) -> bool:
    """Whether the plan is small enough, and the screen high enough."""
    large = len(scene.plan.tasks) > LEADS_FROM and not scene.frame.plan.family
    return not large and scene.frame.height >= LEAST_HEIGHT


def _top(scene: Scene, graph: GraphRows | None, near: bool) -> list[Pane]:
    """Heading, graph, and what the graph leaves out."""
    frame, width = scene.frame, scene.frame.width
    wide = width >= TWO_COLUMNS
    head = head_rows(scene, graph)
    if wide and frame.height >= ROOMY_HEIGHT and frame.density != "compact":
        head.append(blank())
    panes = [Pane("plan.head", head, width, tall(head), wide=wide)]
    if graph is not None:
        below = below_graph(scene, graph, near)
        panes += [
            Pane(GRAPH, graph, width, len(graph), wide=wide),
            Pane("plan.below", below, width, tall(below), wide=wide),
        ]
    return panes


def _graph_room(frame: Frame, near: bool) -> int:
    """Lines the graph gets at most; of a part that differs with the cursor, always."""
    if frame.width >= TWO_COLUMNS:
        most = max(frame.height - 13, frame.height // 2)
        return min(most, NEAR_HEIGHT) if near else most
    if near and frame.plan.look.zoom != "cards":
        return max(3, min(int(frame.height * 0.35), NEAR_ROWS))
    share = 0.55 if frame.plan.look.zoom == "cards" else 0.45
    return max(3, int(frame.height * share))


def _height(panes: list[Pane]) -> int:
    return sum(pane.height or 0 for pane in panes)


def _stacked(scene: Scene, above: int) -> list[Pane]:
    """The list, and below it what is known of the task at hand."""
    width, room = scene.frame.width, scene.frame.height - above
    rows = scene.rows(width)
    if not len(rows):
        return [Pane(LIST, [none_left(scene)], width)]
    if width < ROWS_BELOW or room < LEAST_LIST + LEAST_DETAIL:
        return _with_brief(scene, rows, room)
    most = max(LEAST_LIST, room - max(LEAST_DETAIL, int(room * 0.4)))
    detail = [blank(), *scene.detail(width)]
    return [
        Pane(LIST, rows, width, min(len(rows), most), uniform=True),
        Pane("plan.detail", detail, width, about=scene.key),
    ]


def _with_brief(scene: Scene, rows: PlanRows, room: int) -> list[Pane]:
    frame, brief = scene.frame, scene.brief()
    if not brief or room < LEAST_LIST:
        return [Pane(LIST, rows, frame.width, uniform=True)]
    return [
        Pane(LIST, rows, frame.width, min(len(rows), room - tall(brief)), uniform=True),
        Pane("plan.brief", brief, frame.width),
    ]


def _columns(scene: Scene, top: list[Pane]) -> Layout:
    """List and detail side by side below the graph; from 150 columns the whole beside them."""
    width, above = scene.frame.width, _height(top)
    three = width >= THREE_COLUMNS
    left, right = (LIST_WIDTH, DETAIL_WIDTH) if three else split(width, 0.5)
    known = scene.detail(right)
    detail = [heading("Under the cursor"), *known] if known else []
    whole = _whole(scene, width - left - right - 2 * GAP if three else right)
    if not three:
        detail += [blank(), *whole] if detail and whole else whole
    head, listed = list_heading(scene), scene.rows(left)
    columns = [
        (
            *top,
            Pane("plan.list.head", [head], left, 1),
            Pane(LIST, listed, left, uniform=True)
            if len(listed)
            else Pane(LIST, [none_left(scene)], left),
        ),
        (free(above), Pane("plan.detail", detail, right, about=scene.key)),
    ]
    if three:
        last = width - left - right - 2 * GAP
        columns.append((free(above), Pane("plan.whole", whole, last)))
    return tuple(columns)


def _whole(scene: Scene, width: int) -> list[Row]:
    """What follows from the whole plan: the longest chain, and who frees most."""
    if len(scene.plan.tasks) > LEADS_FROM:
        return []
    found = figures(scene.plan)
    chain = chain_rows(found.chain, width, scene.frame.look)
    frees = frees_rows(scene.looked, found.frees)
    return [*chain, *([blank()] if frees and chain else []), *frees]
