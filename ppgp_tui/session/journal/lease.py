"""GASP's lease on the log, `.agent/lease` (reference section 9): one writing program at a time.

Used only under the journal's lock, so among our own processes there is never a race for it.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.files.safe import Folder

NAME: Final = "lease"
WORKER: Final = "ppgp-tui"
LIFE_MS: Final = 10_000
_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lease; None members where the file cannot be read."""

    worker: str | None
    pid: int | None
    until_ms: int | None

    def __str__(self) -> str:
        """For a message."""
        if self.worker is None:
            return "a lease that cannot be read"
        return f"`{self.worker}` (pid {self.pid})"


class Lease:
    """The lease of one root. Where there is no folder `.agent`, everybody has it."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._until_ms = 0
        try:
            self._folder: Folder | None = Folder.open(root, ".agent")
            self._folder.sweep()
        except FileNotFoundError:
            self._folder = None

    def take(self) -> Holder | None:
        """Make the lease ours for ten seconds, or return the other program that has it.

        Ours from an earlier life is replaced; another's that has run out is taken over; one that
        cannot be read is respected. Calling it again while the lease is ours renews it.
        """
        if self._folder is None:
            return None
        holder = None
        for _ in range(_TRIES):
            now = self._clock()
            try:
                self._write(self._folder, now, exclusive=True)
                return None
            except FileExistsError:
                holder = _read(self._folder, NAME)
            if holder is None:
                continue  # it was given back meanwhile
            if holder.worker == WORKER:
                self._write(self._folder, now, exclusive=False)
                return None
            if holder.until_ms is None or holder.until_ms > now:
                return holder
            holder = _take_over(self._folder, now)
            if holder is not None:
                return holder
        return holder or Holder(None, None, None)

    def renew(self) -> Holder | None:
        """Make sure that the lease we took lasts for the write to come; as `take`."""
        if self._folder is None or self._until_ms - self._clock() > LIFE_MS // 2:
            return None
        return self.take()

    def drop(self) -> None:
        """Give back what we hold; another program's lease stays."""
        if self._folder is None or not self._until_ms:
            return
        self._until_ms = 0
        holder = _read(self._folder, NAME)
        if holder is not None and holder.worker == WORKER:
            with suppress(OSError):  # it runs out by itself
                self._folder.remove(NAME)

    def close(self) -> None:
        """Drop the lease and the folder."""
        if self._folder is not None:
            self.drop()
            self._folder.close()

    def _write(self, folder: Folder, now: int, *, exclusive: bool) -> None:
        until = now + LIFE_MS
        text = {"worker_id": WORKER, "pid": os.getpid(), "expires_at_ms": until}
        folder.publish(NAME, canonical(text) + b"\n", exclusive=exclusive)
        self._until_ms = until


def holder(root: Path) -> Holder | None:
    """Who holds the lease of `root`; None when nobody does. Looks only."""
    try:
        with Folder.open(root, ".agent") as folder:
            return _read(folder, NAME)
    except FileNotFoundError:
        return None
    except OSError:
        return Holder(None, None, None)


def _read(folder: Folder, name: str) -> Holder | None:
    """Who holds the lease at `name`; None when nobody does."""
    try:
        lease = json.loads(folder.read(name))
        worker, pid, until = lease["worker_id"], lease["pid"], lease["expires_at_ms"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return Holder(None, None, None)
    if isinstance(worker, str) and isinstance(pid, int) and isinstance(until, int):
        return Holder(worker, pid, until)
    return Holder(None, None, None)


def _take_over(folder: Folder, now: int) -> Holder | None:
    """Move a lease that has run out aside; put it back if it was renewed at that moment."""
    here = folder.descriptor
    aside = f".{NAME}.{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        os.rename(NAME, aside, src_dir_fd=here, dst_dir_fd=here)
    except FileNotFoundError:
        return None
    taken = _read(folder, aside)
    renewed = taken is not None and (taken.until_ms is None or taken.until_ms > now)
    if renewed:
        with suppress(FileExistsError):
            os.link(aside, NAME, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
    folder.remove(aside)
    return taken if renewed else None
