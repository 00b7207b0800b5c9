"""What an agent started becomes this process's own where its keeper is killed, and is ended here.

An agent needs no right to kill its keeper, which is the parent that it sees.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from ppgp_tui.persist.running import keeper

_LONGEST_S: Final = 2.0
"""So long it goes on killing: what is left then waits for a broken disk."""
_AGAIN_S: Final = 0.02


@contextmanager
def none_left() -> Iterator[None]:
    """Nothing that began inside, below this process, is left afterwards. Only Linux lets it."""
    spared = frozenset(keeper.descendants())
    keeper.prctl(keeper.ADOPT, 1)
    try:
        yield
    finally:
        until = time.monotonic() + _LONGEST_S
        while (left := keeper.descendants(spared)) and time.monotonic() < until:
            for pid in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            time.sleep(_AGAIN_S)
        keeper.prctl(keeper.ADOPT, 0)
