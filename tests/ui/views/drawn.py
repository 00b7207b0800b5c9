"""Draws lines and layouts as plain text, the way the app puts panes side by side."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.looks.look import ROLES, Look
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane, View
from ppgp_tui.ui.rows.row import Line, Row, draw
from ppgp_tui.ui.screen.body import places
from tests.ui import picture

COLOURS = dict.fromkeys(ROLES, "default")
PLAIN = Look(COLOURS)
ASCII = Look(COLOURS, ascii=True)
CHROME = 4
"""Two lamp lines, the tab line and the key line."""


def text_of(line: Line, width: int, look: Look = PLAIN) -> str:
    """`line` as the characters of `width` cells, trailing blanks dropped."""
    text = "".join(segment.text for segment in draw(line, width, look))
    assert cell_len(text) == width, (width, cell_len(text), text)
    return text.rstrip()


def bands(line: Line, width: int, look: Look = PLAIN) -> list[str]:
    """The filled words of `line`."""
    found: list[str] = []
    inside = False
    for segment in draw(line, width, look):
        is_filled = segment.style is not None and bool(segment.style.reverse)
        if is_filled:
            found.append(found.pop() + segment.text if inside else segment.text)
        inside = is_filled
    return found


def frame(width: int, height: int, **given: object) -> Frame:
    """A frame for a terminal of `width` by `height`."""
    chosen = {"look": PLAIN, "now_ms": picture.NOW, "document": picture.document()} | given
    return Frame(width=width, height=height - CHROME, **chosen)  # type: ignore[arg-type]


def screen(view: View, snapshot: SessionSnapshot, room: Frame) -> list[str]:
    """What `view` shows in `room`, line by line, unscrolled, the cursor's row marked."""
    return composed(view.layout(snapshot, room), room)


def composed(layout: Layout, room: Frame) -> list[str]:
    """The panes of `layout` drawn into `room` as text lines, as the app composes them."""
    grid = [[" "] * room.width for _ in range(room.height)]
    for place in places(layout, room.width, room.height):
        assert place.x + place.width <= room.width
        lines = pane_lines(place.pane._replace(width=place.width), room, place.height)
        for y, line in enumerate(lines, place.y):
            cells = list(_cells(line))
            grid[y][place.x : place.x + place.width] = cells
    drawn = ["".join(cells).rstrip() for cells in grid]
    while drawn and not drawn[-1]:
        drawn.pop()
    return drawn


def _cells(text: str) -> Iterator[str]:
    """A string for each cell: a character with what combines with it, nothing behind a wide one."""
    held = ""
    for character in text:
        size = cell_len(character)
        if not size and held:
            held += character
            continue
        if held:
            yield held
            yield from [""] * (cell_len(held) - 1)
        held = character
    if held:
        yield held
        yield from [""] * (cell_len(held) - 1)


def pane_lines(pane: Pane, room: Frame, height: int) -> list[str]:
    """The first `height` lines of `pane`, or those around the row it reveals."""
    lines: list[str] = []
    under = room.cursor.get(pane.id, "")
    wanted = pane.rows.place(pane.reveal) if pane.reveal else None  # type: ignore[attr-defined]
    start = 0 if wanted is None or wanted < height else wanted - height // 4
    for index in range(start, len(pane.rows)):
        if len(lines) >= height:
            break
        row: Row = pane.rows[index]
        assert not pane.uniform or len(row.lines) == 1
        focused = bool(row.key) and row.key == under
        for line in row.lines:
            cells = "".join(
                segment.text for segment in draw(line, pane.width, room.look, focused=focused)
            )
            assert cell_len(cells) == pane.width
            lines.append("▌" + cells[1:] if focused else cells)
    return (lines + [" " * pane.width] * height)[:height]
