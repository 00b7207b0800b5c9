"""The palette: everything that can be done or gone to, by a few of its letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import going
from ppgp_tui.ui.acts.this_screen import use_theme
from ppgp_tui.ui.finder.finder import Finder, rows
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.seat.entry import Entry
from ppgp_tui.ui.seat.stay import OpenSheet

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def open_palette(seat: Seat) -> None:
    """Open it with nothing typed."""
    finder = Finder(seat.outside.look_again)
    seat.sheet, seat.entry = OpenSheet("palette", finder=finder), Entry()
    finder.open(seat)


def palette_rows(seat: Seat, sheet: OpenSheet) -> tuple[Row, ...]:
    """What fits what was typed."""
    if sheet.finder is None:
        return ()
    found = rows(sheet.finder.find(seat, sheet.found), seat.sheet_width, seat.look)
    return found or (Row("", (Line((Span("nothing of that name", "soft"),), indent=1),)),)


def go_to_chosen(seat: Seat, sheet: OpenSheet) -> None:
    """Do what is under the cursor, or go there."""
    chosen = sheet.rows.row
    if chosen is None:
        return
    seat.entry = None
    close(seat)
    kind, _, name = chosen.key.partition(":")
    if kind in _GOES:
        _GOES[kind](seat, name)
        seat.arrange()


def close(seat: Seat) -> None:
    """Leave it; nothing is looked for any more."""
    if seat.sheet is not None and seat.sheet.finder is not None:
        seat.sheet.finder.close()
    seat.sheet = seat.sheet.under if seat.sheet is not None else None


def _do(seat: Seat, action_id: str) -> None:
    from ppgp_tui.ui.acts.acts import run

    run(seat, action_id)


_GOES: dict[str, Callable[[Seat, str], None]] = {
    "action": _do,
    "view": _do,
    "theme": use_theme,
    "task": going.to_task,
    "request": going.to_request,
    "revision": lambda seat, at: going.to_revision(seat, int(at)),
    "session": going.to_session,
    "event": lambda seat, index: going.to_event(seat, int(index)),
    "file": going.to_file,
}
"""By kind, how one gets there."""

ACTS: dict[str, Callable[[Seat], None]] = {"palette": open_palette}
"""By action id."""
