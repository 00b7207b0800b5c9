"""The loops' log as it grows: rows in, loops out, damage named and never fatal.

Rules: persist reference section 3 and faults F17 to F19. Lines end at LF only; a byte-order mark,
CR, blank lines, unknown keys and NUL bytes are harmless.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ppgp_tui.persist.fold import Fold
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.row import BYTE_ORDER_MARK, NO_HEAD, Head, bare, head, quick_head, salvage

_BAD_LINES: Final = 1_000
"""So many damaged lines are named; the rest is counted."""


class BadLine(NamedTuple):
    """A line that has an end and is no row."""

    line: int
    """Counted from 1."""
    offset: int
    """Where it starts, in bytes."""
    salvaged: int = 0
    """Whole rows that were found inside it and count."""


class Reading(NamedTuple):
    """What a log says."""

    loops: tuple[Loop, ...] = ()
    """In order of each loop's first row."""
    good_rows: int = 0
    bad: tuple[BadLine, ...] = ()
    """Damaged lines, the first of them."""
    bad_count: int = 0
    incomplete_tail: bool = False
    """The last line has no end and is no whole row: a write was cut short."""

    @property
    def open(self) -> tuple[Loop, ...]:
        """The loops that are not closed."""
        return tuple(loop for loop in self.loops if loop.open)

    def loop(self, loop_id: str) -> Loop | None:
        """The loop of that id."""
        return next((loop for loop in self.loops if loop.loop_id == loop_id), None)


class LogReader:
    """Reads a log in pieces of any size; work is proportional to the new bytes."""

    def __init__(self) -> None:
        self._folds: dict[str, Fold] = {}
        self._bad: list[BadLine] = []
        self._bad_count = 0
        self._good = 0
        self._line = 0
        self._offset = 0
        self._rest = b""

    @property
    def offset(self) -> int:
        """Bytes that were taken in: where the next piece starts."""
        return self._offset + len(self._rest)

    def feed(self, data: bytes) -> None:
        """Take in the bytes that follow."""
        whole, end, self._rest = (self._rest + data).rpartition(b"\n")
        if not end:
            return
        offset, number, good, folds = self._offset, self._line, self._good, self._folds
        for line in whole.split(b"\n"):
            number += 1
            try:
                found = quick_head(line)
            except NO_HEAD:
                good += self._take_other(line, number, offset)
            else:
                good += 1
                fold = folds.get(found.loop_id)
                if fold is None:
                    fold = folds[found.loop_id] = Fold()
                fold.add(found, number, line)
            offset += len(line) + 1
        self._offset, self._line, self._good = offset, number, good

    def reading(self) -> Reading:
        """What the log says so far; a whole last row without a line end counts."""
        loops = {loop_id: fold.loop for loop_id, fold in self._folds.items()}
        good, rest = self._good, _bare(self._rest, self._offset)
        row = head(rest) if rest else None
        if row is not None:
            fold = self._folds.get(row.loop_id)
            fold = Fold() if fold is None else fold.copy()
            fold.add(row, self._line + 1, rest)
            loops[row.loop_id] = fold.loop
            good += 1
        torn = row is None and bool(self._rest.strip(b" \t\r"))
        return Reading(tuple(loops.values()), good, tuple(self._bad), self._bad_count, torn)

    def _take_other(self, line: bytes, number: int, offset: int) -> int:
        """Take in a line that is no row at first sight; the good rows it counts for."""
        stripped = _bare(line, offset)
        if not stripped:
            return 0
        found = head(stripped)
        if found is not None:
            self._add(found, number, stripped)
            return 1
        rows = list(salvage(stripped))
        for raw in rows:
            if (inside := head(raw)) is not None:
                self._add(inside, number, raw)
        self._bad_count += 1
        if len(self._bad) < _BAD_LINES:
            self._bad.append(BadLine(number, offset, len(rows)))
        return 0

    def _add(self, row: Head, number: int, raw: bytes) -> None:
        self._folds.setdefault(row.loop_id, Fold()).add(row, number, raw)


def _bare(line: bytes, offset: int) -> bytes:
    return bare(line.removeprefix(BYTE_ORDER_MARK) if offset == 0 else line)


def read(log: bytes) -> Reading:
    """What a whole log says."""
    reader = LogReader()
    reader.feed(log)
    return reader.reading()
