"""Where the person is, told from the seat: what decides which keys do what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.ui.acts import lineage, planning
from ppgp_tui.ui.acts.on_loop import with_loop
from ppgp_tui.ui.acts.revisions import leaves, on_revisions
from ppgp_tui.ui.acts.session_list import in_list
from ppgp_tui.ui.rows.linked import file_of
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.seat.asking import in_card, in_view
from ppgp_tui.ui.seat.audit_stay import with_audit
from ppgp_tui.ui.seat.journey import in_past
from ppgp_tui.ui.seat.place import PICKED_FROM, Place
from ppgp_tui.ui.seat.stay import OpenSheet, Stay

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def place(seat: Seat) -> Place:
    """Where the person is."""
    return in_the_view(seat) if seat.sheet is None else on_sheet(seat, seat.sheet)


def in_the_view(seat: Seat) -> Place:
    """Where they are in the view, as if no sheet were open."""
    stay, row, rows = seat.stay, seat.row, seat.stay.lists.get(seat.stay.focus)
    typing = seat.entry is not None and seat.sheet is None
    place = Place(
        view=seat.current,
        views=seat.numbered,
        typing=typing,
        small=seat.small,
        ribbon=seat.is_ribbon,
        moves=rows is not None and rows.moves,
        panes=len(seat.panes()),
        row=row is not None,
        origin=(row is not None and row.origin is not None) or _has_more(seat),
        unchecked=seat.snapshot.conformance.value.state in ("unknown", "unchecked"),
        opens="keep" if typing else row.opens if row is not None else "",
        file=bool(file_of(row)[0]),
        thing=bool(lineage.thing(seat)),
        lists="" if not lineage.here(seat) else "raw" if seat.lists_raw else "story",
        family=row is not None and row.family,
        back=_back_word(seat, typing),
        finds=_finds(stay, rows),
        plan=planning.on_plan(seat),
        revisions=on_revisions(seat),
    )
    place = with_loop(seat, in_list(seat, in_view(seat, place)))
    return in_past(seat, with_audit(seat, place))


def on_sheet(seat: Seat, sheet: OpenSheet) -> Place:
    """Where they are with `sheet` open."""
    place = Place(
        view=seat.current,
        views=seat.numbered,
        sheet=sheet.kind,
        typing=seat.entry is not None,
        small=seat.small,
        ribbon=seat.is_ribbon,
        moves=sheet.rows.moves,
        row=False,
        file=bool(file_of(seat.row)[0]),
        opens=_sheet_opens(seat, sheet),
        back="close",
    )
    place = in_card(seat, place) if sheet.kind == "card" else place
    return in_past(seat, with_audit(seat, place))


def _has_more(seat: Seat) -> bool:
    """There is something to tell though the row under the cursor came from nowhere."""
    from ppgp_tui.ui.acts import origin  # at the start the cursor is on a row that was read

    return origin.has_more(seat.snapshot, seat.clock())


def _sheet_opens(seat: Seat, sheet: OpenSheet) -> str:
    """What Enter does with a sheet open."""
    if sheet.kind == "palette":
        return "do it" if sheet.rows.row is not None else ""
    if sheet.kind in PICKED_FROM:
        return sheet.rows.row.opens if sheet.rows.row is not None else ""
    if seat.entry is None:
        return ""
    note = sheet.kind == "card" and seat.acting.purpose == "note"
    return "keep" if note else {"help": "keep", "card": "send", "form": "next"}.get(sheet.kind, "")


def _back_word(seat: Seat, typing: bool) -> str:
    stay = seat.stay
    if typing or stay.filter:
        return "show all"
    if stay.opened is not None:
        return "close"
    if whole := leaves(seat) or planning.leaves(seat):
        return whole
    if seat.before or stay.focus != seat.first_focus():
        return "back"
    if seat.home and seat.snapshot.sessions is not None:
        return f"back to {seat.home}"
    return "back" if seat.home else ""


def _finds(stay: Stay, rows: RowList | None) -> Literal["", "match", "finding"]:
    if stay.filter:
        return "match"
    return "finding" if rows is not None and rows.pile.findings else ""
