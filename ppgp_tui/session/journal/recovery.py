"""What a killed writer left behind, and how the next one puts it right.

A batch is written ahead to `journal.pending`, so after a kill it is either completed or dropped,
never half there. Bytes that fit nowhere are kept in `torn/`; nothing is thrown away.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Literal

from ppgp_tui.session.canonical import canonical, digest_of
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal.events import MalformedEventError, event_of
from ppgp_tui.session.journal.log import Log

PENDING: Final = "journal.pending"
TORN: Final = "torn"


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that was put right."""

    text: str
    torn_at: int | None = None
    """Where in the log the bytes began that were cut off."""


def write_ahead(run: Folder, offset: int, data: bytes) -> None:
    """Say durably that `data` is about to be written at `offset` of the log."""
    pending = {
        "schema": 1,
        "offset": offset,
        "bytes": len(data),
        "sha256": digest_of(data).removeprefix("sha256:"),
        "data": base64.b64encode(data).decode(),
    }
    run.publish(PENDING, canonical(pending) + b"\n")


def written(run: Folder) -> None:
    """The batch is in the log, or will never be: forget what was written ahead."""
    run.remove(PENDING)


def recover(log: Log, run: Folder, now_ms: int, copy: Callable[[bytes], None]) -> list[Repair]:
    """Complete or drop the batch of a killed writer and mend the tail of the log.

    `copy` gets the batch if it is in the log now: its writer may have been killed before copying.
    """
    repairs: list[Repair] = []
    if (raw := _written_ahead(run)) is not None:
        try:
            offset, data = _batch_in(raw)
        except (ValueError, RecursionError):
            offset, data, outcome = log.size, raw, "misfit"
        else:
            outcome = _roll_forward(log, offset, data)
        if outcome == "complete":
            copy(data)
        elif outcome == "misfit":
            name = keep(run, data, now_ms, offset)
            repairs.append(Repair(f"an unfinished batch does not fit the log; kept in {name}"))
        written(run)
    if repair := _mend_tail(log, run, now_ms):
        repairs.append(repair)
    return repairs


def keep(run: Folder, data: bytes, now_ms: int, offset: int) -> str:
    """Put `data` aside in `torn/` and return the name of its file, relative to the root."""
    with run.child(TORN, create=True) as torn:
        while True:
            name = f"{now_ms}-{offset}"
            with suppress(FileExistsError):
                torn.publish(name, data, exclusive=True)
                return f".ppgp/run/{TORN}/{name}"
            now_ms += 1


def _written_ahead(run: Folder) -> bytes | None:
    try:
        return run.read(PENDING)
    except FileNotFoundError:
        return None


def _roll_forward(log: Log, offset: int, data: bytes) -> Literal["complete", "none", "misfit"]:
    """Complete the batch if some of it was written; say what there is of it now."""
    there = log.read(offset, log.size)
    if there.startswith(data):
        return "complete"
    if there and data.startswith(there):
        log.append(data[len(there) :])
        return "complete"
    return "none" if not there and log.size == offset else "misfit"


def _mend_tail(log: Log, run: Folder, now_ms: int) -> Repair | None:
    start = log.whole()
    tail = log.read(start, log.size)
    if not tail:
        return None
    try:
        event_of(tail)
    except MalformedEventError:
        name = keep(run, tail, now_ms, start)
        log.cut_back(start)
        return Repair(f"the log ended in half a line of {len(tail)} bytes; kept in {name}", start)
    log.append(b"\n")
    return Repair("the last line of the log had no newline; added")


def _batch_in(raw: bytes) -> tuple[int, bytes]:
    """Offset and bytes of the batch written ahead. Raises ValueError for anything else."""
    pending = json.loads(raw)
    try:
        offset, data = pending["offset"], base64.b64decode(pending["data"], validate=True)
        whole = pending["schema"] == 1 and pending["bytes"] == len(data)
        whole = whole and digest_of(data) == f"sha256:{pending['sha256']}"
    except (LookupError, TypeError) as error:
        raise ValueError("not a batch written ahead") from error
    if not whole or not isinstance(offset, int) or offset < 0 or not data.endswith(b"\n"):
        raise ValueError("not a batch written ahead")
    return offset, data
