"""Five sessions in one list: needing a person, working, held, unread, and with nobody in it."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.sessions.join import of_all
from ppgp_tui.session.sessions.row import SessionRow, ordered
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.sessions import EVERY
from ppgp_tui.ui.views import VIEWS
from tests.session.sessions.repositories import row
from tests.ui import picture
from tests.ui.picture import NOW, ago
from tests.ui.stand_in import FakeSession
from tests.ui.stand_in import seat as new_seat


def rows() -> tuple[SessionRow, ...]:
    """The rows in the order of the list."""
    return ordered(
        (
            row(
                "/src/importer", run="working", run_since_ms=ago(seconds=12), agents=1, needs=2,
                needs_oldest_ms=ago(minutes=6), blockers=3, phase="EXECUTE", done=2, total=7,
                last_event_ms=ago(seconds=12),
            )._replace(
                branch="feat/resume", objective="Make the importer resumable after a kill",
                requests=tuple(one._replace(options=()) for one in picture.requests()),
            ),
            row(
                "/src/docs-site", run="working", run_since_ms=ago(seconds=40), agents=1,
                phase="HARDEN", done=5, total=6, last_event_ms=ago(seconds=40),
            )._replace(objective="Rewrite every link of the handbook so that none is broken"),
            row(
                "/src/importer-fix", run="held", run_since_ms=ago(minutes=4), agents=2,
                phase="EXECUTE", phase_inferred=True, last_event_ms=ago(minutes=5),
            )._replace(branch="fix/links", by="worktree", objective="Mend the links"),
            row("/net/archive")._replace(
                glance=None, problem="reading it has not ended yet", since_ms=ago(seconds=9)
            ),
            row("/src/billing")._replace(objective=""),
        )
    )  # fmt: skip


def every(found: tuple[SessionRow, ...] | None = None, **more: bool) -> SessionSnapshot:
    """The picture of all of them."""
    return of_all(rows() if found is None else found, None, NOW, **more)


def list_seat(
    width: int = 80,
    height: int = 30,
    snapshot: SessionSnapshot | None = None,
    drawn_with: Look | None = None,
    clock: Callable[[], int] = picture.clock,
) -> Seat:
    """The seat before the list, with the keys of the app."""
    usual = new_seat(width=width, height=height, views=VIEWS, drawn_with=drawn_with, clock=clock)
    source = FakeSession(snapshot or every())
    made = Seat(source, EVERY, usual.keymap, usual.look, usual.outside, clock)
    made.resize(width, height)
    return made
