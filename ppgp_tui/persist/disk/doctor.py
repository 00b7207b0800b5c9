"""What is wrong with the loops' home: `look` looks, `problems` says it; nothing is changed."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.lock import is_free
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import Reading

LONG_S: Final = 2.0
"""An append takes some milliseconds; a lock that is held so long is held by something stuck."""
_GLANCE_S: Final = 0.1
"""So often meanwhile it is looked who holds it."""
LARGE: Final = 32 * 1024 * 1024
"""Bytes of a log from which on reading it from its beginning is felt."""
_NAMED: Final = 20
"""So many damaged lines are named one by one."""


class Held(NamedTuple):
    """Who held the lock while it could not be had, as far as the system tells."""

    who: frozenset[str]
    """Those who did all the time; where nobody did, everybody who was seen."""
    in_turn: bool
    """Nobody did all the time: loops are busy, and nothing is stuck."""


class Look(NamedTuple):
    """What was found."""

    home: Home
    reading: Reading
    unread: str | None = None
    """Why the log cannot be read."""
    unwritten: tuple[str, ...] = ()
    """Why no row can be written: a sentence for the log, and one for the lock."""
    size: int = 0
    """Bytes of the log."""
    lines: int = 0
    shown_to: str = ""
    """The permissions by which other users may read the log; empty where none may."""
    held_by: Held | None = None
    """By whom the lock is held, where it could not be had."""


def look(home: Home, *, wait_s: float = LONG_S) -> Look:
    """Look at a home; waits at most `wait_s` seconds for the lock, and makes nothing."""
    log = LoopLog(home)
    unread, reading = None, Reading()
    try:
        reading = log.read()
    except OSError as error:
        unread = error.strerror or str(error)
    paths = (home.lock,) if unread else (home.log, home.lock)
    unwritten = tuple(filter(None, map(_why_unwritten, paths)))
    held_by = _held(home.lock, wait_s)
    try:
        status = home.log.stat()
    except OSError:
        return Look(home, reading, unread, unwritten, held_by=held_by)
    size, shown_to = status.st_size, _shown_to(home)
    return Look(home, reading, unread, unwritten, size, log.lines, shown_to, held_by)


def problems(found: Look, gone: Iterable[Loop] = ()) -> list[str]:
    """What is wrong, a sentence each, with file and line and what to do.

    `gone` are the open loops whose runner is known to be no more (fault F10).
    """
    log, reading = found.home.log, found.reading
    said = []
    if found.unread is not None:
        said.append(f"{log} cannot be read: {found.unread}")
    said += found.unwritten
    for bad in reading.bad[:_NAMED]:
        inside = f" ({bad.salvaged} whole inside it, which count)" if bad.salvaged else ""
        said.append(f"{log}: line {bad.line} is no row{inside}; doctor --mend puts it aside")
    if (more := reading.bad_count - _NAMED) > 0:
        said.append(f"{log}: {more} further lines are no rows")
    if reading.incomplete_tail:
        said.append(
            f"{log}: line {found.lines + 1} was cut short; the next row that is written puts it"
            " aside, and so does doctor --mend"
        )
    said += [
        f"loop {loop.loop_id} is {loop.state}, but its runner is gone;"
        " doctor --close-orphans closes it"
        for loop in gone
    ]
    if found.held_by is not None:
        who = ", ".join(sorted(found.held_by.who)[:_NAMED])
        how = f"is held all the time by {who}: no loop can write"
        if found.held_by.in_turn:
            how = f"is held by one after the other ({who}): loops wait for each other to write"
        said.append(f"{found.home.lock} {how}")
    if found.shown_to:
        said.append(
            f"{log} can be read by other users ({found.shown_to}), and the agents' commands stand"
            f" in it: chmod 700 {found.home.path}"
        )
    if found.size >= LARGE:
        said.append(
            f"{log} has grown to {found.size >> 20} MiB; doctor --archive moves the rows of loops"
            " that closed over 30 days ago"
        )
    return said


def _why_unwritten(path: Path) -> str | None:
    """Why a file of the home cannot be opened as writers do; one that is not there can be made."""
    flags = os.O_RDWR | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        os.close(os.open(path, flags))
    except FileNotFoundError as error:
        if not path.is_symlink() or path.resolve().parent.is_dir():
            return None
        why = f"it leads to {path.resolve()}: {error.strerror}"
    except OSError as error:
        why = error.strerror or str(error)
    else:
        return None
    return f"{path} cannot be written: {why}; no loop can write a row until it is put right"


def _shown_to(home: Home) -> str:
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (home.path, home.log)]
    for reach, read in ((0o010, 0o040), (0o001, 0o004)):
        if modes[0] & reach and modes[1] & read:
            return f"folder {modes[0]:o}, file {modes[1]:o}"
    return ""


def _held(lock: Path, wait_s: float) -> Held | None:
    """Who held the lock for so long; None once it could be had.

    Where much is written it is never free to us either, though nobody keeps it.
    """
    until = time.monotonic() + wait_s
    seen: list[frozenset[str]] = []
    while not is_free(lock, max(0.0, min(_GLANCE_S, until - time.monotonic()))):
        seen.append(_holders(lock))
        if time.monotonic() >= until:
            always = frozenset.intersection(*seen)
            return Held(always or frozenset.union(*seen), in_turn=not always)
    return None


def _holders(lock: Path) -> frozenset[str]:
    """The processes that hold the lock now, where the system says so."""
    unknown = frozenset({"another program"})
    try:
        inode = lock.stat().st_ino
        held = Path("/proc/locks").read_text("ascii").splitlines()
    except (OSError, ValueError):
        return unknown
    found = {
        f"process {words[4]}"
        for words in map(str.split, held)
        if len(words) > 5 and words[1] == "FLOCK" and words[5].endswith(f":{inode}")
    }
    return frozenset(found) or unknown
