"""From what tasks need to layers: circles opened, layers by longest path, implied edges dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Edge = tuple[int, int]
"""Positions of the needed and of the needing node."""


class Layered(NamedTuple):
    """A graph without circles. Nodes are their positions in `keys`."""

    keys: tuple[str, ...]
    layer: tuple[int, ...]
    """By node; every edge goes to a later layer."""
    edges: tuple[Edge, ...]
    """To be drawn, by source and then by target."""
    implied: int
    """Edges left out because a longer way says the same."""
    turned: frozenset[Edge]
    """Edges that close a circle, as they are drawn: the needing node first."""


Wants = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A key, the keys it needs, and those of them whose edges are no longer there."""


def layered(wants: Sequence[Wants]) -> Layered:
    """Return the layers of tasks, in their order.

    A key that stands twice is its first task; unknown keys and a task's own are passed over. An
    edge that exists no longer never hides one that does.
    """
    place: dict[str, int] = {}
    kept = [want for want in wants if place.setdefault(want[0], len(place)) == len(place) - 1]
    return _layered(kept, place)


def _layered(wants: Sequence[Wants], place: dict[str, int]) -> Layered:
    after: list[list[int]] = [[] for _ in wants]
    gone: set[Edge] = set()
    for at, (_, needs, no_longer) in enumerate(wants):
        for needed in dict.fromkeys(needs):
            source = place.get(needed, at)
            if source != at:
                after[source].append(at)
                if needed in no_longer:
                    gone.add((source, at))
    order, back = _depth_first(after, _starts(wants, place))
    turned = frozenset((target, source) for source, target in back)
    edges = {(source, target) for source in order for target in after[source]} - back
    layer = _longest_paths(order, edges | turned)
    sound = edges - gone
    needed_edges = _reduced(order, sound)
    drawn = sorted(needed_edges | (edges & gone) | turned)
    return Layered(tuple(place), tuple(layer), tuple(drawn), len(sound) - len(needed_edges), turned)


def _starts(wants: Sequence[Wants], place: dict[str, int]) -> list[int]:
    """What needs nothing first, so that an edge against the direction is one of a circle."""
    return sorted(range(len(wants)), key=lambda at: any(key in place for key in wants[at][1]))


def _depth_first(
    after: Sequence[Sequence[int]], starts: Sequence[int]
) -> tuple[list[int], set[Edge]]:
    """Nodes so that every edge but those returned with them goes forward."""
    finished: list[int] = []
    back: set[Edge] = set()
    state = bytearray(len(after))
    for start in starts:
        ahead = [(start, iter(after[start]))] if not state[start] else []
        state[start] = state[start] or 1
        while ahead:
            node, rest = ahead[-1]
            following = next(rest, None)
            if following is None:
                ahead.pop()
                state[node] = 2
                finished.append(node)
            elif state[following] == 1:
                back.add((node, following))
            elif not state[following]:
                state[following] = 1
                ahead.append((following, iter(after[following])))
    return finished[::-1], back


def _longest_paths(order: Sequence[int], edges: set[Edge]) -> list[int]:
    layer = [0] * len(order)
    after: list[list[int]] = [[] for _ in order]
    for source, target in edges:
        after[source].append(target)
    for node in order:
        for target in after[node]:
            layer[target] = max(layer[target], layer[node] + 1)
    return layer


def _reduced(order: Sequence[int], edges: set[Edge]) -> set[Edge]:
    """The edges that no longer way implies. Sets of nodes are bits of one number."""
    rank = {node: at for at, node in enumerate(order)}
    after: list[list[int]] = [[] for _ in order]
    for source, target in edges:
        after[source].append(target)
    reach = [0] * len(order)
    kept: set[Edge] = set()
    for node in reversed(order):
        reached = 0
        for target in sorted(after[node], key=rank.__getitem__):
            if not reached >> target & 1:
                kept.add((node, target))
                reached |= reach[target] | 1 << target
        reach[node] = reached
    return kept
