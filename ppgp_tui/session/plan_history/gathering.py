"""Revisions gathered one after the other, with what each changed in the one before.

Only the newest plan is kept whole. Plans are JSON values here, as payloads hold them: what cannot
be read as a task is passed by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.plan import Removal
from ppgp_tui.session.members import text
from ppgp_tui.session.plan_history.revision import Revision, Revisions

KEPT: Final = 20_000
"""Revisions that are listed; of older ones only the number is known."""
_SLACK: Final = 1_000
_REASON: Final = 300
"""Characters of a reason that are kept."""
_BRIEF: Final = 60
_MOVES: Final = {"completed": "done", "in_progress": "started", "pending": "open again"}


class Step(NamedTuple):
    """What one plan changed in the one before it."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    reordered: bool
    brief: str

    @property
    def keys(self) -> tuple[str, ...]:
        """Of every task concerned."""
        return (*self.added, *self.changed, *self.removed)


class RevisionLog:
    """The revisions of one source, oldest first."""

    def __init__(self) -> None:
        self._list: list[Revision] = []
        self.older = 0
        """Revisions before the first that are known of, and not kept."""
        self.tasks: dict[str, Any] = {}
        """The tasks of the newest plan by key, as JSON holds them."""

    @property
    def now(self) -> Revisions:
        """All revisions gathered so far."""
        return Revisions(self._list, self.older)

    def __copy__(self) -> RevisionLog:
        """The same revisions, to go on from without changing these."""
        other = RevisionLog()
        other._list, other.older, other.tasks = [*self._list], self.older, self.tasks
        return other

    def add(self, revision: Revision, state: Any) -> Step:
        """Take in the next revision and its plan; return what it changed."""
        after = tasks_by_key(state)
        step = step_between(self.tasks, after)
        self.tasks = after
        self._list.append(
            revision._replace(
                added=len(step.added),
                changed=len(step.changed),
                removed=len(step.removed),
                reordered=step.reordered,
                keys=step.keys,
                brief=step.brief,
            )
        )
        if len(self._list) > KEPT + _SLACK:
            self.older += len(self._list) - KEPT
            self._list = self._list[-KEPT:]
        return step

    def replace_last(self, revision: Revision) -> None:
        """More became known of the newest revision."""
        self._list = [*self._list[:-1], revision]

    def put_in(self, revision: Revision) -> None:
        """Take in a revision that is older than the newest: its line was put back later.

        It comes before the first one with a higher number; what it and the one behind it changed
        is to be compared when somebody asks.
        """
        number = revision.number or 0
        later = (i for i, one in enumerate(self._list) if (one.number or 0) > number)
        at = next(later, len(self._list))
        behind = [one._replace(exact=False) for one in self._list[at : at + 1]]
        put = revision._replace(exact=False)
        self._list = [*self._list[:at], put, *behind, *self._list[at + 1 :]]


def tasks_by_key(state: Any) -> dict[str, Any]:
    """The tasks of a stored plan by key; of equal keys the first counts."""
    listed = state.get("tasks") if isinstance(state, Mapping) else None
    tasks: dict[str, Any] = {}
    for task in listed if isinstance(listed, list) else ():
        if isinstance(task, dict):
            tasks.setdefault(text(task.get("key")), task)
    return tasks


def removals(listed: Any) -> Iterator[Removal]:
    """The reasons in the `removed` or `remove` member of a call or an event."""
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(item.get("key"), str):
            yield Removal(item["key"], str(item.get("reason", ""))[:_REASON])


def step_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> Step:
    """What the tasks `after` changed in those `before`."""
    added = tuple(key for key in after if key not in before)
    removed = tuple(key for key in before if key not in after)
    changed = tuple(key for key in after if key in before and after[key] != before[key])
    stayed = [key for key in before if key in after]
    reordered = stayed != [key for key in after if key in before]
    words = [("added", key) for key in added] + [("removed", key) for key in removed]
    words += [(_how(before[key], after[key]), key) for key in changed]
    return Step(added, changed, removed, reordered, _brief(words, reordered))


def _how(was: Any, now: Any) -> str:
    if was.get("status") != now.get("status"):
        return _MOVES.get(text(now.get("status")), "restated")
    if was.get("subject") == now.get("subject") and was.get("description") == now.get(
        "description"
    ):
        return "re-wired"
    return "reworded"


def _brief(words: Iterable[tuple[str, str]], reordered: bool) -> str:
    groups: dict[str, list[str]] = {}
    for verb, key in words:
        groups.setdefault(verb, []).append(key)
    said = [
        f"{', '.join(keys) if len(keys) < 3 else f'{len(keys)} tasks'} {verb}"
        for verb, keys in groups.items()
    ]
    if not said:
        return "another order" if reordered else "no change"
    brief = "; ".join(said[:2]) + (" and more" if len(said) > 2 else "")
    return brief if len(brief) <= _BRIEF else f"{brief[: _BRIEF - 1]}…"
