"""The middle of the screen: the panes of a view, side by side and stacked, as finished lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from rich.segment import Segment
from textual.strip import Strip

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.layout import GAP, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, draw
from ppgp_tui.ui.rows.row_list import RowList

EMPTY = Line()


class Place(NamedTuple):
    """A pane and the cells it has, counted from the top left of the body."""

    pane: Pane
    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        """Whether the cell at `x`, `y` belongs to the pane."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


def places(layout: Layout, width: int, height: int) -> tuple[Place, ...]:
    """Give every pane of `layout` its cells; what does not fit is cut off at right and bottom."""
    placed: list[Place] = []
    x = 0
    for column in layout:
        if not column or x >= width:
            continue
        across = min(max((pane.width for pane in column if not pane.wide), default=0), width - x)
        y = 0
        for pane, tall in zip(column, _heights(column, height), strict=True):
            wide = min(pane.width, width - x if pane.wide else across)
            if pane.id:
                placed.append(Place(pane, x, y, wide, tall))
            y += tall
        x += across + GAP
    return tuple(placed)


def _heights(column: Sequence[Pane], height: int) -> list[int]:
    """Fixed heights first; the others share what is left, the upper ones getting the odd lines."""
    left = height
    open_panes = sum(pane.height is None for pane in column)
    fixed = sum(pane.height or 0 for pane in column)
    share, odd = divmod(max(0, height - fixed), open_panes) if open_panes else (0, 0)
    heights = []
    for pane in column:
        wanted = pane.height
        if wanted is None:
            wanted = share + (1 if odd > 0 else 0)
            odd -= 1
        tall = max(0, min(wanted, left))
        heights.append(tall)
        left -= tall
    return heights


def body_lines(
    placed: Iterable[Place],
    lists: Mapping[str, RowList],
    focus: str,
    width: int,
    height: int,
    look: Look,
) -> list[Strip]:
    """Draw every pane; each line is exactly `width` cells and there are exactly `height`."""
    cells: list[list[tuple[int, Strip]]] = [[] for _ in range(height)]
    for place in placed:
        strips = pane_lines(lists[place.pane.id], place.width, look, place.pane.id == focus)
        for offset, strip in enumerate(strips[: place.height]):
            cells[place.y + offset].append((place.x, strip))
    return [_across(parts, width, look) for parts in cells]


def pane_lines(
    rows: RowList, width: int, look: Look, focused: bool, on: Role = "bg"
) -> list[Strip]:
    """Draw what is in view of one pane, with a scroll bar in its last column when it is longer."""
    strips = []
    thumb = rows.thumb() if not look.behind else range(0)
    cursor = rows.cursor if not look.behind else ""
    manner = (width, look, focused, on, rows.bright, rows.marked)
    before = rows.painted if rows.painted_in == manner else {}
    rows.painted, rows.painted_in = {}, manner
    for at, seen in enumerate(rows.visible()):
        if seen is None:
            strip = drawn(EMPTY, width, look, on)
        else:
            row, within = seen
            under = bool(cursor) and row.key == cursor
            place = (id(row), within, under, under and rows.gone)
            kept = before.get(place)
            strip = _row_line(*seen, place, manner) if kept is None else kept[1]
            rows.painted[place] = row, strip
        strips.append(_with_thumb(strip, width, look) if at in thumb else strip)
    return strips


def _row_line(
    row: Row,
    within: int,
    place: tuple[int, int, bool, bool],
    manner: tuple[int, Look, bool, Role, frozenset[str], str],
) -> Strip:
    """One line of a row; the cursor's row has its tint, and the bar where the focus is.

    One that vanished keeps its place and its words, struck; what keys did with it is gone.
    """
    width, look, focused, on, bright, marked = manner
    _, _, under, struck = place
    line = row.lines[within] if within < len(row.lines) else EMPTY
    if struck:
        line = EMPTY if within else line._replace(right=(Span(_became(line), "soft"),))
    elif row.key in bright and not within:
        line = _standing_out(line)
    if marked:
        line = line._replace(left=_with_marks(line.left, marked))
    return drawn(line, width, look, "field" if under else on, under and focused, struck)


def _became(line: Line) -> str:
    """What is said of a row that vanished: what is done says so still, without its age."""
    said = next((span.text.strip() for span in line.right if span.text.strip()), "")
    return said if line.sign == "done" and said else "gone"


def _with_marks(spans: Iterable[Span], wanted: str) -> tuple[Span, ...]:
    """`spans` with every place where one of them says `wanted` underlined."""
    low, parts = wanted.casefold(), list[Span]()
    for span in spans:
        folded, at = span.text.casefold(), 0
        while len(folded) == len(span.text) and (begin := folded.find(low, at)) >= 0:
            end = begin + len(low)
            parts.append(span._replace(text=span.text[at:begin]))
            parts.append(span._replace(text=span.text[begin:end], bold=True, underline=True))
            at = end
        parts.append(span._replace(text=span.text[at:]))
    return tuple(parts)


def _standing_out(line: Line) -> Line:
    """`line` with its state word, the first one at the right edge, in bold."""
    at = next((at for at, span in enumerate(line.right) if span.text.strip()), None)
    if at is None:
        return line
    word = line.right[at]._replace(bold=True)
    return line._replace(right=(*line.right[:at], word, *line.right[at + 1 :]))


@lru_cache(maxsize=2048)
def drawn(
    line: Line,
    width: int,
    look: Look,
    on: Role = "bg",
    focused: bool = False,
    struck: bool = False,
) -> Strip:
    """`line` as a strip of exactly `width` cells; the same line is drawn once."""
    return Strip(draw(line, width, look, focused=focused, struck=struck, on=on), width)


@lru_cache(maxsize=512)
def blank(width: int, look: Look, on: Role = "bg") -> Strip:
    """`width` cells of nothing."""
    return Strip([Segment(" " * width, look.style("text", on=on))] if width else [], width)


class _Made:
    """Lines made of other lines, so that the same parts give the same line, not an equal one.

    Lines are told apart by identity: the parts are kept beside what was made of them.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[tuple[int, ...], tuple[object, Strip]] = {}

    def of(self, key: tuple[int, ...], parts: object, make: Callable[[], Strip]) -> Strip:
        """What was made of `parts`, whose identities are in `key`."""
        kept = self._made.get(key)
        if kept is None:
            if len(self._made) >= self._most:
                self._made.clear()
            kept = self._made[key] = (parts, make())
        return kept[1]


_barred, _joined = _Made(128), _Made(512)


def _with_thumb(strip: Strip, width: int, look: Look) -> Strip:
    def bar() -> Strip:
        if look.ansi:
            end = Segment("|", look.style("soft"))
        else:
            end = Segment(" ", look.style("faint", reverse=True))
        return Strip([*strip.crop(0, width - 1), end], width)

    return _barred.of((id(strip), id(look)), (strip, look), bar)


def _across(parts: list[tuple[int, Strip]], width: int, look: Look) -> Strip:
    """The panes of one line, blanks between them."""
    if len(parts) == 1 and parts[0][0] == 0 and parts[0][1].cell_length == width:
        return parts[0][1]
    key = (width, id(look), *(number for x, strip in parts for number in (x, id(strip))))
    return _joined.of(key, (parts, look), lambda: _join(parts, width, look))


def _join(parts: list[tuple[int, Strip]], width: int, look: Look) -> Strip:
    joined: list[Strip] = []
    x = 0
    for start, strip in sorted(parts, key=lambda part: part[0]):
        if start > x:
            joined.append(blank(start - x, look))
        joined.append(strip)
        x = start + strip.cell_length
    if x < width:
        joined.append(blank(width - x, look))
    line = Strip.join(joined)
    return line if x <= width else line.crop(0, width)
