"""The dependency graph drawn: direction and widths chosen, laid out once, painted on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ppgp_tui.ui.graph.layout import MARGIN, Layout, Shape, gaps, laid_out, layer_count
from ppgp_tui.ui.graph.model import Direction, Drawing, Node, Order, Zoom
from ppgp_tui.ui.graph.paint import Painter
from ppgp_tui.ui.graph.size import (
    LEAST,
    MOST,
    SUBJECT_LINES,
    head_width,
    key_width,
    natural_width,
    sign_of,
)
from ppgp_tui.ui.look import Look

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
        right = _cards_right(nodes, width, look, before)
        if direction == "right" or right.width <= width:
            return right, "right"
    down = _cards_down(nodes, width, look, before)
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


def _least_card(nodes: tuple[Node, ...], look: Look) -> int:
    """The narrowest card that holds every key."""
    return max([LEAST, *(head_width(node, look, whole=False) for node in nodes)])


def _natural(nodes: tuple[Node, ...], look: Look, lines: int) -> int:
    return max([LEAST, *(natural_width(node, look, lines) for node in nodes)])


def _cards_right(nodes: tuple[Node, ...], width: int, look: Look, before: Order) -> Layout:
    """As wide as fits, no wider than the words need."""
    least, natural = _least_card(nodes, look), _natural(nodes, look, SUBJECT_LINES)
    shape = _shape(nodes, "cards", "right", width, look, before, least)
    needed, _ = gaps(shape)
    fits = (width - 2 * MARGIN - needed) // max(1, layer_count(shape.wants, before))
    card = max(least, min(natural, fits))
    return laid_out(_shape(nodes, "cards", "right", width, look, before, card))


def _cards_down(nodes: tuple[Node, ...], width: int, look: Look, before: Order) -> Layout:
    least, natural = _least_card(nodes, look), _natural(nodes, look, 1)
    for card in range(min(natural, MOST), least, -1):
        shape = _shape(nodes, "cards", "down", width, look, before, card, 1)
        if gaps(shape)[1] + 2 * MARGIN <= width:
            return laid_out(shape)
    return laid_out(_shape(nodes, "cards", "down", width, look, before, least, 1))
