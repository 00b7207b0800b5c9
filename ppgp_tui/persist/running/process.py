"""One run of the agent, listened to from its start to its end.

It runs under a keeper, so that nothing of it is left when it is over, or when this process is,
however that ends.
"""

from __future__ import annotations

import errno
import os
import selectors
import shutil
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final, Protocol

from ppgp_tui.persist.command import Call
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.limits import LAST_LINES
from ppgp_tui.persist.running import terminal
from ppgp_tui.persist.running.kept import LATE_S, Kept, UnkeptError, kept
from ppgp_tui.persist.running.orphans import none_left
from ppgp_tui.persist.running.passing import Passing
from ppgp_tui.persist.running.signals import signal_name

TAIL: Final = 64 * 1024
"""Bytes at the end of the output in which the last lines are looked for."""
LOOK_S: Final = 0.1
"""So often `stop` is asked."""
_READ: Final = 64 * 1024
_DRAIN_S: Final = 1.0
"""So long output is read that comes when all is over: somebody else has it who does not end."""
_NOT_THERE, _NOT_RUN, _NOT_NOW = 127, 126, 75
_PASSING: Final = frozenset({
    errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.ETXTBSY, errno.EIO,
})  # fmt: skip
"""Reasons for which nothing can be started that may be over in a minute: a machine that is full,
or a program that is being replaced. No fault of the agent's, so not its exit codes."""


class Sink(Protocol):
    """What takes in the whole output of a run; a file, such as `disk.outputs.Output`."""

    def write(self, data: bytes, /) -> object:
        """Take these bytes in. Does not raise."""
        ...


class RunAgent(Protocol):
    """Runs an agent once, to its end, as `run_agent` does."""

    def __call__(
        self,
        call: Call,
        *,
        cwd: Path,
        environ: dict[str, str],
        pty: bool,
        output: Sink | None,
        on_out: Callable[[bytes], None],
        on_err: Callable[[bytes], None],
        on_start: Callable[[int], None],
        stop: Callable[[], str | None],
    ) -> Ran:
        """How it ended."""
        ...


def run_agent(
    call: Call,
    *,
    cwd: Path,
    environ: Mapping[str, str],
    pty: bool,
    output: Sink | None,
    on_out: Callable[[bytes], None],
    on_err: Callable[[bytes], None],
    on_start: Callable[[int], None],
    stop: Callable[[], str | None],
    grace_s: float = 5.0,
) -> Ran:
    """Run the agent to its end and say how that was.

    `environ` is its whole environment. What it prints goes to `output`, and at once to `on_out` and
    `on_err`; with `pty` both are one terminal, and go to `on_out`. These two are called in threads
    of their own and may block; where they raise OSError, nothing more goes there. `on_start` gets
    the number of the agent's process, which is that of its session and group too. `stop` is asked
    every 0.1 s: a word ends the run, with TERM to all that the agent started and, after `grace_s`,
    KILL; the word is then the run's `cut`. What an agent leaves running ends in the same way.

    It reads its prompt (`call.stdin`), else with `pty` its own terminal, at which nobody types, and
    else what this process would read, unless that is a terminal. A program that cannot be started
    is a run that ended with 127 or 126, or with 75 where that may be over soon, and the last line
    says why. Whatever a callback raises, the agent is ended first.
    """
    run = _Run(output, Passing(on_out), Passing(on_err), on_start, stop, grace_s)
    try:
        with none_left(), kept(call, cwd, environ, grace_s, pty=pty) as agent:
            run.listen(agent)
        if run.unborn is not None:
            run.not_started(*_why_not(*run.unborn, call.argv[0], environ, cwd))
        elif run.code is None:
            run.lost()
    except UnkeptError as error:
        code = _NOT_NOW if error.number in _PASSING else _NOT_RUN
        run.not_started(code, f"the agent cannot be started: {error}")
    finally:
        run.finish()
    return run.ran()


class _Run:
    """A run, and what is known of it so far."""

    def __init__(
        self,
        output: Sink | None,
        out: Passing,
        err: Passing,
        on_start: Callable[[int], None],
        stop: Callable[[], str | None],
        grace_s: float,
    ) -> None:
        self.code: int | None = None
        """As `subprocess` has it: less than 0 for a signal."""
        self.unborn: tuple[int, str] | None = None
        """The error number, and whether it came from the program or the folder."""
        self._output, self._out, self._err = output, out, err
        self._on_start, self._stop, self._grace_s = on_start, stop, grace_s
        self._began = monotonic()
        self._over_at, self._look_at, self._late_at = 0.0, 0.0, float("inf")
        self._size = terminal.size()
        self._pid: int | None = None
        self._cut: str | None = None
        self._said, self._tail = b"", bytearray()

    def listen(self, agent: Kept) -> None:
        """Listen until nothing is left of the agent, and all that it printed is heard."""
        with selectors.DefaultSelector() as ready:
            ready.register(agent.channel, selectors.EVENT_READ, None)
            for number, passing in zip(agent.printed, (self._out, self._err), strict=False):
                ready.register(number, selectors.EVENT_READ, passing)
            drain_until = 0.0
            while True:
                found = ready.select(0.0 if drain_until else LOOK_S)
                for key, _ in found:
                    data = _read(key.fd)
                    if not data:
                        ready.unregister(key.fileobj)
                    if key.data is not None:
                        self._hear(data, key.data, agent)
                    elif data:
                        self._told(data)
                    else:
                        drain_until = monotonic() + _DRAIN_S
                self._look(agent)
                if drain_until and (not found or monotonic() > drain_until):
                    return

    def not_started(self, code: int, why: str) -> None:
        """There was no agent; `why` is what it says in its stead."""
        self.code = code
        self._say(why)

    def lost(self) -> None:
        """The keeper ended without a word of how the agent did."""
        self.code = -signal.SIGKILL
        if self._pid is not None:
            with suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        self._say("the process that kept the agent was killed, and the agent with it")

    def finish(self) -> None:
        """Wait until all that was heard is passed on, or nobody takes it."""
        self._out.finish()
        self._err.finish()

    def ran(self) -> Ran:
        """How the run ended."""
        code = _NOT_RUN if self.code is None else self.code
        lines = self._tail[-TAIL:].decode("utf-8", "replace").removesuffix("\n").split("\n")
        return Ran(
            128 - code if code < 0 else code,
            (self._over_at or monotonic()) - self._began,
            signal_name(-code) if code < 0 else None,
            tuple(line.removesuffix("\r") for line in lines[-LAST_LINES:]) if self._tail else (),
            self._cut,
        )

    def _told(self, data: bytes) -> None:
        """The keeper said something."""
        *lines, self._said = (self._said + data).split(b"\n")
        for line in lines:
            match line.decode().split():
                case "forked", pid:
                    self._pid = int(pid)
                case ["born"] if self._pid is not None:
                    self._on_start(self._pid)
                case "unborn", number, place:
                    self.unborn = int(number), place
                case "ended", status:
                    self.code = os.waitstatus_to_exitcode(int(status))
                    self._over_at = monotonic()
                    self._late_at = self._over_at + self._grace_s + LATE_S

    def _hear(self, data: bytes, passing: Passing, agent: Kept) -> None:
        """The agent printed something."""
        self._keep(data)
        while not passing.take(data, LOOK_S):
            self._look(agent)

    def _say(self, words: str) -> None:
        line = f"persist: {words}\n".encode("utf-8", "replace")
        self._keep(line)
        self._err.take(line, LOOK_S)

    def _keep(self, data: bytes) -> None:
        self._tail += data
        if len(self._tail) > 2 * TAIL:
            del self._tail[:-TAIL]
        if self._output is not None:
            self._output.write(data)

    def _look(self, agent: Kept) -> None:
        """Every 0.1 s: end the run when that is asked for, and go with the size of our terminal."""
        now = monotonic()
        if now < self._look_at:
            return
        self._look_at = now + LOOK_S
        if self.code is None and self._cut is None:
            self._cut = self._stop()
            if self._cut is not None:
                self._late_at = now + self._grace_s + LATE_S
                with suppress(OSError):
                    agent.channel.shutdown(socket.SHUT_WR)
        if agent.screen is not None and (size := terminal.size()) != self._size:
            self._size = size
            terminal.fit(agent.screen, size)
        if now > self._late_at:
            agent.keeper.kill()


def _read(descriptor: int) -> bytes:
    """What can be read now; nothing at the end. A terminal's end is an error, EIO."""
    try:
        return os.read(descriptor, _READ)
    except OSError:
        return b""


def _why_not(
    number: int, place: str, program: str, environ: Mapping[str, str], cwd: Path
) -> tuple[int, str]:
    """The exit code of an agent that could not be started, as a shell would give it, and why."""
    reason, name = os.strerror(number), _shown(program)
    if number in _PASSING:
        return _NOT_NOW, f"{name} cannot be started just now: {reason}"
    if place == "folder":
        return _NOT_RUN, f"cannot work in {_shown(str(cwd))}: {reason}"
    if number == errno.ENOEXEC:
        return _NOT_RUN, f"{name}: {reason}; a script begins with a line such as #!/bin/sh"
    if number != errno.ENOENT:
        return _NOT_RUN, f"{name}: {reason}"
    if shutil.which(program, path=environ.get("PATH", os.defpath)):
        return _NOT_RUN, f"{name}: the interpreter that its first line names was not found"
    return _NOT_THERE, f"{name}: not found" + ("" if "/" in program else " on PATH")


def _shown(text: str) -> str:
    """A name as it can be printed: it may be anything, even a prompt."""
    cut = text if len(text) <= 200 else text[:199] + "…"
    return "".join(sign if sign.isprintable() else "?" for sign in cut)
