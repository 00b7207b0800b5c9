"""One writer at a time, as long as the others are quick.

Whoever holds a lock may be stopped with it: freezing an agent stops its hooks as well. Nothing may
wait for that, least of all the thawing.
"""

from __future__ import annotations

import fcntl
import time
from typing import Final

WAIT_S: Final = 2.0
"""Longer than many writers on a slow disk need one after the other."""
_LOOK_AGAIN_S: Final = 0.01


def take_turn(descriptor: int, wait_s: float = WAIT_S) -> bool:
    """Get the exclusive `flock` of an open file or folder; False when it stays taken so long.

    It is given back when the descriptor is closed.
    """
    until = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK_AGAIN_S)
        else:
            return True
