"""A home as it is now: the log, and what is known of each loop's runner."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from ppgp_tui.persist.disk import home as homes
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home, is_loop_id
from ppgp_tui.persist.disk.log import WORTH_KEEPING, LoopLog
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.words import Seen

LEAST = 4
"""So many digits of an id are needed: fewer are too easily those of another one."""


class NotOneError(Exception):
    """An id names no loop, or several; its arguments say so, a line each."""


def home() -> Home:
    """The user's."""
    return homes.find(os.environ)


def log_of(where: Home) -> LoopLog:
    """The log of a home; of a long one only what is new is read."""
    try:
        is_long = where.log.stat().st_size > WORTH_KEEPING
    except OSError:
        is_long = False
    if not is_long:
        return LoopLog(where)
    from ppgp_tui.session.files.places import loops_memory

    return LoopLog(where, checkpoint=loops_memory(where.path))


def now_ms() -> int:
    """The time of day, in Unix milliseconds."""
    return time.time_ns() // 1_000_000


def seen(where: Home, loop: Loop) -> Seen:
    """What there is to know of a loop; only an open one has a runner to ask for."""
    from ppgp_tui.session.actions.loops import is_run

    if not loop.open:
        return Seen(loop)
    if not is_loop_id(loop.loop_id):  # it names no folder
        return Seen(loop, alive=is_run(loop))
    live, pause = side.read_live(where, loop.loop_id), side.read_pause(where, loop.loop_id)
    alive = is_run(loop)
    return Seen(loop, live, pause, alive, _left(loop) if alive is False else ())


def _left(loop: Loop) -> Sequence[int]:
    from ppgp_tui.persist.running.leftovers import left_of

    return left_of(loop.loop_id)


def one(given: str, reading: Reading) -> Loop:
    """The loop whose id is `given`, or the only one whose id begins so. Raises `NotOneError`."""
    found = at_most_one(given, reading)
    if found is None:
        raise NotOneError(*not_found(given))
    return found


def at_most_one(given: str, reading: Reading, *, only_open: bool = False) -> Loop | None:
    """As `one`, but None where there is none."""
    named = reading.loop(given)
    fits = [named] if named is not None else []
    if not fits and len(given) >= LEAST:
        fits = reading.beginning(given)
    if only_open:
        fits = [loop for loop in fits if loop.open]
    if len(fits) > 1:
        which = ", ".join(loop.loop_id for loop in fits)
        raise NotOneError(f"loop {given} could be any of {which}")
    return fits[0] if fits else None


def not_found(given: str) -> tuple[str, ...]:
    """What is said of an id that no loop has: the original's sentence, and perhaps a hint."""
    hint = f"give at least the first {LEAST} digits of its id"
    return (f"loop {given} not found", *([hint] if 0 < len(given) < LEAST else ()))
