"""The drawing of the plan: crossings and time beside networkx, and how much an edit moves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import networkx

from ppgp_tui.ui.graph import Box, Drawing, Node, draw
from ppgp_tui.ui.graph.layers import layered
from ppgp_tui.ui.graph.layout import _graph, fitted, laid_out
from ppgp_tui.ui.graph.order import Items, crossings, items_of
from ppgp_tui.ui.looks.look import ROLES, Look
from tests.bench.plans import SHAPES, SIZES
from tests.bench.result import Result, in_turns

_LOOK = Look(dict.fromkeys(ROLES, "default"))
_ROUNDS = 3
_EDITS = 12
_TIMES = 20
"""The library neither puts a layer in order nor finds a way for an edge, which is the work."""


def graph(_place: Path) -> Iterator[Result]:
    """Every shape in every size."""
    for shape, made in SHAPES.items():
        for size in SIZES:
            nodes, name = made(size), f"{shape} {size:,}"
            items = items_of(layered([(node.key, node.needs, ()) for node in nodes]))
            ours = _drawn(nodes).crossings
            theirs = crossings(items, _their_layers(items))
            yield Result(f"crossings, {name}", "", [ours], [theirs], budget=0, how="difference")
            mine, floor = in_turns(
                partial(_timed, _drawn, nodes), partial(_timed, _theirs, nodes), _ROUNDS
            )
            yield Result(f"layout, {name}", "ms", mine, floor, budget=_TIMES)
    for shape in ("layered", "real-shaped"):
        yield from _stability(shape, SHAPES[shape](50))


def _drawn(nodes: tuple[Node, ...], before: Drawing | None = None) -> Drawing:
    """Laid out anew, as nothing is kept; lines are not painted."""
    for kept in (laid_out, fitted, _graph):
        kept.cache_clear()
    return draw(nodes, "keys", "right", 120, _LOOK, before=before.order if before else ())


def _theirs(nodes: tuple[Node, ...]) -> Any:
    """The same work as far as the library does it: implied edges dropped, layers, coordinates."""
    graph = networkx.DiGraph()
    graph.add_nodes_from(node.key for node in nodes)
    graph.add_edges_from((need, node.key) for node in nodes for need in node.needs)
    reduced = networkx.transitive_reduction(graph)
    for layer, keys in enumerate(networkx.topological_generations(reduced)):
        for key in keys:
            reduced.nodes[key]["subset"] = layer
    return networkx.multipartite_layout(reduced)


def _their_layers(items: Items) -> list[list[int]]:
    """The order of the library's coordinates, on the same layers with the same passing edges."""
    graph = networkx.Graph()
    for item, layer in enumerate(items.layer):
        graph.add_node(item, subset=layer)
    places = networkx.multipartite_layout(graph)
    layers: list[list[int]] = [[] for _ in range(max(items.layer) + 1)]
    for item in sorted(places, key=lambda item: float(places[item][1])):
        layers[items.layer[item]].append(item)
    return layers


def _timed(what: Any, nodes: tuple[Node, ...]) -> float:
    begun = time.process_time()
    what(nodes)
    return 1000 * (time.process_time() - begun)


def _stability(shape: str, nodes: tuple[Node, ...]) -> Iterator[Result]:
    """How many of a hundred tasks change places with another when one is edited."""
    before = _drawn(nodes)
    spots = [len(nodes) * number // _EDITS for number in range(_EDITS)]
    edits = {
        "state changed": [_with(nodes, at, nodes[at]._replace(sign="done")) for at in spots],
        "task added": [(*nodes, Node("new", "new", needs=(nodes[at].key,))) for at in spots],
        "task removed": [nodes[:at] + nodes[at + 1 :] for at in spots],
        "need added": [
            _with(nodes, at, nodes[at]._replace(needs=(*nodes[at].needs, nodes[at // 2].key)))
            for at in spots
            if at
        ],
    }
    for edit, plans in edits.items():
        kept = [_moved(before.boxes, _drawn(plan, before).boxes) for plan in plans]
        anew = [_moved(before.boxes, _drawn(plan).boxes) for plan in plans]
        yield Result(f"moved by: {edit}, {shape} 50", "%", kept, anew, budget=0, how="difference")


def _with(nodes: tuple[Node, ...], at: int, node: Node) -> tuple[Node, ...]:
    return (*nodes[:at], node, *nodes[at + 1 :])


def _moved(before: Any, after: Any) -> float:
    """Per cent of the tasks in both that stand in another layer or in another order in it."""
    both = [key for key in before if key in after]

    def order(boxes: dict[str, Box]) -> dict[int, list[str]]:
        layers: dict[int, list[str]] = {}
        for key in sorted(both, key=lambda key: boxes[key].y):
            layers.setdefault(boxes[key].layer, []).append(key)
        return layers

    was, now = order(before), order(after)
    stayed = sum(
        was.get(layer, [])[at : at + 1] == [key]
        for layer, keys in now.items()
        for at, key in enumerate(keys)
    )
    return 100 * (len(both) - stayed) / len(both)
