"""What a work tree holds, as far as a sandbox must know. An edge: walks it once, reads no file.

Folders that an installer filled, and Git's own, are large and written by that program alone: a copy
of the tree goes without them and shows them as they are.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

INSTALLED: Final = frozenset({".git", ".nox", ".tox", ".venv", "node_modules", "venv"})
_CACHE: Final = "CACHEDIR.TAG"
"""A folder with this file can be made anew from the rest, says who made it."""
_MOST: Final = 2_000_000
"""Entries that are looked at: one on a huge tree must end as well."""
_SHOWN_MOST: Final = 200
"""Folders that are shown as they are; a bubblewrap takes no endless list."""


class Tree(NamedTuple):
    """A work tree, absolute and without links in its path."""

    root: str
    files: int = 0
    """In a copy."""
    size: int = 0
    """Bytes on the disk of a copy."""
    whole: int = 0
    """Bytes with everything."""
    as_it_is: tuple[str, ...] = ()
    """Folders that a copy goes without: those that an installer or Git filled."""
    caches: tuple[str, ...] = ()
    """Folders that a copy goes without: build directories and the like."""
    doors: tuple[str, ...] = ()
    """Sockets and pipes."""
    git: tuple[str, ...] = ()
    """Folders outside that hold its repository, when it is a linked work tree or a submodule."""


def look_at(root: Path, *, stop: Callable[[], bool] = lambda: False) -> Tree:
    """Walk the work tree at `root`; what cannot be read is as if it were not there.

    `stop` is asked at each folder; what was seen until then is returned.
    """
    top = os.path.realpath(root)
    git = _repository(top)
    files = size = whole = seen = 0
    shown: list[str] = []
    caches: list[str] = []
    doors: list[str] = []
    waiting = [(top, True), *((folder, False) for folder in git)]
    while waiting and seen < _MOST and not stop():
        folder, copied = waiting.pop()
        try:
            entries = [*os.scandir(folder)]
        except OSError:
            continue
        if folder != top and copied and any(entry.name == _CACHE for entry in entries):
            caches.append(folder)
            copied = False
        for entry in entries:
            seen += 1
            try:
                facts = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(facts.st_mode):
                own = copied and entry.name in INSTALLED and len(shown) < _SHOWN_MOST
                if own:
                    shown.append(entry.path)
                waiting.append((entry.path, copied and not own))
            elif stat.S_ISSOCK(facts.st_mode) or stat.S_ISFIFO(facts.st_mode):
                doors.append(entry.path)
            whole += facts.st_blocks * 512
            if copied:
                files += 1
                size += facts.st_blocks * 512
    return Tree(top, files, size, whole, tuple(shown), tuple(caches), tuple(doors), git)


def _repository(root: str) -> tuple[str, ...]:
    """Where Git keeps what belongs to `root`, if that is outside of it and it truly belongs there.

    The file `.git` alone proves nothing: it could name any folder of the person's.
    """
    try:
        said = Path(root, ".git").read_text(errors="surrogateescape").strip()
    except (OSError, ValueError):
        return ()
    if not said.startswith("gitdir: ") or "\n" in said:
        return ()
    own = os.path.realpath(os.path.join(root, said.removeprefix("gitdir: ")))  # noqa: PTH118
    common = os.path.realpath(os.path.join(own, _line(own, "commondir") or "."))  # noqa: PTH118
    if os.path.basename(common) != ".git" and not _line(common, "HEAD"):  # noqa: PTH119
        return ()
    linked = os.path.realpath(_line(own, "gitdir") or "/") == f"{root}/.git"
    if linked and own.startswith(f"{common}/worktrees/"):
        return (common,)
    above, mark, _ = own.partition("/.git/modules/")
    return (own,) if mark and root.startswith(f"{above}/") and _line(own, "HEAD") else ()


def _line(folder: str, name: str) -> str:
    try:
        return Path(folder, name).read_text(errors="surrogateescape").strip()
    except (OSError, ValueError):
        return ""
