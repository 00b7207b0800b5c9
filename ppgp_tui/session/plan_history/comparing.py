"""What changed between any two revisions, with the reasons given on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ppgp_tui.pi.plan import Removal, TodoState
from ppgp_tui.pi.plan_change import PlanChange, compare
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.revision import Revision


class Comparison(NamedTuple):
    """Two plans of one history and all differences between them."""

    first: int
    """Index of the older revision; -1: before the first one."""
    last: int
    before: TodoState
    after: TodoState
    change: PlanChange

    @property
    def added(self) -> int:
        """Tasks that came."""
        return len(self.change.added)

    @property
    def changed(self) -> int:
        """Tasks that stayed and are different now."""
        return len(changed_keys(self.change))

    @property
    def removed(self) -> int:
        """Tasks that left."""
        return len(self.change.removed)


def between(history: PlanHistory, one: int, other: int) -> Comparison | None:
    """What the later of two revisions changed in the earlier; None where a plan is not known."""
    first, last = min(one, other), max(one, other)
    before, after = history.state(first), history.state(last)
    if before is None or after is None:
        return None
    reasons = reasons_between(history.revisions[first + 1 : last + 1])
    return Comparison(first, last, before, after, compare(before, after, reasons))


def step(history: PlanHistory, index: int) -> Comparison | None:
    """What one revision changed in the one before it."""
    return between(history, index - 1, index)


def counted(history: PlanHistory, index: int) -> Revision:
    """The revision with its counts, compared anew where a revision was put in before it later."""
    revision = history.revisions[index]
    if revision.exact:
        return revision
    found = step(history, index)
    if found is None:
        return revision
    change = found.change
    keys = (
        *(task.key for task in change.added),
        *changed_keys(change),
        *(left.task.key for left in change.removed),
    )
    return revision._replace(
        added=found.added,
        changed=found.changed,
        removed=found.removed,
        reordered=change.reordered,
        keys=keys,
    )


def reasons_between(revisions: Iterable[Revision]) -> tuple[Removal, ...]:
    """Why tasks left in these revisions; of a task that left twice the last reason comes last."""
    return tuple(reason for revision in revisions for reason in revision.reasons)


def changed_keys(change: PlanChange) -> tuple[str, ...]:
    """Keys of the tasks that stayed and are different, each once."""
    keys = [reworded.after.key for reworded in change.reworded]
    keys += [restated.key for restated in change.restated]
    keys += [rewired.key for rewired in change.rewired]
    return tuple(dict.fromkeys(keys))
