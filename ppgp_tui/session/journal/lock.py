"""The lock every writer takes first: `.ppgp/run/journal.lock`, never deleted by us."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal.results import RefusalError, refusing

NAME: Final = "journal.lock"
WAIT_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.003
_EAGER_S: Final = 0.0002
"""How often whoever has waited longest looks: newcomers who look less often let it go first."""


def open_run(root: Path) -> Folder:
    """Open `.ppgp/run`, made with its own ignore file where it is missing (Git may clean it)."""
    with Folder.open(root, ".ppgp", create=True) as outer:
        run = outer.child("run", create=True)
    try:
        if run.status(".gitignore") is None:
            run.publish(".gitignore", b"*\n")
    except BaseException:
        run.close()
        raise
    return run


@contextmanager
def locked(root: Path, wait_s: float = WAIT_S) -> Iterator[Folder]:
    """Hold the lock of `root` and give its open `.ppgp/run`, which is made where it is missing.

    Raises `RefusalError`: `busy` when another writer holds the lock for `wait_s` seconds, else
    `refused` or `disk`. Nothing that can wait for long belongs inside: no subprocess, no network.
    """
    deadline = time.monotonic() + wait_s
    with refusing("nothing was recorded, the lock could not be taken"):
        run, descriptor = _take(root, deadline)
    try:
        yield run
    finally:
        os.close(descriptor)
        run.close()


def wait_for(descriptor: int, deadline: float) -> None:
    """Get the exclusive `flock` of an open file, or raise `RefusalError` `busy` at `deadline`."""
    began = time.monotonic()
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            now = time.monotonic()
            if now >= deadline:
                text = "another writer holds the journal; nothing was recorded, try again"
                raise RefusalError("busy", text) from None
        time.sleep(max(_EAGER_S, _LOOK_AGAIN_S / (1 + 20 * (now - began))))


def _take(root: Path, deadline: float) -> tuple[Folder, int]:
    while True:
        run = open_run(root)
        descriptor = -1
        try:
            descriptor = run.open_file(NAME, os.O_RDWR | os.O_CREAT)
            wait_for(descriptor, deadline)
            if _still_there(root, descriptor):
                return run, descriptor
        except FileNotFoundError:
            descriptor = -1  # the folder was cleaned away before the lock could be opened
        except BaseException:
            _give_back(run, descriptor)
            raise
        _give_back(run, descriptor)


def _still_there(root: Path, descriptor: int) -> bool:
    """Whether the lock we hold is the one the next writer will open."""
    try:
        with Folder.open(root, ".ppgp", "run") as run:
            found = run.status(NAME)
    except FileNotFoundError:
        return False
    ours = os.fstat(descriptor)
    return found is not None and (found.st_dev, found.st_ino) == (ours.st_dev, ours.st_ino)


def _give_back(run: Folder, descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
    run.close()
