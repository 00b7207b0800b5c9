"""The audit that is under way in a repository, as everybody can see it: `.ppgp/run/audit/`.

One at a time: a lock that dies with its process (its file stays, so that nobody locks one that is
gone), a file that says how far it is, and one by which anybody may cancel it. A progress whose lock
nobody holds is of an audit that was killed.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from typing import Final

from ppgp_tui.audit.report import plain
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal.lock import open_run
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.session.sources.audit import LOCK, PROGRESS, held

CANCEL: Final = "cancel"
_FOLDER: Final = "audit"
_LOOK_AGAIN_S: Final = 0.002


class BusyError(Exception):
    """Another audit is under way in this repository."""


class Underway:
    """The audit that this process makes."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def tell(self, progress: Running) -> None:
        """Say how far it is; that it cannot be said stops no audit."""
        with suppress(OSError):
            self._folder.publish(PROGRESS, canonical(plain(progress)) + b"\n")

    def is_cancelled(self) -> bool:
        """Whether somebody asked for its end."""
        try:
            return self._folder.status(CANCEL) is not None
        except OSError:
            return False


@contextmanager
def begun(root: Path) -> Iterator[Underway]:
    """Be the one audit of `root`; nothing but the unlocked file is left afterwards.

    Raises `BusyError`, and OSError where `.ppgp/run` cannot be written.
    """
    with open_run(root) as run, run.child(_FOLDER, create=True) as folder:
        lock = folder.open_file(LOCK, os.O_RDWR | os.O_CREAT)
        try:
            _take(folder, lock)
            folder.sweep()  # one that was killed left half a file, perhaps
            folder.remove(CANCEL)
            yield Underway(folder)
        finally:
            with suppress(OSError):
                if _is_ours(lock):
                    folder.remove(PROGRESS)
                    folder.remove(CANCEL)
            os.close(lock)


def cancel(root: Path) -> bool:
    """Ask the audit under way in `root` to end; False where none is. Raises OSError."""
    try:
        with Folder.open(root, ".ppgp", "run", _FOLDER) as folder:
            if not held(folder):
                return False
            folder.publish(CANCEL, b"")
            return True
    except FileNotFoundError:
        return False


def _take(folder: Folder, lock: int) -> None:
    """Take the lock; whoever only looks at it shares it for a moment, and that is waited for."""
    while not _is_ours(lock):
        if held(folder):
            raise BusyError("an audit is under way here already")
        sleep(_LOOK_AGAIN_S)


def _is_ours(lock: int) -> bool:
    """Whether this descriptor holds the lock: a second audit must not clean up the first."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
