"""One pane as the person left it: the row under the cursor and how far it is scrolled.

The cursor is a row key, so it survives every update, resize and change of view. Rows that arrive
above it scroll the pane by as much, so the focused row keeps its place on the screen. A row that
vanishes under the cursor stays, struck, until the cursor leaves it.
"""

from __future__ import annotations

from textual.strip import Strip

from ppgp_tui.ui.rows.layout import Pane
from ppgp_tui.ui.rows.pile import Ghost, Pile
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.rows.window import Window


class RowList(Window):
    """Cursor and scroll of one pane, by row key."""

    def __init__(self) -> None:
        super().__init__()
        self.cursor = ""
        """Key of the row under the cursor; empty until the pane is visited."""
        self.newer: int | None = None
        """Rows that arrived since the cursor left the top; None while it follows the newest."""
        self.bright: frozenset[str] = frozenset()
        """Keys of the rows whose state word stands out, because it changed just now."""
        self.marked = ""
        """Words that are looked for in these rows, which are marked where they stand."""
        self.moment: int | None = None
        """The event of the past that the rows are of; None: they are of now."""
        self._now: tuple[str, int, int | None] | None = None
        """Cursor, scroll and newer rows of the present, while the past is looked at."""
        self._found: tuple[Pile, str, int | None] = self.pile, "", None
        """In which rows the cursor was looked for, its key, and where it is."""
        self._place: int | None = None
        """The row that `n` went to, if the cursor cannot stand there."""
        self.painted: dict[tuple[int, int, bool, bool], tuple[Row, Strip]] = {}
        """The lines in view as last drawn (by row, line of it, cursor, gone), so that a moved
        cursor draws no other line again; `painted_in` is the manner they were drawn in."""
        self.painted_in: object = None
        self._pane: Pane | None = None
        self._filter = ""
        self._above = ""
        """Key of the row before the cursor: where a ghost is put."""
        self._newest = ""
        """Key of the first row when the cursor left the top."""

    # --- what the view says now -----------------------------------------------------------------

    def show(self, pane: Pane, height: int, found_by: str = "", moment: int | None = None) -> None:
        """Take the newest `pane`, `height` lines tall, its rows filtered by `found_by`.

        Rows of another `moment` are other rows: what was not there then did not vanish.
        """
        before = self._pane
        travelled, was, self.moment = moment != self.moment, self.moment, moment
        if travelled and was is None:
            self._now = self.cursor, self.top, self.newer
        if before is None or before.about != pane.about:
            self._begin(pane, height)
        elif found_by != self._filter:
            self._pile(pane)
            self._settle_anew(height)
        elif pane.rows is not before.rows or pane.uniform != before.uniform:
            self._update(pane, height, keeps=not travelled)
        if travelled and moment is None:
            self._come_back()
        if height != self.height:
            self.height = height
            self.clamp()
            self._keep_in_view()
        if pane.reveal and (before is None or pane.reveal != before.reveal):
            self.reveal(pane.reveal)
        self._pane, self._filter = pane, found_by
        self._remember()

    def _begin(self, pane: Pane, height: int) -> None:
        visited = bool(self.cursor)
        self._pile(pane)
        self.height, self.top, self.cursor, self.newer = height, 0, "", None
        if visited:
            self.visit()

    def _pile(self, pane: Pane, ghost: Ghost | None = None) -> None:
        self.pile = Pile(pane.rows, pane.uniform, ghost)

    def _settle_anew(self, height: int) -> None:
        """The person asked for other rows: nothing is kept struck, the cursor takes the nearest."""
        self.height, self.newer = height, None
        if self.cursor and not self.pile.has(self.cursor):
            self.cursor = ""
            self.top = 0
            self.visit()
        self.clamp()
        self._keep_in_view()

    def _update(self, pane: Pane, height: int, *, keeps: bool) -> None:
        """Rows came, went or changed: the cursor's row stays where it is on the screen.

        One that vanished leaves its ghost if the list `keeps` it, else the nearest has the cursor.
        """
        following = pane.newest_first and self.newer is None and self.top == 0
        anchor, place = self._anchor()
        at_top = pane.urgent_first and self.top == 0
        lost = self._row_or_none()
        lost_at = self.index
        self._pile(pane)
        if following:
            if self.cursor:
                self.cursor = ""
                self.visit()
            return
        if lost is not None and lost_at is not None and not self.pile.has(self.cursor):
            if keeps:
                self._pile(pane, Ghost(lost, self._ghost_place(lost_at)))
            else:
                self._nearest(lost_at)
        at = self.pile.find(anchor) if anchor else None
        if at is not None and at_top and self.pile.start(at + 1) <= height:
            return
        if at is not None:
            self.top = max(0, self.pile.start(at) - place)
        else:
            self.clamp(height)

    def _come_back(self) -> None:
        """As the present was left, where its row is still there."""
        if self._now is not None and self.pile.has(self._now[0]):
            self.cursor, self.top, self.newer = self._now
        self._now = None

    def _nearest(self, was: int) -> None:
        """Put the cursor on the row that stands nearest to where it was, on the screen as well."""
        at = self.pile.next(was, 1)
        at = self.pile.next(min(was, len(self.pile) - 1), -1) if at is None else at
        self.cursor = "" if at is None else self.pile.row(at).key
        self.clamp()
        self._keep_in_view()

    def _anchor(self) -> tuple[str, int]:
        """The key that must keep its place on the screen, and that place.

        Empty where nobody is and nothing is scrolled: such a pane stays at its top.
        """
        index = self.index
        if index is not None:
            place = self.pile.start(index) - self.top
            if -self.pile.tall(index) < place < self.height:
                return self.cursor, place
        if self.top == 0:
            return "", 0
        for row, line, within in self.lines():
            if row.selectable:
                return row.key, line - within
        return "", 0

    def _ghost_place(self, was: int) -> int:
        above = self.pile.find(self._above) if self._above else None
        return min(was, len(self.pile)) if above is None else above + 1

    def _remember(self) -> None:
        """What the next update needs to know of the rows as they are now."""
        index = self.index
        if index is not None:
            above = self.pile.next(index - 1, -1)
            self._above = "" if above is None else self.pile.row(above).key
        first = self.pile.next(0, 1)
        if self._pane is None or not self._pane.newest_first or index is None or first is None:
            return
        if self.newer is None and index != first:
            self._newest = self.cursor
            self.newer = 0
        was = self.pile.find(self._newest)
        if self.newer is not None and was is not None:
            self.newer = was - first

    # --- where the cursor is --------------------------------------------------------------------

    @property
    def index(self) -> int | None:
        """The index of the row under the cursor; asked dozens of times for each key."""
        if not self.cursor:
            return None
        pile, cursor, index = self._found
        if pile is not self.pile or cursor != self.cursor:
            index = self.pile.find(self.cursor)
            self._found = self.pile, self.cursor, index
        return index

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._row_or_none()

    def _row_or_none(self) -> Row | None:
        index = self.index
        return None if index is None else self.pile.row(index)

    @property
    def newest_first(self) -> bool:
        """Rows arrive at the top."""
        return self._pane is not None and self._pane.newest_first

    @property
    def gone(self) -> bool:
        """The row under the cursor is no longer there."""
        return self.pile.ghost is not None

    @property
    def moves(self) -> bool:
        """There are rows to move between, or lines to scroll."""
        first = self.pile.next(0, 1)
        if first is None or self.overflows:
            return self.overflows
        return self.pile.next(first + 1, 1) is not None or self.index != first

    # --- moving it ------------------------------------------------------------------------------

    def visit(self) -> None:
        """Give the pane a cursor if it has none: on the first row in view that can have it."""
        if self.index is None:
            index = self.pile.next(self.pile.at(self.top)[0] if len(self.pile) else 0, 1)
            self.cursor = "" if index is None else self.pile.row(index).key

    def let_go(self) -> None:
        """Keep no row that is gone: the cursor takes the first one there is."""
        if self.gone:
            self._drop_ghost()
            self.cursor, self.top = "", 0
            self.visit()

    def move(self, step: int) -> None:
        """One row down (1) or up (-1); a row or a text taller than the pane is read through."""
        index = self.index
        if index is None:
            self.scroll(step)
            return
        if self._unread(index, step):
            self.scroll(step * max(1, self.height // 2))
            return
        target = self.pile.next(index + step, step)
        if target is None:
            self.scroll(step)
        else:
            self._go(target, shift=step)

    def _unread(self, index: int, step: int) -> bool:
        """The row is taller than the pane and in view, and its end (or start) is not."""
        start, end = self.pile.start(index) - self.top, self.pile.start(index + 1) - self.top
        if end - start <= self.height or start >= self.height or end <= 0:
            return False
        return end > self.height if step > 0 else start < 0

    def page(self, lines: int) -> None:
        """About `lines` lines down or up; the cursor keeps its place on the screen."""
        index = self.index
        if index is None:
            self.scroll(lines)
            return
        step = 1 if lines > 0 else -1
        line = min(max(0, self.pile.start(index) + lines), max(0, self.pile.height - 1))
        near = self.pile.at(line)[0]
        target = self.pile.next(near, step)
        target = self.pile.next(near, -step) if target is None else target
        if target is None or target == index:
            self.scroll(lines)
        else:
            self._go(target, shift=lines)

    def top_row(self) -> None:
        """To the topmost row."""
        index = self.pile.next(0, 1)
        self.top = 0
        if index is not None:
            self._go(index)

    def bottom_row(self) -> None:
        """To the lowest row."""
        index = self.pile.next(len(self.pile) - 1, -1)
        self.top = max(0, self.pile.height - self.height)
        if index is not None:
            self._go(index)

    def go_to(self, key: str) -> bool:
        """To the row with `key`; return whether there is one."""
        index = self.pile.find(key)
        if index is None:
            return False
        self._go(index)
        return True

    def _go(self, index: int, shift: int = 0) -> None:
        self._place = None
        key = self.pile.row(index).key
        if key == self.cursor:
            self._keep_in_view()
            return
        if self.gone and self._pane is not None:
            self._drop_ghost()
        if abs(shift) > 1:
            self.top += shift
        first = self.pile.next(0, 1)
        if self.newest_first and self.newer is None and first is not None:
            self.newer, self._newest = 0, self.pile.row(first).key
        self.cursor = key
        if self.index == first:
            self.newer = None
        self.clamp()
        self._keep_in_view()
        self._remember()

    def _drop_ghost(self) -> None:
        ghost = self.pile.ghost
        assert ghost is not None
        line, tall = self.pile.start(ghost.at), self.pile.tall(ghost.at)
        self.pile = Pile(self.pile.rows, self.pile.uniform)
        if line < self.top:
            self.top -= tall

    def _keep_in_view(self) -> None:
        """Scroll as little as shows the cursor's row, with the heading above the first one."""
        index = self.index
        if index is None:
            return
        start, end = self.pile.start(index), self.pile.start(index + 1)
        self.top = max(self.top, end - self.height)
        self.top = min(self.top, start)
        if self.pile.next(index - 1, -1) is None and end <= self.height:
            self.top = 0

    # --- words that are looked for --------------------------------------------------------------

    @property
    def standing(self) -> int:
        """The row that words are looked for from."""
        index = self._place if self._place is not None else self.index
        return index if index is not None else -1

    def go_to_match(self, index: int) -> None:
        """To the row at `index`; where the cursor cannot stand there, into view."""
        if self.pile.row(index).selectable:
            self._place = None
            self._go(index)
            return
        self._place = index
        self.reveal_row(index)
