"""Which events are looked for, without making anybody wait for a long log.

The newest part of the log is searched at once; what takes longer goes on beside the screen, and is
there the next time the rows are asked for. Lines that arrive later are searched alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING

from ppgp_tui.gasp.telling.filters import Matches, matcher
from ppgp_tui.session.model import EventLog
from ppgp_tui.ui.seat.query import Query, query

if TYPE_CHECKING:
    from ppgp_tui.session.log.graph import Folded

AT_ONCE_S = 0.04
"""How long a search may keep the screen waiting."""
_GROWTH = 5_000
"""New lines that are searched one by one; more of them are a new search."""
_NOTHING = Query("", "", query("", 0).wanted, (), ())

Cancelled = Callable[[], bool]


@dataclass(slots=True)
class Found:
    """What is known of one search."""

    query: Query
    count: int
    """Lines that the search covers."""
    last_id: str
    """Id of the last of them: proves that a longer log only grew behind it."""
    indexes: Sequence[int]
    """Newest first."""
    whole: bool
    """False while older lines are still being searched."""
    folded: Folded | None = None
    """What was asked how events are linked, where that is looked for."""
    waits: bool = False
    """It is looked for how events are linked, and the log is not folded yet."""


class EventSearch:
    """Remembers the last search."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._found = Found(_NOTHING, 0, "", (), True)

    def find(
        self, log: EventLog, words: str, now_ms: int = 0, folded: Folded | None = None
    ) -> Found:
        """Return the events of `log` that are looked for with `words`, as far as they are known.

        `folded` is the folded log where there is one.
        """
        count = len(log)
        found = self._found
        asked = found.query if words == found.query.typed else query(words, now_ms)
        if asked is not found.query or not _grew(log, found) or _other_graph(found, folded):
            return self._begin(log, asked, folded)
        if count > found.count and found.whole and not found.waits:
            fresh = _fresh(log, found)
            indexes = [*fresh, *found.indexes] if fresh else found.indexes
            last_id = log.event(count - 1).id
            self._found = Found(asked, count, last_id, indexes, True, found.folded)
        return self._found

    def _begin(self, log: EventLog, asked: Query, folded: Folded | None) -> Found:
        count = len(log)
        last_id = log.event(count - 1).id if count else ""
        links = folded if asked.wanted.needs_index else None
        if asked.wanted.needs_index and folded is None:
            self._found = Found(asked, count, last_id, (), True, None, waits=True)
            return self._found
        until = self._seconds() + AT_ONCE_S
        stopped = []

        def late() -> bool:
            if self._seconds() > until:
                stopped.append(True)
            return bool(stopped)

        indexes = _search(log, asked, links, late)
        found = self._found = Found(asked, count, last_id, indexes, not stopped, links)
        if stopped:
            Thread(target=self._go_on, args=(log, found), name="find", daemon=True).start()
        return found

    def _go_on(self, log: EventLog, found: Found) -> None:
        def unwanted() -> bool:
            return self._found is not found

        indexes = _search(log, found.query, found.folded, unwanted)
        if not unwanted():
            found.indexes, found.whole = indexes, True


def _search(
    log: EventLog, asked: Query, folded: Folded | None, cancelled: Cancelled
) -> Sequence[int]:
    """The lines that say the words, and of these the ones that pass the filters."""
    if asked.is_text:
        return log.matching(asked.text, cancelled=cancelled)
    candidates: Sequence[int] = range(len(log) - 1, -1, -1)
    if asked.text:
        candidates = log.matching(asked.text, cancelled=cancelled)
    return list(_passing(log, candidates, _matches(asked, folded), cancelled))


def _passing(
    log: EventLog, candidates: Sequence[int], matches: Matches, cancelled: Cancelled
) -> Iterator[int]:
    for number, index in enumerate(candidates):
        if number % 16 == 0 and cancelled():
            return
        if matches(index, log.event(index)):  # type: ignore[arg-type]
            yield index


def _matches(asked: Query, folded: Folded | None) -> Matches:
    if folded is None:
        return matcher(asked.wanted)
    with folded.reading() as inside:
        test = matcher(asked.wanted, inside.links)
        known = len(inside.links)

    def matches(index: int, event: object) -> bool:
        if index >= known:
            return False
        with folded.reading():
            return test(index, event)  # type: ignore[arg-type]

    return matches


def _fresh(log: EventLog, found: Found) -> list[int]:
    asked = found.query
    wanted = asked.text.casefold()
    says = [
        index
        for index in range(len(log) - 1, found.count - 1, -1)
        if wanted in log.raw(index).decode("utf-8", "replace").casefold()
    ]
    if asked.is_text:
        return says
    return list(_passing(log, says, _matches(asked, found.folded), lambda: False))


def _other_graph(found: Found, folded: Folded | None) -> bool:
    """Whether the links that were asked are no longer those of the log."""
    return found.query.wanted.needs_index and folded is not found.folded


def _grew(log: EventLog, found: Found) -> bool:
    """Whether `log` is the one that was searched, with not too many lines more."""
    if not 0 < found.count <= len(log) <= found.count + _GROWTH:
        return False
    return log.event(found.count - 1).id == found.last_id != ""
