"""What is looked through beside the screen: older events, further tasks, the repository's files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ppgp_tui.session.model import EventLog
from ppgp_tui.ui.finder.candidate import Candidate
from ppgp_tui.ui.finder.fuzzy import SCATTERED, Fit, fit
from ppgp_tui.ui.finder.near import event

IN_LINE = SCATTERED + 1
"""An event whose words do not fit, but whose line in the log holds what was typed."""
SHOWN = 200
"""Of older events and of files that fit, so many are listed; all are counted."""

Cancelled = Callable[[], bool]


class Hit(NamedTuple):
    """A candidate that fits."""

    fit: Fit
    candidate: Candidate


class Far(NamedTuple):
    """What was found beside the screen."""

    hits: tuple[Hit, ...] = ()
    fitted: int = 0
    """How many fit, also those that are not listed."""


def small(raw: bytes) -> str:
    """A line of the log in small letters."""
    return raw.decode("utf-8", "replace").lower()


def older_events(
    log: EventLog,
    before: int,
    names: Mapping[str, str],
    now_ms: int,
    words: Sequence[str],
    cancelled: Cancelled,
) -> Far:
    """The events before index `before` whose lines hold `words`; the newest are put in words."""
    longest = max(words, key=len)
    hits: list[Hit] = []
    count = 0
    for number, index in enumerate(log.matching(longest, cancelled=cancelled)):
        if number % 64 == 0 and cancelled():
            break
        if index >= before:
            continue
        if len(words) > 1:
            line = small(log.raw(index))
            if not all(word in line for word in words):
                continue
        count += 1
        if len(hits) < SHOWN:
            one = event(log, index, names, now_ms)
            hits.append(Hit(fit(words, one.text) or Fit(IN_LINE, 0, 0, len(one.text)), one))
    return Far(tuple(hits), count)


def fitting(candidates: Iterable[Candidate], words: Sequence[str], cancelled: Cancelled) -> Far:
    """Those of `candidates` that fit, the best of them listed."""
    hits = list(_hits(candidates, words, cancelled))
    best = sorted(hits, key=lambda hit: hit.fit[:4])[:SHOWN]
    return Far(tuple(best), len(hits))


def _hits(
    candidates: Iterable[Candidate], words: Sequence[str], cancelled: Cancelled
) -> Iterator[Hit]:
    for number, candidate in enumerate(candidates):
        if number % 64 == 0 and cancelled():
            return
        if (fits := candidate.fit(words)) is not None:
            yield Hit(fits, candidate)


def tracked_files(root: Path) -> tuple[str, ...]:
    """The files Git tracks in `root`, relative to it; none where Git cannot be asked."""
    from ppgp_tui.session.git import GitUnknownError, ask

    try:
        said = ask(root, "ls-files", "-z")
    except GitUnknownError:
        return ()
    if said.code:
        return ()
    return tuple(name for name in said.out.decode("utf-8", "surrogateescape").split("\0") if name)
