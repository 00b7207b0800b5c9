"""The goal document: which file it is, and what it says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import Finding, GoalReading, Health, no_document
from ppgp_tui.ppgp.roles import CANDIDATES
from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.files.reading import is_file, is_folder, stamp
from ppgp_tui.session.files.remembered import remember, remembered
from ppgp_tui.session.model import Problem
from ppgp_tui.session.picture.inbox import Bullet, pending_bullets
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.document import DamagedError, Document, Look

LONG = 512 * 1024
"""Longer documents are not read before the first picture."""


def goal_path(root: Path, settings: Settings) -> str:
    """The path of the goal document, or where one would be looked for first."""
    if settings.goal is not None:
        return settings.goal
    usual = CANDIDATES["ACTIVE_GOAL"]
    return next((path for path in usual if _is_there(root / path)), usual[0])


class GoalLook(NamedTuple):
    """The goal document after a look, the files of all roles, and what is odd about them."""

    look: Look[GoalReading]
    roles: tuple[tuple[str, str | None], ...] = ()
    problems: tuple[Problem, ...] = ()
    bullets: tuple[Bullet, ...] | None = None
    """The decisions the document asks for; None before they were looked for."""


class GoalSource:
    """Follows the goal document, also when another file becomes it. Not thread-safe."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._settings = Settings()
        self._document = self._follow(CANDIDATES["ACTIVE_GOAL"][0])
        self._asking: tuple[GoalReading | None, tuple[Bullet, ...]] = (None, ())

    def look(self, settings: Settings, *, briefly: bool = False) -> GoalLook:
        """Read the document; `briefly` leaves a long one for later and says so."""
        changed = settings.goal_max_bytes != self._settings.goal_max_bytes
        self._settings = settings
        roles = _roles(self._root, settings)
        path = settings.goal or self._choose()
        if path != self._document.now.path:
            left = self._document.look()
            if not left.settled:
                problems = tuple(self._two_goals(settings))
                return GoalLook(left, roles, problems, self._asking[1])
            self._document = self._follow(path)
        if briefly and (found := stamp(self._root / path)) and found.size > LONG:
            return GoalLook(self._later(path, found.size), roles)
        look = _with_reason(self._document.look(reread=changed))
        if look.value is not self._asking[0]:
            self._asking = look.value, pending_bullets(look.value)
        return GoalLook(look, roles, tuple(self._two_goals(settings)), self._asking[1])

    def nothing(self, settings: Settings) -> GoalLook:
        """What is known before the first look."""
        return GoalLook(self._document.now, _roles(self._root, settings))

    def watched(self, settings: Settings) -> tuple[str, ...]:
        """Every path that may be the goal document or plays a role, relative to the root."""
        chosen = (settings.goal, settings.constitution, settings.roadmap, settings.memory)
        usual = (path for paths in CANDIDATES.values() for path in paths)
        return tuple(dict.fromkeys([*(path for path in chosen if path), *usual]))

    def _follow(self, path: str) -> Document[GoalReading]:
        return Document(
            self._root,
            path,
            self._clock,
            lambda data: self._read(data, path),
        )

    def _read(self, data: bytes | None, path: str) -> GoalReading:
        """The reading of `data`; of the document read last time without loading the reader.

        Raises `DamagedError` for bytes that are no text where a document was before: its picture
        stays.
        """
        if data is None:
            return no_document(path)
        most, folder = self._settings.goal_max_bytes, root_folder(self._root)
        if known := remembered(folder, data, path, most):
            return known
        from ppgp_tui.ppgp.goal import read_goal

        reading, was = read_goal(data, path, most), self._document.now.value
        if _is_no_text(reading) and was.health != "MISSING" and not _is_no_text(was):
            reason = reading.reasons[0]
            raise DamagedError(f"{path}: {reason.text}", reason.line, reason.mend, reason.code)
        remember(folder, data, path, most, reading)
        return reading

    def _choose(self) -> str:
        """The first candidate that is something else than a folder; else where we looked last."""
        for path in CANDIDATES["ACTIVE_GOAL"]:
            if _is_there(self._root / path):
                return path
        now = self._document.now.path
        return now if now in CANDIDATES["ACTIVE_GOAL"] else CANDIDATES["ACTIVE_GOAL"][0]

    def _two_goals(self, settings: Settings) -> list[Problem]:
        there = [path for path in CANDIDATES["ACTIVE_GOAL"] if _is_there(self._root / path)]
        read = self._document.now.path
        return [
            Problem(
                "two-goals",
                other,
                None,
                f"{other} is a second goal document; {read} is the one that is read",
                f"keep one of them, or name one as paths.goal in {_CONFIG}",
            )
            for other in there
            if other != read and settings.goal is None
        ]

    def _later(self, path: str, size: int) -> Look[GoalReading]:
        reason = Finding("reading", f"{size:,} bytes are still being read", None)
        reading = GoalReading(path, "PARTIAL", (reason,))
        return Look(path, reading, state="reading", seen_ms=self._clock())


_CONFIG = ".ppgp/config.toml"


def _is_no_text(reading: GoalReading) -> bool:
    """Whether the bytes were no document at all: empty, or no text."""
    return any(reason.code in ("empty", "unreadable") for reason in reading.reasons)


def _with_reason(look: Look[GoalReading]) -> Look[GoalReading]:
    """What stands at the path and was never readable says why: a folder is no document at all."""
    if look.state != "unread" or look.stale_since_ms is not None:
        return look
    reason = Finding(look.code, look.why, look.line, look.mend)
    health: Health = "MISSING" if look.code == "not-a-file" else "MALFORMED"
    return look._replace(value=GoalReading(look.path, health, (reason,)))


def _roles(root: Path, settings: Settings) -> tuple[tuple[str, str | None], ...]:
    named = {
        "CONSTITUTION": settings.constitution,
        "ROADMAP": settings.roadmap,
        "MEMORY": settings.memory,
        "ACTIVE_GOAL": settings.goal,
    }
    found = []
    for role, paths in CANDIDATES.items():
        tried = (named[role],) if named[role] else paths
        path = next((path for path in tried if path and is_file(root / path)), None)
        found.append((role, path))
    return tuple(found)


def _is_there(path: Path) -> bool:
    """Something stands there that is no folder: a file, or a link even if it leads nowhere."""
    return os.path.lexists(path) and not is_folder(path)
