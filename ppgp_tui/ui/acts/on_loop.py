"""The restart loop in hand: the one under the cursor, or whose card has the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.ui.seat.place import OnLoop, Place

if TYPE_CHECKING:
    from ppgp_tui.session.picture.loop import Loop
    from ppgp_tui.ui.seat.seat import Seat


def loop_in_hand(seat: Seat) -> Loop | None:
    """The loop that keys act on; None where there is none."""
    stay = seat.stay
    pane = next((at.pane for at in stay.placed if at.pane.id == stay.focus), None)
    for key in (seat.row.key if seat.row else "", pane.about if pane else "", stay.opened or ""):
        kind, _, name = key.partition(":")
        if kind == "agent":
            return None
        if kind in ("loop", "asks"):
            return seat.snapshot.loops.value.loop(name)
    return None


def with_loop(seat: Seat, place: Place) -> Place:
    """`place` with what the loop in hand allows."""
    here = seat.views[seat.current].name == "agents"
    loop = loop_in_hand(seat)
    if loop is None:
        return place._replace(loop=OnLoop(here=here))
    about = OnLoop(
        here=here,
        name=loop.name,
        open=loop.open,
        orphan=loop.orphan,
        paused=loop.pause is not None,
        listens=loop.runner.state != "not recorded",
    )
    return place._replace(loop=about)
