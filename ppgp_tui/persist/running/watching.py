"""What may end or hold a loop from outside: signals, a closed log, a person's pause."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.lock import LockTimeoutError
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.running.clock import Clock, Stopwatch
from ppgp_tui.persist.running.signals import Interrupts
from ppgp_tui.persist.running.writing import Log
from ppgp_tui.persist.surroundings import Surroundings

_LOG_LOOK_MS: Final = 500


class Held(NamedTuple):
    """A person's pause, as rows say it."""

    reason: str
    by: str | None = None
    """Who ordered it for this loop; None where all agents of the repository are held."""
    need: str = ""
    """What is waited for, where the loop ordered it itself."""


class StoppedError(Exception):
    """Something outside ends the loop: a signal, or somebody closed it."""


class Watching:
    """Looks outside for one loop, and so keeps its clock."""

    def __init__(
        self,
        home: Home,
        loop_id: str,
        log: Log,
        clock: Clock,
        surroundings: Surroundings,
        interrupts: Interrupts,
        lost: Callable[[], None],
    ) -> None:
        """`lost` is called when the log knows nothing of the loop any more."""
        self._home, self._loop_id, self._log, self._clock = home, loop_id, log, clock
        self._around, self._interrupts, self._lost = surroundings, interrupts, lost
        self.stopwatch = Stopwatch(clock)
        """What the wall clock uses; it stands while a person holds the loop."""
        self.closed: Loop | None = None
        """The loop as somebody else closed it."""
        self._pause_reason = ""
        self._log_seen: object = None
        self._log_next_ms = 0

    def look(self) -> str | None:
        """A word where something ends the loop now: a signal's name, or `closed`."""
        return self._interrupts.name or ("closed" if self._is_closed() else None)

    def is_over(self) -> bool:
        """Whether something ends the loop now."""
        return self.look() is not None

    def look_or_stop(self) -> None:
        """Raises `StoppedError` where something ends the loop now."""
        if self.is_over():
            raise StoppedError

    def look_during_run(self) -> str | None:
        """As `look`; while the repository's agents are held, the clock stands."""
        why = self._around.held()
        if why is not None:
            self._pause_reason = why
        self.stopwatch.hold(on=why is not None)
        return self.look()

    def held(self) -> Held | None:
        """Who holds the loop between two runs; the clock stands while somebody does."""
        pause: Held | None = None
        if (order := side.read_pause(self._home, self._loop_id)) is not None:
            pause = Held(order.told, order.by, order.need)
        elif (why := self._around.held()) is not None:
            pause = Held(why)
        if pause is not None:
            self._pause_reason = pause.reason
        self.stopwatch.hold(on=pause is not None)
        return pause

    def pause_facts(self) -> dict[str, Any]:
        """What an ITERATING row says of the time for which a person held the loop before it."""
        ms = self.stopwatch.held_since_told()
        return {"paused_s": ms / 1000, "pause_reason": self._pause_reason} if ms else {}

    def _is_closed(self) -> bool:
        """Whether somebody closed the loop; its log is read only when it has changed."""
        now = self._clock.passed_ms()
        if self.closed is not None or now < self._log_next_ms:
            return self.closed is not None
        self._log_next_ms = now + _LOG_LOOK_MS
        with suppress(OSError, LockTimeoutError):
            seen = self._log_stamp()
            if seen != self._log_seen:
                loop = self._log.read().loop(self._loop_id)
                if loop is None:  # taken away: others must not take it for one that never was
                    self._lost()
                self.closed = loop if loop is not None and not loop.open else None
                self._log_seen = seen
        return self.closed is not None

    def _log_stamp(self) -> object:
        try:
            found = self._home.log.stat()
        except FileNotFoundError:
            return "no log"
        return found.st_ino, found.st_size, found.st_mtime_ns
