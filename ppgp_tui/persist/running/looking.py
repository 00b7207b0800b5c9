"""Whether the loop is done, looked for no longer than that is worth.

A pattern can take longer than any clock runs, on a line that the agent itself has written.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from ppgp_tui.persist import condition as conditions
from ppgp_tui.persist.condition import Condition, Outside, Over, World, never

LONGEST_S: Final = 10.0
"""So long a pattern is looked for."""
_LOOK_S: Final = 0.25
"""So often somebody is asked meanwhile whether it still matters."""


class _NoLongerError(Exception):
    pass


def holds(
    condition: Condition,
    exit_code: int | None,
    world: World,
    outside: Outside,
    too_long: Callable[[str], None],
    over: Over = never,
) -> str | None:
    """As `condition.holds`, in the main thread.

    A pattern that is looked for too long does not hold; `too_long` is told so. Nor does one that is
    looked for when it is `over`.
    """
    if condition.form != "regex":
        return conditions.holds(condition, exit_code, world, outside, over)
    try:
        with _at_most(LONGEST_S, over):
            return conditions.holds(condition, exit_code, world, outside)
    except _NoLongerError:
        if not over():
            too_long(
                f"the pattern {condition.subject} was not found in {condition.path} within"
                f" {LONGEST_S:g} s and is looked for no longer; write a simpler one, or"
                " line:TEXT:FILE"
            )
        return None


@contextmanager
def _at_most(seconds: float, over: Over) -> Iterator[None]:
    until, deaf = time.monotonic() + seconds, False

    def look(_: int, __: FrameType | None) -> None:
        nonlocal deaf
        if deaf:  # it is asked still, or what catches its answer must not be broken off
            return
        deaf = True
        if over() or time.monotonic() >= until:
            raise _NoLongerError
        deaf = False

    before = signal.signal(signal.SIGALRM, look)
    # The search itself looks for signals now and then, so this ends it.
    often = min(_LOOK_S, seconds)
    signal.setitimer(signal.ITIMER_REAL, often, often)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
