"""A moment of the past: which event a picture stands at, and what the log holds beside it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.picture.event_log import Event, EventLog


class Committed(NamedTuple):
    """The goal document in the newest commit of before a moment that touched it."""

    commit: str
    """40 or 64 hexadecimal digits."""
    at_ms: int
    """When it was committed."""
    path: str
    data: bytes | None
    """None: that commit removed it."""
    reading: GoalReading | None = None


class Moment(NamedTuple):
    """Where in the log a picture of the past stands. The picture knows nothing that came later."""

    at: int
    """Index of the last event that the picture knows, 0 the oldest."""
    of: int
    """Events that the log holds by now."""
    ts_ms: int | None = None
    """The time of that event; of the newest before it that has one; None where none has."""
    event: Event | None = None
    log: EventLog | None = None
    """The whole log as it was read last, later events included."""
    names: Mapping[str, str] = MappingProxyType({})
    """Short words for ids of the whole log."""
    target: int | None = None
    """The event that is being read towards; None: this is the one that was asked for."""
    progress: float | None = None
    """0 to 1 while it is."""
    shortened_ms: int | None = None
    """While it is played: how long the gap before this event lasted, where that was shortened."""
    document: Committed | str | None = None
    """The goal document as Git had it then, or why there is none; None: Git was not asked yet."""

    @property
    def is_last(self) -> bool:
        """Nothing came after it so far."""
        return self.at >= self.of - 1
