"""The history of the plan as one value: its revisions, and any of their plans on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ppgp_tui.pi.plan import TodoState
from ppgp_tui.pi.todo import read_todo
from ppgp_tui.session.plan_history.revision import NO_REVISIONS, Revision, Revisions

if TYPE_CHECKING:
    from ppgp_tui.session.picture.event_log import EventLog

HistorySource = Literal["log", "pi session", "git", "file", "none"]

States = Callable[[Revision], TodoState | None]
"""The plan of a revision; None where it cannot be read any more."""

_KEPT = 512
"""Plans that stay decoded."""


@dataclass(frozen=True)
class PlanHistory:
    """Where the history comes from, its revisions oldest first, and how to get their plans."""

    source: HistorySource = "none"
    revisions: Revisions = NO_REVISIONS
    where: str = ""
    """The file it was read from."""
    note: str = ""
    """What is not known of it, in a sentence; empty where everything is."""
    states: States = field(default=lambda _: None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.revisions)

    def state(self, index: int) -> TodoState | None:
        """The plan of the revision at `index`; -1 is the empty plan before the first.

        None where it is not known.
        """
        if index < 0:
            return TodoState() if not self.revisions.older else None
        return self.states(self.revisions[index])

    def words(self) -> str:
        """Where it comes from, for a person: `from the event log`."""
        said = {
            "log": "from the event log",
            "pi session": "from a Pi session",
            "git": "from Git",
            "file": "the file alone",
            "none": "no history",
        }[self.source]
        return f"{said}, {self.note}" if self.note else said


class Decoded:
    """Plans that were decoded, the last ones kept; safe to use from any thread."""

    def __init__(self, read: Callable[[Revision], Any]) -> None:
        """`read` gives the stored plan of a revision as a JSON value, None where there is none."""
        self._read = read
        self._kept: dict[tuple[int, str], TodoState | None] = {}

    def __call__(self, revision: Revision) -> TodoState | None:
        """See `States`."""
        key = revision.at, revision.id
        if key not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[key] = decoded(self._read(revision))
        return self._kept.get(key)


def decoded(value: Any) -> TodoState | None:
    """A stored plan, whatever is wrong with it; None where it is no plan at all."""
    reading = read_todo(value)
    return None if reading is None else TodoState(reading.revision or 0, reading.tasks)


def log_states(log: EventLog) -> Decoded:
    """The plans of revisions that the log holds."""

    def read(revision: Revision) -> Any:
        if not 0 <= revision.at < len(log):
            return None
        event = log.event(revision.at)
        payload = event.payload
        if event.id != revision.id or not isinstance(payload, Mapping):
            return None  # another file took the place of the one that was read
        return payload.get("state")

    return Decoded(read)
