"""The tasks of two plans as one list: each with the mark of what became of it."""

from __future__ import annotations

from typing import Literal, NamedTuple

from ppgp_tui.pi.plan import TodoState, TodoTask
from ppgp_tui.pi.plan_change import PlanChange

Mark = Literal["", "added", "reworded", "restated", "rewired", "removed"]


class MarkedTask(NamedTuple):
    """A task of the later plan, or one that left it, with what became of it."""

    task: TodoTask
    mark: Mark
    """The strongest of what happened to it; empty: nothing did."""


def compared(before: TodoState, after: TodoState, change: PlanChange) -> tuple[MarkedTask, ...]:
    """The tasks of `after` in their order; those that left stand behind what stood before them.

    Of a task that changed in several ways the words count first, then the state, then what it
    depends on. A key that is used twice counts once, as in `compare`.
    """
    marks: dict[str, Mark] = {}
    marks.update((rewired.key, "rewired") for rewired in change.rewired)
    marks.update((restated.key, "restated") for restated in change.restated)
    marks.update((reworded.after.key, "reworded") for reworded in change.reworded)
    marks.update((task.key, "added") for task in change.added)
    gone = {left.task.key: left.task for left in change.removed}
    left_keys = frozenset(gone)
    behind: dict[str | None, list[TodoTask]] = {}
    last: str | None = None
    for task in before.tasks:
        if task.key not in left_keys:
            last = task.key
        elif task.key in gone:
            behind.setdefault(last, []).append(gone.pop(task.key))
    listed = [MarkedTask(task, "removed") for task in behind.get(None, ())]
    shown: set[str] = set()
    for task in after.tasks:
        if task.key in shown:
            continue
        shown.add(task.key)
        listed.append(MarkedTask(task, marks.get(task.key, "")))
        listed += [MarkedTask(left, "removed") for left in behind.get(task.key, ())]
    return tuple(listed)
