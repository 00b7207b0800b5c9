"""A person's notes to agents and what became of them, as `.ppgp/run/notes/` tells. Reading only.

`N.json` waits; whoever delivers it calls it `N.KEY.json`, and the file system says when.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.reading import CannotReadError, open_inside
from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.model import NoteSeen
from ppgp_tui.session.sources.document import DamagedError
from ppgp_tui.session.sources.jsonfile import json_object

NOTES: Final = ".ppgp/run/notes"
EVERYBODY: Final = "*"

_KEPT = 40
"""Of all notes, the newest."""
_LARGEST = 64 * 1024
_NAME = re.compile(r"([0-9]{1,16})(?:\.([A-Za-z0-9_-][A-Za-z0-9._-]*))?\.json", re.ASCII)


def notes_seen(root: Path) -> Mapping[str, tuple[NoteSeen, ...]]:
    """The newest notes by the session they were for or went to, newest first.

    Those that whoever comes first takes stand under `*`. What is no note is left out.
    """
    try:
        with os.scandir(root / NOTES) as entries:
            hits = [hit for entry in entries if (hit := _NAME.fullmatch(entry.name))]
    except OSError:
        return {}
    hits.sort(key=lambda hit: int(hit[1]), reverse=True)
    found: dict[str, tuple[NoteSeen, ...]] = {}
    for hit in hits[:_KEPT]:
        note, to = _note(root, hit[0], int(hit[1]), hit[2])
        for session in () if note is None else to:
            found[session] = (*found.get(session, ()), note)  # type: ignore[arg-type]  # it is one
    return found


def _note(
    root: Path, name: str, number: int, taker: str | None
) -> tuple[NoteSeen | None, tuple[str, ...]]:
    try:
        descriptor = open_inside(root, f"{NOTES}/{name}")
        if descriptor is None:
            return None, ()
        with os.fdopen(descriptor, "rb") as file:
            changed_ms = os.fstat(descriptor).st_ctime_ns // 1_000_000
            said = json_object(file.read(_LARGEST), name)
    except (CannotReadError, DamagedError, OSError):
        return None, ()
    to = tuple(texts(said.get("to")))
    note = NoteSeen(
        number=number,
        text=text(said.get("text")),
        by=text(said.get("by")),
        at_ms=whole(said.get("at_ms")),
        delivered_ms=changed_ms if taker else None,
        everybody=EVERYBODY in to,
    )
    return note, (taker,) if taker else to
