"""Draws lines and layouts as plain text, the way the app puts panes side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.layout import GAP, Frame, Layout, Pane, View
from ppgp_tui.ui.look import ROLES, Look
from ppgp_tui.ui.rows import Line, Row, draw
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
    columns = [_column(panes, room) for panes in layout]
    assert sum(panes[0].width for panes in layout) + GAP * (len(layout) - 1) <= room.width
    lines = []
    for at in range(room.height):
        cells = [column[at] for column in columns]
        lines.append((" " * GAP).join(cells).rstrip())
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _column(panes: Sequence[Pane], room: Frame) -> list[str]:
    fixed = sum(pane.height or 0 for pane in panes)
    lines: list[str] = []
    for pane in panes:
        height = pane.height if pane.height is not None else max(0, room.height - fixed)
        lines += pane_lines(pane, room, height)
    return (lines + [" " * panes[0].width] * room.height)[: room.height]


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
