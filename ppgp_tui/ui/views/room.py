"""How a list and the detail of its cursor row share the room, the same way in every view.

From 100 columns side by side, from 60 one above the other, below 60 the detail takes the whole room
when a row is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ppgp_tui.ui.rows.layout import GAP, Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank

TWO_COLUMNS = 100
THREE_COLUMNS = 150
ROWS_BELOW = 60
ROOMY_HEIGHT = 26
"""Rows of a view on a screen of thirty: from here on there is room for second thoughts."""


def split(width: int, share: float) -> tuple[int, int]:
    """Widths of two columns with the gap between them; `share` of the room goes to the left."""
    left = int((width - GAP) * share)
    return left, width - GAP - left


def tall(rows: Iterable[Row]) -> int:
    """Lines that `rows` take."""
    return sum(len(row.lines) for row in rows)


def opens(frame: Frame, word: str = "read") -> str:
    """What Enter does on a row whose detail stands beside it where there is room for that."""
    return "" if frame.width >= TWO_COLUMNS else word


def under_cursor(frame: Frame, pane: str, rows: Sequence[Row]) -> str:
    """Key of the row the person is at: opened, under the cursor, or else the first one."""
    if frame.opened:
        return frame.opened
    if pane in frame.cursor:
        return frame.cursor[pane]
    return next((rows[at].key for at in range(min(len(rows), 50)) if rows[at].key), "")


def found(rows: Sequence[Row], words: str) -> list[Row]:
    """The rows that say `words`, letter case ignored, under the headings they stand under."""
    if not words:
        return list(rows)
    wanted = words.casefold()
    kept: list[Row] = []
    above: list[Row] = []
    for row in rows:
        if not row.key:
            titled = bool(row.lines) and row.lines[0].left[:1] and row.lines[0].left[0].bold
            above = [row] if titled else above
        elif wanted in _said(row).casefold():
            kept += [blank(), *above] if kept and above else above
            kept.append(row)
            above = []
    return kept or [Row("", (Line((Span("nothing here says that", "soft"),), indent=1),))]


def _said(row: Row) -> str:
    """Every word of a row, shown or copied."""
    spans = (span.text for line in row.lines for span in (*line.left, *line.columns, *line.right))
    return f"{row.copy} {' '.join(spans)}"


def list_and_detail(
    frame: Frame,
    panes: Callable[[int], tuple[Pane, ...]],
    detail: Callable[[int], Pane],
    *,
    share: float = 0.5,
    detail_share: float = 0.4,
    below: int = ROWS_BELOW,
    brief: Callable[[int], Sequence[Row]] | None = None,
) -> Layout:
    """Lay out the panes of a list (heading first, the list last) and the detail pane.

    `share` is the list's part of the width, `detail_share` the least part of the height that the
    detail gets below a long list, which it does from `below` columns; `brief` makes the last rows
    of a narrower screen.
    """
    if frame.width >= TWO_COLUMNS:
        left, right = split(frame.width, share)
        return (panes(left), (detail(right),))
    # What was opened may be gone, or may have no more to it: never an empty screen.
    if frame.opened and (whole := detail(frame.width)).rows:
        return ((whole,),)
    *above, listed = panes(frame.width)
    room = frame.height - sum(pane.height or 0 for pane in above)
    lines = len(listed.rows) if listed.uniform else tall(listed.rows)
    if frame.width >= below:
        pane = detail(frame.width)
        pane = pane._replace(rows=[blank(), *pane.rows], uniform=False)
        most = max(3, room - max(6, int(frame.height * detail_share)))
        return ((*above, listed._replace(height=min(lines, most)), pane),)
    if brief is None:
        return ((*above, listed),)
    rows = [blank(), *brief(frame.width)]
    last = Pane(f"{listed.id}.brief", rows, frame.width)
    return ((*above, listed._replace(height=min(lines, room - tall(rows))), last),)
