"""A pane's room on its rows: which lines of them are in view."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.ui.rows.pile import Pile
from ppgp_tui.ui.rows.row import Row


class Window:
    """So many lines of a pile of rows, from one line on."""

    def __init__(self) -> None:
        self.pile = Pile()
        self.height = 0
        """Lines in view."""
        self.top = 0
        """The first line in view."""

    def scroll(self, lines: int) -> None:
        """Move the view, not the cursor."""
        self.top += lines
        self.clamp()

    def reveal(self, key: str) -> None:
        """Bring the row with `key` into view, near the top; the cursor stays."""
        index = self.pile.find(key)
        if index is not None:
            self.reveal_row(index)

    def reveal_row(self, index: int) -> None:
        """The same of the row at `index`."""
        start, end = self.pile.start(index), self.pile.start(index + 1)
        if not self.top <= start <= end <= self.top + self.height:
            self.top = start - self.height // 4
            self.clamp()

    def clamp(self, height: int | None = None) -> None:
        """Show no line below the last one, as far as there are so many."""
        lowest = max(0, self.pile.height - (self.height if height is None else height))
        self.top = min(max(0, self.top), lowest)

    @property
    def overflows(self) -> bool:
        """There is more than fits."""
        return self.pile.height > self.height or self.top > 0

    def visible(self) -> Iterator[tuple[Row, int] | None]:
        """For every line in view: the row on it and which of its lines; None below the last."""
        shown = 0
        for row, _, within in self.lines():
            yield row, within
            shown += 1
        yield from (None for _ in range(self.height - shown))

    def lines(self) -> Iterator[tuple[Row, int, int]]:
        """Row, line of the view, line of the row."""
        if not len(self.pile):
            return
        last = min(self.height, self.pile.height - self.top)
        line = 0
        while line < last:
            index, within = self.pile.at(self.top + line)
            row = self.pile.row(index)
            for inner in range(within, self.pile.tall(index)):
                if line >= last:
                    return
                yield row, line, inner
                line += 1

    def on_line(self, line: int) -> Row | None:
        """The row on `line` of the view, if the cursor can stand on it."""
        if not 0 <= line < self.height or self.top + line >= self.pile.height:
            return None
        row = self.pile.row(self.pile.at(self.top + line)[0])
        return row if row.selectable else None

    def thumb(self) -> range:
        """The lines of the scroll bar's thumb; empty when everything fits."""
        if not self.overflows or self.height <= 0:
            return range(0)
        total = max(self.pile.height, self.top + self.height)
        size = max(1, self.height * self.height // total)
        hidden = total - self.height
        start = (self.height - size) * self.top // hidden if hidden else 0
        return range(start, start + size)

    def selectable_count(self) -> int:
        """How many rows the cursor can stand on; not for rows made on demand."""
        return sum(row.selectable for row in self.pile.rows)
