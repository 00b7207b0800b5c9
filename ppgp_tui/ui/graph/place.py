"""Where items stand across the layers, and which lanes their edges take in the gaps between.

Across means down the screen for a drawing to the right, and to the right for one downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ppgp_tui.ui.graph.order import Items

_FEW = 40
"""Up to so many lanes in a gap every pair is weighed."""


class Extent(NamedTuple):
    """How much room items take across, in cells."""

    size: tuple[int, ...]
    """By node; a passing edge takes 1."""
    port: tuple[int, ...]
    """Where the edges of a node arrive and leave, counted from its start."""
    gap: int
    """Blank cells between neighbours."""
    step: int
    """How far a node moves so that the picture does not lie."""
    apart: int
    """Free cells between lanes that share a column."""


class Placed(NamedTuple):
    """Places across, lanes by gap."""

    start: tuple[int, ...]
    line: tuple[int, ...]
    """Where the item's edges arrive and leave."""
    lanes: tuple[dict[int, int], ...]
    """Of the gap behind each layer: the column of the lane by the item that takes it."""
    across: int
    """Cells in all."""


def placed(items: Items, layers: Sequence[Sequence[int]], extent: Extent) -> Placed:
    """Give every item of `layers`, which are in order, its place and its lane."""
    passing = len(items.owner) - len(extent.size)
    size = [*extent.size, *[1] * passing]
    port = [*extent.port, *[0] * passing]
    start = [0] * len(size)
    line = [0] * len(size)
    lanes: list[dict[int, int]] = []
    for at, layer in enumerate(layers):
        least: dict[int, int] = {}
        while True:
            _stack(layer, items, size, port, line, start, extent.gap, least)
            for item in layer:
                line[item] = start[item] + port[item]
            found = _lanes(layers[at - 1], items, line, extent.apart) if at else {}
            if isinstance(found, dict):
                break
            least[found] = start[found] + extent.step
        if at:
            lanes.append(found)
    across = max((start[item] + size[item] for layer in layers for item in layer), default=0)
    return Placed(tuple(start), tuple(line), tuple(lanes), across)


def _stack(
    layer: Sequence[int],
    items: Items,
    size: Sequence[int],
    port: Sequence[int],
    line: Sequence[int],
    start: list[int],
    gap: int,
    least: dict[int, int],
) -> None:
    """Beside the first neighbour unless that pushes later ones on; what passes stays straight."""
    latest: list[int] = []
    limit: int | None = None
    for item in reversed(layer):
        ends = items.up[item]
        wish = min(line[end] for end in ends) - port[item] if ends else 0
        passes = items.owner[item] != item
        limit = wish if limit is None or passes else min(wish, limit - size[item] - gap)
        latest.append(limit)
    free = 0
    for item, wish in zip(layer, reversed(latest), strict=True):
        start[item] = max(free, wish, least.get(item, 0))
        free = start[item] + size[item] + gap


def _lanes(
    layer: Sequence[int], items: Items, line: Sequence[int], apart: int
) -> dict[int, int] | int:
    """The lane columns behind `layer`; or the item that has to move since no order is true.

    If A leaves on the line on which an edge of B arrives, the lane of A comes first. So the first
    upright that a line meets is its own, and all that it leads to; where a line that goes straight
    meets one that leads elsewhere too, its target has to move.
    """
    turning = [item for item in layer if any(line[end] != line[item] for end in items.down[item])]
    if not turning:
        return {}
    lane_of = set(turning)
    joined = _joined(layer, items, lane_of)
    if joined is not None:
        return joined
    at_line = {line[end]: end for item in layer for end in items.down[item]}
    after: dict[int, set[int]] = {item: set() for item in turning}
    ahead = dict.fromkeys(turning, 0)
    because: dict[tuple[int, int], int] = {}
    for item in turning:
        target = at_line.get(line[item])
        if target is None:
            continue
        for other in items.up[target]:
            if other != item and other in lane_of:
                after[item].add(other)
                ahead[other] += 1
                because[item, other] = target
    chosen = _sorted(turning, after, ahead, items, line)
    if len(chosen) < len(turning):
        return _in_the_way(set(turning) - set(chosen), after, because, line)
    return _columns(chosen, {item: _span(item, items, line) for item in turning}, apart)


def _joined(layer: Sequence[int], items: Items, lane_of: set[int]) -> int | None:
    """A target reached straight by one source, and by another that turns to more than it."""
    for item in layer:
        if item not in lane_of:
            for end in items.down[item]:
                for other in items.up[end]:
                    if other in lane_of and len(items.down[other]) > 1:
                        return end
    return None


def _span(item: int, items: Items, line: Sequence[int]) -> tuple[int, int]:
    ends = [line[item], *(line[end] for end in items.down[item])]
    return min(ends), max(ends)


def _sorted(
    turning: Sequence[int],
    after: dict[int, set[int]],
    ahead: dict[int, int],
    items: Items,
    line: Sequence[int],
) -> list[int]:
    """Lanes from left to right, with few crossings; those that wait in a circle are left out."""
    cost = _cost(turning, items, line)
    chosen: list[int] = []
    free = [item for item in turning if not ahead[item]]
    left = set(turning)
    few = len(turning) <= _FEW
    while free:
        if few:
            item = min(
                free,
                key=lambda one: sum(
                    cost(one, other) - cost(other, one) for other in left if other != one
                ),
            )
        else:
            item = min(free, key=lambda one: _turn(one, items, line))
        free.remove(item)
        left.discard(item)
        chosen.append(item)
        for other in sorted(after[item], key=lambda one: line[one]):
            ahead[other] -= 1
            if not ahead[other]:
                free.append(other)
    return chosen


def _turn(item: int, items: Items, line: Sequence[int]) -> tuple[int, int]:
    """Upwards from the top, then downwards from the bottom: such lanes do not cross each other."""
    low, high = _span(item, items, line)
    rises = line[item] - low > high - line[item]
    return (0, line[item]) if rises else (1, -line[item])


def _cost(turning: Sequence[int], items: Items, line: Sequence[int]) -> Callable[[int, int], int]:
    spans = {item: _span(item, items, line) for item in turning}
    ends = {item: [line[end] for end in items.down[item]] for item in turning}

    def cost(first: int, second: int) -> int:
        """Crossings if the lane of `first` is left of that of `second`."""
        low, high = spans[first]
        count = int(low < line[second] < high)
        low, high = spans[second]
        return count + sum(low < end < high for end in ends[first])

    return cost


def _in_the_way(
    stuck: set[int],
    after: dict[int, set[int]],
    because: dict[tuple[int, int], int],
    line: Sequence[int],
) -> int:
    """Of the targets that keep lanes waiting for each other, the one farthest down."""
    behind = {item: {other for other in after[item] if other in stuck} for item in stuck}
    while ends := [item for item, others in behind.items() if not others]:
        for item in ends:
            del behind[item]
        for others in behind.values():
            others.difference_update(ends)
    return max(
        (because[item, other] for item, others in behind.items() for other in others),
        key=lambda target: line[target],
    )


def _columns(
    chosen: Sequence[int], spans: dict[int, tuple[int, int]], apart: int
) -> dict[int, int]:
    """Lanes share a column if at least `apart` cells are free between them."""
    column: dict[int, int] = {}
    for at, item in enumerate(chosen):
        low, high = spans[item]
        column[item] = 1 + max(
            (
                column[other]
                for other in chosen[:at]
                if spans[other][0] <= high + apart and low <= spans[other][1] + apart
            ),
            default=-1,
        )
    return column
