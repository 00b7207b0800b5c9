"""A large plan made small enough to be read: the neighbourhood of a task, what is done folded."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.ui.graph.kin import FINISHED, needs_of, reached, unlocks_of
from ppgp_tui.ui.graph.model import Node

FOLDED = "\0done"
"""Key of the node that finished tasks are folded into; no key from a file can be the same."""


def neighbourhood(nodes: Sequence[Node], key: str, steps: int = 2) -> tuple[Node, ...]:
    """What is at most `steps` edges before or behind `key`, in plan order.

    Where more lies beyond, one stub per task says how much (`+14 more`), and `stands_for` names it:
    all that a shown task needs and is not shown, and all that hangs on what comes behind `key`.
    All nodes when `key` is not among them.
    """
    needs = needs_of(nodes)
    if key not in needs:
        return tuple(nodes)
    unlocks = unlocks_of(needs)
    before = {at for at, far in reached(key, needs).items() if far <= steps}
    behind = {at for at, far in reached(key, unlocks).items() if far <= steps}
    shown = before | behind
    near: dict[str, Node] = {}
    for node in nodes:
        if node.key in shown:
            near.setdefault(node.key, node)
    stubs: list[Node] = []
    for at, node in list(near.items()):
        if any(need not in shown for need in needs[at]):
            beyond = [one for one in reached(at, needs) if one not in shown]
            stub = _stub(f"\0before {at}", beyond, ())
            stubs.append(stub)
            near[at] = node._replace(needs=(*node.needs, stub.key))
        if at in behind and any(one not in shown for one in unlocks[at]):
            beyond = [one for one in reached(at, unlocks) if one not in shown]
            stubs.append(_stub(f"\0behind {at}", beyond, (at,)))
    return (*near.values(), *stubs)


def _stub(key: str, beyond: Sequence[str], needs: tuple[str, ...]) -> Node:
    return Node(key, f"{len(beyond)} more", "added", "soft", needs=needs, stands_for=tuple(beyond))


def fold_done(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Finished tasks that need nothing unfinished become one node, `12 done`, which stands first.

    `stands_for` of that node names them. Two are the fewest that are worth it.
    """
    needs = needs_of(nodes)
    done = {node.key for node in nodes if node.sign in FINISHED and not node.mark}
    done -= {node.key for node in nodes if node.key in done and node.sign not in FINISHED}
    unlocks = unlocks_of(needs)
    ahead = [key for key in needs if key not in done]
    for key in ahead:
        behind = [one for one in unlocks[key] if one in done]
        done.difference_update(behind)
        ahead += behind
    if len(done) < 2:
        return tuple(nodes)
    folded = tuple(key for key in needs if key in done)
    one = Node(FOLDED, f"{len(folded)} done", "done", "ok", stands_for=folded)
    rest = []
    for node in nodes:
        if node.key not in done:
            kept = tuple(need for need in node.needs if need not in done)
            hangs = len(kept) < len(node.needs)
            rest.append(node._replace(needs=(FOLDED, *kept) if hangs else node.needs))
    return (one, *rest)
