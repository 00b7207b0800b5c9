"""A person before the screen of a real log, who travels in it without waiting."""

from __future__ import annotations

from pathlib import Path

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.session.travel.traveller import Traveller
from ppgp_tui.ui.acts import acts, travelling
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.seat.asking import note_painted
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.session.travel.logs import BEGUN
from tests.ui.desk import NAMED
from tests.ui.stand_in import FakeSession, seat, text, told

NOW = BEGUN + 14 * 60_000
"""Fourteen minutes after the story of `logs.STORY` began."""
SESSION, PLAN, INBOX, EVENTS, GOAL, AGENTS = "1", "2", "3", "4", "5", "6"


class AtOnce(Traveller):
    """Makes the picture of a moment while the key is pressed; or later, when told to."""

    def __init__(self, person: Voyager) -> None:
        super().__init__(lambda: person.seat.live, lambda _: None, lambda _: None)
        self._person = person
        self.late: list[Destination] | None = None
        self.git = True
        self.played: tuple[int, int | None, float] | None = None

    def go(self, wanted: Destination) -> None:
        if self.late is not None:
            self.late.append(wanted)
            return
        made = self.moment(wanted)
        if made is not None and self.git:
            made = self.with_document(made)
        travelling.arrived(self._person.seat, made)

    def play(self, at: int, ts_ms: int | None, speed: float) -> None:
        self.played = (at, ts_ms, speed)

    def stop(self) -> None:
        self.played = None


class Voyager:
    """Keys are pressed, and the screen is painted after each of them."""

    def __init__(
        self,
        root: Path,
        now_ms: int,
        width: int = 80,
        height: int = 24,
        drawn_with: Look | None = None,
    ) -> None:
        self.now = now_ms
        self.root = root
        shown = self.read()
        self.seat: Seat = seat(shown, width, height, VIEWS, drawn_with, lambda: self.now)
        self.traveller = AtOnce(self)
        told(self.seat).travels = self.traveller

    def read(self) -> SessionSnapshot:
        """What a session reads of the root now."""
        session = LiveSession(self.root, clock=lambda: self.now)
        try:
            return session.read_all()
        finally:
            session.close()

    def grow(self) -> Voyager:
        """A newer picture comes."""
        shown = self.read()
        assert isinstance(self.seat.session, FakeSession)
        self.seat.session.change(shown)
        self.seat.take(shown)
        self.paint()
        return self

    def press(self, *keys: str) -> Voyager:
        for key in keys:
            character = " " if key == "space" else key if len(key) == 1 else None
            acts.press(self.seat, NAMED.get(key, key), character)
            if self.seat.behind:
                self.seat.arrange()
            self.paint()
        return self

    def paint(self) -> None:
        text(self.seat)
        note_painted(self.seat)

    @property
    def lines(self) -> list[str]:
        return text(self.seat)

    @property
    def at(self) -> int | None:
        """The event whose moment is shown; None: now."""
        moment = self.seat.snapshot.moment
        return None if moment is None else moment.at
