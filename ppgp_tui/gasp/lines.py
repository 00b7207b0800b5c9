"""The lines of a log (GASP reference section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

_PIECE = 4096


def count_lines(log: bytes) -> int:
    """Return how many lines there are, blank ones too; the last one needs no newline."""
    return log.count(b"\n") + (log[-1:] not in (b"", b"\n"))


def in_pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Put lines without newlines together again, some thousand at a time."""
    rest = iter(lines)
    while piece := list(islice(rest, _PIECE)):
        yield b"\n".join([*piece, b""])


class LineNumbers:
    """The numbers of lines by where they start in a log; ask in rising order."""

    def __init__(self, log: bytes, before: int) -> None:
        """`before`: how many lines stand before `log`."""
        self._log = log
        self._number = before + 1
        self._start = 0

    def at(self, start: int) -> int:
        """The number of the line that starts there."""
        self._number += self._log.count(b"\n", self._start, start)
        self._start = start
        return self._number
