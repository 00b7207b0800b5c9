"""One question to Git that only reads, and that runs no program which the repository names.

Commands that look at the work tree through filters (`status`, `diff`) are not for this door: a
filter is such a program.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

LIMIT_S: Final = 20.0

_SAFE: Final = (
    "--no-pager",
    "-c", "core.fsmonitor=false",
    "-c", "log.showSignature=false",
    "-c", "core.quotePath=false",
)  # fmt: skip
_KEPT: Final = (
    "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
)  # fmt: skip
"""Git's own variables that name no other repository."""


class GitUnknownError(Exception):
    """Git could not be asked; the message says why."""


class Answer(NamedTuple):
    """How Git ended and what it printed."""

    code: int
    out: bytes
    said: str
    """The last line of standard error."""

    @property
    def text(self) -> str:
        """The output as text without white space around it."""
        return self.out.decode("utf-8", "replace").strip()


def ask(root: Path, *arguments: str, given: bytes = b"", limit_s: float = LIMIT_S) -> Answer:
    """Run `git ARGUMENTS` in `root` with `given` on its standard input.

    Raises `GitUnknownError` when Git is not there or gives no answer within `limit_s` seconds.
    """
    # A path is a path and no pattern; the one command that cannot be told so takes it so anyway.
    plain = () if arguments[0] == "check-ignore" else ("--literal-pathspecs",)
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *_SAFE, *plain, *arguments],
            env=surroundings(), input=given, capture_output=True, timeout=limit_s,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise GitUnknownError(f"git did not answer within {limit_s:g} s") from None
    except OSError as error:
        raise GitUnknownError(f"git cannot be started: {error.strerror}") from None
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return Answer(done.returncode, done.stdout, lines[-1] if lines else "")


def surroundings() -> dict[str, str]:
    """The environment without most of Git's variables: in a hook they name another repository."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }
    return kept | {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
