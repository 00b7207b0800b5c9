"""Travelling beside the screen: a thread that makes the pictures of the moments asked for.

It also plays a session: moment after moment, as fast as it was recorded.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from ppgp_tui.ppgp.roles import CANDIDATES
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.travel.committed import CommittedDocuments
from ppgp_tui.session.travel.destination import Destination, place_of
from ppgp_tui.session.travel.gathering import Gathering
from ppgp_tui.session.travel.pace import Pace
from ppgp_tui.session.travel.past import Past, StoppedError
from ppgp_tui.session.travel.picture import picture

PICTURE_S = 0.25
"""How often there is a picture on a long way."""
PLAYED_S = 0.1
"""How often there is a picture at most while a session is played."""

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
        self._pace: Pace | None = None
        self._playing: tuple[int, int | None] = (0, None)
        self._ended = False
        self._past: Past | None = None
        self._documents: CommittedDocuments | None = None
        self._thread: threading.Thread | None = None

    def go(self, wanted: Destination) -> None:
        """Have the picture of that moment made, and play no further; returns at once."""
        with self._asked:
            self._wanted, self._pace = wanted, None
            self._asked.notify()
        self._start()

    def play(self, at: int, ts_ms: int | None, speed: float) -> None:
        """Play on from event `at`, recorded at `ts_ms`, until `stop`, `go`, or the last event."""
        with self._asked:
            self._wanted, self._pace, self._playing = None, Pace(speed), (at, ts_ms)
            self._asked.notify()
        self._start()

    def stop(self) -> None:
        """Play no further."""
        with self._asked:
            self._pace = None
            self._asked.notify()

    def close(self) -> None:
        """End the thread; a journey under way ends within a few hundred events."""
        with self._asked:
            self._ended = True
            self._asked.notify()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._travel, name="traveller", daemon=True)
            self._thread.start()

    def _travel(self) -> None:
        while True:
            with self._asked:
                while self._wanted is None and self._pace is None and not self._ended:
                    self._asked.wait()
                if self._ended:
                    return
                wanted, pace = self._wanted, self._pace
                self._wanted = None
            if wanted is not None:
                made = self.moment(wanted)
                if made is not None:
                    self._show(made)
            elif pace is not None:
                self._play(pace)

    def _play(self, pace: Pace) -> None:
        """Play until somebody wants something else, or the log ends."""
        at, ts_ms = self._playing
        had, since = 0.0, time.monotonic()
        while self._pace is pace and not self._is_called_off():
            view, _ = log_of(self._live())
            if view is None or at >= len(view):
                break
            now = time.monotonic()
            reached = pace.ahead(view, at, ts_ms, had + (now - since) * 1000)
            had, since = reached.left_ms, now
            if reached.at > at or reached.wait_ms is None:
                at = reached.at
                made = self.moment(Destination(at=at))
                if made is None or made.moment is None:
                    return
                ts_ms = made.moment.ts_ms
                moment = made.moment._replace(shortened_ms=reached.shortened_ms)
                self._show(replace(made, moment=moment))
            if reached.wait_ms is None:
                break
            with self._asked:
                due = max(PLAYED_S, (reached.wait_ms - had) / 1000)
                self._asked.wait_for(lambda: self._pace is not pace or self._is_called_off(), due)
        with self._asked:
            if self._pace is pace:
                self._pace = None

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
        return self._with_known(live, picture(live, view, path, gathered))

    def with_document(self, made: SessionSnapshot) -> SessionSnapshot:
        """The picture with the goal document as Git had it then; asks Git where it must."""
        documents = self._documents_of(made)
        assert made.moment is not None
        found = documents.ask(paths_of_document(self._live()), made.moment.ts_ms)
        return replace(made, moment=made.moment._replace(document=found))

    def _with_known(self, live: SessionSnapshot, made: SessionSnapshot) -> SessionSnapshot:
        assert made.moment is not None
        found = self._documents_of(made).known(paths_of_document(live), made.moment.ts_ms)
        return replace(made, moment=made.moment._replace(document=found)) if found else made

    def _documents_of(self, made: SessionSnapshot) -> CommittedDocuments:
        self._documents = self._documents or CommittedDocuments(made.root)
        return self._documents

    def _show(self, made: SessionSnapshot) -> None:
        """Tell of a picture, and again when Git had to be asked: nobody waits for Git."""
        self._arrived(made)
        unknown = made.moment is not None and made.moment.document is None
        if unknown and not self._is_called_off():
            self._arrived(self.with_document(made))

    def _is_called_off(self) -> bool:
        return self._wanted is not None or self._ended


def log_of(live: SessionSnapshot) -> tuple[LogView | None, str]:
    """The log of a picture and its path; None while it was not read whole, or holds nothing."""
    log = live.events.value.log
    path = next((source.path for source in live.sources if source.name == "events"), "")
    able = isinstance(log, LogView) and log.whole and len(log) > 0
    return (log if isinstance(log, LogView) and able else None), path


def paths_of_document(live: SessionSnapshot) -> tuple[str, ...]:
    """Where the goal document may have lain, the likeliest first; nowhere for a log by itself."""
    roles = dict(live.roles)
    if "ACTIVE_GOAL" not in roles:
        return ()
    named = roles["ACTIVE_GOAL"] or live.goal.value.path
    return tuple(dict.fromkeys((named, *CANDIDATES["ACTIVE_GOAL"])))


def _on_the_way(made: SessionSnapshot, target: int, part: float) -> SessionSnapshot:
    moment = made.moment
    assert moment is not None
    return replace(made, moment=moment._replace(target=target, progress=part))
