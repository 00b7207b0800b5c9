"""One commit of the repository as a value: who, when, why, which files, and what changed in them.

Git only reads, and runs no program that the repository or anybody's settings name: no pager, no
external diff, no text conversion, no signature check, no hook, no fetch of what is missing.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from threading import Timer
from typing import Final, NamedTuple

from ppgp_tui.session.git import GitUnknownError, ask, surroundings

MOST_BYTES: Final = 400_000
"""Bytes of changes that are read; what is left out is said."""
LIMIT_S: Final = 10.0
_HEX: Final = re.compile(r"[0-9a-f]{4,64}")
_NEVER: Final = (
    "--no-pager", "--literal-pathspecs",
    "-c", "core.fsmonitor=false",
    "-c", "core.quotePath=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "log.showSignature=false",
    "-c", "diff.external=",
    "-c", "protocol.allow=never",
)  # fmt: skip
_PLAIN: Final = (
    "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", "--submodule=short",
    "--no-show-signature", "--no-mailmap", "--encoding=UTF-8", "--first-parent", "-m", "-M",
)  # fmt: skip
_FORMAT: Final = "--format=%H%x00%an%x00%at%x00%P%x00%s%x00%b%x00"


class NoCommitError(Exception):
    """The commit cannot be shown; the message says why."""


class ChangedFile(NamedTuple):
    """How much one file changed."""

    path: str
    """As Git says it; of a renamed file both names."""
    added: int | None
    """Lines; None for a binary file."""
    removed: int | None


class Commit(NamedTuple):
    """A commit compared with its first parent. No text is cleaned for a terminal."""

    id: str
    """40 or 64 hexadecimal digits."""
    author: str
    at_ms: int | None
    """When its author made it."""
    subject: str
    body: str
    parents: int
    files: tuple[ChangedFile, ...]
    changes: tuple[str, ...]
    """The lines of the comparison, as `git show` prints them."""
    left_out: bool
    """Whether there are more changes than were read."""


def is_commit_name(name: str) -> bool:
    """Whether `name` can be the hash of a commit, whole or its beginning."""
    return _HEX.fullmatch(name) is not None


def read_commit(root: Path, name: str) -> Commit:
    """Return the commit whose hash is or begins with `name`; blocks for `LIMIT_S` at most, twice.

    Raises `NoCommitError` when there is none, when `name` is no hash, or when Git cannot be asked.
    """
    if not is_commit_name(name):
        raise NoCommitError(f"{name[:60]!r} is not the hash of a commit")
    commit = _found(root, name)
    said, left_out = _shown(root, commit)
    _, author, at_s, parents, subject, body, rest = _fields(said)
    files, changes = _parted(rest)
    return Commit(
        id=commit,
        author=author,
        at_ms=int(at_s) * 1000 if at_s.isdecimal() else None,
        subject=subject,
        body=body.strip(),
        parents=len(parents.split()),
        files=files,
        changes=changes,
        left_out=left_out,
    )


def _found(root: Path, name: str) -> str:
    """The whole hash of the commit; a branch of that name is no commit."""
    try:
        answer = ask(
            root, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}", limit_s=LIMIT_S
        )
    except GitUnknownError as error:
        raise NoCommitError(str(error)) from None
    if answer.code:
        raise NoCommitError(_why(name, answer.said))
    if not answer.text.startswith(name):
        raise NoCommitError(f"this repository has no commit {name[:12]}, only a ref of that name")
    return answer.text


def _fields(text: str) -> list[str]:
    fields = text.split("\0", 6)
    return fields + [""] * (7 - len(fields))


def _why(name: str, said: str) -> str:
    if "not a git repository" in said:
        return "this folder is not in a Git repository"
    if "ambiguous" in said:
        return f"several things in this repository begin with {name}"
    return f"this repository has no commit {name[:12]}"


def _shown(root: Path, commit: str) -> tuple[str, bool]:
    """What `git show` prints: seven fields parted by NUL, the last one files and lines.

    Also whether that was cut off.
    """
    arguments = ["git", "-C", str(root), *_NEVER, "show", _FORMAT, "--numstat", "--patch"]
    try:
        git = subprocess.Popen(
            [*arguments, *_PLAIN, commit, "--"],
            env=surroundings(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:
        raise NoCommitError(f"git cannot be started: {error.strerror}") from None
    late = Timer(LIMIT_S, git.kill)
    late.start()
    with git:
        assert git.stdout is not None
        said = git.stdout.read(MOST_BYTES + 1)
        if len(said) > MOST_BYTES:
            git.kill()
    late.cancel()
    left_out = len(said) > MOST_BYTES or git.returncode != 0
    whole = said[:MOST_BYTES]
    if left_out:
        whole = whole[: whole.rfind(b"\n") + 1]
    return whole.decode("utf-8", "replace"), left_out


def _parted(said: str) -> tuple[tuple[ChangedFile, ...], tuple[str, ...]]:
    """The counts of the files, and the lines of the comparison after them."""
    lines = said.lstrip("\n").split("\n")
    if not lines[-1]:
        lines.pop()
    files = []
    at = 0
    while at < len(lines) and (found := lines[at].split("\t", 2))[2:]:
        added, removed, path = found
        files.append(ChangedFile(path, _count(added), _count(removed)))
        at += 1
    while at < len(lines) and not lines[at]:
        at += 1
    return tuple(files), tuple(lines[at:])


def _count(word: str) -> int | None:
    return int(word) if word.isdecimal() else None
