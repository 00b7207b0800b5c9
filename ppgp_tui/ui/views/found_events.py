"""Which events contain the words looked for, without reading the whole log for every new line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppgp_tui.session.model import EventLog


@dataclass(slots=True)
class _Search:
    """The last search, and what proves that a longer log only grew behind it."""

    words: str
    count: int
    last_id: str
    hits: list[int]


_last = _Search("", 0, "", [])


def matching(log: EventLog, words: str) -> Sequence[int]:
    """Return the indexes of the events that contain `words`, newest first.

    A log that only grew since the last call with the same words is searched from there on.
    """
    count = len(log)
    last_id = log.event(count - 1).id if count else ""
    if words == _last.words and _grew(log, count):
        wanted = words.casefold()
        fresh = [
            index
            for index in range(count - 1, _last.count - 1, -1)
            if wanted in log.raw(index).decode("utf-8", "replace").casefold()
        ]
        hits = fresh + _last.hits if fresh else _last.hits
    else:
        hits = list(log.matching(words, newest_first=True))
    _last.words, _last.count, _last.last_id, _last.hits = words, count, last_id, hits
    return hits


def _grew(log: EventLog, count: int) -> bool:
    if not 0 < _last.count <= count or count - _last.count > 5_000:
        return False
    return log.event(_last.count - 1).id == _last.last_id != ""
