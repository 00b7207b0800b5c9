"""Which folder a session belongs to.

In this order: the one asked for, `$PPGP_ROOT`, the nearest folder upwards that holds `.ppgp` but
not above the Git top level, the Git top level, the folder itself. Each Git worktree is its own
root. No program is started to find out.

The rules work on text, because the status line has no time to import pathlib; everybody else uses
the functions with paths at the end.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class RootError(Exception):
    """What was named as root cannot be one; the message says which path, and why."""


def root_at(start: str, explicit: str | None, environ: Mapping[str, str]) -> str:
    """Return the root, absolute and with links resolved.

    `start` is the working directory; `explicit` (of `--root` or an argument) is taken relative to
    it. Raises `RootError` when `explicit` or `$PPGP_ROOT` does not name a folder.
    """
    if explicit is not None:
        return _folder(start, explicit, "")
    if named := environ.get("PPGP_ROOT"):
        return _folder(start, named, "$PPGP_ROOT must ")
    here = os.path.realpath(start)
    top = git_top_at(here)
    for folder in _upwards(here):
        if os.path.isdir(os.path.join(folder, ".ppgp")):
            return folder
        if folder == top:
            break
    return top or here


def git_top_at(start: str) -> str | None:
    """The nearest folder, from `start` upwards, that is the top of a Git work tree."""
    return next((folder for folder in _upwards(start) if git_folder_at(folder) is not None), None)


def git_folder_at(top: str) -> str | None:
    """The Git folder of the work tree at `top`: `.git` itself, or where a `.git` file points.

    None when `top` is not the top of a work tree. (Worktrees and submodules have a `.git` file.)
    """
    entry = os.path.join(top, ".git")
    if os.path.isdir(entry):
        # Git makes the folder of its objects last: without it, it was killed at its work.
        made = all(os.path.lexists(os.path.join(entry, name)) for name in ("HEAD", "objects"))
        return entry if made else None
    said = _first_line(entry)
    return os.path.join(top, said[7:].strip()) if said.startswith("gitdir:") else None


def git_common_at(git: str) -> str:
    """Where refs and packed refs live: `git` itself, or what its `commondir` file names."""
    said = _first_line(os.path.join(git, "commondir"))
    return os.path.join(git, said) if said else git


def stat_of(path: str, wanted: str) -> os.stat_result:
    """The stat of what a person named; `RootError` says what is `wanted` where nothing is there.

    Other reasons why it cannot be looked at, such as a forbidden folder above it, are said as such.
    """
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise RootError(f"{path} does not exist: {wanted}") from error
    except OSError as error:
        raise _unreadable(path, error) from error


def must_list(folder: str) -> None:
    """Raise `RootError` for a folder nobody may look into."""
    try:
        os.scandir(folder).close()
    except OSError as error:
        raise _unreadable(folder, error) from error


def _unreadable(path: str, error: OSError) -> RootError:
    return RootError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}")


def find_root(start: Path, explicit: Path | None, environ: Mapping[str, str]) -> Path:
    """As `root_at`."""
    named = None if explicit is None else str(explicit)
    return type(start)(root_at(str(start), named, environ))


def git_top(start: Path) -> Path | None:
    """As `git_top_at`."""
    top = git_top_at(str(start))
    return None if top is None else type(start)(top)


def git_folder(top: Path) -> Path | None:
    """As `git_folder_at`."""
    git = git_folder_at(str(top))
    return None if git is None else type(top)(git)


def git_common_folder(git: Path) -> Path:
    """As `git_common_at`."""
    return type(git)(git_common_at(str(git)))


def _upwards(folder: str) -> Iterator[str]:
    """`folder` and the folders above it."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _first_line(file: str) -> str:
    """The first line of a small file; empty when there is none that can be read."""
    if not os.path.isfile(file):
        return ""
    try:
        with open(file, "rb") as opened:
            return opened.read(4096).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""


def _folder(start: str, named: str, who: str) -> str:
    folder = os.path.join(start, os.path.expanduser(named))
    wanted = f"{who}name the folder of a repository"
    if not stat.S_ISDIR(stat_of(folder, wanted).st_mode):
        raise RootError(f"{folder} is not a folder: {wanted}")
    return os.path.realpath(folder)
