"""Which events contain the words looked for, without making anybody wait for a long log.

The newest part of the log is searched at once; what takes longer goes on beside the screen, and is
there the next time the rows are asked for. Lines that arrive later are searched alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Thread

from ppgp_tui.session.model import EventLog

AT_ONCE_S = 0.04
"""How long a search may keep the screen waiting."""
_GROWTH = 5_000
"""New lines that are searched one by one; more of them are a new search."""


@dataclass(slots=True)
class Found:
    """What is known of one search."""

    words: str
    count: int
    """Lines that the search covers."""
    last_id: str
    """Id of the last of them: proves that a longer log only grew behind it."""
    indexes: Sequence[int]
    """Newest first."""
    whole: bool
    """False while older lines are still being searched."""


class EventSearch:
    """Remembers the last search."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._found = Found("", 0, "", (), True)

    def find(self, log: EventLog, words: str) -> Found:
        """Return the events of `log` that contain `words`, as far as they are known."""
        count = len(log)
        found = self._found
        if words != found.words or not _grew(log, found):
            return self._begin(log, words)
        if count > found.count and found.whole:
            fresh = _fresh(log, words, found.count)
            indexes = [*fresh, *found.indexes] if fresh else found.indexes
            self._found = Found(words, count, log.event(count - 1).id, indexes, True)
        return self._found

    def _begin(self, log: EventLog, words: str) -> Found:
        until = self._seconds() + AT_ONCE_S
        stopped = []

        def late() -> bool:
            if self._seconds() > until:
                stopped.append(True)
            return bool(stopped)

        count = len(log)
        last_id = log.event(count - 1).id if count else ""
        indexes = log.matching(words, cancelled=late)
        found = self._found = Found(words, count, last_id, indexes, not stopped)
        if stopped:
            Thread(target=self._go_on, args=(log, found), name="find", daemon=True).start()
        return found

    def _go_on(self, log: EventLog, found: Found) -> None:
        def unwanted() -> bool:
            return self._found is not found

        indexes = log.matching(found.words, cancelled=unwanted)
        if not unwanted():
            found.indexes, found.whole = indexes, True


def _fresh(log: EventLog, words: str, since: int) -> list[int]:
    wanted = words.casefold()
    return [
        index
        for index in range(len(log) - 1, since - 1, -1)
        if wanted in log.raw(index).decode("utf-8", "replace").casefold()
    ]


def _grew(log: EventLog, found: Found) -> bool:
    """Whether `log` is the one that was searched, with not too many lines more."""
    if not 0 < found.count <= len(log) <= found.count + _GROWTH:
        return False
    return log.event(found.count - 1).id == found.last_id != ""
