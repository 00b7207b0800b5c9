"""An agent under its keeper (`keeper.py`): how it is started, and let go."""

from __future__ import annotations

import marshal
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist.command import Call
from ppgp_tui.persist.running import keeper, terminal

LATE_S: Final = keeper.KILLING_S + 2.0
"""So long after the grace a keeper may take to end; then it is not waited for."""


class UnkeptError(Exception):
    """Why there is not even a keeper."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.number = error.errno


class Kept(NamedTuple):
    """A keeper that was told to start an agent."""

    keeper: subprocess.Popen[bytes]
    channel: socket.socket
    """What the keeper says; shutting it for writing ends the agent."""
    printed: tuple[int, ...]
    """Where the agent's output can be read, then its errors unless they are the same."""
    screen: int | None
    """Our end of its terminal, where it has one."""


@contextmanager
def kept(
    call: Call, cwd: Path, environ: Mapping[str, str], grace_s: float, *, pty: bool
) -> Iterator[Kept]:
    """An agent under its keeper; nothing of either is left afterwards. Raises `UnkeptError`."""
    with ExitStack() as ours:
        try:
            found = _start(call, cwd, environ, grace_s, ours, pty=pty)
        except OSError as error:
            raise UnkeptError(error) from error
        try:
            yield found
        finally:
            ours.close()  # the keeper sees it, and ends what still runs
            try:
                found.keeper.wait(grace_s + LATE_S)
            except subprocess.TimeoutExpired:
                found.keeper.kill()
                found.keeper.wait()


def _start(
    call: Call, cwd: Path, environ: Mapping[str, str], grace_s: float, ours: ExitStack, *, pty: bool
) -> Kept:
    """Start the keeper and tell it what to do; `ours` is what closes our ends."""
    with ExitStack() as theirs:
        screen: int | None = None
        printed: tuple[int, ...]
        if pty:
            screen, out = terminal.open_terminal()
            printed, err = (screen,), out
        else:
            (one, out), (other, err) = os.pipe(), os.pipe()
            printed = one, other
            theirs.callback(os.close, err)
        theirs.callback(os.close, out)
        for number in printed:
            ours.callback(os.close, number)
        given = _given(call.stdin, out if pty else None)
        theirs.callback(os.close, given)
        channel, far = socket.socketpair()
        ours.callback(channel.close)
        theirs.callback(far.close)
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__], cwd="/", start_new_session=True,
            stdin=far.fileno(), stdout=out, stderr=err, pass_fds=(given,),
        )  # fmt: skip
    # The prompt's very bytes, whatever the locale; see `command`.
    argv = [word.encode("utf-8", "surrogateescape") for word in call.argv]
    names = {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}
    job: keeper.Job = argv, names, os.fsencode(cwd), given, pty, grace_s
    with suppress(ConnectionError):  # it was killed at once: there will be no word from it
        channel.sendall(marshal.dumps(job))
    return Kept(child, channel, printed, screen)


def _given(stdin: bytes | None, screen: int | None) -> int:
    """A descriptor that the agent reads from: its prompt, its terminal, or what we would read.

    The prompt is a file without a name, so it may have any size, and be read late or never.
    """
    if stdin is not None:
        with tempfile.TemporaryFile() as file:
            file.write(stdin)
            file.seek(0)
            return os.dup(file.fileno())
    if screen is not None:
        return os.dup(screen)
    with suppress(OSError):
        # From a session of its own the agent could not read our terminal: it would wait for ever.
        if not os.isatty(0):
            return os.dup(0)
    return os.open(os.devnull, os.O_RDONLY)
