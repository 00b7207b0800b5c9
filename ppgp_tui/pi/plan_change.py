"""What one plan changed in another: values for history, audit and events.

A task is the same task as long as its key is the same; of equal keys in a stored plan the first
counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppgp_tui.pi.plan import Removal, TaskStatus, TodoState, TodoTask


@dataclass(frozen=True, slots=True)
class Removed:
    """A task that left the plan; `reason` is None where none was given."""

    task: TodoTask
    reason: str | None


@dataclass(frozen=True, slots=True)
class Reworded:
    """A task whose subject or description reads differently."""

    before: TodoTask
    after: TodoTask


@dataclass(frozen=True, slots=True)
class Restated:
    """A task with another status."""

    key: str
    before: TaskStatus
    after: TaskStatus


@dataclass(frozen=True, slots=True)
class Rewired:
    """A task with other dependencies, or the same in another order."""

    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def tied(self) -> tuple[str, ...]:
        """Dependencies it did not have before."""
        return tuple(key for key in self.after if key not in self.before)

    @property
    def cut(self) -> tuple[str, ...]:
        """Dependencies it no longer has."""
        return tuple(key for key in self.before if key not in self.after)


@dataclass(frozen=True, slots=True)
class PlanChange:
    """All differences; added ones in the new plan's order, removed ones in the old plan's."""

    added: tuple[TodoTask, ...] = ()
    removed: tuple[Removed, ...] = ()
    reworded: tuple[Reworded, ...] = ()
    restated: tuple[Restated, ...] = ()
    rewired: tuple[Rewired, ...] = ()
    reordered: bool = False
    """The tasks that stayed stand in another order."""

    def __bool__(self) -> bool:
        return self != PlanChange()


def compare(before: TodoState, after: TodoState, removals: Iterable[Removal] = ()) -> PlanChange:
    """What `after` changed in `before`; `removals` says why tasks left."""
    old, new = _by_key(before), _by_key(after)
    reasons = {removal.key: removal.reason for removal in removals}
    stayed = [(old[key], task) for key, task in new.items() if key in old]
    return PlanChange(
        added=tuple(task for key, task in new.items() if key not in old),
        removed=tuple(
            Removed(task, reasons.get(key)) for key, task in old.items() if key not in new
        ),
        reworded=tuple(Reworded(was, now) for was, now in stayed if _words(was) != _words(now)),
        restated=tuple(
            Restated(now.key, was.status, now.status)
            for was, now in stayed
            if was.status != now.status
        ),
        rewired=tuple(
            Rewired(now.key, was.depends_on, now.depends_on)
            for was, now in stayed
            if was.depends_on != now.depends_on
        ),
        reordered=[key for key in old if key in new] != [key for key in new if key in old],
    )


def _by_key(state: TodoState) -> dict[str, TodoTask]:
    tasks: dict[str, TodoTask] = {}
    for task in state.tasks:
        tasks.setdefault(task.key, task)
    return tasks


def _words(task: TodoTask) -> tuple[str, str | None]:
    return task.subject, task.description
