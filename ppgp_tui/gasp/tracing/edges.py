"""Links between numbered things, found from both ends."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ppgp_tui.gasp.tracing.chains import Chains


class Edge(NamedTuple):
    """One link, and the event that made it."""

    source: int
    name: str
    target: int
    event: int


class Edges:
    """Links that come and go; looking from either end costs what is found there."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._sources = array("i")
        self._rels = array("i")
        self._targets = array("i")
        self._events = array("i")
        self._cut = bytearray()
        self._out = Chains()
        self._into = Chains()
        self._equal: dict[int, dict[tuple[int, int], list[int]]] = {}
        """By source, once one of its links was cut: its standing links by name and target."""

    def link(self, source: int, name: str, target: int, event: int) -> None:
        """Add a link; equal ones may stand more than once."""
        number = len(self._sources)
        rel = self._names.setdefault(name, len(self._names))
        self._sources.append(source)
        self._rels.append(rel)
        self._targets.append(target)
        self._events.append(event)
        self._cut.append(0)
        self._out.add(source, number)
        self._into.add(target, number)
        if source in self._equal:
            self._equal[source].setdefault((rel, target), []).append(number)

    def cut(self, source: int, name: str, target: int) -> None:
        """Take away all links equal in these three; none is fine."""
        rel = self._names.get(name)
        if rel is None:
            return
        equal = self._equal.get(source)
        if equal is None:
            equal = self._equal[source] = self._by_end(source)
        for number in equal.pop((rel, target), ()):
            self._cut[number] = 1

    def _by_end(self, source: int) -> dict[tuple[int, int], list[int]]:
        """All links from a source, none of which was cut yet: a log may cut with every line."""
        found: dict[tuple[int, int], list[int]] = {}
        for number in self._out.values(source):
            found.setdefault((self._rels[number], self._targets[number]), []).append(number)
        return found

    def out(self, source: int) -> Iterator[Edge]:
        """The links that begin there, oldest first."""
        return self._standing(self._out.values(source))

    def into(self, target: int, most: int | None = None) -> Iterator[Edge]:
        """The links that end there, oldest first; of the newest `most` those that stand."""
        return self._standing(self._into.values(target, most))

    def __iter__(self) -> Iterator[Edge]:
        """All links that stand, in the order they were made."""
        return self._standing(range(len(self._sources)))

    def _standing(self, numbers: Iterable[int]) -> Iterator[Edge]:
        names = list(self._names)
        for number in numbers:
            if not self._cut[number]:
                yield Edge(
                    self._sources[number],
                    names[self._rels[number]],
                    self._targets[number],
                    self._events[number],
                )
