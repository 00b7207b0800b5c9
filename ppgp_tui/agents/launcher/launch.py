"""The launcher: an agent in a process group of its own, in the foreground of the same terminal.

tmux wakes the first process of a pane at once when it is stopped, and a shell takes the terminal
from a stopped job. So neither may be the agent's parent: the launcher is, and waits. It stays out
of everything else. Keys, window sizes and Ctrl+C go to the foreground, which is the agent.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

from ppgp_tui.agents.launcher.record import Record
from ppgp_tui.agents.launcher.terminal import Terminal

PASSED_ON: Final = (
    signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
)  # fmt: skip
"""Sent to the launcher alone, they are meant for the agent."""

KEEP_S: Final = 5.0
"""So often is looked whether the record of the launch is still there."""

_PLAIN: Final = (
    *PASSED_ON, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCHLD, signal.SIGCONT,
    signal.SIGPIPE, signal.SIGXFSZ,
)  # fmt: skip
"""What an agent must find as every program does; Python changes some of them."""
_GO: Final = b"."


class NoProgramError(Exception):
    """There is no such program, or it may not be run; `code` is what a shell would exit with."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


def run(
    words: list[str], root: Path, environ: Mapping[str, str], say: Callable[[str], None]
) -> int:
    """Run an agent and wait for it; return its exit code, 128 and more for a signal.

    `say` gets what a person should know, in one line. Raises `NoProgramError`.
    """
    program = shutil.which(words[0], path=environ.get("PATH"))
    if program is None and os.path.lexists(words[0]) and os.sep in words[0]:
        raise NoProgramError(f"{words[0]} is no program that you may run", 126)
    if program is None:
        raise NoProgramError(f"{words[0] or 'an empty word'} is not installed, or not on PATH", 127)
    record = Record(root, words[0], environ)
    child = _Child(program, words, {**environ, "PPGP_AGENT": record.key})
    terminal = Terminal()
    in_front = terminal.front == os.getpgrp()
    child.begin()
    with _passing_on(child.pid):
        why = record.begin(child.pid)
        if why is not None:
            say(f"it cannot be frozen, thawed or ended from here: {why}")
        if in_front:
            terminal.give(child.pid)
        child.go()
        with _every(KEEP_S, record.keep):
            code = _wait(child.pid, terminal, record)
    if terminal.front == child.pid:
        terminal.give(os.getpgrp())
        if code > 128:
            terminal.restore()
    record.end(code)
    child.must_have_run()
    return code


def _wait(pid: int, terminal: Terminal, record: Record) -> int:
    """Wait until the agent ends; meanwhile it may be stopped and go on."""
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if os.WIFEXITED(status):
            return os.WEXITSTATUS(status)
        if os.WIFSIGNALED(status):
            return 128 + os.WTERMSIG(status)
        launch = record.launch()
        if launch is None or launch.frozen_ms is None:
            _stop_too(pid, terminal)


def _stop_too(pid: int, terminal: Terminal) -> None:
    """The agent was suspended by its user (Ctrl+Z): so are we, for the shell that started us.

    Without such a shell the signal has no effect, and the agent goes on at once.
    """
    ours, settings = os.getpgrp(), None
    if terminal.front == pid:
        settings = terminal.settings()
        terminal.give(ours)
        terminal.back()
    os.killpg(ours, signal.SIGTSTP)
    if terminal.front == ours:
        terminal.set(settings)
        terminal.give(pid)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGCONT)


@contextmanager
def _passing_on(group: int) -> Iterator[None]:
    """Pass signals for us on to the agent while the block runs."""

    def pass_on(number: int, _: FrameType | None) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
            if number in (signal.SIGHUP, signal.SIGTERM):
                os.killpg(group, signal.SIGCONT)  # a frozen agent must hear of its end

    before = {number: signal.getsignal(number) for number in PASSED_ON}
    for number in PASSED_ON:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, pass_on)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _every(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Do something again and again while the block waits."""
    before = signal.signal(signal.SIGALRM, lambda *_: act())
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Child:
    """The agent's process: forked, then let go when everything about it is recorded."""

    def __init__(self, program: str, words: list[str], environ: Mapping[str, str]) -> None:
        self._program, self._words, self._environ = program, words, environ
        self._gate, self._trouble = os.pipe(), os.pipe()
        self._ignored = [one for one in PASSED_ON if signal.getsignal(one) is signal.SIG_IGN]
        self.pid = 0

    def begin(self) -> None:
        """Fork. The child waits for `go`; it ends if we end first."""
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if not self.pid:
            self._become()
        with suppress(OSError):  # the child does it as well: whoever is first
            os.setpgid(self.pid, self.pid)
        os.close(self._gate[0])
        os.close(self._trouble[1])

    def go(self) -> None:
        """Let the child become the agent."""
        with suppress(OSError):
            os.write(self._gate[1], _GO)
        os.close(self._gate[1])

    def must_have_run(self) -> None:
        """Raise `NoProgramError` where the child never became the agent."""
        said = os.read(self._trouble[0], 16)
        os.close(self._trouble[0])
        if said:
            why = os.strerror(int(said)).lower()
            raise NoProgramError(f"{self._program} cannot be run: {why}", 126)

    def _become(self) -> None:
        """In the child: never returns."""
        try:
            os.setpgid(0, 0)
            os.close(self._gate[1])
            if os.read(self._gate[0], 1) == _GO:
                for number in _PLAIN:
                    if number not in self._ignored:
                        signal.signal(number, signal.SIG_DFL)
                os.execve(self._program, self._words, self._environ)
        except OSError as error:
            os.write(self._trouble[1], b"%d" % (error.errno or 0))
        finally:
            os._exit(126)
