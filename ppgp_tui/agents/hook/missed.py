"""What a hook could not even say in the session's file, because the disk is full or it may not.

It is kept in the user's own folder, `missed/SESSION.json` of the root, until that file can be
written again; then it is said there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.files.safe import Folder

FOLDER: Final = "missed"
KEPT: Final = 5
_MOST = 64 * 1024


def kept(state: Path, session: str) -> list[str]:
    """The problems of a session that nobody was told; `state` is the root's folder there."""
    try:
        with Folder.open(state, FOLDER) as folder:
            data = folder.read(f"{session}.json")
        said = json.loads(data) if len(data) <= _MOST else None
    except (OSError, ValueError, RecursionError):
        return []
    return [one for one in said if isinstance(one, str)][-KEPT:] if isinstance(said, list) else []


def keep(state: Path, session: str, problems: Iterable[str]) -> None:
    """Keep them beside those that are kept; nothing happens where that is not possible either."""
    all_of_them = list(dict.fromkeys([*kept(state, session), *problems]))[-KEPT:]
    with suppress(OSError, ValueError):
        state.mkdir(0o700, parents=True, exist_ok=True)
        with Folder.open(state, FOLDER, create=True) as folder:
            folder.publish(f"{session}.json", canonical(all_of_them) + b"\n")


def forget(state: Path, session: str) -> None:
    """They have been told."""
    with suppress(OSError), Folder.open(state, FOLDER) as folder:
        folder.remove(f"{session}.json")
