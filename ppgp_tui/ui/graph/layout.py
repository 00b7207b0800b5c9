"""Where everything of a drawing stands: boxes, and the pieces of line that edges are made of.

A layout depends on keys, needs and widths alone. States, the cursor and colours are painted over
it, so that none of them moves anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from ppgp_tui.ui.graph.apart import Bits, unclear
from ppgp_tui.ui.graph.layers import Edge, Layered, Wants, layered
from ppgp_tui.ui.graph.lines import PLAIN, Piece, edge_cells
from ppgp_tui.ui.graph.model import Box, Direction, Order
from ppgp_tui.ui.graph.order import Items, arranged, crossings, items_of
from ppgp_tui.ui.graph.place import Extent, Placed, placed

_CHECKED = 300
"""Up to so many nodes ASCII joins are looked at one by one; beyond, all gaps are wide."""
MARGIN = 1
"""Blank columns at the left and at the right."""


class Shape(NamedTuple):
    """What is to be laid out."""

    wants: tuple[Wants, ...]
    widths: tuple[int, ...]
    """Cells of each node; of two with one key the first counts."""
    height: int
    """Rows of a node."""
    row: int
    """The row on which edges leave it to the right."""
    aside: int
    """Blank rows between nodes one below the other."""
    blank: bool
    """A blank stands before a node, to the right of the edge that arrives."""
    direction: Direction
    room: int
    """Columns in all."""
    slack: int
    """Columns that a gap may take beyond what it needs."""
    before: Order
    ascii: bool = False
    """Joins are drawn so that they reach out to all sides."""


class Layout(NamedTuple):
    """Boxes by node, pieces by row."""

    keys: tuple[str, ...]
    boxes: tuple[Box, ...]
    width: int
    height: int
    pieces: dict[int, list[Piece]]
    """By row: the level pieces on it and the upright ones through it."""
    nodes: dict[int, list[int]]
    """By row: the nodes whose box has it, from left to right."""
    order: Order
    edges: tuple[Edge, ...]
    implied: int
    turned: frozenset[Edge]
    crossings: int


@lru_cache(maxsize=24)
def laid_out(shape: Shape) -> Layout:
    """Return the layout of `shape`; the same shape is laid out once."""
    graph = _graph(shape.wants, shape.before)
    if shape.ascii and len(shape.wants) > _CHECKED:
        return _Plan(shape, *graph, frozenset(range(len(graph[2])))).layout()[0]
    wide: frozenset[int] = frozenset()
    while True:
        layout, misread = _Plan(shape, *graph, wide).layout()
        if misread <= wide:
            return layout
        wide |= misread


@lru_cache(maxsize=24)
def _graph(
    wants: tuple[Wants, ...], before: Order
) -> tuple[Layered, Items, tuple[tuple[int, ...], ...], int]:
    """Layers and their order, which no width changes."""
    graph = layered(wants)
    items = items_of(graph)
    layers = arranged(graph, items, before)
    tied = [[item for item in layer if items.up[item] or items.down[item]] for layer in layers]
    return graph, items, tuple(map(tuple, filter(None, tied))), crossings(items, tied)


@lru_cache(maxsize=24)
def fitted(shape: Shape, natural: int) -> Layout:
    """Lay out cards as wide as `shape.room` allows: from the widths of `shape` up to `natural`."""
    least = max(shape.widths, default=0)
    _, items, layers, _ = _graph(shape.wants, shape.before)

    def wide(card: int) -> Shape:
        return shape._replace(widths=(card,) * len(shape.widths))

    if shape.direction == "right":
        lanes = placed(items, layers, _extent(shape)).lanes
        needed = sum(1 + max(1, _columns(lanes)) for lanes in lanes)
        room = (shape.room - 2 * MARGIN - needed) // max(1, len(layers))
        return laid_out(wide(max(least, min(natural, room))))
    nodes = len(shape.widths)
    fullest = max((sum(item < nodes for item in layer) for layer in layers), default=1)
    room = (shape.room - 2 * MARGIN + 2) // fullest - 2
    for card in range(min(natural, room), least, -1):
        if placed(items, layers, _extent(wide(card))).across + 2 * MARGIN <= shape.room:
            return laid_out(wide(card))
    return laid_out(shape)


def _columns(lanes: dict[int, int]) -> int:
    return 1 + max(lanes.values(), default=-1)


def _extent(shape: Shape) -> Extent:
    count = len({want[0] for want in shape.wants})
    if shape.direction == "right":
        size = (shape.height,) * count
        return Extent(size, (shape.row,) * count, shape.aside, 1, 1)
    widths = _widths(shape)
    return Extent(widths, tuple((width - 1) // 2 for width in widths), 2, 2, 3)


def _widths(shape: Shape) -> tuple[int, ...]:
    by_key: dict[str, int] = {}
    for (key, *_), width in zip(shape.wants, shape.widths, strict=True):
        by_key.setdefault(key, width)
    return tuple(by_key.values())


class _Plan:
    """Builds one layout. Depth is counted along the edges, across at right angles to them."""

    def __init__(
        self,
        shape: Shape,
        graph: Layered,
        items: Items,
        layers: tuple[tuple[int, ...], ...],
        crossed: int,
        wide: frozenset[int] = frozenset(),
    ) -> None:
        self.shape = shape
        self.graph = graph
        self.items = items
        self.layers = layers
        self.crossed = crossed
        self.wide = wide
        """Gaps with a free cell before, between and behind their lanes."""
        self.right = shape.direction == "right"
        self.widths = _widths(shape)
        self.where: Placed = placed(items, layers, _extent(shape))
        self.pieces: list[Piece] = []

    def layout(self) -> tuple[Layout, frozenset[int]]:
        """The layout, and the gaps that would be misread in it."""
        depths = [self._depth(layer) for layer in self.layers]
        before, gap = self._gaps(depths)
        starts = [MARGIN if self.right else 0]
        for depth, wide in zip(depths, gap, strict=False):
            starts.append(starts[-1] + depth + wide)
        for at in range(len(self.layers)):
            self._passing(at, starts[at], depths[at])
            if at + 1 < len(self.layers):
                self._gap(at, starts, depths[at], before[at])
        boxes = self._boxes(starts)
        rows = self._by_row()
        misread = self._misread(boxes, rows, starts, depths) if self._checked() else frozenset()
        boxes = self._with_loose(boxes)
        height = max((box.y + box.height for box in boxes), default=0)
        width = max((box.x + box.width for box in boxes), default=0)
        height = max([height, *(1 + (p.end if p.upright else p.at) for p in self.pieces)])
        width = max([width, *(1 + (p.at if p.upright else p.end) for p in self.pieces)])
        keys = self.graph.keys
        layout = Layout(
            keys,
            tuple(boxes),
            width + MARGIN,
            height,
            rows,
            _nodes_by_row(boxes),
            tuple(tuple(keys[self.items.owner[item]] for item in layer) for layer in self.layers),
            self.graph.edges,
            self.graph.implied,
            self.graph.turned,
            self.crossed,
        )
        return layout, misread

    def _checked(self) -> bool:
        return self.shape.ascii and len(self.widths) <= _CHECKED

    def _misread(
        self,
        boxes: Sequence[Box],
        rows: dict[int, list[Piece]],
        starts: Sequence[int],
        depths: Sequence[int],
    ) -> frozenset[int]:
        gaps = [
            range(at + deep, end) for at, deep, end in zip(starts, depths, starts[1:], strict=False)
        ]

        @cache
        def bits(row: int) -> Bits:
            cells = edge_cells(rows.get(row, ()), row, 0, 1 << 30, lambda _: PLAIN, True)
            return {x: cell.sides for x, cell in cells.items()}

        height = max(rows, default=-1) + 1
        shape = self.shape
        found = unclear(gaps, boxes, shape.row, self.right, shape.blank, bits, height)
        return frozenset(found)

    def _depth(self, layer: Sequence[int]) -> int:
        if not self.right:
            return self.shape.height
        nodes = [item for item in layer if item < len(self.widths)]
        return max(self.widths[item] for item in nodes)

    def _gaps(self, depths: Sequence[int]) -> tuple[list[int], list[int]]:
        """Cells before the first lane of each gap, and of the whole gap."""
        lanes = [max(1, _columns(lanes)) for lanes in self.where.lanes]
        least = [
            2 * (1 + count) if at in self.wide else 1 + count for at, count in enumerate(lanes)
        ]
        first = [int(at in self.wide) for at in range(len(lanes))]
        if not self.right or not least:
            return first, least
        room = self.shape.room - 2 * MARGIN - sum(depths) - sum(least)
        share, odd = divmod(min(max(0, room), self.shape.slack * len(least)), len(least))
        extra = [share + (at < odd) for at in range(len(least))]
        before = [least + more // 2 for least, more in zip(first, extra, strict=True)]
        return before, [need + more for need, more in zip(least, extra, strict=True)]

    def _across(self, item: int) -> int:
        return self.where.line[item] + (0 if self.right else MARGIN)

    def _passing(self, at: int, start: int, depth: int) -> None:
        for item in self.layers[at]:
            if item >= len(self.widths):
                first = start - (1 if self.shape.blank and self.right else 0)
                line = self._across(item)
                source, targets = self.items.owner[item], self._carried(item)
                self._along(line, first, start + depth - 1, True, True, source, targets)

    def _carried(self, item: int) -> tuple[int, ...]:
        return tuple(
            target for end in self.items.down[item] for target in self.items.carries[item, end]
        )

    def _gap(self, at: int, starts: Sequence[int], depth: int, before: int) -> None:
        lanes = self.where.lanes[at]
        sharing: dict[tuple[int, int], list[int]] = {}
        for item in self.layers[at]:
            if not self.items.down[item]:
                continue
            leave = starts[at] + self._reach(item, depth)
            line, source = self._across(item), self.items.owner[item]
            if item not in lanes:
                for end in self.items.down[item]:
                    self._along(
                        line, leave, self._arrive(end, starts[at + 1]), True, True, source,
                        self.items.carries[item, end],
                    )  # fmt: skip
                continue
            lane = starts[at] + depth + before + lanes[item] * (2 if at in self.wide else 1)
            self._along(line, leave, lane, True, False, source, self._carried(item))
            if len(self.items.down[item]) == 1:
                sharing.setdefault((lane, self.items.down[item][0]), []).append(item)
            else:
                self._fork(item, lane)
            for end in self.items.down[item]:
                self._along(
                    self._across(end), lane, self._arrive(end, starts[at + 1]), False, True, source,
                    self.items.carries[item, end],
                )  # fmt: skip
        for (lane, _), items in sharing.items():
            self._merged(items, lane)

    def _reach(self, item: int, depth: int) -> int:
        """Cells of its layer, which is `depth` cells deep, that an item takes."""
        return self.widths[item] if self.right and item < len(self.widths) else depth

    def _arrive(self, end: int, start: int) -> int:
        """The last cell of the edge before what it leads to."""
        blank = self.shape.blank and self.right and end < len(self.widths)
        return start - (2 if blank else 1)

    def _merged(self, sharing: Sequence[int], lane: int) -> None:
        """The upright of all who share a lane to one target."""
        end = self.items.down[sharing[0]][0]
        targets = self.items.carries[sharing[0], end]
        entries = [(self._across(item), (self.items.owner[item],)) for item in sharing]
        for low, high, sources in _stretches(self._across(end), entries):
            self.pieces.append(Piece(self.right, lane, low, high, False, False, sources, targets))

    def _fork(self, item: int, lane: int) -> None:
        """The upright from one source to all its targets."""
        source = (self.items.owner[item],)
        ends = [(self._across(end), self.items.carries[item, end]) for end in self.items.down[item]]
        for low, high, targets in _stretches(self._across(item), ends):
            self.pieces.append(Piece(self.right, lane, low, high, False, False, source, targets))

    def _along(
        self, line: int, begin: int, end: int, from_node: bool, to_node: bool,
        source: int, targets: tuple[int, ...],
    ) -> None:  # fmt: skip
        self.pieces.append(
            Piece(not self.right, line, begin, end, from_node, to_node, (source,), targets)
        )

    def _boxes(self, starts: Sequence[int]) -> list[Box]:
        boxes = [Box(0, 0, width, self.shape.height, -1) for width in self.widths]
        for at, layer in enumerate(self.layers):
            for item in layer:
                if item < len(boxes):
                    across, depth = self.where.start[item], starts[at]
                    x, y = (depth, across) if self.right else (across + MARGIN, depth)
                    boxes[item] = Box(x, y, self.widths[item], self.shape.height, at)
        return boxes

    def _with_loose(self, boxes: list[Box]) -> list[Box]:
        """What neither needs nor unlocks anything stands below, in as many columns as there fit."""
        loose = [at for at, box in enumerate(boxes) if box.layer < 0]
        if not loose:
            return boxes
        rows = [box.y + box.height for box in boxes if box.layer >= 0]
        rows += [1 + (piece.end if piece.upright else piece.at) for piece in self.pieces]
        top = max(rows) + 1 if rows else 0
        across = max(self.widths[at] for at in loose) + 2
        columns = max(1, (self.shape.room - 2 * MARGIN + 2) // across)
        down = self.shape.height + self.shape.aside
        for number, at in enumerate(loose):
            y, x = divmod(number, columns)
            boxes[at] = Box(
                MARGIN + x * across, top + y * down, self.widths[at], self.shape.height, 0
            )
        return boxes

    def _by_row(self) -> dict[int, list[Piece]]:
        rows: dict[int, list[Piece]] = {}
        for piece in self.pieces:
            if piece.upright:
                for row in range(piece.begin, piece.end + 1):
                    rows.setdefault(row, []).append(piece)
            else:
                rows.setdefault(piece.at, []).append(piece)
        return rows


def _nodes_by_row(boxes: Sequence[Box]) -> dict[int, list[int]]:
    rows: dict[int, list[int]] = {}
    for at in sorted(range(len(boxes)), key=lambda at: boxes[at].x):
        for row in range(boxes[at].y, boxes[at].y + boxes[at].height):
            rows.setdefault(row, []).append(at)
    return rows


def _stretches(
    line: int, ends: Sequence[tuple[int, tuple[int, ...]]]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """An upright from `line` to all `ends` in stretches, each with what lies beyond it."""
    for way in (1, -1):
        beyond = sorted(((at, what) for at, what in ends if (at - line) * way > 0), reverse=way > 0)
        found: tuple[int, ...] = ()
        for number, (at, what) in enumerate(beyond):
            found += what
            nearer = beyond[number + 1][0] if number + 1 < len(beyond) else line
            yield min(at, nearer), max(at, nearer), found
