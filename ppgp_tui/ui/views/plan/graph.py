"""The graph of the plan in its pane: which tasks are drawn, how large, and what part is in view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, overload

from ppgp_tui.session.model import Plan, Task
from ppgp_tui.ui.graph import Drawing, Node, Order, draw, family, fold_done, neighbourhood
from ppgp_tui.ui.graph.model import Direction
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import task_word
from ppgp_tui.ui.rows.row import Line, Row
from ppgp_tui.ui.seat.plan_choice import ZOOMS, Zoom
from ppgp_tui.ui.views.once import once

MOST_DRAWN = 60
"""Tasks that are drawn whole; of more the neighbourhood of the cursor is."""
MOST_AT_ALL = 400
"""Tasks that are drawn at all, however many hang on the one under the cursor."""
STEPS = 2
"""How far from the cursor that reaches."""
CARD_WORDS = {"running": "runs", "for you": "you"}
"""State words that are shorter on a card."""
_KEPT = 24


class Wanted(NamedTuple):
    """What is to be drawn, and the room there is."""

    nodes: tuple[Node, ...]
    cursor: str
    width: int
    height: int
    """Lines the graph gets at most."""
    look: Look
    zoom: Zoom = ""
    """Empty: as much as there is room for."""
    cards: bool = False
    """Cards are tried first where no zoom was chosen."""
    pan: int | None = None
    """First column (or line) in view, where the person moved the graph."""
    fixed: bool = False
    """The zoom does not follow the nodes, which differ with the cursor."""


@once
def nodes_of(plan: Plan) -> tuple[Node, ...]:
    """The tasks of `plan` as they are drawn; of two with one key the first."""
    seen: set[str] = set()
    nodes = []
    for task in plan.tasks:
        if task.key not in seen:
            seen.add(task.key)
            nodes.append(_node(task))
    return tuple(nodes)


def _node(task: Task) -> Node:
    word = task_word(task)
    said = task.stopped_by if task.state == "blocked" and task.stopped_by else word.text
    return Node(
        key=task.key,
        label=task.key,
        sign=word.sign,
        role=word.role,
        word=CARD_WORDS.get(said, said),
        subject=task.subject,
        needs=task.depends_on,
    )


@once
def folded_of(plan: Plan) -> tuple[Node, ...]:
    """The same with one node that stands for finished parts."""
    return fold_done(nodes_of(plan))


def parts_done(plan: Plan) -> tuple[str, ...]:
    """Keys of the finished tasks that one node stands for."""
    return next((node.stands_for for node in folded_of(plan) if node.stands_for), ())


def kin_of(plan: Plan, key: str) -> frozenset[str]:
    """Keys of a task, its ancestors and its descendants; the last ones are remembered."""
    kept = _kin_in(plan)
    if key not in kept:
        kept.clear()
        kept[key] = family(nodes_of(plan), key)
    return kept[key]


@once
def _kin_in(_: Plan) -> dict[str, frozenset[str]]:
    return {}


def chosen(
    plan: Plan,
    cursor: str,
    *,
    of_family: str = "",
    fold: bool = False,
    unlike: Collection[str] = (),
    chain: Collection[str] = (),
) -> tuple[tuple[Node, ...], bool]:
    """The nodes to draw, and whether they are only those near the cursor.

    `of_family` leaves one task with its ancestors and descendants, `fold` lets one node stand for
    finished parts. Bright is the `chain`, else the family of the cursor; what is `unlike` what is
    looked for is faint as well.
    """
    nodes = folded_of(plan) if fold else nodes_of(plan)
    if of_family:
        kin = kin_of(plan, of_family)
        nodes = tuple(node for node in nodes if node.key in kin)
    cursor = cursor or folded_key(nodes)
    near = len(nodes) > MOST_DRAWN
    if near and any(node.key == cursor for node in nodes):
        nodes = neighbourhood(nodes, cursor, STEPS)
    nodes = nodes[:MOST_AT_ALL]
    bright = chain or family(nodes, cursor)
    return tuple(
        node._replace(faint=(bool(bright) and node.key not in bright) or node.key in unlike)
        for node in nodes
    ), near


def folded_key(nodes: Sequence[Node]) -> str:
    """Key of the node that stands for finished parts; empty where there is none."""
    return next((node.key for node in nodes if node.stands_for and node.sign == "done"), "")


class GraphRows(Sequence[Row]):
    """The part of a drawing that is in view, as rows; the cursor stands in the list, not here."""

    def __init__(
        self, drawing: Drawing, nodes: tuple[Node, ...], x: int, y: int, width: int, height: int
    ) -> None:
        """`x`, `y`: the cell of the drawing at the top left of the pane."""
        self.drawing = drawing
        self._nodes = nodes
        self.x, self.y = x, y
        self.width, self.height = width, height
        self._rows: tuple[Row, ...] | None = None

    def _made(self) -> tuple[Row, ...]:
        if self._rows is None:
            # The last column of a pane stays blank, as that of a drawing does.
            lines = self.drawing.crop(self.x, self.y, self.width - 1, self.height)
            self._rows = tuple(Row("", (Line(spans, indent=0),)) for spans in lines)
        return self._rows

    def __len__(self) -> int:
        return self.height

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        return self._made()[index]

    @property
    def zoom(self) -> Zoom:
        """How much of each task is drawn."""
        return self.drawing.zoom

    @property
    def wider(self) -> bool:
        """There is more of the drawing than is in view."""
        return self.drawing.width > self.width or self.drawing.height > self.height

    def panned(self, cells: int) -> int:
        """The first column (or line) in view after moving the graph by `cells`."""
        if _pans_down(self.drawing, self.width, self.height):
            return _clamped(self.y + cells // 2, self.height, self.drawing.height)
        return _clamped(self.x + cells, self.width, self.drawing.width)

    def key_at(self, x: int, y: int) -> str:
        """Key of the node drawn at a cell of the pane; empty where there is none."""
        x, y = x + self.x, y + self.y
        for key, box in self.drawing.boxes.items():
            if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
                return key
        return ""

    @property
    def fold(self) -> str:
        """Key of the node that stands for finished parts; empty where there is none."""
        return folded_key(self._nodes)

    def stands_for(self, key: str) -> tuple[str, ...]:
        """Keys of the tasks that a node stands for; empty for a task of its own."""
        return next((node.stands_for for node in self._nodes if node.key == key), ())

    def nearest(self, key: str, keys: Iterable[str]) -> str | None:
        """Which of `keys` is drawn nearest to `key`, across the way the graph grows first."""
        here, boxes = self.drawing.boxes.get(key), self.drawing.boxes
        able = [one for one in keys if one in boxes]
        if here is None or not able:
            return None
        down = self.drawing.direction == "down"

        def away(one: str) -> tuple[int, int]:
            across, along = boxes[one].y - here.y, boxes[one].x - here.x
            return (abs(along), abs(across)) if down else (abs(across), abs(along))

        return min(able, key=away)


class Drawings:
    """Draws, and remembers: what was drawn lately, and the order of the last one."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[object, ...], Drawing] = {}
        self._before: Order = ()
        self._left, self._top = 0, 0
        """The first column and line that were in view."""

    def rows(self, wanted: Wanted) -> GraphRows | None:
        """The graph in its room, or None where no zoom fits and none was asked for."""
        drawing = self._fitting(wanted)
        if drawing is None:
            return None
        self._before = drawing.order
        height = wanted.height if wanted.fixed else min(drawing.height, wanted.height)
        box = drawing.boxes.get(wanted.cursor)
        if box is not None:
            self._left = _following(self._left, box.x, box.width, wanted.width)
            self._top = _following(self._top, box.y, box.height, height)
        left = self._left = _clamped(self._left, wanted.width, drawing.width)
        top = self._top = _clamped(self._top, height, drawing.height)
        if wanted.pan is not None and _pans_down(drawing, wanted.width, height):
            top = _clamped(wanted.pan, height, drawing.height)
        elif wanted.pan is not None:
            left = _clamped(wanted.pan, wanted.width, drawing.width)
        return GraphRows(drawing, wanted.nodes, left, top, wanted.width, height)

    def _fitting(self, wanted: Wanted) -> Drawing | None:
        if wanted.zoom:
            return self._drawing(wanted, wanted.zoom)
        if wanted.fixed:
            return self._drawing(wanted, "cards" if wanted.cards else "keys")
        for zoom in reversed(ZOOMS[: 3 if wanted.cards else 2]):
            drawing = self._drawing(wanted, zoom)
            tall = zoom != "cards" or drawing.height <= wanted.height
            if drawing.width <= wanted.width and tall:
                return drawing
        return None

    def _drawing(self, wanted: Wanted, zoom: Zoom) -> Drawing:
        assert zoom
        direction: Direction = "right"
        drawing = self._drawn_as(wanted, zoom, direction)
        if zoom == "cards" and drawing.width > wanted.width:
            return self._drawn_as(wanted, zoom, "down")
        return drawing

    def _drawn_as(self, wanted: Wanted, zoom: Zoom, direction: Direction) -> Drawing:
        assert zoom
        key = (wanted.nodes, zoom, direction, wanted.width, id(wanted.look), wanted.cursor)
        found = self._drawn.get(key)
        if found is None:
            if len(self._drawn) >= _KEPT:
                self._drawn.clear()
            found = self._drawn[key] = draw(
                wanted.nodes,
                zoom,
                direction,
                wanted.width,
                wanted.look,
                cursor=wanted.cursor,
                before=self._before,
            )
        return found


def _pans_down(drawing: Drawing, width: int, height: int) -> bool:
    """Whether a graph is panned by lines: where only its height, or its growth, is that way."""
    wide, tall = drawing.width > width, drawing.height > height
    return tall and (drawing.direction == "down" or not wide)


def _following(first: int, start: int, size: int, room: int) -> int:
    """The first cell in view so that `start` and `size` are, with a little around them."""
    around = max(0, min(room // 4, (room - size) // 2))
    if start - around < first:
        return start - around
    return max(first, start + size + around - room)


def _clamped(first: int, room: int, size: int) -> int:
    return max(0, min(first, size - room))
