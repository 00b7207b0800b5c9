"""One question to Git that only reads, and that runs no program which the repository names.

A filter is such a program: for commands that look at the work tree through filters, those that the
repository's own settings name are off.
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
_THROUGH_FILTERS: Final = ("diff", "diff-files", "diff-index", "hash-object", "status")
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
    environment = surroundings()
    if arguments[0] in _THROUGH_FILTERS:
        environment |= without_filters(root)
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *_SAFE, *plain, *arguments],
            env=environment, input=given, capture_output=True, timeout=limit_s,
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
    # A relative folder of PATH would be one of the repository's, with its own `git` perhaps.
    whole = [one for one in kept.get("PATH", os.defpath).split(":") if one.startswith("/")]
    return kept | {
        "PATH": ":".join(whole),
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


def without_filters(root: Path) -> dict[str, str]:
    """Variables that turn off the filters which the repository's own settings name.

    A filter is a program, and looking at a repository runs none of it. Those in the person's own
    settings stay.
    """
    said = ask(root, "config", "--show-scope", "--name-only", "-z", "--get-regexp", r"^filter\.")
    words = [os.fsdecode(word) for word in said.out.split(b"\0")]
    own = [name for scope, name in zip(words[::2], words[1::2], strict=False)
           if scope in ("local", "worktree")]  # fmt: skip
    drivers = dict.fromkeys(name.rpartition(".")[0] for name in own)
    off = [(f"{driver}.{what}", value) for driver in drivers
           for what, value in (("clean", ""), ("smudge", ""), ("process", ""),
                               ("required", "false"))]  # fmt: skip
    told = {"GIT_CONFIG_COUNT": str(len(off))}
    for at, (name, value) in enumerate(off):
        told |= {f"GIT_CONFIG_KEY_{at}": name, f"GIT_CONFIG_VALUE_{at}": value}
    return told
