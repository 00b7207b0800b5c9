"""What hangs on what: the family of a task, the longest open chain, what a task frees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ppgp_tui.ui.graph.layers import Layered, layered
from ppgp_tui.ui.graph.model import Node

FINISHED = frozenset({"done", "verified"})
"""Signs of a task that holds nothing up any more."""


def needs_of(nodes: Iterable[Node]) -> dict[str, tuple[str, ...]]:
    """Keys that each key needs and that are there, without its own; the first of a key counts."""
    first: dict[str, Node] = {}
    for node in nodes:
        first.setdefault(node.key, node)
    return {
        key: tuple(need for need in dict.fromkeys(node.needs) if need in first and need != key)
        for key, node in first.items()
    }


def unlocks_of(needs: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The same edges the other way: keys that need each key, in order."""
    unlocks: dict[str, list[str]] = {key: [] for key in needs}
    for key, needed in needs.items():
        for need in needed:
            unlocks[need].append(key)
    return unlocks


def reached(key: str, links: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Everything that `links` lead to from `key`, itself included, with the fewest steps to it."""
    steps = {key: 0} if key in links else {}
    ahead = list(steps)
    for here in ahead:
        for following in links[here]:
            if following not in steps:
                steps[following] = steps[here] + 1
                ahead.append(following)
    return steps


def family(nodes: Sequence[Node], key: str) -> frozenset[str]:
    """`key` with all it needs and all that needs it, however far; empty when it is not there."""
    needs = needs_of(nodes)
    return frozenset(reached(key, needs)) | frozenset(reached(key, unlocks_of(needs)))


def critical_path(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The longest chain of tasks still open, each needing the one before; the first if equal."""
    graph, after = _open_graph(nodes)
    order = sorted(range(len(graph.keys)), key=graph.layer.__getitem__, reverse=True)
    longest = [1] * len(order)
    following: dict[int, int] = {}
    for node in order:
        best = max(after[node], key=lambda to: (longest[to], -to), default=None)
        if best is not None:
            longest[node], following[node] = 1 + longest[best], best
    if not order:
        return ()
    here: int | None = max(range(len(order)), key=lambda node: (longest[node], -node))
    path = []
    while here is not None:
        path.append(graph.keys[here])
        here = following.get(here)
    return tuple(path)


def unblocks(nodes: Sequence[Node]) -> dict[str, int]:
    """How many open tasks wait, however far, for each open one; in plan order."""
    graph, after = _open_graph(nodes)
    waiting = [0] * len(graph.keys)
    for node in sorted(range(len(waiting)), key=graph.layer.__getitem__, reverse=True):
        for target in after[node]:
            waiting[node] |= waiting[target] | 1 << target
    return {key: waiting[node].bit_count() for node, key in enumerate(graph.keys)}


def _open_graph(nodes: Sequence[Node]) -> tuple[Layered, list[list[int]]]:
    """What is not finished and not removed; edges that close a circle are left out."""
    still = [node for node in nodes if node.sign not in FINISHED and node.mark != "removed"]
    graph = layered([(key, needs, ()) for key, needs in needs_of(still).items()])
    after: list[list[int]] = [[] for _ in graph.keys]
    for source, target in graph.edges:
        if (source, target) not in graph.turned:
            after[source].append(target)
    return graph, after
