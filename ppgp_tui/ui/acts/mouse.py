"""The mouse does what keys do, and nothing that keys cannot."""

from __future__ import annotations

from rich.cells import cell_len

from ppgp_tui.ui.acts import acts, planning, this_screen
from ppgp_tui.ui.rows.row import shown
from ppgp_tui.ui.screen.body import Place
from ppgp_tui.ui.screen.screen import SHEET_HEAD, notice, tab_line
from ppgp_tui.ui.seat.place import PICKED_FROM
from ppgp_tui.ui.seat.seat import Seat

WHEEL_LINES = 3
TAB_LINE = 2


def click(seat: Seat, x: int, y: int) -> None:
    """Put the cursor on the row at a cell, open it if it is there already, or change the view."""
    if seat.small:
        return
    if seat.sheet is not None:
        _click_sheet(seat, y)
    elif y == TAB_LINE:
        view = view_at(seat, x) if notice(seat) is None else None
        if view is not None:
            acts.show_view(seat, view)
            seat.arrange()
    else:
        _click_body(seat, x, y - seat.body_top)


def wheel(seat: Seat, x: int, y: int, step: int) -> None:
    """Scroll the pane at a cell; the cursor stays where it is."""
    if seat.sheet is not None:
        seat.sheet.rows.scroll(step * WHEEL_LINES)
        return
    place = _pane_at(seat, x, y - seat.body_top)
    if place is not None and not planning.wheel(seat, place, step):
        seat.stay.lists[place.pane.id].scroll(step * WHEEL_LINES)


def _pane_at(seat: Seat, x: int, y: int) -> Place | None:
    return next((place for place in seat.stay.placed if place.holds(x, y)), None)


def _click_body(seat: Seat, x: int, y: int) -> None:
    place = _pane_at(seat, x, y)
    if place is not None and planning.click(seat, place, x, y):
        return
    if place is None or place.pane.id not in seat.panes():
        return
    rows = seat.stay.lists[place.pane.id]
    row = rows.on_line(y - place.y)
    here = seat.stay.focus == place.pane.id
    seat.stay.focus = place.pane.id
    if row is None:
        rows.visit()
    elif here and row.key == rows.cursor:
        acts.run(seat, "row.open")
    else:
        rows.go_to(row.key)
    seat.arrange()


def _click_sheet(seat: Seat, y: int) -> None:
    sheet = seat.sheet
    if sheet is None or sheet.kind not in PICKED_FROM:
        return
    row = sheet.rows.on_line(y - seat.body_top - SHEET_HEAD)
    if row is None:
        return
    if row.key == sheet.rows.cursor:
        acts.run(seat, "row.open")
    else:
        sheet.rows.go_to(row.key)
        this_screen.preview(seat)


def view_at(seat: Seat, x: int) -> int | None:
    """The view whose number or name stands at column `x` of the tab line."""
    line = tab_line(seat)
    column = line.indent
    found = None
    for span in line.left:
        text = shown(span)
        if text[:1].isdigit():
            found = 0 if found is None else found + 1
        column += cell_len(text)
        if x < column:
            return found if text.strip() else None
    return None
