"""The files of launches in `.ppgp/run/agents`: read, and changed by one writer at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from typing import Any, Final

from ppgp_tui.session.authority.damage import DamagedError, parse_object, read_bounded
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.files.turn_taking import take_turn
from ppgp_tui.session.launched import launch_of

Json = dict[str, Any]

_MOST: Final = 256 * 1024


def read(agents: Folder, key: str) -> Json | None:
    """What the file of a session says; None where it cannot be read."""
    try:
        return parse_object(read_bounded(agents, f"{key}.json", _MOST))
    except (OSError, DamagedError):
        return None


def mark(agents: Folder, key: str, frozen_ms: int | None) -> None:
    """Write into the launch that it is frozen, or not. The launcher reads it. Raises OSError."""

    def change(said: Json) -> None:
        said["launch"]["frozen_ms"] = frozen_ms

    rewrite(agents, key, change)


def rewrite(agents: Folder, key: str, change: Callable[[Json], None]) -> None:
    """Change the record of a launch, one writer at a time; nothing where there is none.

    A writer that keeps the others waiting is passed over: it may be one that is to be thawed here.
    """
    take_turn(agents.descriptor)
    try:
        said = read(agents, key)
        if said is not None and launch_of(said) is not None:
            change(said)
            agents.publish(f"{key}.json", canonical(said) + b"\n")
    finally:
        fcntl.flock(agents.descriptor, fcntl.LOCK_UN)
