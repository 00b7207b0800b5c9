"""A waiting hook that somebody ends still puts its things in order."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

_ENDING: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class KilledError(BaseException):
    """The hook is to end; no `except Exception` on the way may swallow it."""


class OutOfTimeError(BaseException):
    """Our own time is over, just before the agent's."""


@contextmanager
def killable() -> Iterator[None]:
    """Inside, a signal that ends the process raises `KilledError`, once; then all are ignored."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        for one in _ENDING:
            signal.signal(one, signal.SIG_IGN)
        raise KilledError

    before = {one: signal.signal(one, end) for one in _ENDING}
    try:
        yield
    except KilledError:
        raise
    except BaseException:
        _put_back(before)
        raise
    _put_back(before)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Inside, a signal that ends the process waits: what is begun is done whole."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` inside after so many seconds; 0 is no limit."""

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Parent:
    """Whether whoever started us is still there."""

    def __init__(self) -> None:
        self._pid = os.getppid()

    @property
    def is_gone(self) -> bool:
        """It ended, and nobody waits for our answer."""
        return os.getppid() != self._pid


def _put_back(before: Mapping[signal.Signals, Any]) -> None:
    for one, handler in before.items():
        signal.signal(one, handler)
