"""The log as everybody but its reader sees it: so many lines, any of them at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ppgp_tui.gasp.envelope import read_line
from ppgp_tui.session.log.lines import Lines, LogFile
from ppgp_tui.session.model import Event

_KEPT = 1024
"""Decoded events kept for the next look."""

GONE = "this line is no longer in the file"


@dataclass(frozen=True)
class LogView:
    """The first `count` lines of a log, as they were when it was last read.

    Safe in any thread while the reader goes on adding lines: it adds behind `count` only.
    Two views are equal when they show the same lines of the same reading.
    """

    lines: Lines
    file: LogFile
    count: int
    whole: bool = True
    """False while older lines are still to be read: then line numbers are 0, not known yet."""
    _decoded: dict[int, Event] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return self.count

    def event(self, index: int) -> Event:
        """The event at `index`, 0 the oldest; raises IndexError outside the view."""
        known = self._decoded.get(self._checked(index))
        if known is None:
            if len(self._decoded) >= _KEPT:
                self._decoded.clear()
            known = self._decoded[index] = self._read(index)
        return known

    def raw(self, index: int) -> bytes:
        """The bytes of a line without its line end; empty when the file no longer holds them."""
        line = self.lines.raw(self.file, self._checked(index)) or b""
        return line.removesuffix(b"\r")

    def index_of(self, event_id: str) -> int | None:
        """Where the newest event with that id is, or None."""
        for index in self.lines.find(event_id, self.count):
            if self.event(index).id == event_id:
                return index
        return None

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        """Indexes of the lines containing `text`, letter case ignored; all when it is empty.

        Meant for a worker thread; `cancelled` is asked between blocks of a megabyte.
        """
        from ppgp_tui.session.log.search import matching

        return matching(self.lines, self.file, self.count, text, newest_first, cancelled)

    def lines_from(self, offset: int | None) -> int | None:
        """How many lines begin at `offset` or behind it; None for None."""
        if offset is None:
            return None
        return self.count - bisect_left(self.lines.starts, offset, 0, self.count)

    def _checked(self, index: int) -> int:
        if not 0 <= index < self.count:
            raise IndexError(f"event {index} of {self.count}")
        return index

    def _read(self, index: int) -> Event:
        line = self.lines.raw(self.file, index)
        number = self.lines.number(index) if self.whole else 0
        offset = self.lines.starts[index]
        if line is None:
            return Event(index, number, offset, "", None, "", "", "", error=GONE)
        said = read_line(line)
        return Event(
            index=index,
            line=number,
            offset=offset,
            id=said.id,
            ts_ms=said.ts_ms,
            actor_kind=said.actor_kind,
            actor_id=said.actor_id,
            kind=said.kind,
            payload=said.payload,
            causation_id=said.causation_id,
            correlation_id=said.correlation_id,
            error=said.error,
        )
