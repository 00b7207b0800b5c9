"""Runs one program to its end or to a limit, and leaves nothing of it behind. An edge.

The program is the head of a session of its own. With bubblewrap its death is the death of
everything it started; without, every descendant that can be found is killed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final

from ppgp_tui.audit.judge import Ended, Ran
from ppgp_tui.audit.sandbox import Limits

KEPT: Final = 256 * 1024
"""Bytes of output that are kept: the last ones."""
_TICK_S: Final = 0.05
_LOOK_S: Final = 0.2
"""So often memory and processes are counted."""
_GRACE_S: Final = 2.0
_CLEAN_S: Final = 10.0
"""So long a program may take to clean up after itself."""
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def run(
    argv: Sequence[str],
    *,
    shown: Sequence[str],
    limits: Limits,
    cwd: Path,
    environ: Mapping[str, str],
    on_output: Callable[[bytes], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    given: bytes = b"",
    ends_with_input: bool = False,
) -> Ran:
    """Run `argv`, with `given` on its standard input, and return how it ended.

    `ends_with_input`: its input stays open, and at the end of it the program cleans up and ends by
    itself. `shown` is the command inside, as the result names it. Must not be called in a thread
    that ends before it returns: the program dies with the thread that started it.
    """
    began = monotonic()
    try:
        child = subprocess.Popen(
            argv, cwd=cwd, env=dict(environ), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        why = error.strerror or str(error)
        return Ran(tuple(shown), "unborn", None, 0.0, "", f"{argv[0]}: {why}")
    watch = _Watch(child, limits, began, on_output, cancelled, given, ends_with_input)
    try:
        ended = watch.until_end()
    finally:
        _end(child, ends_with_input)
    text = watch.kept.decode("utf-8", "replace")
    code = child.returncode
    if ended == "exited" and code < 0:
        return Ran(tuple(shown), "signal", -code, monotonic() - began, text)
    return Ran(tuple(shown), ended, code if ended == "exited" else None, monotonic() - began, text)


class _Watch:
    """A program that runs, and what it has used so far."""

    def __init__(
        self,
        child: subprocess.Popen[bytes],
        limits: Limits,
        began: float,
        on_output: Callable[[bytes], None],
        cancelled: Callable[[], bool],
        given: bytes,
        stays_open: bool,
    ) -> None:
        self.child = child
        self.limits = limits
        self.began = began
        self.on_output = on_output
        self.cancelled = cancelled
        self.given = memoryview(given)
        self.stays_open = stays_open
        self.kept = b""
        self.printed = 0
        self.looked = began

    def until_end(self) -> Ended:
        """Feed and listen until the program is over or may not go on."""
        source, sink = self.child.stdout, self.child.stdin
        assert source is not None
        assert sink is not None
        os.set_blocking(source.fileno(), False)
        os.set_blocking(sink.fileno(), False)
        open_ = True
        while True:
            if self._feed(sink) and not self.stays_open and not sink.closed:
                with suppress(OSError):
                    sink.close()
            ready, _, _ = select.select([source] if open_ else [], [], [], _TICK_S)
            if ready:
                open_ = self._hear(source.fileno())
            if over := self._over():
                return over
            if self.child.poll() is not None and (not open_ or not ready):
                return "exited"
            if not open_ and self.child.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    self.child.wait(_TICK_S)

    def _feed(self, sink: object) -> bool:
        """Write what the pipe takes; True when there is nothing more to write."""
        if not self.given or sink.closed:  # type: ignore[attr-defined]
            return True
        try:
            written = os.write(sink.fileno(), self.given[:65536])  # type: ignore[attr-defined]
            self.given = self.given[written:]
        except BlockingIOError:
            return False
        except OSError:
            return True  # it does not read what it was given
        return not self.given

    def _hear(self, source: int) -> bool:
        try:
            data = os.read(source, 65536)
        except BlockingIOError:
            return True
        if not data:
            return False
        self.printed += len(data)
        self.kept = (self.kept + data)[-KEPT:]
        self.on_output(data)
        return True

    def _over(self) -> Ended | None:
        now = monotonic()
        if self.cancelled():
            return "cancelled"
        if now - self.began > self.limits.seconds:
            return "time"
        if self.printed > self.limits.output:
            return "output"
        if now - self.looked >= _LOOK_S:
            self.looked = now
            pids = [*descendants(self.child.pid)]
            if len(pids) > self.limits.processes:
                return "processes"
            if sum(map(_resident, pids)) > self.limits.memory:
                return "memory"
        return None


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


def _end(child: subprocess.Popen[bytes], ends_with_input: bool) -> None:
    """Kill what is left of it; it has had its time."""
    if ends_with_input and child.stdin is not None:
        with suppress(OSError, subprocess.TimeoutExpired):
            child.stdin.close()
            child.wait(_CLEAN_S)
    below = [*descendants(child.pid)] if child.poll() is None else []
    if child.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    for pid in below:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(_GRACE_S)
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _parent(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[1]) if len(fields) > 1 else 0


def _resident(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[21]) * _PAGE if len(fields) > 21 else 0


def _stat(pid: int) -> list[str]:
    try:
        said = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    return said.rpartition(b")")[2].decode().split()
