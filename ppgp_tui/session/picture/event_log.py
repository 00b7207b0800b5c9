"""The event log as the picture offers it: any line of it on demand, and what befell the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ppgp_tui.named_tuple import NamedTuple


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log. Unknown kinds are kept; a damaged line keeps its `error`."""

    index: int
    """Position among the lines of the log, from 0."""
    line: int
    """Physical line number, from 1; 0 while older lines are still being read."""
    offset: int
    id: str
    ts_ms: int | None
    actor_kind: str
    actor_id: str
    kind: str
    payload: Any = None
    causation_id: str | None = None
    correlation_id: str | None = None
    error: str | None = None


class EventLog(Protocol):
    """Random access to the lines of the log without holding them all in memory."""

    def __len__(self) -> int: ...

    def event(self, index: int) -> Event:
        """The event at `index` (0 is the oldest), decoded on demand."""
        ...

    def raw(self, index: int) -> bytes:
        """The bytes of that line, without its newline."""
        ...

    def index_of(self, event_id: str) -> int | None:
        """Where the event with that id is, or None."""
        ...

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        """Indexes of the lines containing `text`, letter case ignored; for a worker thread."""
        ...


class TornTail(NamedTuple):
    """A last line without its newline: still being written, as far as anyone knows."""

    offset: int
    bytes: int
    since_ms: int


class Rewritten(NamedTuple):
    """The log was not only appended to: the promise of an append-only file is broken."""

    line: int
    """First line that differs from what was read before, from 1."""
    seen_ms: int
    lost_lines: int
    """How many lines that had been read are no longer there."""
