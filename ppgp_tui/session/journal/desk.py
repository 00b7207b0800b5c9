"""How a batch gets into the log, or into the outbox, while the lock is held."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import outbox, recovery, safecopy
from ppgp_tui.session.journal.events import Event, event_of, line_of
from ppgp_tui.session.journal.lease import Holder, Lease
from ppgp_tui.session.journal.log import Log
from ppgp_tui.session.journal.results import RefusalError
from ppgp_tui.session.journal.view import View, id_of, ids_of


@dataclass
class Mended:
    """What was put right on the way, for a person; it outlives a turn that is tried again."""

    warnings: list[str] = field(default_factory=list)
    torn_at: int | None = None
    """Where in the log bytes were cut off as torn."""


class Desk(View):
    """A view that can record. Made by `Journal` for one turn under the lock."""

    def __init__(
        self, log: Log, run: Folder, state: Folder | None, lease: Lease, mended: Mended
    ) -> None:
        super().__init__(log, run, state)
        self.lease = lease
        self.mended = mended
        self.foreign: Holder | None = None
        """The other program that holds the log; then nothing is written to it."""
        self.flushed: tuple[str, ...] = ()
        self._seen = 0
        """Size of the log when the caller was shown it."""

    def put_right(self, now_ms: int) -> None:
        """Take the lease and, where it is ours, mend the log."""
        self.foreign = self.lease.take()
        if self.foreign is None:
            for repair in recovery.recover(self.log, self.run, now_ms, self._copy):
                self.mended.warnings.append(repair.text)
                if repair.torn_at is not None:
                    self.mended.torn_at = repair.torn_at

    def show(self) -> None:
        """Empty the outbox into the log where that may be written; the caller sees the rest."""
        if self.foreign is None:
            self.flush()
        self.outbox = tuple(line for batch in self._waiting() for line in batch)
        self._seen = self.log.size

    def flush(self) -> None:
        """Append the batches of the outbox whose causes are in the log; the others stay."""
        batches = self._waiting()
        kept: list[outbox.Batch] = []
        ready: dict[str, bytes] = {}
        for batch in batches:
            if self._unknown_causes(batch, ready):
                kept.append(batch)
                continue
            for line in batch:
                if not self.causes.holds(id_of(line)):  # a killed flush may have appended it
                    ready[id_of(line)] = line
        if ready:
            self.write(tuple(ready.values()))
            self.flushed += tuple(ready)
        if self.state is not None and len(kept) < len(batches):
            outbox.put_all(self.state, tuple(kept))
        if kept:
            text = f"{len(kept)} acts stay in the outbox: their cause is not in the log"
            self.mended.warnings.append(text)

    def record(self, events: Sequence[Event]) -> Literal["log", "outbox"]:
        """Put a batch into the log, or into the outbox where that must be: all of it or nothing.

        Raises `RefusalError`, OSError, and for a batch that can never be right ValueError.
        """
        batch = tuple(line_of(event)[:-1] for event in events)
        if len(ids_of(batch)) < len(batch):
            raise ValueError("an event id is twice in one batch")
        unknown = self._unknown_causes(batch)
        if lost := unknown - ids_of(self.outbox):
            text = f"the cause {min(lost)} is not a line of the log"
            raise RefusalError("refused", f"{text}; nothing was recorded")
        self.foreign = self.foreign or self.lease.renew()
        if self.foreign is None and not unknown:
            if self.log.size != self._seen:
                text = "another program wrote to the log meanwhile"
                raise RefusalError("busy", f"{text}; nothing was recorded, try again")
            self.write(batch)
            return "log"
        if self.state is None:
            text = f"{self.foreign or 'the outbox'} comes first"
            raise RefusalError("busy", f"{text}; nothing was recorded, try again later")
        outbox.put(self.state, batch)
        self.outbox += batch
        return "outbox"

    def put_back(self) -> tuple[str, ...]:
        """Append the cut lines whose causes are in the log, unchanged; return their ids."""
        ready: dict[str, bytes] = {}
        left = []
        for line in self.cut:
            if self._unknown_causes((line,), ready):
                left.append(line)
            else:
                ready[id_of(line)] = line
        if ready:
            self.write(tuple(ready.values()), copied=False)
        if left:
            self.mended.warnings.append(
                f"{len(left)} events stay cut: their cause is not in the log"
            )
        self.cut = tuple(left)
        self.flush()
        return tuple(ready)

    def write(self, batch: Sequence[bytes], *, copied: bool = True) -> None:
        """Append lines to the log as one batch, which a kill can only complete or undo."""
        data = b"".join(line + b"\n" for line in batch)
        expected = self.log.size
        recovery.write_ahead(self.run, expected, data)
        try:
            start = self.log.append(data)
        except OSError:
            if self.log.size == expected:  # else the next writer completes what is there
                recovery.written(self.run)
            raise
        self._must_stand_alone(start, expected, len(data))
        # Copied before the write-ahead goes, so that a kill in between leaves no line uncopied.
        if copied:
            self._copy(data)
        recovery.written(self.run)

    def _must_stand_alone(self, start: int, expected: int, size: int) -> None:
        """Undo a write that Git, or a program without the lease, has come into."""
        replaced = not self.log.is_current()
        glued = start != expected and self.log.read(start - 1, start) != b"\n"
        if not replaced and not glued:
            return
        if self.log.size == start + size:
            self.log.cut_back(start)
        recovery.written(self.run)
        text = (
            "the log was replaced while it was being written, perhaps by a Git command"
            if replaced
            else "another program writes to the log and does not hold .agent/lease"
        )
        raise RefusalError("busy", f"{text}; nothing was recorded, try again")

    def _waiting(self) -> tuple[outbox.Batch, ...]:
        return outbox.waiting(self.state) if self.state is not None else ()

    def _copy(self, data: bytes) -> None:
        if self.state is None:
            return
        try:
            safecopy.add(self.state, data)
        except OSError as error:
            self.mended.warnings.append(f"the safe copy could not be written: {error.strerror}")

    def _unknown_causes(self, batch: Sequence[bytes], placed: Container[str] = ()) -> set[str]:
        """The causes that are not in the log, not `placed` before and not earlier in the batch."""
        unknown: set[str] = set()
        earlier: set[str] = set()
        for line in batch:
            event = event_of(line)
            cause = event["causation_id"]
            known = cause is None or cause in earlier or cause in placed
            if not known and not self.causes.holds(cause):
                unknown.add(cause)
            earlier.add(event["id"])
        return unknown
