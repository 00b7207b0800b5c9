"""How well a few typed letters fit a text, and which of its letters they are.

The best fit is a text that begins with them; then one of whose words do; then one that has them in
a row; last one that has them somewhere in their order. Letter case is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PREFIX, STARTS, TOGETHER, SCATTERED = range(4)
"""The ways to fit, the best first."""


class Fit(NamedTuple):
    """How the typed words fit a text; the smaller the better, compared member by member."""

    way: int
    """The worst way of any word."""
    gaps: int
    """Letters of the text between the letters that fit."""
    at: int
    """Where the first word fits."""
    length: int
    """Characters of the text."""
    places: tuple[int, ...] = ()
    """Indexes of the letters that fit, in order."""


def fit(words: Sequence[str], text: str, folded: str | None = None) -> Fit | None:
    """How `words` (in small letters) fit `text`, each somewhere; None when one of them does not.

    `folded` is `text` in small letters, where that is known already. Without words all fits.
    """
    low = text.lower() if folded is None else folded
    if len(low) != len(text):
        low = text
    way, gaps, at = PREFIX, 0, 0
    places: set[int] = set()
    for number, word in enumerate(words):
        found = _fit_word(word, low)
        if found is None:
            return None
        its_way, its_places = found
        way = max(way, its_way)
        gaps += its_places[-1] - its_places[0] + 1 - len(word)
        at = its_places[0] if number == 0 else at
        places.update(its_places)
    return Fit(way, gaps, at, len(text), tuple(sorted(places)))


def _fit_word(word: str, low: str) -> tuple[int, Sequence[int]] | None:
    at = low.find(word)
    if at == 0:
        return PREFIX, range(len(word))
    first = at
    while at > 0:
        if not low[at - 1].isalnum():
            return STARTS, range(at, at + len(word))
        at = low.find(word, at + 1)
    scattered = None if first > 0 else _scattered(word, low)
    if first < 0 and scattered is None:
        return None
    starts = _at_starts(word, low)
    if starts is not None:
        return STARTS, starts
    if first > 0:
        return TOGETHER, range(first, first + len(word))
    assert scattered is not None
    return SCATTERED, scattered


def _at_starts(word: str, low: str) -> list[int] | None:
    """Where `word` is put together from beginnings of words, as `pag` is of `pause agents`."""
    places: list[int] = []
    at, before = 0, False
    for index, letter in enumerate(low):
        inside = letter.isalnum()
        goes_on = bool(places) and places[-1] == index - 1
        if inside and (not before or goes_on) and letter == word[at]:
            places.append(index)
            at += 1
            if at == len(word):
                return places
        before = inside
    return None


def _scattered(word: str, low: str) -> list[int] | None:
    """Where the letters of `word` stand in their order, as close to each other as it ends first."""
    end = -1
    for letter in word:
        end = low.find(letter, end + 1)
        if end < 0:
            return None
    places = [end]
    for letter in reversed(word[:-1]):
        end = low.rfind(letter, 0, end)
        places.append(end)
    places.reverse()
    return places
