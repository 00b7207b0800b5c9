"""The way that was gone to what is on the screen, as one line: `plan › task T8 › run 29`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.columns import cells, cut
from ppgp_tui.ui.rows.row import Line, Row, Span

_SHORT = 14
"""Cells of each step on a way that is too long for its line."""


def crumbs_row(
    trail: Sequence[str], here: str, name: Callable[[str], str], width: int, look: Look
) -> Row:
    """`trail` as in `Frame.trail`; the earliest are left out where there is no room."""
    by = " > " if look.ascii else " › "
    names = [one.partition(":")[2] if one.startswith("view:") else name(one) for one in trail]
    if cells(*(Span(f"{one}{by}") for one in names), Span(here)) > width - 2:
        names = [cut(one, _SHORT, look.sign("cut")) for one in names]
    shown = [Span(here, "ink", bold=True)]
    left_out = Span(f"{look.sign('cut')}{by}", "soft")
    for at in range(len(names) - 1, -1, -1):
        before = [Span(names[at], "soft"), Span(by, "soft")]
        spare = cells(left_out) if at else 0
        if cells(*before, *shown) + spare > width - 2:
            shown.insert(0, left_out)
            break
        shown = [*before, *shown]
    return Row("", (Line(tuple(shown), indent=1),))
