"""Whether an event is a line of the log: looked up there each time, never believed.

A cause may be far back (the goal of a long log). Where it was found is noted beside the log, so
that the next look-up reads one line instead of the whole file; a wrong note only costs time.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal.events import MalformedEventError, event_of
from ppgp_tui.session.journal.log import CHUNK, Log

NAME: Final = "causes.json"
_KEPT: Final = 64


class Causes:
    """Look-ups of events in one log during one turn."""

    def __init__(self, log: Log, state: Folder | None) -> None:
        self._log = log
        self._state = state
        self._noted: dict[str, int] | None = None
        self._new = False

    def holds(self, event_id: str) -> bool:
        """Whether a whole line of the log is the event with that id."""
        if self._noted is None:
            self._noted = self._read()
        noted = self._noted.get(event_id)
        if noted is not None and _id(self._log.line_at(noted)) == event_id:
            return True
        found = self._log.find(event_id)
        if found is not None and self._log.size - found > CHUNK:
            self._noted.pop(event_id, None)
            self._noted[event_id] = found
            self._new = True
        return found is not None

    def keep(self) -> None:
        """Note for later turns what was found far back. Not being able to is no error."""
        if self._new and self._state is not None and self._noted is not None:
            newest = dict(list(self._noted.items())[-_KEPT:])
            with suppress(OSError):
                self._state.publish(NAME, json.dumps(newest).encode() + b"\n")
            self._new = False

    def _read(self) -> dict[str, int]:
        try:
            noted = json.loads(self._state.read(NAME)) if self._state is not None else {}
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(noted, dict):
            return {}
        return {key: at for key, at in noted.items() if isinstance(at, int) and at >= 0}


def _id(line: bytes | None) -> str | None:
    try:
        return str(event_of(line)["id"]) if line is not None else None
    except MalformedEventError:
        return None
