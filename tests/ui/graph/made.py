"""Plans of any shape, and what their picture should show."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from ppgp_tui.ui.graph import Node

Edge = tuple[str, str]


@st.composite
def dags(draw: st.DrawFn, most: int = 11) -> tuple[Node, ...]:
    """Tasks that need some of those before them, in any order."""
    count = draw(st.integers(1, most))
    nodes = []
    for at in range(count):
        needs = draw(st.sets(st.integers(0, at - 1), max_size=3)) if at else set()
        nodes.append(node(f"T{at}", *(f"T{need}" for need in sorted(needs))))
    return tuple(draw(st.permutations(nodes)))


@st.composite
def anything(draw: st.DrawFn) -> tuple[Node, ...]:
    """Tasks with any words, circles, keys that stand twice or are not there."""
    keys = draw(st.lists(st.text(max_size=12), min_size=1, max_size=8))
    some = st.sampled_from([*keys, "missing"])
    return tuple(
        Node(
            key,
            key,
            word=draw(st.text(max_size=12)),
            subject=draw(st.text(max_size=60)),
            needs=tuple(draw(st.lists(some, max_size=4))),
            mark=draw(st.sampled_from(["", "added", "removed", "rewired"])),
            faint=draw(st.booleans()),
        )
        for key in keys
    )


def node(key: str, *needs: str) -> Node:
    """A task with a short subject."""
    return Node(key, key, subject="some words", needs=needs)


def shown_edges(nodes: Sequence[Node]) -> set[Edge]:
    """The edges of a graph without circles that no longer way implies, found the slow way."""
    by_key = {one.key: one for one in nodes}

    def needed(key: str) -> set[str]:
        found: set[str] = set()
        for need in by_key[key].needs:
            found |= {need} | needed(need)
        return found

    return {
        (need, one.key)
        for one in nodes
        for need in one.needs
        if not any(need in needed(other) for other in one.needs if other != need)
    }
