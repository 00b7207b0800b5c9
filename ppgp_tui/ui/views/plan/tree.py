"""The dependencies of a plan as an indented list, for where there is no room to draw them.

Each task stands once, under the deepest task it needs; where it would stand again a reference does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ppgp_tui.session.model import Plan
from ppgp_tui.ui.views.once import once
from ppgp_tui.ui.views.plan.dependencies import graph_of


class Branch(NamedTuple):
    """One line of the tree."""

    at: int
    """Position of the task in the plan."""
    depth: int
    """0 for a task that needs nothing."""
    above: str = ""
    """Key of the task it stands under; empty for a root."""
    again: bool = False
    """It stands elsewhere too: this is a reference to it."""


@once
def tree_of(plan: Plan) -> tuple[Branch, ...]:
    """Every task of `plan` and every further place where it is needed.

    Tasks that only wait for each other in a circle come last, as roots.
    """
    graph = graph_of(plan)
    depths = _depths(plan)
    needs = [_needs(plan, at) for at in range(len(plan.tasks))]
    home = [max(found, key=lambda one: depths[one], default=None) for found in needs]
    under: list[list[int]] = [[] for _ in plan.tasks]
    for at, found in enumerate(needs):
        for one in found:
            under[one].append(at)
    shown: set[int] = set()

    def grown(root: int) -> Iterator[Branch]:
        ahead: list[Branch] = [Branch(root, 0)]
        while ahead:
            branch = ahead.pop()
            again = branch.again or branch.at in shown
            yield branch._replace(again=again)
            if again:
                continue
            shown.add(branch.at)
            key = plan.tasks[branch.at].key
            for child in reversed(under[branch.at]):
                elsewhere = home[child] != branch.at
                ahead.append(Branch(child, branch.depth + 1, key, elsewhere))

    roots = [at for at in graph.place.values() if home[at] is None]
    lines = [branch for root in roots for branch in grown(root)]
    for at in graph.place.values():
        if at not in shown:
            lines.extend(grown(at))
    return tuple(lines)


def _needs(plan: Plan, at: int) -> list[int]:
    place = graph_of(plan).place
    found = (place.get(key) for key in plan.tasks[at].depends_on)
    return list(dict.fromkeys(one for one in found if one is not None and one != at))


def _depths(plan: Plan) -> Sequence[int]:
    """How many tasks come before each one on its longest way; circles are cut anywhere."""
    depths = [-1] * len(plan.tasks)
    for root in range(len(plan.tasks)):
        ahead, open_now = [(root, iter(_needs(plan, root)))], {root}
        while ahead:
            at, rest = ahead[-1]
            needed = next((one for one in rest if depths[one] < 0 and one not in open_now), None)
            if needed is not None:
                open_now.add(needed)
                ahead.append((needed, iter(_needs(plan, needed))))
                continue
            ahead.pop()
            open_now.discard(at)
            if depths[at] < 0:
                depths[at] = 1 + max((depths[one] for one in _needs(plan, at)), default=-1)
    return depths
