"""What was lost while a person looks on, and is put back: only ever what somebody took away."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Mending

_REQUESTS, _ANSWERS = "requests", "answers"


class Care:
    """Compares what must be there with what is, and remembers what was."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def due(self, snapshot: SessionSnapshot) -> Iterator[Mending]:
        """What must be put right, by the picture and by the names of files."""
        if snapshot.control.value.lost:
            yield deeds.MendHold()
        if snapshot.events.value.outbox:
            yield deeds.Flush()
        if self._lost_files(snapshot):
            yield deeds.MendFiles()

    def _lost_files(self, snapshot: SessionSnapshot) -> bool:
        """Whether a file of an open request was there and is gone.

        One that never was here is no loss: `.ppgp/run` does not come along with a clone.
        """
        wanted = {file for request in snapshot.inbox.value for file in _files(request)}
        if not wanted:
            return False
        run = snapshot.root / ".ppgp" / "run"
        there = {(name, file) for name in (_REQUESTS, _ANSWERS) for file in _names(run / name)}
        self._seen = (self._seen | there) & wanted
        return not self._seen <= there


def _files(request: Request) -> Iterator[tuple[str, str]]:
    """Folder and name of the files that whoever waits for an answer looks at."""
    if request.is_open or request.state == "answered":
        yield _REQUESTS, f"{request.id}.json"
    if request.state == "answered" and request.answer is not None:
        yield _ANSWERS, f"{request.id}.{request.answer.attempt}.json"


def _names(folder: Path) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208 - names are compared, nothing is opened
    return []
