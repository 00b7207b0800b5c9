"""What the caller of the journal sees while the lock is held, to decide what to record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import checkpoint
from ppgp_tui.session.journal.causes import Causes
from ppgp_tui.session.journal.events import MalformedEventError, event_of
from ppgp_tui.session.journal.log import Line, Log


@dataclass
class View:
    """The log as it is now. `lines()`, `outbox` and `cut`, in this order, are what to act on."""

    log: Log
    run: Folder
    """The open `.ppgp/run`."""
    state: Folder | None
    """The open folder of this root in the user's state folder; None where it cannot be used."""
    outbox: tuple[bytes, ...] = ()
    """Lines that wait beside the log."""
    cut: tuple[bytes, ...] = ()
    """Lines of ours that something took out of the log before they were committed."""
    causes: Causes = field(init=False)
    """Look-ups in the log itself."""

    def __post_init__(self) -> None:
        """Begin to look up causes in this log."""
        self.causes = Causes(self.log, self.state)

    @property
    def size(self) -> int:
        """Bytes of whole lines in the log; a fold of them all stands here."""
        return self.log.whole()

    def lines(self, since: int = 0) -> Iterator[Line]:
        """Lines of the log from the offset `since` on, with their own offsets."""
        return self.log.lines(since)

    def where(self, event_id: str) -> Literal["log", "outbox", "cut"] | None:
        """Where the event with this id is; only one in the log itself can be a cause there."""
        if self.causes.holds(event_id):
            return "log"
        if event_id in ids_of(self.outbox):
            return "outbox"
        return "cut" if event_id in ids_of(self.cut) else None

    def mark(self) -> checkpoint.Mark:
        """Mark all whole lines as read, for `agrees` at the next turn."""
        return checkpoint.mark(self.log, self.size)

    def agrees(self, seen: checkpoint.Mark) -> bool:
        """Whether a fold made up to that mark may go on from `seen.offset`."""
        return checkpoint.agrees(self.log, seen)

    def checkpoint(self) -> tuple[Any, int] | None:
        """The fold kept by an earlier writer and the offset it stands at, if it still fits."""
        if self.state is None:
            return None
        return checkpoint.load(self.state, checkpoint.NAME, self.log)

    def keep_checkpoint(self, fold: Any) -> None:
        """Keep a fold (JSON) of all whole lines of the log. Not being able to is no error."""
        if self.state is not None:
            with suppress(OSError):
                checkpoint.store(self.state, checkpoint.NAME, self.mark(), fold)


def id_of(line: bytes) -> str:
    """The id of the event on `line`."""
    return str(event_of(line)["id"])


def ids_of(lines: Sequence[bytes]) -> set[str]:
    """The ids of the events on `lines`; what is no event has none."""
    found = set()
    for line in lines:
        with suppress(MalformedEventError):
            found.add(id_of(line))
    return found
