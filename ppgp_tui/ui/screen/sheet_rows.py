"""What the open sheet shows, whichever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import origin
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.screen import sheets
from ppgp_tui.ui.seat.asking import card_rows
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.seat.where import in_the_view, on_sheet

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def sheet_rows(seat: Seat, sheet: OpenSheet) -> tuple[Row, ...]:
    """The rows of `sheet` as it is now."""
    if sheet.kind == "help":
        under = in_the_view(seat) if sheet.under is None else on_sheet(seat, sheet.under)
        return sheets.help_rows(seat.keymap, under, seat.sheet_width, sheet.found, seat.look)
    if sheet.kind == "origin":
        return origin.sheet_rows(seat.row, seat.snapshot, seat.sheet_width, seat.clock())
    if sheet.kind == "blame":
        from ppgp_tui.ui.views.plan.blame_rows import blame_rows  # no start opens it

        history = seat.snapshot.history.value
        return blame_rows(history, sheet.about, seat.sheet_width, seat.clock())
    if sheet.kind == "audit":
        from ppgp_tui.ui.views.audit.plan import plan_rows

        return plan_rows(seat.audits, seat.sheet_width)
    if sheet.kind == "card":
        return card_rows(seat, seat.sheet_width)
    if sheet.kind == "form" and seat.acting.form is not None and seat.entry is not None:
        return seat.acting.form.rows(seat.entry, seat.sheet_width)
    if sheet.kind == "confirm" and seat.acting.confirmation is not None:
        yes, no = seat.key("answer.yes"), seat.key("answer.no")
        return seat.acting.confirmation.rows(seat.sheet_width, yes, no)
    from ppgp_tui.ui.acts.quiet import quiet_rows
    from ppgp_tui.ui.acts.this_screen import theme_rows
    from ppgp_tui.ui.finder.palette import palette_rows  # no start opens it

    if sheet.kind == "themes":
        return theme_rows(seat)
    if sheet.kind == "quiet":
        return quiet_rows(seat, sheet.found)
    return palette_rows(seat, sheet)
