"""Going from thing to thing in view 4, and back the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.views.log.event_panes import DETAIL, LIST, THIS, is_raw
from ppgp_tui.ui.views.room import TWO_COLUMNS

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

VIEW = "events"
"""The view in which things are opened."""


def here(seat: Seat) -> bool:
    """Whether the view on screen is the one of events."""
    return seat.views[seat.current].name == VIEW


def thing(seat: Seat) -> str:
    """What the row under the cursor stands for; empty where that is nothing in log or Git."""
    return seat.row.thing if seat.row is not None else ""


def open_row(seat: Seat, row: Row) -> None:
    """Go to what a row of this view stands for, or show more of what is opened."""
    if not row.thing and row.family:
        turn(seat, row)
    elif not row.thing:
        seat.say("there is no more to it")
    elif row.key.startswith("more:") and row.thing == shown(seat):
        if seat.stay.opened is None:
            go(seat, row.thing)
        seat.stay.more += 1
        seat.arrange()
        _stand_on(seat, row.key)
    else:
        go(seat, row.thing)


def turn(seat: Seat, row: Row) -> None:
    """Show what belongs to a row, or hide it."""
    seat.stay.turned ^= {row.key}
    seat.arrange()


def go(seat: Seat, wanted: str) -> None:
    """Open a thing in view 4; Esc comes back to where one was."""
    if here(seat):
        trail = _trail_from(seat)
    else:
        trail = (f"view:{seat.views[seat.current].name}",)
        seat.show_view([view.name for view in seat.views].index(VIEW))
    stay = seat.stay
    if wanted == stay.opened:
        seat.say("this is what is shown")
        return
    stay.trail, stay.opened, stay.more = trail, wanted, 0
    if wanted.startswith("commit:"):
        seat.outside.read_commit(wanted.removeprefix("commit:"))
    _show(seat, THIS)


def back(seat: Seat) -> None:
    """One step back on the way that led here."""
    stay = seat.stay
    left, trail = stay.opened or "", stay.trail
    stay.trail, stay.more, stay.opened = trail[:-1], 0, None
    if not trail:
        seat.arrange()
        stay.focus = seat.first_focus()
    elif trail[-1].startswith("view:"):
        if seat.before:
            seat.current = seat.before.pop()
    else:
        stay.opened = trail[-1]
        _show(seat, left)


def shown(seat: Seat) -> str:
    """The thing that is laid out: opened, or under the cursor of the list."""
    return seat.stay.opened or _under_list(seat)


def want_graph(seat: Seat) -> None:
    """Have the graph folded where the view needs it; a long log's only when it is asked for."""
    if not here(seat) or seat.snapshot.graph.value.state != "unasked":
        return
    log = seat.snapshot.events.value.log
    if log is None:
        return
    opened = seat.stay.opened or ""
    if not is_raw(seat.stay.raw, len(log)) or (opened and not opened.startswith("commit:")):
        seat.session.want_graph()


def _trail_from(seat: Seat) -> tuple[str, ...]:
    stay = seat.stay
    if stay.opened is not None:
        return (*stay.trail, stay.opened)
    under = _under_list(seat)
    return (under,) if stay.focus != LIST and under else ()


def _under_list(seat: Seat) -> str:
    rows = seat.stay.lists.get(LIST)
    row = rows.row if rows is not None else None
    return row.thing if row is not None else ""


def close(seat: Seat) -> None:
    """Leave what is opened, wherever one came from."""
    stay = seat.stay
    stay.opened, stay.trail, stay.more = None, (), 0


def follow_list(seat: Seat) -> None:
    """With the focus back in a list beside it, nothing is opened but what is under the cursor."""
    stay = seat.stay
    if here(seat) and stay.opened and stay.focus == LIST and seat.width >= TWO_COLUMNS:
        close(seat)


def _show(seat: Seat, key: str) -> None:
    seat.stay.focus = DETAIL
    seat.arrange()
    if DETAIL in seat.stay.lists and DETAIL in seat.panes():
        seat.stay.focus = DETAIL
        _stand_on(seat, key)


def _stand_on(seat: Seat, wanted: str) -> None:
    """Put the cursor on the row with that key, or on the hop to that thing."""
    rows = seat.stay.lists.get(DETAIL)
    if rows is None or rows.go_to(wanted):
        return
    for row in rows.pile.rows:
        if row.thing == wanted and row.key:
            rows.go_to(row.key)
            return
    if not rows.go_to(THIS):
        rows.visit()
