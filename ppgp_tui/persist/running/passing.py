"""Passes on what the agent prints, so that a reader who is slow or gone does not hold the run."""

from __future__ import annotations

import os
import queue
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

PATIENCE_S: Final = 5.0
"""So long a reader may take nothing at all; then the agent goes on without it."""
_LOOK_S: Final = 0.05
_PIECE: Final = 4096
"""Bytes that are passed on at once: small enough for a slow reader to be seen reading."""
_WAITING: Final = 16
"""Pieces of the agent's output, of at most 64 KiB, that may wait for the reader."""


def write_all(descriptor: int, data: bytes, wait_s: float | None = None) -> None:
    """Write all of it, unbuffered, and never block in the middle of it.

    Raises BrokenPipeError where the reader is gone, TimeoutError where it takes nothing for
    `wait_s`, and what is left is then not written; None: wait for ever.
    """
    while data:
        if not select.select([], [descriptor], [], wait_s)[1]:
            raise TimeoutError(f"descriptor {descriptor} takes nothing")
        # Who shares our terminal may have made it non-blocking, and have been quicker.
        with suppress(BlockingIOError):
            data = data[os.write(descriptor, data[:_PIECE]) :]


class Passing:
    """One stream on its way to `on_data`, which is called in a thread of its own and may block.

    Nothing is lost while the reader takes something now and then. Where it takes nothing for
    `patience_s`, what comes after is left out until it reads again, and then it is told how much.
    """

    def __init__(self, on_data: Callable[[bytes], None], *, patience_s: float = PATIENCE_S) -> None:
        self._on_data = on_data
        self._patience_s = patience_s
        self._queue: queue.Queue[bytes | None] = queue.Queue(_WAITING)
        self._moved = monotonic()
        self._left_out = 0
        self._closed = False
        self._thread = threading.Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def take(self, data: bytes, wait_s: float) -> bool:
        """Take these bytes; False where there was no room for them for `wait_s`: ask again."""
        if self._closed:
            return True
        if self._left_out:
            note = b"\n[%d bytes were not read in time and are left out here]\n" % self._left_out
            room = self._put(note + data, 0)
        else:
            room = self._put(data, wait_s)
        if room:
            self._left_out = 0
        elif self._is_stuck():
            self._left_out += len(data)
        else:
            return False
        return True

    def finish(self) -> None:
        """Wait until all is passed on, as long as the reader takes something now and then."""
        if self._left_out:
            self.take(b"", 0)
        while not self._closed and not self._is_stuck() and not self._put(None, _LOOK_S):
            pass
        while self._thread.is_alive() and not self._is_stuck():
            self._thread.join(_LOOK_S)
        self._closed = True

    def _put(self, data: bytes | None, wait_s: float) -> bool:
        try:
            self._queue.put(data, wait_s > 0, wait_s)
        except queue.Full:
            return False
        return True

    def _is_stuck(self) -> bool:
        return monotonic() - self._moved > self._patience_s

    def _pass_on(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                for start in range(0, len(data), _PIECE):
                    self._moved = monotonic()
                    if self._closed:
                        return
                    self._on_data(data[start : start + _PIECE])
                self._moved = monotonic()
        except (OSError, ValueError):
            pass  # the reader is gone
        finally:
            self._closed = True
