"""What lies beside the log, as values, and what a person must know of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Problem

PENDING_FILE: Final = ".ppgp/run/journal.pending"
"""What is written ahead of the log."""
OWN_FILES: Final = ("copy.jsonl", "outbox.jsonl")
"""In the user's own folder of the root: the safe copy of the log, and what waits for it."""

PENDING_MS: Final = 2_000
"""An act takes less; what was written ahead longer ago is an act that was killed."""


class JournalLook(NamedTuple):
    """The journal after a look; None where it was not looked at, or cannot be known."""

    outbox: tuple[bytes, ...] | None = None
    """Lines that wait until the log is free."""
    cut: tuple[bytes, ...] | None = None
    """Lines that something took out of the log before they were in a commit."""
    cut_ms: int | None = None
    """Time of the newest of these."""
    missing: int = 0
    """Lines taken out of the log that a commit still has."""
    unknown: str = ""
    """Why nobody can say what was taken out."""
    committed: int | None = None
    """Bytes of the log in HEAD's commit."""
    git_why: str = ""
    pending_ms: int | None = None
    """When what is written ahead was; None while nothing is."""
    seen_ms: int | None = None

    @property
    def lines(self) -> tuple[bytes, ...]:
        """What acts go by beside the log itself."""
        return (*(self.outbox or ()), *(self.cut or ()))


def journal_problems(look: JournalLook, path: str, now_ms: int) -> Iterator[Problem]:
    """What stands wrong with the log at `path`."""
    if look.cut:
        count = len(look.cut)
        removed = f"{count:,} recorded event{'s were' if count > 1 else ' was'} removed"
        last = f", last at {_clock_time(look.cut_ms, now_ms)}" if look.cut_ms is not None else ""
        text = f"{removed} from the log{last}; restore?"
        yield Problem("log-cut", path, None, text, "ppgp-tui restore")
    if look.missing:
        lines = f"{look.missing:,} committed line{'s are' if look.missing > 1 else ' is'}"
        yield Problem(
            "log-behind", path, None, f"{lines} missing from the log", f"git restore {path}"
        )
    if look.unknown:
        text = f"nobody can tell whether the log was cut: {look.unknown}"
        yield Problem("log-unknown", path, None, text, "see what Git says: git status")
    if look.outbox:
        count = len(look.outbox)
        text = (
            f"{count:,} recorded event{'s wait' if count > 1 else ' waits'} until the log is free"
        )
        yield Problem("log-outbox", path, None, text, "another program holds .agent/lease")
    if look.pending_ms is not None and now_ms - look.pending_ms >= PENDING_MS:
        text = "an act was killed while it was written"
        mend = "the next act finishes or drops it whole"
        yield Problem("journal-pending", PENDING_FILE, None, text, mend)


def _clock_time(moment_ms: int, now_ms: int) -> str:
    """`14:02`, with its date when that is not today's."""
    then, today = time.localtime(moment_ms / 1000), time.localtime(now_ms / 1000)
    same_day = then[:3] == today[:3]
    return time.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M", then)
