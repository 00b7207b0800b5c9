"""The rows of a pane that say what is looked for, and which of them comes next."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.rows.row_list import RowList


def seek(rows: RowList, wanted: Callable[[Row], bool], step: int) -> str | None:
    """The key of the next row (from the cursor, round the end) that is `wanted`, or None.

    Rows made on demand are taken as wanted: their view has left out all others, but for the
    headings above them.
    """
    count = len(rows.pile)
    at = rows.index
    start = at if at is not None else -1 if step > 0 else 0
    most = count if not rows.pile.uniform else min(count, 4)
    for away in range(1, most):
        row = rows.pile.row((start + step * away) % count)
        if row.selectable and not row.family and (rows.pile.uniform or wanted(row)):
            return row.key
    return None


def seek_finding(rows: RowList, step: int) -> str | None:
    """The key of the next row marked as a finding, round the end, or None."""
    marked = [rows.pile.rows[at].key for at in rows.pile.findings]
    others = [key for key in marked if key != rows.cursor]
    if not others:
        return None
    here = rows.index if rows.index is not None else -1
    ahead = [key for key in others if ((rows.pile.find(key) or 0) - here) * step > 0]
    return (ahead or others)[0 if step > 0 else -1]


def is_text(rows: RowList) -> bool:
    """The rows are those of a document: they know themselves which of them say something."""
    return hasattr(rows.pile.rows, "saying")


def matches(rows: RowList, wanted: str) -> list[int]:
    """Indexes of the rows that say `wanted`, letter case ignored."""
    if is_text(rows):
        return list(rows.pile.rows.saying(wanted))  # type: ignore[attr-defined]
    low = wanted.casefold()
    if rows.pile.uniform or not low:
        return []
    return [at for at in range(len(rows.pile)) if low in _text(rows.pile.row(at)).casefold()]


def match_at(rows: RowList, wanted: str) -> int | None:
    """The index of the place one is at; None when one is at none."""
    return rows.standing if rows.standing in matches(rows, wanted) else None


def _text(row: Row) -> str:
    """What a row says in all its lines, as it is written there: a word may go over their ends."""
    spans = (line.left + line.columns + line.right for line in row.lines)
    return " ".join("".join(span.text for span in line).strip() for line in spans)
