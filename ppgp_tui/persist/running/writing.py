"""Writes the rows of one loop, with patience: a full disk or a held lock loses no run's result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Protocol

from ppgp_tui.persist.disk.log import LockTimeoutError, LostLoopError
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.row import Row, time_text
from ppgp_tui.persist.running.clock import Clock

PATIENCE_MS: Final = 60_000
"""So long a row that cannot be written is tried again."""
GAP_MS: Final = 1_000
_REMEMBERED: Final = 500
"""So many of its newest rows a loop can write again, after its first one."""


class Log(Protocol):
    """The log as the runner needs it (`persist.disk.log.LoopLog`)."""

    def append(self, row: Row, hurry: Callable[[], bool]) -> list[str]:
        """Write one row; returns warnings. `hurry` says that there is no time to wait for it."""
        ...

    def tell_again(self, rows: Iterable[Row], hurry: Callable[[], bool]) -> None:
        """Write rows of a loop that the log does not know any more."""
        ...

    def read(self) -> Reading:
        """What the log says now."""
        ...


class CannotWriteError(Exception):
    """A row could not be written; the log says less than what happened."""


class RowWriter:
    """The one that writes a loop's rows and so knows its state."""

    def __init__(
        self,
        log: Log,
        clock: Clock,
        loop_id: str,
        prompt_file: str,
        note: Callable[[str], None],
        hurry: Callable[[], bool],
    ) -> None:
        """`note` takes lines for the person; `hurry` says whether there is no time for patience."""
        self._log, self._clock, self._note, self._hurry = log, clock, note, hurry
        self._loop_id, self._prompt_file = loop_id, prompt_file
        self.state = "SPAWNED"
        """Of the last row that was written."""
        self._written: list[Row] = []

    def write(
        self, to_state: str, iteration: int, extra: Mapping[str, Any], *, patient: bool = True
    ) -> None:
        """Append the row that leads to `to_state`, however long the lock is held.

        A log that somebody took away mid-loop is begun anew, with what this loop wrote so far:
        that is no way to close one. Raises `ClosedError` and `IllegalTransitionError` as the log
        does, `CannotWriteError` when the disk takes no row for a minute, or none at once where
        there is no patience.
        """
        began, told = self._clock.passed_ms(), False
        while True:
            row = Row(
                time_text(self._clock.now_ms()), self._loop_id, self._prompt_file, iteration,
                self.state, to_state, extra,
            )  # fmt: skip
            try:
                warnings = self._append(row)
            except (LockTimeoutError, OSError) as error:
                spent = self._clock.passed_ms() - began
                full = isinstance(error, OSError) and spent >= PATIENCE_MS
                if full or not patient or self._hurry():
                    raise CannotWriteError(why_not(error)) from error
                if not told or isinstance(error, LockTimeoutError):
                    self._note(f"persist: {why_not(error)}; the row {to_state} is tried again")
                    told = True
                self._clock.sleep(GAP_MS)
                continue
            for warning in warnings:
                self._note(f"persist: {warning}")
            self.state = to_state
            self._written.append(row)
            del self._written[1:-_REMEMBERED]  # the first one says what the loop is
            return

    def tell_again(self) -> None:
        """Write what this loop wrote so far to a log that knows nothing of it any more.

        Raises `LockTimeoutError` and OSError.
        """
        self._log.tell_again(self._written, self._hurry)
        self._note(
            f"persist: the log was taken away or replaced; loop {self._loop_id} goes on, and its"
            " rows are written again"
        )

    def _append(self, row: Row) -> list[str]:
        try:
            return self._log.append(row, self._hurry)
        except LostLoopError:
            if not self._written:
                raise
        self.tell_again()
        return self._log.append(row, self._hurry)


def why_not(error: Exception) -> str:
    """What the system or the lock said, in one sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
