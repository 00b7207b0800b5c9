"""Rows piled up line by line: which row is on which line, and where a key is.

A pile may hold one row more than the view gave it: the row that vanished while the cursor stood on
it, which stays, struck, until the cursor leaves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import cast

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ui.rows.layout import Placed
from ppgp_tui.ui.rows.row import Row

_KEPT = 256
"""Rows made on demand that are kept: a few screens."""


class Ghost(NamedTuple):
    """A row that is no longer there, and the place where it stood."""

    row: Row
    at: int


class Pile:
    """The rows of one pane with their heights.

    `uniform` rows (one line each) are only asked for by index, so there may be a million of them.
    """

    def __init__(
        self, rows: Sequence[Row] = (), uniform: bool = False, ghost: Ghost | None = None
    ) -> None:
        self.rows = rows
        self.uniform = uniform
        self.ghost = ghost
        self._starts: list[int] = []
        self._places: dict[str, int] = {}
        self._made: dict[int, Row] = {}
        """Rows made on demand that are in view, so that a moved cursor does not make them again."""
        self.findings: tuple[int, ...] = ()
        """Indexes (without a ghost) of rows marked as findings; rows made on demand have none."""
        if not hasattr(rows, "place"):
            self._look_through()
        if not uniform:
            heights = (max(1, len(row.lines)) for row in rows)
            self._starts = list(accumulate(heights, initial=0))

    def _look_through(self) -> None:
        findings = []
        for index, row in enumerate(self.rows):
            if not row.key:
                continue
            self._places.setdefault(row.key, index)
            if any(line.sign == "finding" for line in row.lines):
                findings.append(index)
        self.findings = tuple(findings)

    def __len__(self) -> int:
        return len(self.rows) + (self.ghost is not None)

    @property
    def height(self) -> int:
        """How many lines all rows take."""
        return self.start(len(self))

    def row(self, index: int) -> Row:
        """The row at `index`, counting a ghost."""
        ghost = self.ghost
        if ghost is None or index < ghost.at:
            return self._row(index)
        return ghost.row if index == ghost.at else self._row(index - 1)

    def _row(self, index: int) -> Row:
        if not self.uniform:
            return self.rows[index]
        row = self._made.get(index)
        if row is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
            row = self._made[index] = self.rows[index]
        return row

    def start(self, index: int) -> int:
        """The first line of the row at `index`; at `len(self)` the line after the last."""
        ghost = self.ghost
        if ghost is None or index <= ghost.at:
            return self._start(index)
        return self._start(index - 1) + _height(ghost.row)

    def _start(self, index: int) -> int:
        return index if self.uniform else self._starts[index]

    def tall(self, index: int) -> int:
        """How many lines the row at `index` takes."""
        return self.start(index + 1) - self.start(index)

    def at(self, line: int) -> tuple[int, int]:
        """The index of the row on `line` and the line within it."""
        ghost = self.ghost
        if ghost is not None:
            start = self._start(ghost.at)
            height = _height(ghost.row)
            if start <= line < start + height:
                return ghost.at, line - start
            if line >= start + height:
                index, within = self._at(line - height)
                return index + 1, within
        return self._at(line)

    def _at(self, line: int) -> tuple[int, int]:
        if self.uniform:
            return line, 0
        index = bisect_right(self._starts, line) - 1
        return index, line - self._starts[index]

    def find(self, key: str) -> int | None:
        """The index of the row with `key`, or None."""
        ghost = self.ghost
        if ghost is not None and ghost.row.key == key:
            return ghost.at
        found = self._find(key)
        if found is None or ghost is None or found < ghost.at:
            return found
        return found + 1

    def _find(self, key: str) -> int | None:
        if self._places or not hasattr(self.rows, "place"):
            return self._places.get(key)
        return cast(Placed, self.rows).place(key)

    def has(self, key: str) -> bool:
        """Whether the view itself still has a row with `key`."""
        return self._find(key) is not None

    def next(self, index: int, step: int) -> int | None:
        """The nearest row the cursor may stand on from `index` on (inclusive), or None."""
        while 0 <= index < len(self):
            if self.row(index).selectable:
                return index
            index += step
        return None


def _height(row: Row) -> int:
    return max(1, len(row.lines))
