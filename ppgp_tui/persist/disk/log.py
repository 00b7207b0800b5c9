"""The loops' log on disk: read as it grows, appended to under the lock (persist reference 3).

Who appends looks at the log first, under the lock: a loop that somebody else has closed stays
closed (fault F11), and a line that was cut short is ended before another one begins (F17, F18).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.lock import WAIT_S, LockTimeoutError, held
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import LogReader, Reading
from ppgp_tui.persist.row import Row, encode, time_text
from ppgp_tui.persist.states import IllegalTransitionError, check

__all__ = ["ClosedError", "LockTimeoutError", "LoopLog"]


class ClosedError(Exception):
    """The loop is in a terminal state already: somebody closed it. Nothing was written."""

    def __init__(self, loop_id: str, state: str) -> None:
        super().__init__(f"loop {loop_id} is closed already ({state})")
        self.state = state


class LoopLog:
    """The log of a home."""

    def __init__(self, home: Home, *, lock_wait_s: float = WAIT_S) -> None:
        self._home = home
        self._lock_wait_s = lock_wait_s

    def read(self) -> Reading:
        """What the log says now; a log that is not there says nothing. Takes no lock.

        Raises OSError where it cannot be read.
        """
        try:
            data = self._home.log.read_bytes()
        except FileNotFoundError:
            return Reading()
        reader = LogReader()
        reader.feed(data)
        return reader.reading()

    def append(self, row: Row) -> list[str]:
        """Append a row and see it on the disk; returns what was found wrong and put right.

        Raises `ClosedError`, `IllegalTransitionError`, `LockTimeoutError` and OSError; after each
        of them the log is as it was before.
        """
        with held(self._home.lock, self._lock_wait_s):
            loop = self.read().loop(row.loop_id)
            _check(loop, row)
            return self._append(row)

    def close(
        self, loop_id: str, reason: str, now_ms: int, extra: Mapping[str, Any] | None = None
    ) -> tuple[Loop, bool]:
        """Abandon a loop: it as it was before, and whether a row was appended.

        None is where it is closed already. Raises KeyError for an id that the log does not know,
        otherwise as `append`.
        """
        with held(self._home.lock, self._lock_wait_s):
            loop = self.read().loop(loop_id)
            if loop is None:
                raise KeyError(loop_id)
            if not loop.open:
                return loop, False
            told = {"reason": reason, **(extra or {})}
            self._append(
                Row(time_text(now_ms), loop_id, loop.prompt_file, loop.iteration, loop.state,
                    "ABANDONED", told)
            )  # fmt: skip
            return loop, True

    def _append(self, row: Row) -> list[str]:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        descriptor = os.open(self._home.log, flags, 0o600)
        try:
            os.write(descriptor, encode(row))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return []


def _check(loop: Loop | None, row: Row) -> None:
    if loop is None:
        if (row.from_state, row.to_state) != ("SPAWNED", "SPAWNED"):
            check(row.from_state, row.to_state)
            if row.from_state != "SPAWNED":
                raise IllegalTransitionError(row.from_state, row.to_state)
    elif not loop.open:
        raise ClosedError(loop.loop_id, loop.state)
    else:
        check(loop.state, row.to_state)
