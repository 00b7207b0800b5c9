"""What keys do in the list of all sessions: open one, in which view, and come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.ui.seat.place import Place

if TYPE_CHECKING:
    from ppgp_tui.ui.rows.row import Row
    from ppgp_tui.ui.seat.seat import Seat

ROW = "session:"
"""How the keys of its rows begin."""


def is_here(seat: Seat) -> bool:
    """Whether the list of all sessions is what is on screen."""
    return seat.snapshot.sessions is not None


def in_list(seat: Seat, place: Place) -> Place:
    """`place` with what the list allows, and where `w` leads."""
    under = seat.row.key if seat.row is not None else ""
    return place._replace(
        view=-1 if is_here(seat) else place.view,
        every=is_here(seat),
        home=seat.home,
        others=seat.others,
        session=under.startswith(ROW),
    )


def opens(seat: Seat, row: Row | None, view: str = "") -> bool:
    """Open the session of `row`, in a view if one is named; return whether it is one."""
    if row is None or not row.key.startswith(ROW):
        return False
    seat.outside.open_session(row.key.removeprefix(ROW), view)
    return True


def toggle(seat: Seat) -> None:
    """Show all sessions; from there go back to the one that is open."""
    if is_here(seat):
        seat.outside.go_home()
    else:
        seat.outside.show_all()


ACTS: dict[str, Callable[[Seat], None]] = {"sessions": toggle}
"""By action id."""
