"""Whether what is recorded reaches the log: lease, outbox, cut lines, an unfinished end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.doctor.log_file import OpenLog
from ppgp_tui.session.files import places
from ppgp_tui.session.files.reading import stamp
from ppgp_tui.session.journal import Journal
from ppgp_tui.session.journal.lease import NAME, WORKER, Holder, holder
from ppgp_tui.session.picture.beside import PENDING_FILE

_LEASE = f".agent/{NAME}"
_PENDING_S = 2


def writing(root: Path, log: OpenLog) -> Iterator[Finding]:
    """Everything that stands between an act and a line of the log."""
    yield from _lease(root)
    journal = Journal(root, places.root_folder(root), log=PurePosixPath(log.path))
    waiting = len(journal.waiting())
    if waiting:
        why = "another program held the log when they were recorded; they count already"
        mend = "they are appended by the next act, or by the app, as soon as the lease is free"
        yield Finding("warning", f"{waiting:,} lines wait in the outbox", why, mend)
    yield from _cut(journal, log.path)
    torn = log.size - log.whole()
    if torn:
        why = "a writer was stopped in the middle of a line, or is writing right now"
        mend = "the next act mends it and keeps the bytes aside: ppgp-tui blocker list"
        text = f"the log ends with {torn:,} bytes of an unfinished line"
        yield Finding("warning", text, why, mend, log.path)
    pending = stamp(root / PENDING_FILE)
    if pending is not None and time.time() - pending.mtime_ns / 1e9 > _PENDING_S:
        why = "its batch is completed or dropped as a whole before anything else is recorded"
        mend = "nothing: the next act does it"
        yield Finding("note", "an act was killed while it recorded", why, mend, PENDING_FILE)


def _lease(root: Path) -> Iterator[Finding]:
    found = holder(root)
    if found is None:
        if (root / ".agent").is_dir():
            yield Finding("ok", "nobody holds the log")
        return
    if found.until_ms is None:
        why = "a lease that cannot be read is respected: everything recorded waits in the outbox"
        mend = f"if no other program writes this log, remove {_LEASE}"
        yield Finding("warning", f"{_LEASE} cannot be read", why, mend, _LEASE)
        return
    yield _held(found, found.until_ms - time.time_ns() // 1_000_000)


def _held(found: Holder, left_ms: int) -> Finding:
    if found.worker == WORKER:
        return Finding("ok", "this program holds the log right now, or was killed holding it")
    if left_ms <= 0:
        why = "its program ended without giving it back"
        mend = "nothing: the next act takes it over"
        return Finding("note", f"the lease of {found} has run out", why, mend, _LEASE)
    why = "what is recorded here waits in the outbox and counts at once"
    mend = "wait for that program to end its run"
    text = f"{found} holds the log for another {left_ms // 1000:,} s"
    return Finding("note", text, why, mend, _LEASE)


def _cut(journal: Journal, path: str) -> Iterator[Finding]:
    cut = journal.cut()
    if cut.unknown:
        why = "nobody can tell whether recorded lines were removed"
        yield Finding("warning", f"cut lines: {cut.unknown}", why, "mend what it names", path)
    if cut.lines:
        why = "Git, or somebody, took them out before they were committed; they still count"
        text = f"{len(cut.lines):,} recorded lines were removed from the log"
        yield Finding("warning", text, why, "ppgp-tui restore", path)
    if cut.committed:
        why = "the file is behind its last commit"
        text = f"{cut.committed:,} committed lines are missing from the log"
        yield Finding("warning", text, why, f"git restore {path}", path)
