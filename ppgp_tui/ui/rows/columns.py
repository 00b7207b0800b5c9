"""Fixed places on a line: columns that stand in the same cell whatever stands before them.

Widths are terminal cells, so a wide or a combining character does not push its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len

from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.rows.row import Span, shorten, shown


def cells(*spans: Span) -> int:
    """How many cells `spans` take when drawn."""
    return sum(cell_len(shown(span)) for span in spans)


def width_of(text: str) -> int:
    """How many cells `text` takes when drawn."""
    return cell_len(one_line(text))


def widest(texts: Iterable[str], least: int = 0) -> int:
    """The cells of the widest of `texts`, at least `least`."""
    return max((width_of(text) for text in texts), default=least) if texts else least


def at(column: int, before: Iterable[Span], *spans: Span) -> tuple[Span, ...]:
    """`before`, blanks up to `column` (counted from the start of `before`), then `spans`."""
    start = tuple(before)
    missing = column - cells(*start)
    return (*start, Span(" " * missing), *spans) if missing > 0 else (*start, *spans)


def to_left(span: Span, width: int) -> tuple[Span, ...]:
    """`span` at the left edge of a column `width` cells wide."""
    missing = width - cells(span)
    return (span, Span(" " * missing)) if missing > 0 else (span,)


def to_right(span: Span, width: int) -> tuple[Span, ...]:
    """`span` at the right edge of a column `width` cells wide."""
    missing = width - cells(span)
    return (Span(" " * missing), span) if missing > 0 else (span,)


def cut(text: str, width: int, mark: str = "…") -> str:
    """`text` on one line and at most `width` cells wide, its end cut."""
    return shorten(one_line(text), width, "end", mark)


def joined(parts: Iterable[Span], gap: int) -> tuple[Span, ...]:
    """`parts` with `gap` blanks between them; empty ones are left out."""
    spans: list[Span] = []
    for part in parts:
        if not part.text:
            continue
        if spans:
            spans.append(Span(" " * gap))
        spans.append(part)
    return tuple(spans)


def in_band(span: Span) -> Span:
    """`span` on a filled band, with a filled blank at either side."""
    return span._replace(text=f" {span.text} ", band=True, bold=True)


def state_and_age(
    state: Span, since: Span, width: int = 0, *, roomy: bool = False, age_width: int | None = None
) -> tuple[Span, ...]:
    """The right edge of a row: state word, then its age.

    Words stand at the right of their column and leave the room before them to the row; `roomy` sets
    them at the left of a column `width` cells wide, as wide lists do.
    """
    word = to_left(state, width) if roomy else (state,)
    edge = to_right(since, ages.width() if age_width is None else age_width)
    return (*word, Span("   " if roomy else "  "), *edge)
