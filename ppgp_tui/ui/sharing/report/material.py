"""What a report is made of, read once: the picture, the story, and the files it rests on."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.gasp.telling.chapters import Chapter, Chapters, Telling
from ppgp_tui.gasp.telling.filters import Filter
from ppgp_tui.gasp.telling.joining import joined
from ppgp_tui.gasp.telling.story import Story
from ppgp_tui.session.files.reading import CannotReadError, open_inside
from ppgp_tui.session.log.whole import WholeLog
from ppgp_tui.session.model import SessionSnapshot

SENTENCES: Final = 400
"""So many of the newest sentences of the story are told."""


_EVENTS_A_SENTENCE: Final = 4
"""So many events a sentence tells at most, as a rule."""


class Told(NamedTuple):
    """One run, or a stretch outside of runs, with those of its sentences that are told."""

    chapter: Chapter
    sentences: tuple[Telling, ...]


class SourceFile(NamedTuple):
    """One file that the report rests on, as it was while the report was made."""

    path: str
    bytes: int | None
    """None: it is not there, or is no file."""
    lines: int = 0
    digest: str = ""
    """SHA-256 in hex digits."""
    changed_ms: int | None = None
    why: str = ""
    """Why it could not be read."""


class Picture(NamedTuple):
    """A picture of a screen, beside the report."""

    name: str
    """Its file, below the report."""
    title: str
    svg: str


class Material(NamedTuple):
    """Everything a report says."""

    snapshot: SessionSnapshot
    now_ms: int
    since_ms: int | None
    """Nothing that happened before is told; None: everything is."""
    told: tuple[Told, ...] = ()
    untold: int = 0
    """Older events that were left out."""
    no_story: str = ""
    """Why there is no story."""
    files: tuple[SourceFile, ...] = ()
    pictures: tuple[Picture, ...] = ()


def gathered(
    snapshot: SessionSnapshot,
    log: str,
    now_ms: int,
    since_ms: int | None,
    progress: Callable[[float], None] = lambda _: None,
) -> Material:
    """Read what `snapshot` does not hold: the story of the log at `log`, and the files."""
    files = tuple(_file(snapshot.root, path) for path in _paths(snapshot, log))
    try:
        whole = WholeLog(snapshot.root, log).read_all(progress)
    except (CannotReadError, OSError) as error:
        return Material(snapshot, now_ms, since_ms, no_story=str(error), files=files)
    told, untold = _story(whole, since_ms)
    return Material(snapshot, now_ms, since_ms, told, untold, files=files)


def moment(ms: int | None) -> str:
    """A moment, the same wherever it is read: `2026-09-30 18:00:05`; empty when it is unknown."""
    if ms is None:
        return ""
    try:
        return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""


def _story(whole: WholeLog, since_ms: int | None) -> tuple[tuple[Told, ...], int]:
    """The newest sentences by their chapters in the order of the log, and how many events are left.

    Nothing much older than what is told is put into words: a long log has a million sentences.
    """
    story = Story(whole.index)
    story.extend()
    chapters = Chapters(whole.things, story)
    is_wanted = chapters.wanted(Filter(since_ms=since_ms))
    told: list[Told] = []
    room, untold = SENTENCES, 0
    for group in reversed(story.groups):
        events = story.events(group, room * _EVENTS_A_SENTENCE) if room else ()
        joint = joined(story.index, events).values()
        wanted = [one for one in map(chapters.telling, joint) if is_wanted(one)]
        newest = tuple(wanted[-room:]) if room else ()
        if newest:
            told.append(Told(chapters.chapter(group), newest))
            room -= len(newest)
        if since_ms is None:
            untold += group.count - sum(len(one.events) for one in newest)
        else:
            untold += sum(len(one.events) for one in wanted[: len(wanted) - len(newest)])
    return tuple(reversed(told)), untold


def _paths(snapshot: SessionSnapshot, log: str) -> list[str]:
    named = [path for _, path in snapshot.roles if path]
    known = [snapshot.goal.value.path, log, ".ppgp/todo.json", ".ppgp/config.toml"]
    return list(dict.fromkeys([*known, *named]))


def _file(root: Path, path: str) -> SourceFile:
    try:
        descriptor = open_inside(root, path)
    except CannotReadError as error:
        return SourceFile(path, None, why=error.why)
    if descriptor is None:
        return SourceFile(path, None)
    digest, lines, size = hashlib.sha256(), 0, 0
    try:
        with os.fdopen(descriptor, "rb") as file:
            changed_ms = os.fstat(descriptor).st_mtime_ns // 1_000_000
            while piece := file.read(1024 * 1024):
                digest.update(piece)
                lines += piece.count(b"\n")
                size += len(piece)
    except OSError as error:
        return SourceFile(path, None, why=(error.strerror or str(error)).lower())
    return SourceFile(path, size, lines, digest.hexdigest(), changed_ms)
