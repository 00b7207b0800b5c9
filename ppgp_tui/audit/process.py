"""Runs one program of an audit to its end or to a limit, and leaves nothing of it behind. An edge.

A warden (`warden.py`) starts it, so that it ends when this process does, however that ends. Here it
is listened to, and what it uses is watched.
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from ppgp_tui.audit import warden
from ppgp_tui.audit.judge import Ended, Ran
from ppgp_tui.audit.sandbox import Limits

KEPT: Final = 256 * 1024
"""Bytes of output that are kept: the last ones."""
_TICK_S: Final = 0.05
_CLEAN_S: Final = 10.0
"""So long a warden may take to clean up."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_BARE: Final = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


class Start(NamedTuple):
    """A program, and how it is kept from everything else."""

    argv: Sequence[str]
    """With `sandbox`, bubblewrap and its arguments; else the program, which runs in a copy."""
    environ: Mapping[str, str]
    sandbox: bool
    root: str | None = None
    """The work tree, where a copy of it is needed."""
    left_out: Sequence[str] = ()
    """Paths in it that are not copied into a sandbox."""
    given: bytes = b""
    """What it reads on its standard input."""
    files: Mapping[str, bytes] = {}
    """Files of its HOME, by path in it."""
    answers: bool = False
    """What counts is its standard output; the rest is shown, and kept where it ends badly."""


def run(
    start: Start,
    *,
    shown: Sequence[str],
    limits: Limits,
    on_output: Callable[[bytes], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Ran:
    """Run it and return how it ended; `shown` is the command inside, as the result names it.

    `cancelled` is asked many times a second. Nothing is raised for what the program does.
    """
    began = monotonic()
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            child = subprocess.Popen(
                [sys.executable, "-I", "-S", warden.__file__], cwd="/", env=_BARE,
                stdin=theirs.fileno(), stdout=subprocess.PIPE, start_new_session=True,
                stderr=subprocess.PIPE if start.answers else subprocess.STDOUT,
            )  # fmt: skip
        watch = _Watch(child, ours, limits, began, on_output, cancelled)
        try:
            ended = watch.until_end(_job(start))
        finally:
            _end(child, ours)
        report = watch.report or {"ended": "unborn", "why": "its warden was killed"}
    if ended is None:
        ended = report["ended"]
    told = watch.kept if (ended, report.get("code")) == ("exited", 0) else watch.all_kept()
    text, seconds = told.decode("utf-8", "replace"), monotonic() - began
    code = report.get("code") if ended in ("exited", "signal") else None
    why = str(report.get("why", "")) if ended == "unborn" else ""
    return Ran(tuple(shown), ended, code, seconds, text, _with_last_line(why, text))


def descendants(pid: int) -> Iterator[int]:
    """`pid` and every process below it, as far as the system tells."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208
        if name.isdigit():
            children.setdefault(_parent(int(name)), []).append(int(name))
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(children.get(one, ()))


def _job(start: Start) -> bytes:
    job: warden.Job = {
        "argv": list(start.argv),
        "environ": dict(start.environ),
        "given": base64.b64encode(start.given).decode(),
        "root": start.root,
        "left_out": list(start.left_out),
        "names": list(start.files),
        "files": [base64.b64encode(words).decode() for words in start.files.values()],
        "sandbox": start.sandbox,
    }
    return json.dumps(job).encode() + b"\n"


class _Watch:
    """A program that runs, and what it has used so far."""

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        channel: socket.socket,
        limits: Limits,
        began: float,
        on_output: Callable[[bytes], None],
        cancelled: Callable[[], bool],
    ) -> None:
        self.child = child
        self.channel = channel
        self.limits = limits
        self.began = began
        self.on_output = on_output
        self.cancelled = cancelled
        self.kept = b""
        self._beside = b""
        self.report: dict[str, Any] = {}
        self._printed = 0
        self._looked = began
        self._pause = 0.0

    def until_end(self, job: bytes) -> Ended | None:
        """Listen until it may not go on; None: it is over by itself."""
        pipes = [pipe.fileno() for pipe in (self.child.stdout, self.child.stderr) if pipe]
        for pipe in pipes:
            os.set_blocking(pipe, False)
        with suppress(OSError):
            self.channel.settimeout(_CLEAN_S)
            self.channel.sendall(job)
        said, listened = b"", [*pipes, self.channel.fileno()]
        while listened:
            gone = self.child.poll() is not None  # before looking: what it said last must be heard
            ready, _, _ = select.select(listened, [], [], _TICK_S)
            for pipe in ready:
                if pipe in pipes and not self._hear(pipe, is_answer=pipe == pipes[0]):
                    listened.remove(pipe)
            if self.channel.fileno() in ready:
                more = self._told()
                said += more
                if not more:
                    listened.remove(self.channel.fileno())
            if over := self._over():
                return over
            if not ready and gone:
                break  # somebody else still holds its output
        with suppress(ValueError):
            self.report = json.loads(said)
        return None

    def all_kept(self) -> bytes:
        """What it printed, wherever."""
        return (self._beside + self.kept)[-KEPT:]

    def _told(self) -> bytes:
        try:
            return self.channel.recv(4096)
        except OSError:
            return b""

    def _hear(self, pipe: int, *, is_answer: bool) -> bool:
        try:
            data = os.read(pipe, 65536)
        except BlockingIOError:
            return True
        if not data:
            return False
        self._printed += len(data)
        if is_answer:
            self.kept = (self.kept + data)[-KEPT:]
        else:
            self._beside = (self._beside + data)[-KEPT:]
        self.on_output(data)
        return True

    def _over(self) -> Ended | None:
        now = monotonic()
        if self.cancelled():
            return "cancelled"
        if now - self.began > self.limits.seconds:
            return "time"
        if self._printed > self.limits.output:
            return "output"
        if now - self._looked < self._pause:
            return None
        pids = [*descendants(self.child.pid)]
        # Looking costs the more the more there is to see; a tenth of the time is spent on it.
        self._looked = monotonic()
        self._pause = max(_TICK_S, 10 * (self._looked - now))
        if len(pids) > self.limits.processes:
            return "processes"
        if sum(map(_resident, pids)) > self.limits.memory:
            return "memory" if sum(map(_own, pids)) > self.limits.memory else None
        return None


def _end(child: subprocess.Popen[bytes], channel: socket.socket) -> None:
    """Let the warden end everything; end what it cannot."""
    with suppress(OSError):
        channel.shutdown(socket.SHUT_WR)
    with suppress(subprocess.TimeoutExpired):
        child.wait(_CLEAN_S)
    if child.poll() is None:
        for pid in [*descendants(child.pid)]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        child.wait()
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()


def _with_last_line(why: str, text: str) -> str:
    """Why it did not start, with what was printed about it."""
    lines = text.strip().splitlines()
    return f"{why}: {lines[-1]}" if why and lines else why


def _parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if len(fields) > 1 else 0


def _resident(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[21]) * _PAGE if len(fields) > 21 else 0


def _own(pid: int) -> int:
    """Bytes in memory, what it shares with others counted in parts; all of it if that is secret."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (OSError, ValueError):
        return _resident(pid)
    found = next((line.split()[1] for line in lines if line.startswith("Pss:")), "0")
    return int(found) * 1024


def _stat(pid: int) -> list[str]:
    try:
        said = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    return said.rpartition(b")")[2].decode().split()
