"""Which roots there are: those named, the worktrees of a repository, those opened before.

A place is only named here; whether it is there is found out by whoever looks at it, because a look
at a network folder may take for ever. Everything may block, so it is asked for in threads.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.session.files.root import git_top_at, root_at
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.sessions.known import has_session, known_roots
from ppgp_tui.session.sessions.row import By

_GIT_S: Final = 5.0
_MOST: Final = 500
"""Folders that one pattern may name."""


class Found(NamedTuple):
    """A place where there may be a session."""

    path: str
    by: By


class Worktree(NamedTuple):
    """A work tree as Git lists it."""

    path: str
    is_gone: bool
    """Git knows that its folder is not there any more."""


def worktrees(root: str) -> tuple[Found, ...]:
    """The other worktrees of the repository that `root` is in; empty without Git.

    Where `root` is a folder below the top of its work tree, the same folder of each other one.
    """
    top = git_top_at(root)
    if top is None:
        return ()
    try:
        said = ask(Path(top), "worktree", "list", "--porcelain", limit_s=_GIT_S)
    except GitUnknownError:
        return ()
    below = os.path.relpath(root, top)
    listed = listed_worktrees(said.out) if said.code == 0 else ()
    others = (os.path.realpath(tree.path) for tree in listed if not tree.is_gone)
    return tuple(Found(_below(tree, below), "worktree") for tree in others if tree != top)


def _below(tree: str, below: str) -> str:
    inner = os.path.join(tree, below)
    return os.path.normpath(inner) if below != "." and os.path.isdir(inner) else tree


def listed_worktrees(out: bytes) -> tuple[Worktree, ...]:
    """What `git worktree list --porcelain` printed, without a bare repository."""
    found = []
    for block in out.decode("utf-8", "surrogateescape").split("\n\n"):
        lines = block.strip("\n").split("\n")
        path = lines[0].removeprefix("worktree ")
        words = {line.partition(" ")[0] for line in lines[1:]}
        if lines[0].startswith("worktree ") and "bare" not in words:
            found.append(Worktree(path, "prunable" in words))
    return tuple(found)


def matching(pattern: str) -> tuple[Found, ...]:
    """The folders that a pattern of `sessions.paths` names, such as `~/src/*`."""
    paths = glob.iglob(os.path.expanduser(pattern))
    folders = (path for path in paths if os.path.isdir(path))
    return tuple(Found(path, "setting") for path, _ in zip(folders, range(_MOST), strict=False))


def named_places(paths: Sequence[str], cwd: str, environ: Mapping[str, str]) -> tuple[Found, ...]:
    """The places of the command line, and the one where it was typed.

    Beside named ones the latter only if there is a session. Raises `RootError` for a `$PPGP_ROOT`
    that names no folder.
    """
    named = tuple(Found(os.path.join(cwd, os.path.expanduser(path)), "named") for path in paths)
    here = root_at(cwd, None, environ)
    return (*named, Found(here, "here")) if not paths or has_session(here) else named


def seeks(
    named: Callable[[], tuple[Found, ...]], patterns: Sequence[str], state: Path
) -> tuple[Callable[[], tuple[Found, ...]], ...]:
    """All ways to find places, for a `Lookout`.

    Those `named`, those of the `patterns` of `sessions.paths`, and by the user's `state` folder
    those that were opened before.
    """

    def known() -> tuple[Found, ...]:
        return tuple(Found(path, "known") for path in known_roots(state))

    return (named, *(partial(matching, pattern) for pattern in patterns), known)
