"""Notes of a person or an audit to an agent, `.ppgp/run/notes/N.json`, until a hook delivers them.

Whoever delivers a note claims it first by giving it its own name, `N.KEY.json`: so it is delivered
once, and what was said stays to be seen.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any, Final, NamedTuple

from ppgp_tui.session.authority.damage import DamagedError, parse_object, read_bounded
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.files.safe import Folder

FOLDER: Final = "notes"
EVERYBODY: Final = "*"
TEXT_MOST: Final = 4000

_MOST = 64 * 1024
_WAITING = re.compile(r"([0-9]{1,16})\.json", re.ASCII)
_ANY = re.compile(r"([0-9]{1,16})\.[A-Za-z0-9._-]*json", re.ASCII)


class Note(NamedTuple):
    """One note, not delivered yet."""

    number: int
    to: tuple[str, ...]
    """Session keys; `*` stands for whichever agent comes first."""
    text: str
    by: str

    def concerns(self, session: str) -> bool:
        """Whether that session may take it."""
        return EVERYBODY in self.to or session in self.to


def send(run: Folder, text: str, to: tuple[str, ...], *, by: str, at_ms: int) -> int:
    """Put a note where hooks find it; return its number. `run` is the open `.ppgp/run`.

    Hooks look only when `control.json` says so: give the order anew afterwards. Raises OSError.
    """
    said = {"schema": 1, "to": list(to), "text": text, "by": by, "at_ms": at_ms}
    with run.child(FOLDER, create=True) as folder:
        number = max((int(hit[1]) for hit in map(_ANY.fullmatch, folder.names()) if hit), default=0)
        while True:
            number += 1
            with suppress(FileExistsError):
                folder.publish(f"{number}.json", canonical(said) + b"\n", exclusive=True)
                return number


def waiting(run: Folder) -> list[Note]:
    """The notes nobody has claimed, oldest first; what is no note is left out."""
    try:
        with run.child(FOLDER) as folder:
            hits = [hit for hit in map(_WAITING.fullmatch, folder.names()) if hit]
            found = [_read(folder, int(hit[1]), hit[0]) for hit in hits]
    except OSError:
        return []
    return sorted(note for note in found if note is not None)


def claim(run: Folder, session: str) -> list[Note]:
    """Take the waiting notes for `session`, so that nobody else delivers them. Raises OSError."""
    mine = [note for note in waiting(run) if note.concerns(session)]
    taken = []
    with suppress(FileNotFoundError), run.child(FOLDER) as folder:
        here = folder.descriptor
        for note in mine:
            with suppress(FileNotFoundError):  # somebody else was first
                name, claimed = f"{note.number}.json", f"{note.number}.{session}.json"
                os.rename(name, claimed, src_dir_fd=here, dst_dir_fd=here)
                taken.append(note)
    return taken


def withdraw(run: Folder, by: str) -> None:
    """Take back the notes of `by` that nobody has claimed. Raises OSError."""
    mine = [note.number for note in waiting(run) if note.by == by]
    with suppress(FileNotFoundError), run.child(FOLDER) as folder:
        for number in mine:
            folder.remove(f"{number}.json")


def _read(folder: Folder, number: int, name: str) -> Note | None:
    try:
        said: dict[str, Any] = parse_object(read_bounded(folder, name, _MOST))
    except (OSError, DamagedError):
        return None
    to, text, by = said.get("to"), said.get("text"), said.get("by")
    if not isinstance(to, list) or not all(isinstance(one, str) for one in to):
        return None
    if not isinstance(text, str) or not text.strip() or said.get("schema") != 1:
        return None
    return Note(number, tuple(to), text, by if isinstance(by, str) else "")
