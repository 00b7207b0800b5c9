"""Many growing lists of numbers in a few arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

_END = -1


class Chains:
    """Lists numbered 0, 1, 2 …, each of numbers; 8 bytes an entry and 12 a list."""

    def __init__(self) -> None:
        self._first = array("i")
        self._last = array("i")
        self._count = array("i")
        self._values = array("i")
        self._next = array("i")

    def add(self, key: int, value: int) -> None:
        """Add `value` to the end of list `key`."""
        missing = key + 1 - len(self._first)
        if missing > 0:
            more = array("i", [_END]) * missing
            self._first.extend(more)
            self._last.extend(more)
            self._count.extend(array("i", [0]) * missing)
        entry = len(self._values)
        self._values.append(value)
        self._next.append(_END)
        if (last := self._last[key]) == _END:
            self._first[key] = entry
        else:
            self._next[last] = entry
        self._last[key] = entry
        self._count[key] += 1

    def values(self, key: int) -> Iterator[int]:
        """The numbers of list `key`, in the order they were added; none when it does not exist."""
        entry = self._first[key] if 0 <= key < len(self._first) else _END
        while entry != _END:
            yield self._values[entry]
            entry = self._next[entry]

    def count(self, key: int) -> int:
        """How many numbers list `key` has."""
        return self._count[key] if 0 <= key < len(self._count) else 0
