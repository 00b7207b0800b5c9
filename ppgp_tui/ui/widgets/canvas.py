"""The whole screen as one widget that is handed finished lines and repaints what differs.

Nothing is ever blanked or mounted between two pictures, so nothing flickers; and what is sent to
the terminal for a changed age is that age, which matters over a slow line.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.segment import Segment
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget


class Canvas(Widget, can_focus=False):
    """Shows lines; says where the mouse was used."""

    DEFAULT_CSS = "Canvas { width: 100%; height: 100%; }"

    class Clicked(Message):
        """A cell was clicked."""

        def __init__(self, x: int, y: int) -> None:
            super().__init__()
            self.x, self.y = x, y

    class Wheeled(Message):
        """The wheel was turned over a cell, down (1) or up (-1)."""

        def __init__(self, x: int, y: int, step: int) -> None:
            super().__init__()
            self.x, self.y, self.step = x, y, step

    def __init__(self) -> None:
        super().__init__()
        self.lines: Sequence[Strip] = ()

    def show(self, lines: Sequence[Strip]) -> None:
        """Show `lines` instead of what is shown now."""
        changed = [
            Region(start, y, end - start, 1)
            for y, (old, new) in enumerate(zip_longest(self.lines, lines))
            for start, end in difference(old, new)
        ]
        self.lines = lines
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """The line at `y`, as wide as the widget even between a resize and the next picture."""
        width = self.size.width
        if y >= len(self.lines):
            return Strip.blank(width)
        line = self.lines[y]
        return line if line.cell_length == width else line.adjust_cell_length(width)

    def on_click(self, event: events.Click) -> None:
        """Tell where."""
        self.post_message(self.Clicked(event.x, event.y))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Tell where."""
        self.post_message(self.Wheeled(event.x, event.y, 1))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Tell where."""
        self.post_message(self.Wheeled(event.x, event.y, -1))


def difference(old: Strip | None, new: Strip | None) -> list[tuple[int, int]]:
    """The columns in which two lines differ, whole words at a time; nothing when they do not."""
    if old is new or old == new:
        return []
    if old is None or new is None or old.cell_length != new.cell_length:
        widest = max(strip.cell_length for strip in (old, new) if strip is not None)
        return [(0, widest)] if widest else []
    before, after = list(old), list(new)
    start = _alike(before, after)
    most = min(len(before), len(after)) - start
    end = _alike(before[::-1], after[::-1], most)
    begins = sum(segment.cell_length for segment in after[:start])
    ends = new.cell_length - sum(segment.cell_length for segment in after[len(after) - end :])
    return [(begins, ends)] if begins < ends else []


def _alike(old: list[Segment], new: list[Segment], most: int | None = None) -> int:
    """How many segments at the beginning are the same, at most `most`."""
    alike = 0
    for before, after in zip(old, new, strict=False):
        if alike == most or before != after:
            break
        alike += 1
    return alike
