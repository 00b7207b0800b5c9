"""The roots this user opened or acted in: each has a folder in the user's state folder."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.own import read_at_once

ROOT_FILE: Final = "root"
"""In the user's folder of a root: the root's real path. Its name alone is a hash of that."""
_TRACES: Final = (".ppgp", "docs/ACTIVE_GOAL.md", "ACTIVE_GOAL.md", "state/events.jsonl")
_LONGEST: Final = 8192


def known_roots(state: Path) -> tuple[str, ...]:
    """The roots that were opened or acted in before, by the user's state folder.

    An entry counts only if its path has the hash by which the folder is called.
    """
    return tuple(_known(state / "roots"))


def _known(roots: Path) -> Iterator[str]:
    try:
        names = sorted(os.listdir(roots))
    except OSError:
        return
    for name in names:
        try:
            said = read_at_once(roots / name / ROOT_FILE, _LONGEST)
        except OSError:
            continue
        path = os.fsdecode(said.removesuffix(b"\n"))
        if os.path.isabs(path) and "\0" not in path and path_key(path) == name:
            yield path


def note_root(root: Path, folder: Path) -> None:
    """Write the path of `root` into its `folder` among the user's files; failing is no error.

    For whoever writes there anyway: so the list of all sessions can name the root.
    """
    file = folder / ROOT_FILE
    data = os.fsencode(os.path.realpath(root)) + b"\n"
    try:
        if file.is_file() and file.read_bytes() == data:
            return
        folder.mkdir(0o700, parents=True, exist_ok=True)
        fresh = folder / f"{ROOT_FILE}.{os.getpid()}"
        with open(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb"
        ) as opened:
            opened.write(data)
        fresh.replace(file)
    except OSError:
        return


def has_session(root: str) -> bool:
    """Whether any trace of a session stands at `root`."""
    return any(os.path.lexists(f"{root}/{trace}") for trace in _TRACES)


def note_opened(root: Path, folder: Path) -> None:
    """As `note_root`, where there is a session to come back to."""
    if has_session(str(root)):
        note_root(root, folder)


def path_key(real: str) -> str:
    """The key of a root whose path has no links left; no file is touched."""
    return hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
