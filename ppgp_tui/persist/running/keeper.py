"""Starts an agent and leaves nothing of it behind, whatever becomes of the runner.

A script, standard library only, quick to start. Its standard input is a socket to the runner. On it
comes one `Job`; once nothing more can come, because the runner shut its side or is gone, the agent
has to end. Back go lines: `forked PID`; `born`, or `unborn ERRNO PLACE`; then `ended STATUS` when
the agent is over. The socket is closed when nothing is left of what the agent started. Standard
output and error are the agent's.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import marshal
import os
import select
import signal
import sys
import termios
from collections.abc import Collection
from contextlib import suppress
from time import monotonic

Job = tuple[list[bytes], dict[bytes, bytes], bytes, int, bool, float]
"""The arguments, the whole environment, the folder, the descriptor that the agent reads from,
whether its output is a terminal that becomes its own, and the seconds from TERM to KILL."""

KILLING_S = 10.0
"""So long it goes on killing what will not die, such as a process that waits for a broken disk."""

_AGAIN_S = 0.02
_CHANNEL, _OUTPUT = 0, 1
ADOPT = 36
"""Linux's PR_SET_CHILD_SUBREAPER: orphans of the agent become ours."""
_DIE_WITH_PARENT = 1
"""Its PR_SET_PDEATHSIG."""
_ENDING = (
    "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM",
    "SIGPROF", "SIGXCPU", "SIGPOLL", "SIGPWR", "SIGSTKFLT",
)  # fmt: skip
"""Not among them are those by which the system says that the program itself is at fault."""


def ending() -> list[int]:
    """The signals that end a process which does not care, and that it can care for."""
    of_time = range(signal.SIGRTMIN, signal.SIGRTMAX + 1) if hasattr(signal, "SIGRTMIN") else ()
    named = (getattr(signal, name, None) for name in _ENDING)
    return [number for number in (*named, *of_time) if number in signal.valid_signals()]


def main() -> None:
    """Start the agent, wait for its end or for the word to end it, end all that it started."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _pass)
    for number in ending():
        # A handler, since the agent would inherit that a signal is ignored; one that is stays so.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _pass)
    # Whoever started the runner may have blocked some, and so the word that a child ended.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    prctl(ADOPT, 1)
    try:
        with os.fdopen(os.dup(_CHANNEL), "rb") as asked:
            job: Job = marshal.load(asked)
    except (EOFError, OSError):
        return  # the runner is gone already
    agent = _start(job)
    if agent is None:
        return
    _keep(agent, woken, grace_s=job[-1])


def _start(job: Job) -> int | None:
    """Start the agent; None: it was not born, and that is said."""
    given = job[3]
    try:
        seen, mark = os.pipe()
        agent = os.fork()
    except OSError as error:  # the machine has no more of them just now
        _say(b"unborn %d program" % (error.errno or errno.EAGAIN))
        return None
    if agent == 0:
        _become(job, mark)
    os.close(mark)
    for number in (given, 1, 2):
        os.close(number)
    failed = os.read(seen, 4096)
    os.close(seen)
    if failed:
        os.waitpid(agent, 0)
        _say(b"unborn " + failed)
        return None
    _say(b"born")
    return agent


def _become(job: Job, mark: int) -> None:
    """Turn this process, a copy of the keeper, into the agent. Never returns."""
    argv, environ, folder, given, terminal, _ = job
    place = b"folder"
    try:
        os.setsid()
        prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python
            signal.signal(ignored, signal.SIG_DFL)
        _say(b"forked %d" % os.getpid())
        os.dup2(given, 0)
        os.close(given)
        if terminal:
            fcntl.ioctl(_OUTPUT, termios.TIOCSCTTY, 0)
        os.chdir(folder)
        place = b"program"
        os.execvpe(argv[0], argv, environ)
    except (OSError, ValueError) as error:
        number = getattr(error, "errno", None) or errno.EINVAL
        os.write(mark, b"%d %s" % (number, place))
    finally:
        os._exit(127)


def _keep(agent: int, woken: int, *, grace_s: float) -> None:
    """Wait until the agent is over and nothing of it is left."""
    heard, over = [_CHANNEL, woken], False
    kill_at: float | None = None
    while True:
        status, left = _reap(agent)
        if status is not None:
            over = True
            _say(b"ended %d" % status)
        if over and not left:
            return
        now = monotonic()
        if kill_at is None and (over or _CHANNEL not in heard):
            # What was stopped does not hear TERM until it goes on.
            _signal_all(agent, signal.SIGTERM, signal.SIGCONT)
            kill_at = now + grace_s
        elif kill_at is not None and now >= kill_at + KILLING_S:
            return
        elif kill_at is not None and now >= kill_at:
            _signal_all(agent, signal.SIGKILL)
        pause = None if kill_at is None else max(_AGAIN_S, kill_at - now)
        for ready in select.select(heard, [], [], pause)[0]:
            if ready == woken:
                os.read(woken, 4096)
            else:
                heard.remove(_CHANNEL)


def _reap(agent: int) -> tuple[int | None, bool]:
    """The status of the agent if it is over since last time, and whether anything of it is left."""
    status = None
    try:
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            if found[0] == agent:
                status = found[1]
    except ChildProcessError:
        # Where orphans do not become ours, some may be left in the agent's group.
        return status, not sys.platform.startswith("linux") and _is_there(agent)
    return status, True


def _signal_all(agent: int, *numbers: int) -> None:
    """Send them to everything that descends from this process, and to the agent's group."""
    below = descendants()
    for number in numbers:
        if not below:
            with suppress(OSError):
                os.killpg(agent, number)
        for pid in below:
            with suppress(OSError):
                os.kill(pid, number)


def descendants(spared: Collection[int] = ()) -> list[int]:
    """Every process that descends from this one, without the spared ones and what is below them.

    None where there is no `/proc`.
    """
    children: dict[int, list[int]] = {}
    names = os.listdir("/proc") if os.path.isdir("/proc") else ()  # noqa: PTH112, PTH208
    for pid in (int(name) for name in names if name.isdigit()):
        with suppress(OSError, ValueError, IndexError):
            children.setdefault(_parent(pid), []).append(pid)
    found, waiting = [], [os.getpid()]
    while waiting:
        below = [pid for pid in children.get(waiting.pop(), []) if pid not in spared]
        found += below
        waiting += below
    return found


def _parent(pid: int) -> int:
    with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
        return int(stat.read().rpartition(b")")[2].split()[1])


def _is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True


def _say(line: bytes) -> None:
    with suppress(OSError):
        os.write(_CHANNEL, line + b"\n")


def prctl(option: int, value: int) -> None:
    """Ask Linux for something about this process; nothing happens elsewhere."""
    with suppress(OSError, AttributeError):  # only Linux has it
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _pass(number: int, frame: object) -> None:
    """Nothing: that a child ended is seen by who waits for it."""


if __name__ == "__main__":
    main()
