"""One run of `ssh-keygen`, which can neither prompt on the terminal nor outlive its limit."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LIMIT_S = 5.0
"""Time for a run in which no person is asked anything."""

PERSON_LIMIT_S = 60.0
"""Time for a run in which an askpass program or an SSH agent may ask the person."""

_ASKS = ("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "SSH_AUTH_SOCK")


class NoAnswerError(Exception):
    """The program could not be started or did not end within its limit; the message says which."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run ended."""

    code: int
    out: bytes
    said: str
    """What it printed on stderr."""


def find_program(name: str, environ: Mapping[str, str]) -> str | None:
    """The full path of a program on `PATH`, or None.

    Relative entries of `PATH` are left out: in a repository they would run what lies there.
    """
    entries = environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(entry for entry in entries if Path(entry).is_absolute())
    return shutil.which(name, path=path) if path else None


def surroundings(
    environ: Mapping[str, str], *, askpass: str | None = None, agent: bool = False
) -> dict[str, str]:
    """The environment for a run: no question to anybody but through what is named here.

    `askpass` is the program the user chose to ask for a passphrase; `agent` lets the SSH agent
    of `environ` take part.
    """
    quiet = {name: value for name, value in environ.items() if name not in _ASKS}
    if agent and "SSH_AUTH_SOCK" in environ:
        quiet["SSH_AUTH_SOCK"] = environ["SSH_AUTH_SOCK"]
    if askpass is None:
        return quiet | {"SSH_ASKPASS_REQUIRE": "never"}
    return quiet | {"SSH_ASKPASS": askpass, "SSH_ASKPASS_REQUIRE": "force"}


def run(
    command: Sequence[str], stdin: bytes, environ: Mapping[str, str], *, limit_s: float = LIMIT_S
) -> Ran:
    """Run `command` with `stdin` in a session of its own and return how it ended.

    Without a terminal of its own the program cannot prompt. After `limit_s` seconds, or when we
    are interrupted, its whole process group is killed. Raises `NoAnswerError`.
    """
    try:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd="/",
            env=dict(environ),
            start_new_session=True,
        )
    except OSError as error:
        raise NoAnswerError(f"{command[0]} could not be started: {error.strerror}") from error
    with process:
        try:
            out, said = process.communicate(stdin, timeout=limit_s)
        except subprocess.TimeoutExpired:
            _kill_group(process)
            raise NoAnswerError(f"{command[0]} did not answer within {limit_s:g} s") from None
        except BaseException:
            _kill_group(process)
            raise
    return Ran(process.returncode, out, said.decode("utf-8", "replace"))


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    # Not reaped yet, so the number still means this process and the group it leads.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
