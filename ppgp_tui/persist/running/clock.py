"""The clock of a loop: it counts the machine's sleep, and stands while a person holds the loop."""

from __future__ import annotations

import time
from typing import Final, Protocol

_COUNTS_SLEEP: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""On Linux the monotonic clock stands still while the machine sleeps (fault F13)."""


class Clock(Protocol):
    """Time as the runner needs it.

    In whole milliseconds: a wait that is cut to what the budget has left ends exactly at it.
    """

    def now_ms(self) -> int:
        """The time of day, in Unix milliseconds."""
        ...

    def passed_ms(self) -> int:
        """Milliseconds of a clock that never goes back."""
        ...

    def sleep(self, ms: int) -> None:
        """Wait so long."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def now_ms(self) -> int:
        """The time of day, in Unix milliseconds."""
        return time.time_ns() // 1_000_000

    def passed_ms(self) -> int:
        """Milliseconds since the machine was started, its sleep included where it is known."""
        return time.clock_gettime_ns(_COUNTS_SLEEP) // 1_000_000

    def sleep(self, ms: int) -> None:
        """Wait so long; signals are noted meanwhile."""
        time.sleep(ms / 1000)


class Stopwatch:
    """Counts what the wall clock uses: all time since the start, but not while it is held."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.passed_ms()
        self._held = 0
        self._since: int | None = None
        self._told = 0

    @property
    def counted_ms(self) -> int:
        """What counts so far."""
        return self._clock.passed_ms() - self._began - self._all_held()

    @property
    def counted_s(self) -> float:
        """The same in seconds."""
        return self.counted_ms / 1000

    @property
    def stands(self) -> bool:
        """Whether it is held now."""
        return self._since is not None

    def hold(self, *, on: bool) -> None:
        """Stand still from now on, or go on."""
        if on and self._since is None:
            self._since = self._clock.passed_ms()
        elif not on and self._since is not None:
            self._held = self._all_held()
            self._since = None

    def held_since_told(self) -> int:
        """Milliseconds for which it stood since the last time this was asked."""
        held = self._all_held()
        fresh, self._told = held - self._told, held
        return fresh

    def _all_held(self) -> int:
        now = self._clock.passed_ms()
        return self._held + (now - self._since if self._since is not None else 0)
