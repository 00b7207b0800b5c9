"""The loops' log on disk: read as it grows, appended to under the lock (persist reference 3).

Who appends looks at the log first, under the lock: a loop that somebody else has closed stays
closed (fault F11), and a line that was cut short is ended before another one begins (F17, F18).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.disk import checkpoint
from ppgp_tui.persist.disk.home import Home, opened
from ppgp_tui.persist.disk.lock import WAIT_S, LockTimeoutError, held, never
from ppgp_tui.persist.disk.mark import Mark, agrees, mark
from ppgp_tui.persist.disk.torn import Tail, end_line, write_whole
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import LogReader, Reading
from ppgp_tui.persist.row import Row, encode, time_text
from ppgp_tui.persist.states import IllegalTransitionError, check, may_go

__all__ = ["ClosedError", "LockTimeoutError", "LoopLog", "LostLoopError"]

WORTH_KEEPING: Final = 1024 * 1024
"""So many new bytes take longer to read than a checkpoint."""
_PIECE: Final = 1024 * 1024


class ClosedError(Exception):
    """The loop is in a terminal state already: somebody closed it. Nothing was written."""

    def __init__(self, loop_id: str, state: str) -> None:
        super().__init__(f"loop {loop_id} is closed already ({state})")
        self.state = state


class LostLoopError(IllegalTransitionError):
    """The loop went on elsewhere than in the log, which knows nothing of it or only its past."""

    def __init__(self, told: str) -> None:
        Exception.__init__(self, told)


class _Stamp(NamedTuple):
    """A file that has the same one was not written to."""

    device: int
    inode: int
    size: int
    changed_ns: int


class LoopLog:
    """The log of a home. Each reading costs what is new since the last one. Not thread-safe."""

    def __init__(
        self, home: Home, *, lock_wait_s: float = WAIT_S, checkpoint: Path | None = None
    ) -> None:
        """`checkpoint` names a file in the user's state folder, written now and then.

        With it the first reading of a long log is as quick as the next ones.
        """
        self._home = home
        self._lock_wait_s = lock_wait_s
        self._checkpoint = checkpoint
        self._begin_anew()

    def read(self) -> Reading:
        """What the log says now; a log that is not there says nothing. Takes no lock.

        Raises OSError where it cannot be read.
        """
        try:
            log = opened(self._home.log, os.O_RDONLY)
        except FileNotFoundError:
            self._begin_anew()
            return self._reading
        try:
            return self._read(log)
        finally:
            os.close(log)

    @property
    def lines(self) -> int:
        """Lines with an end that the last reading saw."""
        return self._reader.lines

    def append(self, row: Row, hurry: Callable[[], bool] = never) -> list[str]:
        """Append a row and see it on the disk; returns what was found wrong and put right.

        Once there is a `hurry`, the lock is waited for no longer than a few seconds.
        A row of a loop that the log does not know has to be its first one. Raises `ClosedError`,
        `IllegalTransitionError`, `LockTimeoutError` and OSError; after each of them the log says
        what it said before, and the row can be tried again.
        """
        with self._held(hurry) as log:
            warnings = self._end_line(log)
            _check(self._read(log).loop(row.loop_id), row, self._home.log)
            write_whole(log, encode(row), self._home.log)
        return warnings

    def tell_again(self, rows: Iterable[Row], hurry: Callable[[], bool] = never) -> None:
        """Write the rows of a loop that the log does not have any more, all or none of them.

        All where it knows nothing of the loop, else those after the one that it has last. Nothing
        is written where that is not one of them. Raises `LockTimeoutError` and OSError.
        """
        told = list(rows)
        if not told:
            return
        with self._held(hurry) as log:
            self._end_line(log)
            loop = self._read(log).loop(told[0].loop_id)
            lines = [encode(row) for row in told]
            if loop is not None:
                has = [line.rstrip() == loop.last_line.rstrip() for line in lines]
                lines = lines[has.index(True) + 1 :] if True in has else []
            if lines:
                write_whole(log, b"".join(lines), self._home.log)

    def close(
        self, loop_id: str, reason: str, now_ms: int, extra: Mapping[str, Any] | None = None
    ) -> tuple[Loop, bool]:
        """Abandon a loop: it as it was before, and whether a row was appended.

        None is where it is closed already. Raises KeyError for an id that the log does not know,
        otherwise as `append`.
        """
        with self._held() as log:
            loop = self._read(log).loop(loop_id)
            if loop is None:
                raise KeyError(loop_id)
            if not loop.open:
                return loop, False
            self._end_line(log)
            row = Row(
                time_text(now_ms), loop_id, loop.prompt_file, loop.iteration, loop.state,
                "ABANDONED", {"reason": reason, **(extra or {})},
            )  # fmt: skip
            write_whole(log, encode(row), self._home.log)
        return loop, True

    @contextmanager
    def _held(self, hurry: Callable[[], bool] = never) -> Iterator[int]:
        """The log, open for appending and ours alone."""
        self.read()  # a long one takes its time before the others are kept waiting
        with held(self._home.lock, self._lock_wait_s, hurry):
            log = opened(self._home.log, os.O_RDWR | os.O_CREAT | os.O_APPEND)
            try:
                yield log
            finally:
                os.close(log)

    def _end_line(self, log: int) -> list[str]:
        self._read(log)
        reader = self._reader
        done = end_line(self._home, log, Tail(reader.ended, reader.lines + 1, reader.rest))
        return [] if done is None else [done]

    def _begin_anew(self) -> None:
        self._reader = LogReader()
        self._mark: Mark | None = None
        self._stamp: _Stamp | None = None
        self._kept = 0
        """Up to where a checkpoint knows the log."""
        self._reading = Reading()

    def _read(self, log: int) -> Reading:
        status = os.fstat(log)
        stamp = _Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        if stamp == self._stamp:
            return self._reading
        if self._mark is None or not agrees(log, self._mark):
            self._begin_anew()
            self._remember(log)
        reader = self._reader
        reader.forget_rest()
        at = reader.ended
        while data := os.pread(log, _PIECE, at):
            reader.feed(data)
            at += len(data)
        self._reading, self._stamp = reader.reading(), stamp
        self._mark = mark(log, reader.ended)
        if self._checkpoint is not None and reader.ended - self._kept >= WORTH_KEEPING:
            checkpoint.store(self._checkpoint, self._mark, reader)
            self._kept = reader.ended
        return self._reading

    def _remember(self, log: int) -> None:
        if self._checkpoint is not None:
            kept = checkpoint.load(self._checkpoint, log)
            if kept is not None:
                self._reader, self._mark = kept
                self._kept = self._reader.ended


def _check(loop: Loop | None, row: Row, log: Path) -> None:
    if loop is None:
        if row.from_state != "SPAWNED":
            told = (
                f"loop {row.loop_id} stands no longer in {log}, which somebody removed or replaced"
            )
            raise LostLoopError(told)
        if row.to_state != "SPAWNED":
            check(row.from_state, row.to_state)
    elif not loop.open:
        raise ClosedError(loop.loop_id, loop.state)
    elif may_go(row.from_state, row.to_state) and not may_go(loop.state, row.to_state):
        way = IllegalTransitionError(loop.state, row.to_state)
        raise LostLoopError(f"{way}; somebody put {log} back to what it was earlier")
    else:
        check(loop.state, row.to_state)
