"""Finding words in a log that is long and still grows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from ppgp_tui.session.model import Event
from ppgp_tui.ui.views.log.found_events import EventSearch
from tests.ui import picture
from tests.ui.picture import ListLog
from tests.ui.picture_log import appended
from tests.waiting import PATIENCE_S


@dataclass(frozen=True)
class Watched(ListLog):
    """A log that counts whole searches."""

    searches: list[str] = field(default_factory=list)

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        self.searches.append(text)
        return super().matching(text, newest_first, cancelled=cancelled)


def grown(log: ListLog, by: int) -> Watched:
    grown_log = appended(picture.events(len(log)), by).log
    assert isinstance(grown_log, ListLog)
    return Watched(grown_log.events)


def test_a_log_that_grew_is_searched_only_behind_what_was_searched() -> None:
    search = EventSearch()
    before = Watched(picture.log(100).events)
    first = search.find(before, "new_")
    assert list(first.indexes) == []
    after = grown(before, 3)
    assert list(search.find(after, "new_").indexes) == [102, 101, 100]
    assert after.searches == []


def test_other_words_are_a_new_search() -> None:
    search = EventSearch()
    log = Watched(picture.log(100).events)
    search.find(log, "pytest")
    search.find(log, "pytest")
    search.find(log, "git")
    assert log.searches == ["pytest", "git"]


def test_another_log_is_a_new_search_even_with_the_same_words() -> None:
    search = EventSearch()
    search.find(Watched(picture.log(100).events), "pytest")
    other = Watched(tuple(Event(0, 1, 0, "event_x", None, "", "", "") for _ in range(1)))
    assert list(search.find(other, "pytest").indexes) == []
    assert other.searches == ["pytest"]


@dataclass(frozen=True)
class Slow(ListLog):
    """A log in which everything matches; a search beside the screen waits until it may go on."""

    may_go_on: threading.Event = field(default_factory=threading.Event)

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        hits: list[int] = []
        if threading.current_thread().name == "find":
            self.may_go_on.wait(PATIENCE_S)
        for index in range(len(self) - 1, -1, -1):
            if cancelled is not None and cancelled():
                break
            hits.append(index)
        return hits if text and newest_first else []


def test_a_search_that_takes_long_gives_the_newest_at_once_and_the_rest_later() -> None:
    ticks = count(step=0.01)
    search = EventSearch(seconds=lambda: next(ticks))
    log = Slow(picture.log(200).events)
    first = list(search.find(log, "x").indexes)
    log.may_go_on.set()
    for thread in threading.enumerate():
        if thread.name == "find":
            thread.join(timeout=PATIENCE_S)
    then = search.find(log, "x")
    assert 0 < len(first) < 10
    assert first[0] == 199
    assert then.whole
    assert len(then.indexes) == 200
