"""What the log has said up to one of its events, ready to take in the next one."""

from __future__ import annotations

from types import MappingProxyType

from ppgp_tui.gasp.envelope import Head
from ppgp_tui.session.log.facts import LogFacts, LogSays
from ppgp_tui.session.log.tail import Damaged
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.members import text
from ppgp_tui.session.model import Origin
from ppgp_tui.session.travel.crew import Crew

_ALL_TIMES = -(2**63)
"""The gathering of now counts the last hour only; one that travels needs the hour before each."""


class Gathering:
    """The first `count` events of a log, taken in one by one."""

    def __init__(self, path: str, seen_ms: int) -> None:
        """`path` is the log's, `seen_ms` when it was read."""
        self._path = path
        self._seen_ms = seen_ms
        self._facts = LogFacts(_ALL_TIMES, path)
        self.crew = Crew()
        self.count = 0
        self.ts_ms: int | None = None
        """Time of the newest event that has one."""
        self.title = ""
        """Of the newest goal."""
        self.damaged: Damaged | None = None

    def copied(self) -> Gathering:
        """The same, to go on by itself."""
        other = Gathering.__new__(Gathering)
        other._path, other._seen_ms = self._path, self._seen_ms
        other._facts, other.crew = self._facts.copied(), self.crew.copied()
        other.count, other.ts_ms, other.damaged = self.count, self.ts_ms, self.damaged
        other.title = self.title
        return other

    def take(self, view: LogView, head: Head) -> None:
        """Take in the next event of `view`, of which `head` is known."""
        index = self.count

        def origin() -> Origin:
            lines = view.lines
            return Origin(self._path, lines.number(index), lines.starts[index], self._seen_ms)

        self._facts.take(head, origin)
        self.crew.take(head, origin() if head.kind == "run.started" else None)
        if head.kind == "goal.created":
            payload = head.payload()
            self.title = text(payload.get("title")) if isinstance(payload, dict) else self.title
        self.count += 1
        if head.ts_ms is not None:
            self.ts_ms = head.ts_ms
        if head.error is not None:
            known = self.damaged
            line = view.lines.number(index)
            self.damaged = (
                known._replace(lines=known.lines + 1) if known else Damaged(line, head.error, 1)
            )

    def says(self) -> LogSays:
        """Everything gathered; it stays as it is when more is taken in."""
        said = self._facts.says()
        return said._replace(names=MappingProxyType(dict(said.names)))
