"""Whether a loop's condition holds now, as far as it can be looked at beside its runner. An edge.

Only files are looked at. A pattern, which can take for ever, and what is large are looked for in a
process of its own, and not for long.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist import condition as conditions
from ppgp_tui.persist.disk.asking import GivenUpError, held_apart
from ppgp_tui.session.files.reading import Stamp, stamp
from ppgp_tui.session.picture.loop_verdict import GOAL_VERIFIED

LARGEST: Final = 1024 * 1024
"""Bytes of a condition's file that are looked at here."""
OUTSIDE: Final = GOAL_VERIFIED

_UNKNOWN: Final = {
    conditions.EXIT_CODE_0: "known only after a run",
    OUTSIDE: "the audit's verdict, asked for after each run",  # the picture knows it
}


class Held(NamedTuple):
    """Whether a condition holds; None where nobody can tell."""

    holds: bool | None = None
    why: str = ""
    """Where it holds, or why that is not known."""


class ConditionLook:
    """Looks at the conditions of a user's loops; a file is read again only when it changed."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str | None], tuple[Stamp | None, Held]] = {}

    def look(self, text: str, cwd: str | None) -> Held:
        """Whether the condition `text` of a loop that was started in `cwd` holds."""
        if not text:
            return Held()
        try:
            condition = conditions.parse(text, {OUTSIDE: lambda _: None})
        except conditions.ConditionError as error:
            return Held(False, f"can never hold: {error}")
        if condition.form in _UNKNOWN:
            return Held(None, _UNKNOWN[condition.form])
        if cwd is None and not condition.path.startswith("/"):
            return Held(None, "relative to a folder that was not recorded")
        path, key = Path(cwd or "/") / condition.path, (text, cwd)
        now = stamp(path)
        known = self._seen.get(key)
        if known is None or known[0] != now:
            known = self._seen[key] = now, _held(condition, path, text, cwd or "/")
        return known[1]


def _held(condition: conditions.Condition, path: Path, text: str, cwd: str) -> Held:
    world = _Bounded(path)
    apart = condition.form == "regex"
    why = None if apart else conditions.holds(condition, None, world)
    if apart or world.large:
        try:
            why = held_apart(text, cwd)
        except GivenUpError as error:
            return Held(None, str(error))
    if world.missing or (why is None and stamp(path) is None and apart):
        return Held(False, f"there is no file {condition.path}")
    return Held(why is not None, why or "")


class _Bounded:
    """The one file that a condition names (`persist.condition.World`)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.large = False
        self.missing = False

    def exists(self, _: str) -> bool:
        return stamp(self._path) is not None

    def text(self, _: str) -> str | None:
        try:
            with open(self._path, "rb", opener=_not_waiting) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    return None
                if found.st_size > LARGEST:
                    self.large = True
                    return None
                return file.read(LARGEST).decode("utf-8", "replace")
        except FileNotFoundError:
            self.missing = True
            return None
        except (OSError, ValueError):
            return None


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
