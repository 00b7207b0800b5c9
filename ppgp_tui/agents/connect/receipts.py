"""What was put into which settings file, kept so that it can be taken out to the byte.

`$XDG_DATA_HOME/ppgp-tui/connected.json`. Nothing of the files themselves is kept but our own
pieces: settings may hold secrets. Without a receipt our entries are still found by what they run.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from ppgp_tui.agents.connect.merge import Piece
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.files.safe import Folder

FILE: Final = "connected.json"
_MOST: Final = 4 * 1024 * 1024

Json = dict[str, Any]


class Receipt(NamedTuple):
    """One settings file with our entries in it."""

    agent: str
    scope: str
    root: str
    """The repository it was connected for; empty for all."""
    created: bool
    """There was no such file before."""
    folders: tuple[str, ...]
    """Folders that were made for it, outermost first."""
    before: str
    """SHA-256 of the file without our entries."""
    after: str
    """SHA-256 of the file as we left it."""
    pieces: tuple[Piece, ...]
    made: tuple[str, ...]


def load() -> dict[str, Receipt]:
    """All receipts by the real path of the settings file; what is damaged counts as lost."""
    try:
        with Folder.open(data_folder()) as folder:
            return _read(folder)
    except OSError:
        return {}


@contextmanager
def changing() -> Iterator[dict[str, Receipt]]:
    """The receipts, to be changed; written at the end. One at a time. Raises OSError."""
    folder_path = data_folder()
    folder_path.mkdir(0o700, parents=True, exist_ok=True)
    with Folder.open(folder_path) as folder:
        fcntl.flock(folder.descriptor, fcntl.LOCK_EX)
        receipts = _read(folder)
        before = dict(receipts)
        yield receipts
        if receipts != before:
            folder.publish(FILE, _written(receipts))


def _read(folder: Folder) -> dict[str, Receipt]:
    try:
        data = folder.read(FILE)
        said = json.loads(data) if len(data) <= _MOST else {}
        files = said.get("files") if isinstance(said, dict) else None
        if not isinstance(files, dict):
            return {}
        return {path: _receipt(one) for path, one in files.items()}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _receipt(said: Mapping[str, Any]) -> Receipt:
    pieces = tuple(Piece(int(at), str(text)) for at, text in said["pieces"])
    return Receipt(
        agent=str(said["agent"]),
        scope=str(said["scope"]),
        root=str(said["root"]),
        created=said["created"] is True,
        folders=tuple(map(str, said["folders"])),
        before=str(said["before"]),
        after=str(said["after"]),
        pieces=pieces,
        made=tuple(map(str, said["made"])),
    )


def _written(receipts: Mapping[str, Receipt]) -> bytes:
    files = {path: one._asdict() for path, one in receipts.items()}
    text = json.dumps({"schema": 1, "files": files}, indent=2, sort_keys=True)
    return text.encode() + b"\n"
