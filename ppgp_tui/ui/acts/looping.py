"""What a person's keys do to restart loops: pause, resume, close, start a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import deeds, lineage
from ppgp_tui.ui.acts.answering import send
from ppgp_tui.ui.acts.confirming import ask, confirm
from ppgp_tui.ui.acts.on_loop import loop_in_hand
from ppgp_tui.ui.views.agents.loop_rows import ALL

if TYPE_CHECKING:
    from ppgp_tui.session.picture.loop import Loop
    from ppgp_tui.ui.rows.row import Row
    from ppgp_tui.ui.seat.seat import Seat

LIST = "agents.list"
"""The pane in which loops are listed."""
_Act = Callable[["Seat"], None]


def _on(act: Callable[[Seat, Loop], None]) -> _Act:
    def do(seat: Seat) -> None:
        loop = loop_in_hand(seat)
        if loop is not None:
            act(seat, loop)

    return do


def opens_row(seat: Seat, row: Row) -> bool:
    """Enter on the row of all others shows them, or hides them again."""
    if row.key != ALL:
        return False
    lineage.turn(seat, row)
    return True


def _pause(seat: Seat, loop: Loop) -> None:
    """Turn the order round as it is on the screen."""
    send(seat, deeds.ResumeLoop(loop.id) if loop.pause is not None else deeds.PauseLoop(loop.id))


def _abandon(seat: Seat, loop: Loop) -> None:
    from ppgp_tui.ui.acts import loop_forms  # no start closes one

    if loop.orphan:
        confirm(seat, loop_forms.close_orphan(loop))
    else:
        ask(seat, loop_forms.abandon(loop))


def _new(seat: Seat) -> None:
    from ppgp_tui.ui.acts import loop_forms

    seat.acting.loops_before = frozenset(loop.id for loop in seat.snapshot.loops.value.seen)
    ask(seat, loop_forms.new_loop(seat.snapshot))


def started(seat: Seat) -> None:
    """A new loop was started: where loops are listed, the cursor goes to it once it is there."""
    seat.acting.awaits_loop = seat.row.key if seat.row is not None else ""
    arrived(seat)


def arrived(seat: Seat) -> None:
    """Go to the new loop, if it is there and the person has not gone elsewhere meanwhile."""
    acting = seat.acting
    here = (loop.id for loop in seat.snapshot.loops.value.here if loop.open)
    new = next((loop for loop in here if loop not in acting.loops_before), None)
    if new is None:
        return
    waited, acting.awaits_loop = acting.awaits_loop, None
    row = seat.row.key if seat.row is not None else ""
    listed = seat.view.name == "agents" and seat.stay.opened is None and seat.sheet is None
    if listed and row == waited and (rows := seat.stay.lists.get(LIST)) is not None:
        seat.stay.focus = LIST
        rows.go_to(f"loop:{new}")


ACTS: dict[str, _Act] = {
    "loop.pause": _on(_pause),
    "loop.abandon": _on(_abandon),
    "loop.new": _new,
}
"""By action id."""
