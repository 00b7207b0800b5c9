"""What follows from the whole of a plan: the longest chain left, and what most others wait for."""

from __future__ import annotations

from typing import NamedTuple

from ppgp_tui.session.model import Plan
from ppgp_tui.ui.graph import critical_path, unblocks
from ppgp_tui.ui.views.once import once
from ppgp_tui.ui.views.plan.graph import nodes_of

MOST_FREE = 4
"""Tasks that are named as freeing most."""


class Figures(NamedTuple):
    """Worked out once for a plan."""

    chain: tuple[str, ...]
    """Keys of the longest chain of tasks that are not done."""
    frees: tuple[tuple[str, int], ...]
    """Keys of the tasks that wait for no other and whose end lets most go on; how many each."""


@once
def figures(plan: Plan) -> Figures:
    """Work out both for `plan`."""
    nodes = nodes_of(plan)
    waiting = unblocks(nodes)
    able = {node.key for node in nodes if node.sign != "waits"}
    most = sorted(
        (key for key in waiting if waiting[key] and key in able),
        key=waiting.__getitem__,
        reverse=True,
    )
    frees = tuple((key, waiting[key]) for key in most[:MOST_FREE])
    return Figures(critical_path(nodes), frees)
