"""Whether a loop's condition holds now, as far as it can be looked at beside its runner. An edge.

Only files are looked at, only so much of them, and never a pattern: a pattern that takes for ever
would stop the picture.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist import condition as conditions
from ppgp_tui.session.files.reading import Stamp, stamp

LARGEST: Final = 1024 * 1024
"""Bytes of a condition's file that are looked at."""
OUTSIDE: Final = "goal-verified"
"""A check that the runner makes with the repository."""

_UNKNOWN: Final = {
    conditions.EXIT_CODE_0: "known only after a run",
    OUTSIDE: "the audit's verdict, asked for after each run",
    "regex": "a pattern: only its runner looks for it",
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
            known = self._seen[key] = now, _held(condition, path)
        return known[1]


def _held(condition: conditions.Condition, path: Path) -> Held:
    world = _Bounded(path)
    why = conditions.holds(condition, None, world)
    if world.unread:
        return Held(None, world.unread)
    if world.missing:
        return Held(False, f"there is no file {condition.path}")
    return Held(why is not None, why or "")


class _Bounded:
    """The one file that a condition names (`persist.condition.World`)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.unread = ""
        self.missing = False

    def exists(self, _: str) -> bool:
        return stamp(self._path) is not None

    def text(self, name: str) -> str | None:
        try:
            with open(self._path, "rb", opener=_not_waiting) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    return None
                if found.st_size > LARGEST:
                    self.unread = f"{name} is too large to be looked through here"
                    return None
                return file.read(LARGEST).decode("utf-8", "replace")
        except FileNotFoundError:
            self.missing = True
            return None
        except (OSError, ValueError):
            return None


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
