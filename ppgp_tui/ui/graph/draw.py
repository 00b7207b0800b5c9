"""The dependency graph drawn: direction and widths chosen, laid out once, painted on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ppgp_tui.ui.graph.layout import Layout, Shape, fitted, laid_out
from ppgp_tui.ui.graph.model import Direction, Drawing, Node, Order, Zoom
from ppgp_tui.ui.graph.paint import Painter
from ppgp_tui.ui.graph.size import (
    LEAST,
    LEAST_DOWN,
    SUBJECT_LINES,
    head_width,
    key_width,
    natural_width,
    sign_of,
)
from ppgp_tui.ui.looks.look import Look

_SLACK: dict[Zoom, int] = {"cards": 4, "keys": 4, "dots": 3}


def draw(
    nodes: Sequence[Node],
    zoom: Zoom,
    direction: Direction | Literal["auto"],
    width: int,
    look: Look,
    cursor: str = "",
    before: Order = (),
) -> Drawing:
    """Draw `nodes`, which stand in plan order, for `width` columns.

    `auto` draws cards to the right when their layers fit into `width` and downwards otherwise;
    keys and dots always to the right. `cursor` is the key of the node the cursor is on. With the
    `order` of an older drawing as `before`, what was in it keeps its order. A drawing that cannot
    be narrower is wider than asked for.
    """
    by_key: dict[str, Node] = {}
    for node in nodes:
        by_key.setdefault(node.key, node)
    kept = tuple(by_key.values())
    layout, way = _layout(kept, zoom, direction, width, look, before)
    gone = frozenset((needed, node.key) for node in kept for needed in node.needs_no_longer)
    return Drawing(
        width=layout.width,
        height=layout.height,
        zoom=zoom,
        direction=way,
        boxes=dict(zip(layout.keys, layout.boxes, strict=True)),
        order=layout.order,
        edges=tuple((layout.keys[source], layout.keys[target]) for source, target in layout.edges),
        implied=layout.implied,
        cycle=tuple(
            (layout.keys[target], layout.keys[source]) for source, target in sorted(layout.turned)
        ),
        crossings=layout.crossings,
        paint=Painter(layout, by_key, zoom, look, cursor, gone),
    )


def _layout(
    nodes: tuple[Node, ...],
    zoom: Zoom,
    direction: Direction | Literal["auto"],
    width: int,
    look: Look,
    before: Order,
) -> tuple[Layout, Direction]:
    if zoom != "cards":
        way: Direction = "down" if direction == "down" else "right"
        return laid_out(_shape(nodes, zoom, way, width, look, before)), way
    if direction != "down":
        right = _cards(nodes, "right", width, look, before)
        if direction == "right" or right.width <= width:
            return right, "right"
    down = _cards(nodes, "down", width, look, before)
    if direction == "auto" and right.width <= down.width:
        return right, "right"
    return down, "down"


def _shape(
    nodes: tuple[Node, ...],
    zoom: Zoom,
    direction: Direction,
    width: int,
    look: Look,
    before: Order,
    card: int = LEAST,
    lines: int = SUBJECT_LINES,
) -> Shape:
    removed = {node.key for node in nodes if node.mark == "removed"}
    wants = tuple(
        (
            node.key,
            node.needs + node.needs_no_longer,
            node.needs_no_longer
            + tuple(need for need in node.needs if node.key in removed or need in removed),
        )
        for node in nodes
    )
    if zoom == "cards":
        widths = (card,) * len(nodes)
    elif zoom == "keys":
        widths = tuple(key_width(node, look) for node in nodes)
    else:
        widths = tuple(len(sign_of(node, look)[0]) for node in nodes)
    cards = zoom == "cards"
    return Shape(
        wants,
        widths,
        height=1 + lines if cards else 1,
        row=1 if cards else 0,
        aside=1 if cards else 0,
        blank=zoom == "keys",
        direction=direction,
        room=width,
        slack=_SLACK[zoom],
        before=before,
        ascii=look.ascii,
    )


def _cards(
    nodes: tuple[Node, ...], direction: Direction, width: int, look: Look, before: Order
) -> Layout:
    """As wide as fits, no narrower than the keys and no wider than the words need."""
    lines = SUBJECT_LINES if direction == "right" else 1
    narrowest = LEAST if direction == "right" else LEAST_DOWN
    least = max([narrowest, *(head_width(node, look, whole=False) for node in nodes)])
    natural = max([least, *(natural_width(node, look, lines) for node in nodes)])
    return fitted(_shape(nodes, "cards", direction, width, look, before, least, lines), natural)
