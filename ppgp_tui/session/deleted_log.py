"""Where Git still has a log that is not on the disk any more."""

from __future__ import annotations

import shlex
from pathlib import Path

from ppgp_tui.session import git


def kept_in(root: Path, path: str) -> str | None:
    """The newest revision reachable from HEAD that has the file `path` (relative to `root`).

    `HEAD` when it is only gone from the disk, `abc1234~1` when a commit deleted it, None when Git
    has no such file. Raises `git.GitUnknownError`.
    """
    if _has(root, "HEAD", path):
        return "HEAD"
    said = git.ask(
        root, "log", "--max-count=1", "--format=%h", "--diff-filter=D", "HEAD", "--", path
    )
    before = f"{said.text}~1"
    return before if said.code == 0 and said.text and _has(root, before, path) else None


def restoring(revision: str, path: str) -> str:
    """The command that brings the file back with its committed bytes."""
    return f"git restore --source={revision} {shlex.quote(path)}"


def _has(root: Path, revision: str, path: str) -> bool:
    return git.ask(root, "cat-file", "-e", f"{revision}:./{path}").code == 0
