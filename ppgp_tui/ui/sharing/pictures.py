"""Pictures of the views at a size of one's own, without a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from textual.strip import Strip

from ppgp_tui.session.model import Session
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.app.crew import Crew
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.outside import Outside
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS


class _Nobody:
    """Stands for the program around a seat that nobody sits in: whatever it is asked, it rests."""

    def __getattr__(self, name: str) -> Callable[..., tuple[()]]:
        return lambda *_, **__: ()


def picture(
    session: Session,
    view: str,
    size: tuple[int, int],
    look: Look,
    now_ms: int,
    crew: Crew | None = None,
    keys: Sequence[str] = (),
) -> list[Strip]:
    """What the app shows at `size` (columns, lines) in the view of that name, after `keys`.

    Keys are actions by their ids, such as `row.open`.
    """
    seat = seat_before(session, look, lambda: now_ms, crew)
    seat.show_view([one.name for one in VIEWS].index(view))
    seat.resize(*size)
    for action in keys:
        acts.run(seat, action)
    return screen_lines(seat)


def seat_before(session: Session, look: Look, clock: Callable[[], int], crew: Crew | None) -> Seat:
    """A seat before `session` with no app around it, which no deed leaves."""
    keymap = Keymap(action_table([view.name for view in VIEWS]))
    seat = Seat(session, VIEWS, keymap, look, cast(Outside, _Nobody()), clock)
    seat.can_act = False
    if crew is not None:
        seat.crew = crew
    return seat
