"""Where items stand across the layers, and which lanes their edges take in the gaps between.

Across means down the screen for a drawing to the right, and to the right for one downwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ppgp_tui.ui.graph.order import Items

_FEW = 40
"""Up to so many lanes in a gap every pair is weighed."""
_SHARE = 100
"""So many sources of one target share a lane."""


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
            _stack(layer, items, size, port, line, start, extent, least)
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
    extent: Extent,
    least: dict[int, int],
) -> None:
    """Beside the first neighbour unless that pushes later ones on; what passes stays straight."""
    latest: list[int] = []
    limit: int | None = None
    for item in reversed(layer):
        ends = items.up[item]
        wish = min(line[end] for end in ends) - port[item] if ends else 0
        passes = items.owner[item] != item
        limit = wish if limit is None or passes else min(wish, limit - size[item] - extent.gap)
        latest.append(limit)
    free = 0
    for item, wish in zip(layer, reversed(latest), strict=True):
        at = max(free, wish, least.get(item, 0))
        while _misleads(item, at + port[item], items, line):
            at += extent.step
        start[item] = at
        free = at + size[item] + extent.gap


def _misleads(item: int, at: int, items: Items, line: Sequence[int]) -> bool:
    """Whether an edge would come straight along line `at` and another turn in from elsewhere too.

    Following the first a person would take the branches of the second for its own.
    """
    ends = items.up[item]
    straight = any(line[end] == at and len(items.down[end]) == 1 for end in ends)
    return straight and any(len(items.down[end]) > 1 for end in ends)


def _lanes(
    layer: Sequence[int], items: Items, line: Sequence[int], apart: int
) -> dict[int, int] | int:
    """The lane columns behind `layer`; or an item that has to move since no order is true.

    If A leaves on the line on which an edge of B arrives, the lane of A comes first. So the first
    upright that a line meets is its own, and all that it leads to.
    """
    turning = [item for item in layer if any(line[end] != line[item] for end in items.down[item])]
    lane_of = _shared(turning, items)
    first = _first(lane_of, layer, items, line)
    stuck = _stuck(first)
    if stuck:
        return max(stuck, key=line.__getitem__)
    lanes: dict[int, _Lane] = {}
    for item, lane in lane_of.items():
        own: tuple[int, ...] = (line[item],)
        ends = tuple(line[end] for end in items.down[item])
        with_others = lanes.get(lane)
        if with_others is not None:
            own += with_others.own
        lanes[lane] = _Lane(min(own + ends), max(own + ends), own, ends)
    column = _columns(_sorted(lanes, first), lanes, apart)
    return {item: column[lane] for item, lane in lane_of.items()}


def _shared(turning: Sequence[int], items: Items) -> dict[int, int]:
    """By item: the first of those it shares its lane with, as all of them lead to one target."""
    lane_of: dict[int, int] = {}
    leading: dict[int, list[int]] = {}
    for item in turning:
        ends = items.down[item]
        if len(ends) > 1:
            lane_of[item] = item
            continue
        sharing = leading.setdefault(ends[0], [])
        sharing.append(item)
        lane_of[item] = sharing[(len(sharing) - 1) // _SHARE * _SHARE]
    return lane_of


def _first(
    lane_of: dict[int, int], layer: Sequence[int], items: Items, line: Sequence[int]
) -> dict[int, dict[int, int]]:
    """By lane: the lanes that come after it, with the target for the sake of which."""
    at_line = {line[end]: end for item in layer for end in items.down[item]}
    first: dict[int, dict[int, int]] = {lane: {} for lane in lane_of.values()}
    for item, lane in lane_of.items():
        target = at_line.get(line[item])
        if target is not None:
            for other in items.up[target]:
                after = lane_of.get(other, lane)
                if after != lane:
                    first[lane][after] = target
    return first


def _stuck(first: dict[int, dict[int, int]]) -> set[int]:
    """The targets for whose sake lanes wait for each other in a circle."""
    after = {item: set(others) for item, others in first.items()}
    before: dict[int, set[int]] = {item: set() for item in first}
    for item, others in first.items():
        for other in others:
            before[other].add(item)
    for ahead, behind in ((after, before), (before, after)):
        ends = [item for item, others in ahead.items() if not others]
        while ends:
            item = ends.pop()
            del ahead[item]
            for other in behind.pop(item):
                ahead[other].discard(item)
                if not ahead[other]:
                    ends.append(other)
    return {first[item][other] for item, others in after.items() for other in others}


class _Lane(NamedTuple):
    """From where to where an upright goes, the lines of its sources, and those it leads to."""

    low: int
    high: int
    own: tuple[int, ...]
    ends: tuple[int, ...]

    def crossed(self, left: _Lane) -> int:
        """Crossings with the lane `left` of this one."""
        count = sum(left.low < own < left.high for own in self.own)
        return count + sum(self.low < end < self.high for end in left.ends)


def _sorted(lanes: dict[int, _Lane], first: dict[int, dict[int, int]]) -> list[int]:
    """Lanes from left to right, with few crossings."""
    ahead = dict.fromkeys(lanes, 0)
    for others in first.values():
        for other in others:
            ahead[other] += 1
    gain = _gains(lanes) if len(lanes) <= _FEW else None
    score: dict[int, tuple[int, int]] = {
        item: _turn(lane) if gain is None else (sum(gain[item].values()), 0)
        for item, lane in lanes.items()
    }
    free = {item: None for item in lanes if not ahead[item]}
    chosen: list[int] = []
    while free:
        item = min(free, key=score.__getitem__)
        del free[item]
        chosen.append(item)
        for other in sorted(first[item], key=lambda one: lanes[one].own):
            ahead[other] -= 1
            if not ahead[other]:
                free[other] = None
        for other, more in gain[item].items() if gain else ():
            score[other] = score[other][0] + more, 0
    return chosen


def _gains(lanes: dict[int, _Lane]) -> dict[int, dict[int, int]]:
    """By pair of lanes that overlap: crossings with the first at the left, less those otherwise."""
    gain: dict[int, dict[int, int]] = {item: {} for item in lanes}
    known = list(lanes.items())
    for at, (item, lane) in enumerate(known):
        for other, its in known[at + 1 :]:
            if lane.low <= its.high and its.low <= lane.high:
                gain[item][other] = its.crossed(lane) - lane.crossed(its)
                gain[other][item] = -gain[item][other]
    return gain


def _turn(lane: _Lane) -> tuple[int, int]:
    """Upwards from the top, then downwards from the bottom: such lanes do not cross each other."""
    own = lane.own[0]
    rises = own - lane.low > lane.high - own
    return (0, own) if rises else (1, -own)


def _columns(chosen: Sequence[int], lanes: dict[int, _Lane], apart: int) -> dict[int, int]:
    """Lanes share a column if at least `apart` cells are free between them."""
    column: dict[int, int] = {}
    for at, item in enumerate(chosen):
        low, high = lanes[item].low - apart, lanes[item].high + apart
        column[item] = 1 + max(
            (
                column[other]
                for other in chosen[:at]
                if lanes[other].low <= high and low <= lanes[other].high
            ),
            default=-1,
        )
    return column
