"""Who changed a task, when, and in which revision: its whole history, the newest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from ppgp_tui.pi.plan import TodoTask
from ppgp_tui.pi.plan_change import PlanChange
from ppgp_tui.session.plan_history.comparing import step
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.revision import Revision

Deed = Literal["added", "removed", "restated", "reworded", "re-wired", "unknown"]


class Touch(NamedTuple):
    """One thing that one revision did to one task."""

    deed: Deed
    was: str = ""
    """The status, words or dependencies before."""
    now: str = ""
    why: str | None = None
    """Why it left, where that was said."""


class TaskChange(NamedTuple):
    """What one revision did to the task."""

    at: int
    """Index of the revision in its history."""
    revision: Revision
    touches: tuple[Touch, ...]


def blame(history: PlanHistory, key: str, most: int | None = None) -> tuple[TaskChange, ...]:
    """Every revision that changed the task `key`, newest first, `most` of them at most.

    A revision whose plan cannot be read any more is listed with the deed `unknown`.
    """
    found: list[TaskChange] = []
    for change in _changes(history, key):
        found.append(change)
        if most is not None and len(found) >= most:
            break
    return tuple(found)


def last_change(history: PlanHistory, key: str) -> TaskChange | None:
    """The newest revision that changed the task, or None where none is known."""
    return next(iter(blame(history, key, 1)), None)


def _changes(history: PlanHistory, key: str) -> Iterator[TaskChange]:
    for index in range(len(history) - 1, -1, -1):
        revision = history.revisions[index]
        if revision.exact and key not in revision.keys:
            continue
        compared = step(history, index)
        if compared is None:
            yield TaskChange(index, revision, (Touch("unknown"),))
            continue
        touches = tuple(touches_of(compared.change, key))
        if touches:
            yield TaskChange(index, revision, touches)


def touches_of(change: PlanChange, key: str) -> Iterator[Touch]:
    """What `change` did to one task."""
    for task in change.added:
        if task.key == key:
            yield Touch("added", now=task.subject)
    for left in change.removed:
        if left.task.key == key:
            yield Touch("removed", was=left.task.subject, why=left.reason)
    for restated in change.restated:
        if restated.key == key:
            yield Touch("restated", restated.before, restated.after)
    for reworded in change.reworded:
        if reworded.after.key == key:
            yield Touch("reworded", *_words(reworded.before, reworded.after))
    for rewired in change.rewired:
        if rewired.key == key:
            yield Touch("re-wired", ", ".join(rewired.before), ", ".join(rewired.after))


def _words(was: TodoTask, now: TodoTask) -> tuple[str, str]:
    """The subjects where they differ, else the descriptions."""
    if was.subject != now.subject:
        return was.subject, now.subject
    return was.description or "", now.description or ""
