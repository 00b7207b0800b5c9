"""The middle of the screen: the panes of a view, side by side and stacked, as finished lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from ppgp_tui.ui.layout import GAP, Layout, Pane
from ppgp_tui.ui.look import Look, Role
from ppgp_tui.ui.row_list import RowList
from ppgp_tui.ui.rows import Line, draw

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
        across = min(max(pane.width for pane in column), width - x)
        y = 0
        for pane, tall in zip(column, _heights(column, height), strict=True):
            placed.append(Place(pane, x, y, min(pane.width, across), tall))
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
    for at, seen in enumerate(rows.visible()):
        if seen is None:
            strip = drawn(EMPTY, width, look, on)
        else:
            row, within = seen
            line = row.lines[within] if within < len(row.lines) else EMPTY
            under = bool(row.key) and row.key == rows.cursor and not look.behind
            struck = under and rows.gone
            ground: Role = "field" if under else on
            strip = drawn(line, width, look, ground, under and focused, struck)
        strips.append(_with_thumb(strip, width, look) if at in thumb else strip)
    return strips


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


def _with_thumb(strip: Strip, width: int, look: Look) -> Strip:
    if look.ansi:
        bar = Segment("|", look.style("soft"))
    else:
        bar = Segment(" ", look.style("faint", reverse=True))
    return Strip([*strip.crop(0, width - 1), bar], width)


def _across(parts: list[tuple[int, Strip]], width: int, look: Look) -> Strip:
    """Join the panes of one line, blanks between them."""
    if len(parts) == 1 and parts[0][0] == 0 and parts[0][1].cell_length == width:
        return parts[0][1]
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
