"""Batches that wait beside the log, in the user's state folder, while another program holds it.

`outbox.jsonl` holds the lines of events; an empty line ends a batch. A batch without that end was
never acknowledged.
"""

from __future__ import annotations

from typing import Final

from ppgp_tui.session.files.safe import Folder

NAME: Final = "outbox.jsonl"

Batch = tuple[bytes, ...]
"""Lines without their newlines."""


def waiting(state: Folder) -> tuple[Batch, ...]:
    """Return the batches in the outbox, oldest first."""
    try:
        data = state.read(NAME)
    except FileNotFoundError:
        return ()
    *whole, _unfinished = data.split(b"\n\n")
    return tuple(tuple(batch.split(b"\n")) for batch in whole if batch)


def put(state: Folder, batch: Batch) -> None:
    """Add a batch durably, or leave the outbox as it was and raise OSError."""
    put_all(state, (*waiting(state), batch))


def put_all(state: Folder, batches: tuple[Batch, ...]) -> None:
    """Replace what the outbox holds."""
    if batches:
        state.publish(NAME, b"".join(b"\n".join(batch) + b"\n\n" for batch in batches))
    else:
        state.remove(NAME)
