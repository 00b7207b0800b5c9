"""The order of each layer: few edges cross, and what stood in order before stays in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from ppgp_tui.ui.graph.layers import Layered
from ppgp_tui.ui.graph.model import Order

_SWEEPS = 12
_WORK = 20_000
"""Items times sweeps at most."""
_PASSES = 4
_SMALL = 600
"""Up to so many items neighbours are switched after every sweep, not only after the last."""


class Items(NamedTuple):
    """Nodes, and one passing place per source in each layer its edges run through."""

    owner: tuple[int, ...]
    """The node itself, or the source of the edges that pass. Items below `len(keys)` are nodes."""
    layer: tuple[int, ...]
    down: tuple[tuple[int, ...], ...]
    """Items of the next layer that an edge leads to."""
    up: tuple[tuple[int, ...], ...]
    carries: dict[tuple[int, int], tuple[int, ...]]
    """The nodes reached in the end, by link between neighbouring layers."""


def items_of(graph: Layered) -> Items:
    """Return what stands in the layers of `graph`."""
    targets: list[list[int]] = [[] for _ in graph.keys]
    for source, target in graph.edges:
        targets[source].append(target)
    owner = list(range(len(graph.keys)))
    layer = list(graph.layer)
    links: dict[tuple[int, int], tuple[int, ...]] = {}
    for source, reached in enumerate(targets):
        item, at = source, graph.layer[source]
        while reached:
            at += 1
            for target in reached:
                if graph.layer[target] == at:
                    links[item, target] = (target,)
            reached = [target for target in reached if graph.layer[target] > at]
            if reached:
                passing = len(owner)
                owner.append(source)
                layer.append(at)
                links[item, passing] = tuple(reached)
                item = passing
    down: list[list[int]] = [[] for _ in owner]
    up: list[list[int]] = [[] for _ in owner]
    for upper, lower in links:
        down[upper].append(lower)
        up[lower].append(upper)
    return Items(tuple(owner), tuple(layer), tuple(map(tuple, down)), tuple(map(tuple, up)), links)


def arranged(graph: Layered, items: Items, before: Order) -> list[list[int]]:
    """Return the items of each layer in order."""
    layers: list[list[int]] = [[] for _ in range(max(items.layer, default=-1) + 1)]
    for item in sorted(range(len(items.owner)), key=items.owner.__getitem__):
        layers[items.layer[item]].append(item)
    if any(before):
        return _kept(graph, items, layers, before)
    return _fewest(items, layers)


def crossings(items: Items, layers: Sequence[Sequence[int]]) -> int:
    """Pairs of links between neighbouring layers that cross."""
    return sum(
        _between(upper, {item: at for at, item in enumerate(lower)}, items.down)
        for upper, lower in pairwise(layers)
    )


def _between(upper: Sequence[int], place: dict[int, int], down: Sequence[Sequence[int]]) -> int:
    count = 0
    seen: list[int] = []
    for item in upper:
        ends = sorted(place[end] for end in down[item])
        for end in ends:
            count += len(seen) - bisect_right(seen, end)
        for end in ends:
            insort(seen, end)
    return count


def _fewest(items: Items, layers: list[list[int]]) -> list[list[int]]:
    """Sweeps to and fro by the mean place of the neighbours; the best of them, the first if equal.

    What does not hang together is kept apart, in the order of its first task.
    """
    part = _parts(items)
    now = [sorted(layer, key=part.__getitem__) for layer in layers]
    best, fewest = now, crossings(items, now)
    for sweep in range(min(_SWEEPS, max(2, _WORK // (1 + len(items.owner))))):
        if not fewest:
            break
        now = [list(layer) for layer in now]
        if sweep % 2:
            for at in range(len(now) - 2, -1, -1):
                _sort(now[at], now[at + 1], items.down, part)
        else:
            for at in range(1, len(now)):
                _sort(now[at], now[at - 1], items.up, part)
        if len(items.owner) <= _SMALL:
            _switched(items, now, part)
        count = crossings(items, now)
        if count < fewest:
            best, fewest = now, count
    if len(items.owner) > _SMALL:
        _switched(items, best, part, max(1, min(_PASSES, _WORK // len(items.owner))))
    return best


def _parts(items: Items) -> list[int]:
    """The smallest node that an item hangs together with."""
    root = list(range(len(items.owner)))

    def find(item: int) -> int:
        while root[item] != item:
            root[item] = root[root[item]]
            item = root[item]
        return item

    for upper, lowers in enumerate(items.down):
        for lower in lowers:
            one, other = find(upper), find(lower)
            root[max(one, other)] = min(one, other)
    return [find(item) for item in range(len(root))]


def _sort(
    layer: list[int], beside: Sequence[int], links: Sequence[Sequence[int]], part: Sequence[int]
) -> None:
    place = {item: at for at, item in enumerate(beside)}
    scale = len(beside) / max(1, len(layer))
    wish = {}
    for at, item in enumerate(layer):
        ends = links[item]
        wish[item] = sum(place[end] for end in ends) / len(ends) if ends else at * scale
    layer.sort(key=lambda item: (part[item], wish[item]))


def _switched(
    items: Items, layers: list[list[int]], part: Sequence[int], passes: int = _PASSES
) -> None:
    """Neighbours change places while that saves crossings; plan order where it makes none."""
    owner = items.owner
    for _ in range(passes):
        saved = False
        for at, layer in enumerate(layers):
            ends = [_ends(layer, layers[at - 1], items.up)] if at else []
            if at + 1 < len(layers):
                ends.append(_ends(layer, layers[at + 1], items.down))
            for left in range(len(layer) - 1):
                one, other = layer[left], layer[left + 1]
                if part[one] != part[other]:
                    continue
                as_is = turned = 0
                for side in ends:
                    mine, its = side[one], side[other]
                    if mine and its and mine[-1] > its[0]:
                        as_is += _over(mine, its)
                if not as_is and owner[one] < owner[other]:
                    continue
                for side in ends:
                    turned += _over(side[other], side[one])
                if (turned, owner[other]) < (as_is, owner[one]):
                    layer[left], layer[left + 1] = other, one
                    saved = True
        if not saved:
            return


def _ends(
    layer: Sequence[int], beside: Sequence[int], links: Sequence[Sequence[int]]
) -> dict[int, list[int]]:
    place = {item: at for at, item in enumerate(beside)}
    return {item: sorted(place[end] for end in links[item]) for item in layer}


def _over(first: Sequence[int], second: Sequence[int]) -> int:
    """Crossings of the links of two neighbours, the first standing before the second."""
    return sum(bisect_left(second, end) for end in first)


def _kept(graph: Layered, items: Items, layers: list[list[int]], before: Order) -> list[list[int]]:
    """The order from `before`, and what is new put where it crosses least, near its neighbours."""
    names = [{(graph.keys[items.owner[item]]): item for item in layer} for layer in layers]
    shift = _shift(names, before)
    kept: list[list[int]] = []
    for at, named in enumerate(names):
        old = before[at - shift] if 0 <= at - shift < len(before) else ()
        kept.append([named[key] for key in dict.fromkeys(old) if key in named])
    for at, layer in enumerate(layers):
        known = set(kept[at])
        for item in layer:
            if item not in known:
                _insert(item, at, kept, items)
    return kept


def _shift(names: Sequence[dict[str, int]], before: Order) -> int:
    """By how many layers most keys moved since `before`: a task put before all moves them all."""
    was: dict[str, int] = {}
    for at, keys in enumerate(before):
        for key in keys:
            was.setdefault(key, at)
    moved: dict[int, int] = {}
    seen: set[str] = set()
    for at, named in enumerate(names):
        for key in named.keys() - seen:
            if key in was:
                moved[at - was[key]] = moved.get(at - was[key], 0) + 1
        seen |= named.keys()
    return max(moved, key=lambda shift: (moved[shift], -abs(shift)), default=0)


def _insert(item: int, at: int, kept: list[list[int]], items: Items) -> None:
    layer = kept[at]
    sides: list[tuple[dict[int, int], Callable[[int], Sequence[int]]]] = []
    if at:
        sides.append(({one: to for to, one in enumerate(kept[at - 1])}, items.up.__getitem__))
    if at + 1 < len(kept):
        sides.append(({one: to for to, one in enumerate(kept[at + 1])}, items.down.__getitem__))
    cost = 0
    costs = [0]
    mine = [sorted(place[end] for end in ends(item) if end in place) for place, ends in sides]
    for other in layer:
        for (place, ends), own in zip(sides, mine, strict=True):
            theirs = sorted(place[end] for end in ends(other) if end in place)
            cost += _over(theirs, own) - _over(own, theirs)
        costs.append(cost)
    fewest = min(costs)
    spots = [spot for spot, value in enumerate(costs) if value == fewest]
    wish = bisect_left([items.owner[other] for other in layer], items.owner[item])
    layer.insert(min(spots, key=lambda spot: (abs(spot - wish), spot)), item)
