"""One writer at a time: the lock that the original takes too (persist reference section 3)."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

WAIT_S: Final = 30.0
HURRIED_S: Final = 5.0
"""So long at most it is still waited for once somebody is in a hurry."""
_TRY_AGAIN_S: Final = 0.05


class LockTimeoutError(Exception):
    """Somebody else held the lock all the time; nothing was written, and it can be tried again."""

    def __init__(self, waited_s: float, path: Path) -> None:
        super().__init__(f"flock timeout after {waited_s:.1f}s on {path}")


def never() -> bool:
    """Nobody is in a hurry."""
    return False


@contextmanager
def held(path: Path, wait_s: float = WAIT_S, hurry: Callable[[], bool] = never) -> Iterator[None]:
    """Inside, this process is the only writer among all that ask for the lock file at `path`.

    Makes the file and its folder, for their owner alone. Tries every 50 ms; raises
    `LockTimeoutError` after `wait_s` seconds, soon once there is a `hurry`, and OSError where the
    file cannot be opened.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _take(descriptor, path, wait_s, hurry)
        yield
    finally:
        os.close(descriptor)  # which gives the lock back


def _take(descriptor: int, path: Path, wait_s: float, hurry: Callable[[], bool] = never) -> None:
    began = time.monotonic()
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            if hurry() and now - began + HURRIED_S < wait_s:
                wait_s, hurry = now - began + HURRIED_S, never
            if (left := began + wait_s - now) <= 0:
                raise LockTimeoutError(wait_s, path) from None
            time.sleep(min(_TRY_AGAIN_S, left))


def is_free(path: Path, wait_s: float) -> bool:
    """Whether the lock could be had within `wait_s` seconds; it is given back at once.

    A lock file that is not there, or cannot be opened, keeps nobody waiting.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        _take(descriptor, path, wait_s)
    except LockTimeoutError:
        return False
    finally:
        os.close(descriptor)
    return True
