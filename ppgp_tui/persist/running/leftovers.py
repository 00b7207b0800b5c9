"""What runs on of a loop whose runner and keeper were both killed at once.

The agent itself dies with its keeper; what it had started is then nobody's. It is known by the
loop's name in the environment that it was started with, as far as the system tells that: Linux,
processes of the same user that did not take it out.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ppgp_tui.persist.disk.home import is_loop_id

VARIABLE: Final = "PPGP_LOOP"
"""By which an agent is told its loop."""
GRACE_S: Final = 5.0
_AGAIN_S: Final = 0.05


def left_of(loop_id: str) -> list[int]:
    """The processes that were started in a run of that loop, without this one."""
    if not is_loop_id(loop_id) or not Path("/proc/self/environ").exists():
        return []
    found = (int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit())
    return sorted(pid for pid in found if pid != os.getpid() and _is_of(pid, loop_id))


def end_left(loop_id: str, *, grace_s: float = GRACE_S) -> int:
    """End them: TERM, and KILL after the grace; how many there were."""
    left = left_of(loop_id)
    for pid in left:
        _send(pid, loop_id, signal.SIGTERM, signal.SIGCONT)
    until = time.monotonic() + grace_s
    while (still := left_of(loop_id)) and time.monotonic() < until:
        time.sleep(_AGAIN_S)
    for pid in still:
        _send(pid, loop_id, signal.SIGKILL)
    return len(left)


def _send(pid: int, loop_id: str, *numbers: int) -> None:
    """Signal it, if it still is the one that was found."""
    with suppress(OSError), _held(pid) as door:
        if _is_of(pid, loop_id):
            for number in numbers:
                signal.pidfd_send_signal(door, number)


@contextmanager
def _held(pid: int) -> Iterator[int]:
    """While this is held, the number cannot become another process's."""
    door = os.pidfd_open(pid)
    try:
        yield door
    finally:
        os.close(door)


def _is_of(pid: int, loop_id: str) -> bool:
    try:
        environ = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"{VARIABLE}={loop_id}".encode() in environ.split(b"\0")
