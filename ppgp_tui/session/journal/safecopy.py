"""A second copy of every line we wrote, in the user's state folder, against what Git takes away.

`git stash`, `git reset --hard` and `git clean` cut uncommitted lines out of the log. The copy has
them still: a line of the copy that is not in the log is *missing*; whether it was committed is a
question for Git (`history.py`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from ppgp_tui.session.files.safe import Folder, write_all
from ppgp_tui.session.journal import checkpoint
from ppgp_tui.session.journal.log import Log

NAME: Final = "copy.jsonl"
CHECKED: Final = "copy.checked.json"
_MANY: Final = 64
"""After so many new lines a check is remembered anew."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which missing lines a commit reachable from `head` has. Lines are offsets in the copy."""

    head: str | None
    asked: frozenset[int] = frozenset()
    committed: frozenset[int] = frozenset()
    unknown: str = ""
    """Why Git could not be asked."""


@dataclass(frozen=True, slots=True)
class Check:
    """The copy compared with the log."""

    missing: dict[int, bytes]
    """Lines of the copy that are not in the log, by their offset in the copy."""
    end: int
    """The copy was compared up to here."""
    verdict: Verdict | None
    """What Git said earlier about missing lines."""
    worth_keeping: bool
    """Whether enough has changed since the last one that was remembered."""


def add(state: Folder, data: bytes) -> None:
    """Append the lines of `data`, those left out that the end of the copy already has."""
    descriptor = state.open_file(NAME, os.O_RDWR | os.O_APPEND | os.O_CREAT)
    try:
        size = os.fstat(descriptor).st_size
        start = max(0, size - len(data) - checkpoint.WINDOW)
        end = os.pread(descriptor, size - start, start)
        if end and not end.endswith(b"\n"):
            end = end[: end.rfind(b"\n") + 1]  # a killed writer's half line, which the log has
            os.ftruncate(descriptor, start + len(end))
        there = set(end.split(b"\n"))
        new = [line for line in data.split(b"\n") if line and line not in there]
        write_all(descriptor, b"".join(line + b"\n" for line in new))
    finally:
        os.close(descriptor)


def check(state: Folder, log: Log | None) -> Check:
    """Compare the copy with `log` (None: there is no log, so everything is missing).

    Where the log only grew since a check that was remembered, only what came after is read.
    """
    try:
        descriptor = state.open_file(NAME, os.O_RDONLY)
    except FileNotFoundError:
        return Check({}, 0, None, worth_keeping=False)
    with open(descriptor, "rb") as copy:  # noqa: PTH123
        if log is None:
            suspects, end = _lines(copy, 0)
            return Check(suspects, end, None, worth_keeping=False)
        kept = checkpoint.load(state, CHECKED, log)
        if kept and kept[0]["bytes"] > os.fstat(descriptor).st_size:
            kept = None  # another copy than the one that was compared
        done, known, verdict = _remembered(kept[0]) if kept else (0, (), None)
        suspects, end = _lines(copy, done)
        for offset in known:
            copy.seek(offset)
            suspects[offset] = copy.readline().rstrip(b"\n")
    new = len(suspects) - len(known)
    missing = _absent(suspects, log, kept[1] if kept else 0)
    if kept and set(missing) - set(known):
        missing = _absent(missing, log, 0)
    changed = kept is None or missing.keys() != set(known)
    return Check(missing, end, verdict, worth_keeping=changed or new > _MANY)


def remember(state: Folder, log: Log, found: Check, verdict: Verdict) -> None:
    """Keep a check and what Git said about it, so that the next one begins where it ended."""
    value = {
        "bytes": found.end,
        "missing": sorted(found.missing),
        "head": verdict.head,
        "committed": sorted(verdict.committed),
    }
    checkpoint.store(state, CHECKED, checkpoint.mark(log, log.whole()), value)


def _remembered(value: dict[str, Any]) -> tuple[int, tuple[int, ...], Verdict]:
    missing = tuple(value["missing"])
    committed = frozenset(value["committed"])
    return value["bytes"], missing, Verdict(value["head"], frozenset(missing), committed)


def _lines(copy: BinaryIO, start: int) -> tuple[dict[int, bytes], int]:
    """Whole lines from `start` on by offset, and where the last of them ends."""
    copy.seek(start)
    lines: dict[int, bytes] = {}
    for line in copy:
        if not line.endswith(b"\n"):
            break
        if line != b"\n":
            lines[start] = line[:-1]
        start += len(line)
    return lines, start


def _absent(suspects: dict[int, bytes], log: Log, since: int) -> dict[int, bytes]:
    """Those of `suspects` that are no line of the log from the offset `since` on."""
    wanted = set(suspects.values())
    if wanted:
        for line in log.lines(since):
            wanted.discard(line.raw)
        wanted.discard(log.read(log.whole(), log.size))  # there, if without its newline
    return {at: raw for at, raw in suspects.items() if raw in wanted}
