"""Facts by name: what is told when its state differs, whatever became of its words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Fact(NamedTuple):
    """Something that is so."""

    state: object
    words: str
    gone: str = ""
    """What is said when it is so no longer; empty: nothing."""


Facts = Mapping[str, Fact]


def differing(before: Facts, after: Facts) -> Iterator[str]:
    """What is new or in another state, then what is no longer so."""
    for name, fact in after.items():
        known = before.get(name)
        if (known is None or known.state != fact.state) and fact.words:
            yield fact.words
    for name, fact in before.items():
        if name not in after and fact.gone:
            yield fact.gone
