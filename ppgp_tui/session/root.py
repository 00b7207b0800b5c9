"""Which folder a session belongs to.

In this order: the one asked for, `$PPGP_ROOT`, the nearest folder upwards that holds `.ppgp` but
not above the Git top level, the Git top level, the folder itself. Each Git worktree is its own
root. No program is started to find out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


class RootError(Exception):
    """The folder that was named as root is none; the message says which and who named it."""


def find_root(start: Path, explicit: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the root, absolute and with links resolved.

    `start` is the working directory; `explicit` (of `--root` or an argument) is taken relative to
    it. Raises `RootError` when `explicit` or `$PPGP_ROOT` does not name a folder.
    """
    if explicit is not None:
        return _folder(start, explicit, "")
    if named := environ.get("PPGP_ROOT"):
        return _folder(start, Path(named), " (from $PPGP_ROOT)")
    here = start.resolve()
    top = git_top(here)
    for folder in (here, *here.parents):
        if (folder / ".ppgp").is_dir():
            return folder
        if folder == top:
            break
    return top or here


def git_top(start: Path) -> Path | None:
    """The nearest folder, from `start` upwards, that is the top of a Git work tree."""
    for folder in (start, *start.parents):
        if git_folder(folder) is not None:
            return folder
    return None


def git_folder(top: Path) -> Path | None:
    """The Git folder of the work tree at `top`: `.git` itself, or where a `.git` file points.

    None when `top` is not the top of a work tree. (Worktrees and submodules have a `.git` file.)
    """
    entry = top / ".git"
    try:
        if entry.is_dir():
            return entry if (entry / "HEAD").exists() or (entry / "HEAD").is_symlink() else None
        said = entry.read_bytes()[:4096]
    except OSError:
        return None
    if not said.startswith(b"gitdir:"):
        return None
    return top / said[7:].decode("utf-8", "surrogateescape").strip()


def git_common_folder(git: Path) -> Path:
    """Where refs and packed refs live: `git` itself, or what its `commondir` file names."""
    try:
        said = (git / "commondir").read_text("utf-8", "surrogateescape").strip()
    except OSError:
        return git
    return git / said


def _folder(start: Path, named: Path, by: str) -> Path:
    folder = start / named.expanduser()
    if folder.is_dir():
        return folder.resolve()
    missing = "is not a folder" if folder.exists() else "does not exist"
    raise RootError(f"{folder}{by} {missing}; name the folder of a repository")
