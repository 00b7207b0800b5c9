"""Whether a process that somebody named is still the same one and alive.

Without pathlib: the status line asks too, and has no time to import it.
"""

from __future__ import annotations

import os
import signal


def is_alive(pid: int, started: int | None = None) -> bool:
    """Whether process `pid` runs and, where that can be known, began at `started`.

    `started` is the 22nd field of `/proc/PID/stat`, clock ticks since boot; without it, or without
    `/proc`, a process with that number is enough.
    """
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return started is None or start_of(pid) in (None, started)
    if started is None:
        return not _is_zombie(pid)
    began = start_of(pid)
    return (began is None or began == started) and not _is_zombie(pid)


def start_of(pid: int) -> int | None:
    """When the process began, in clock ticks since boot; None where the system does not tell."""
    fields = _stat(pid)
    return int(fields[19]) if len(fields) > 19 and fields[19].isdigit() else None


def host_name() -> str:
    """This machine's name, as processes that leave their number behind say it."""
    return os.uname().nodename


def wake(pid: int, started: int | None) -> bool:
    """Let that very process go on, should somebody have stopped it; whether it was there.

    No other signal is sent: whoever named the process may have named any one.
    """
    try:
        # Held by this, the number cannot become another process's between the look and the signal.
        door = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    except ProcessLookupError:
        return False
    except OSError:  # an old or a closed-off system
        door = None
    try:
        if not is_alive(pid, started):
            return False
        if door is None:
            os.kill(pid, signal.SIGCONT)
        else:
            signal.pidfd_send_signal(door, signal.SIGCONT)
    except OSError:
        return False
    finally:
        if door is not None:
            os.close(door)
    return True


def _is_zombie(pid: int) -> bool:
    return _stat(pid)[:1] == ["Z"]


def _stat(pid: int) -> list[str]:
    """The fields of `/proc/PID/stat` after the name, which may hold anything."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:  # noqa: PTH123
            said = stat.read()
    except OSError:
        return []
    return said.rpartition(")")[2].split()
