"""A fold kept beside the log, so that the next reader need not start from the first line.

It counts only while the log is the file it was made from: same device and inode, not shorter, and
the same 64 KiB before the offset. Whatever disagrees, the fold starts anew (CONTRACTS 3).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from ppgp_tui.session.files.safe import Folder

NAME: Final = "checkpoint.json"
WINDOW: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Mark:
    """Which file was read, up to where, and what came just before that."""

    device: int
    inode: int
    size: int
    offset: int
    sha256: str


class Readable(Protocol):
    """A log that is open, such as a `journal.log.Log`."""

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode."""
        ...

    @property
    def size(self) -> int:
        """Its bytes."""
        ...

    def read(self, begin: int, end: int) -> bytes:
        """The bytes from `begin` to before `end`."""
        ...


def mark(log: Readable, offset: int) -> Mark:
    """Mark that `log` was read up to `offset`."""
    device, inode = log.identity
    return Mark(device, inode, log.size, offset, _before(log, offset))


def agrees(log: Readable, seen: Mark) -> bool:
    """Whether `log` still begins with what was read up to the mark."""
    return (
        log.identity == (seen.device, seen.inode)
        and 0 <= seen.offset <= seen.size <= log.size
        and _before(log, seen.offset) == seen.sha256
    )


def store(state: Folder, name: str, seen: Mark, value: Any) -> None:
    """Keep `value` (JSON) as true up to the mark."""
    kept = {"schema": 1, "log": asdict(seen), "state": value}
    state.publish(name, json.dumps(kept, separators=(",", ":")).encode() + b"\n")


def load(state: Folder, name: str, log: Readable) -> tuple[Any, int] | None:
    """Return the value kept under `name` and the offset it is true up to, or None."""
    try:
        kept = json.loads(state.read(name))
        seen = Mark(**kept["log"])
        if kept["schema"] == 1 and agrees(log, seen):
            return kept["state"], seen.offset
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return None


def _before(log: Readable, offset: int) -> str:
    return hashlib.sha256(log.read(max(0, offset - WINDOW), offset)).hexdigest()
