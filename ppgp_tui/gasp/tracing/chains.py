"""Many growing lists of numbers in three arrays."""

from __future__ import annotations

from array import array

_END = -1


class Chains:
    """Lists numbered 0, 1, 2 …, each of numbers; 8 bytes an entry and 4 a list."""

    def __init__(self) -> None:
        self._newest = array("i")
        self._values = array("i")
        self._before = array("i")

    def add(self, key: int, value: int) -> None:
        """Add `value` to the end of list `key`."""
        newest = self._newest
        if key >= len(newest):
            newest.extend([_END] * (key + 1 - len(newest)))
        self._before.append(newest[key])
        newest[key] = len(self._values)
        self._values.append(value)

    def values(self, key: int, most: int | None = None) -> list[int]:
        """The numbers of list `key`, in the order they were added; none when it does not exist.

        At most the newest `most` of them.
        """
        found: list[int] = []
        entry = self._newest[key] if 0 <= key < len(self._newest) else _END
        while entry != _END and len(found) != most:
            found.append(self._values[entry])
            entry = self._before[entry]
        found.reverse()
        return found

    def newer(self, key: int, than: int) -> list[int]:
        """The numbers of list `key` that were added after all those up to `than`, in order.

        For lists of rising numbers; costs what is returned.
        """
        found: list[int] = []
        entry = self._newest[key] if 0 <= key < len(self._newest) else _END
        while entry != _END and self._values[entry] > than:
            found.append(self._values[entry])
            entry = self._before[entry]
        found.reverse()
        return found
