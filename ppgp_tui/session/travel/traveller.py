"""Travelling beside the screen: a thread that makes the pictures of the moments asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.travel.destination import Destination, place_of
from ppgp_tui.session.travel.gathering import Gathering
from ppgp_tui.session.travel.past import Past, StoppedError
from ppgp_tui.session.travel.picture import picture

PICTURE_S = 0.25
"""How often there is a picture on a long way."""

Arrived = Callable[[SessionSnapshot], None]
Lost = Callable[[Destination], None]


class Traveller:
    """Makes pictures of the past, one journey at a time; the last one asked for counts.

    `arrived` and `lost` are called from its own thread.
    """

    def __init__(
        self, live: Callable[[], SessionSnapshot], arrived: Arrived, lost: Lost = lambda _: None
    ) -> None:
        """`live` gives the picture of now; `lost` is told of what the log does not have."""
        self._live = live
        self._arrived = arrived
        self._lost = lost
        self._asked = threading.Condition()
        self._wanted: Destination | None = None
        self._ended = False
        self._past: Past | None = None
        self._thread: threading.Thread | None = None

    def go(self, wanted: Destination) -> None:
        """Have the picture of that moment made; returns at once."""
        with self._asked:
            self._wanted = wanted
            self._asked.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._travel, name="traveller", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread; a journey under way ends within a few hundred events."""
        with self._asked:
            self._ended = True
            self._asked.notify()

    def _travel(self) -> None:
        while True:
            with self._asked:
                while self._wanted is None and not self._ended:
                    self._asked.wait()
                if self._ended or self._wanted is None:
                    return
                wanted, self._wanted = self._wanted, None
            made = self.moment(wanted)
            if made is not None:
                self._arrived(made)

    def moment(self, wanted: Destination) -> SessionSnapshot | None:
        """The picture of that moment; None where there is none, or another one was asked for.

        While it takes long, `arrived` gets pictures of moments on the way.
        """
        live = self._live()
        view, path = log_of(live)
        if view is None:
            return None
        index = place_of(view, wanted, self._is_called_off)
        if index is None:
            if not self._is_called_off():
                self._lost(wanted)
            return None
        if self._past is None or self._past.path != path:
            self._past = Past(path, live.at_ms)
        said = time.monotonic()

        def told(gathered: Gathering, part: float) -> bool:
            nonlocal said
            if self._is_called_off():
                return False
            if time.monotonic() - said >= PICTURE_S:
                said = time.monotonic()
                self._arrived(_on_the_way(picture(live, view, path, gathered), index, part))
                time.sleep(0)  # let the screen draw
            return True

        try:
            gathered = self._past.at(view, index, told)
        except StoppedError:
            return None
        return picture(live, view, path, gathered)

    def _is_called_off(self) -> bool:
        return self._wanted is not None or self._ended


def log_of(live: SessionSnapshot) -> tuple[LogView | None, str]:
    """The log of a picture and its path; None while it was not read whole, or holds nothing."""
    log = live.events.value.log
    path = next((source.path for source in live.sources if source.name == "events"), "")
    able = isinstance(log, LogView) and log.whole and len(log) > 0
    return (log if isinstance(log, LogView) and able else None), path


def _on_the_way(made: SessionSnapshot, target: int, part: float) -> SessionSnapshot:
    moment = made.moment
    assert moment is not None
    return replace(made, moment=moment._replace(target=target, progress=part))
