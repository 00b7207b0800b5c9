"""How fast a past session is played: as recorded, times so much, no gap longer than a second.

Times are milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ppgp_tui.gasp.envelope import Head, head_reader
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.travel.past import lines_from

LONGEST_MS = 1_000
"""A gap is shown no longer than this."""
_AT_ONCE = 20_000
"""Events played at most in one go."""


class Ahead(NamedTuple):
    """How far playing came."""

    at: int
    """The event that was reached."""
    left_ms: float
    """Of the time there was, what is left for the gap after it."""
    wait_ms: float | None
    """How long that gap lasts; None: that was the last event."""
    shortened_ms: int | None = None
    """How long the gap before that event lasted when it was shortened, the longest on the way."""


class Pace:
    """Plays one log."""

    def __init__(self, speed: float) -> None:
        """`speed` is how many times faster than recorded, above 0."""
        self._speed = speed
        self._read: Callable[[bytes], Head] = head_reader()

    def ahead(self, view: LogView, at: int, ts_ms: int | None, have_ms: float) -> Ahead:
        """Play from event `at`, whose time is `ts_ms`, as long as `have_ms` lasts.

        Events without a time, and with one that goes back, follow at once.
        """
        shortened = None
        last = min(len(view), at + 1 + _AT_ONCE)
        for line in lines_from(view, at + 1, last):
            found = None if line is None else self._read(line).ts_ms
            gap = max(0, found - ts_ms) if found is not None and ts_ms is not None else 0
            wait = min(gap / self._speed, LONGEST_MS)
            if wait > have_ms:
                return Ahead(at, have_ms, wait, shortened)
            have_ms -= wait
            at += 1
            ts_ms = ts_ms if found is None else found
            if gap / self._speed > LONGEST_MS:
                shortened = max(gap, shortened or 0)
        return Ahead(at, have_ms, None if last == len(view) else 0.0, shortened)
