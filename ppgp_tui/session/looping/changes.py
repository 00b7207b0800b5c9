"""What one run of a loop changed, as Git tells it.

A run is compared with the commit that it began from. What earlier runs left uncommitted is among
the changed files as well: Git keeps no picture of a work tree, and none is made here. What the
session itself writes is left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from ppgp_tui.session import git

LIMIT_S: Final = 10.0
"""For all questions after one run; a loop does not wait longer for its own bookkeeping."""

OURS: Final = (b".ppgp/", b".agent/", b"state/")
_EMPTY: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's name of a tree without files, which every SHA-1 repository knows."""
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_SHORT: Final = 12
_COUNT = re.compile(rb"(\d+|-)\t(\d+|-)\t(.+)", re.DOTALL)


class Head(NamedTuple):
    """Where HEAD stood."""

    known: bool = False
    commit: str | None = None
    """None while there is no commit."""


def head_of(root: Path, *, limit_s: float = LIMIT_S) -> Head:
    """Where HEAD stands in the work tree at `root`; not known where Git cannot tell."""
    try:
        said = git.ask(root, "rev-parse", "--verify", "--quiet", "HEAD", limit_s=limit_s)
    except git.GitUnknownError:
        return Head()
    if said.code == 1 and not said.text:
        return Head(known=True)
    return Head(True, said.text) if _COMMIT.fullmatch(said.text) else Head()


def changes_since(root: Path, before: Head, *, limit_s: float = LIMIT_S) -> dict[str, Any]:
    """What is different in the work tree at `root` (its top) from the commit `before`.

    `before`, `after`: short ids, null without a commit · `commits` made · `files` changed against
    `before`, `insertions`, `deletions` in lines · `untracked` files now. What Git did not tell in
    time is missing; empty where it told nothing.
    """
    until = monotonic() + limit_s

    def ask(*arguments: str) -> bytes | None:
        left = until - monotonic()
        if left <= 0:
            return None
        try:
            said = git.ask(root, *arguments, limit_s=left)
        except git.GitUnknownError:
            return None
        return said.out if said.code == 0 else None

    after = head_of(root, limit_s=limit_s) if before.known else Head()
    if not after.known:
        return {}
    told: dict[str, Any] = {"before": _short(before), "after": _short(after)}
    if after == before:
        told["commits"] = 0
    elif after.commit is not None:
        since = (f"^{before.commit}",) if before.commit else ()
        if (said := ask("rev-list", "--count", after.commit, *since)) and said.strip().isdigit():
            told["commits"] = int(said)
    differs = ask(
        "diff", "--numstat", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
        "--ignore-submodules=dirty", before.commit or _EMPTY, "--",
    )  # fmt: skip
    if differs is not None:
        told |= _counted(differs)
    new = ask("ls-files", "--others", "--exclude-standard", "-z")
    if new is not None:
        told["untracked"] = sum(1 for path in new.split(b"\0") if path and _is_theirs(path))
    return told


def _counted(numstat: bytes) -> dict[str, int]:
    files = insertions = deletions = 0
    for entry in numstat.split(b"\0"):
        found = _COUNT.fullmatch(entry)
        if found is None or not _is_theirs(found[3]):
            continue
        files += 1
        if found[1] != b"-":  # a binary file has no lines
            insertions += int(found[1])
            deletions += int(found[2])
    return {"files": files, "insertions": insertions, "deletions": deletions}


def _is_theirs(path: bytes) -> bool:
    return not path.startswith(OURS)


def _short(head: Head) -> str | None:
    return head.commit[:_SHORT] if head.commit else None
