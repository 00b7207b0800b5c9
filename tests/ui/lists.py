"""Rows of a list, and what is seen of it."""

from collections.abc import Sequence

from ppgp_tui.ui.rows.layout import Pane
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.rows.row_list import RowList


def row(key: str, lines: int = 1, sign: str | None = None) -> Row:
    return Row(key, tuple(Line((Span(f"{key}.{at}"),), sign=sign) for at in range(lines)))  # type: ignore[arg-type]


def rows(*keys: str) -> tuple[Row, ...]:
    return tuple(row(key) for key in keys)


def numbered(first: int, last: int) -> tuple[Row, ...]:
    return rows(*(str(number) for number in range(first, last)))


def pane(content: Sequence[Row], **members: object) -> Pane:
    return Pane("list", content, 40, **members)  # type: ignore[arg-type]


def shown(content: Sequence[Row], height: int = 5, **members: object) -> RowList:
    made = RowList()
    made.show(pane(content, **members), height)
    made.visit()
    return made


def seen(of: RowList) -> list[str]:
    """What every line of the view shows; empty below the last row."""
    return ["" if found is None else f"{found[0].key}.{found[1]}" for found in of.visible()]


def line_of_cursor(of: RowList) -> int:
    index = of.index
    assert index is not None
    return of.pile.start(index) - of.top
