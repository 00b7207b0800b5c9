"""What a writer gets back: recorded, or refused with a reason (CONTRACTS 8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ppgp_tui.session.files.safe import UnsafePathError

Code = Literal["refused", "stale", "hand_edit", "busy", "disk", "not_initialised", "expired"]


@dataclass(frozen=True, slots=True)
class Appended:
    """The batch is on disk, and this value is the acknowledgement."""

    events: tuple[str, ...]
    """Ids of the caller's events, in order."""
    recorded: Literal["log", "outbox", "none"]
    """`outbox`: kept beside the log until another writer's lease ends. `none`: nothing to keep."""
    offset: int
    """Size of the log now: a fold of all its lines stands here."""
    flushed: tuple[str, ...] = ()
    """Ids of earlier events that went from the outbox to the log on this occasion."""
    warnings: tuple[str, ...] = ()
    """What was mended on the way and what could not be done beside the log, for a person."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was recorded. `message` says why and what to do next."""

    code: Code
    message: str
    warnings: tuple[str, ...] = ()
    """As in `Appended`."""


class RefusalError(Exception):
    """Carries a `Refused` from the depth where it is known to the door where it is returned."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.refused = Refused(code, message)


@contextmanager
def refusing(doing: str) -> Iterator[None]:
    """Turn an OSError of the file system into a `RefusalError` that says what was being done."""
    try:
        yield
    except UnsafePathError as error:
        raise RefusalError("refused", f"{error.filename} {error.strerror}") from error
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        why = (error.strerror or str(error)).lower()
        raise RefusalError("disk", f"{doing}: {why}{where}") from error
