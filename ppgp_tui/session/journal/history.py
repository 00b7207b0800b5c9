"""What Git knows of the log's lines. Asked only while no lock is held."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import Final

LIMIT_S: Final = 30.0


class GitUnknownError(Exception):
    """Git could not be asked; the message says why."""


def head(root: Path) -> str | None:
    """The commit HEAD names; None without a repository or a commit. Raises `GitUnknownError`."""
    try:
        return _ask(root, "rev-parse", "--verify", "--quiet", "HEAD").decode().strip()
    except subprocess.CalledProcessError as error:
        if error.returncode == 1 or b"not a git repository" in error.stderr:
            return None
        raise GitUnknownError(_last_line(error.stderr)) from None


def committed_size(root: Path, path: PurePosixPath) -> int | None:
    """Bytes of the log in HEAD's commit; None when it is not in there. Raises `GitUnknownError`."""
    if head(root) is None:
        return None
    try:
        return int(_ask(root, "cat-file", "-s", f"HEAD:./{path}"))
    except subprocess.CalledProcessError:
        return None


def committed(root: Path, path: PurePosixPath, lines: Collection[bytes]) -> set[bytes]:
    """Return those of `lines` (no newlines) that a commit reachable from HEAD has in the log.

    HEAD's own version is looked at first, then every change of the file, newest first. Raises
    `GitUnknownError`.
    """
    if head(root) is None:
        return set()
    wanted = set(lines)
    try:
        now = _ask(root, "cat-file", "blob", f"HEAD:./{path}")
    except subprocess.CalledProcessError:
        now = b""
    found = wanted.intersection(now.split(b"\n"))
    if wanted > found:
        found |= _added(root, path, wanted - found)
    return found


def _added(root: Path, path: PurePosixPath, wanted: set[bytes]) -> set[bytes]:
    """Those of `wanted` that some commit added to the file."""
    command = _command(
        root, "log", "-p", "-m", "--format=", "--unified=0", "--full-history", "--no-renames",
        "--text", "--no-ext-diff", "--no-textconv", "--no-color", "HEAD", "--", str(path),
    )  # fmt: skip
    found: set[bytes] = set()
    git = subprocess.Popen(
        command, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    too_long = threading.Timer(LIMIT_S, git.kill)
    too_long.start()
    try:
        assert git.stdout is not None
        with git.stdout:
            for line in git.stdout:
                if line.startswith(b"+") and (added := line[1:].rstrip(b"\n")) in wanted:
                    found.add(added)
                    if found == wanted:
                        git.kill()
                        return found
    finally:
        too_long.cancel()
        git.wait()
    if git.returncode:
        raise GitUnknownError(f"git log ended with {git.returncode}")
    return found


def _ask(root: Path, *arguments: str) -> bytes:
    try:
        return subprocess.run(
            _command(root, *arguments),
            env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
            check=True, timeout=LIMIT_S,
        ).stdout  # fmt: skip
    except subprocess.TimeoutExpired:
        raise GitUnknownError(f"git did not answer within {LIMIT_S:.0f} s") from None
    except OSError as error:
        raise GitUnknownError(f"git cannot be started: {error.strerror}") from None


def _command(root: Path, *arguments: str) -> list[str]:
    """A Git call that runs no program a hostile repository names in its settings."""
    safe = ("-c", "core.fsmonitor=false", "-c", "log.showSignature=false")
    return ["git", "-C", str(root), "--no-pager", "--literal-pathspecs", *safe, *arguments]


def _environment() -> dict[str, str]:
    """Ours without Git's own variables: inside a Git hook they name another index or work tree."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "git failed and said nothing"
