"""What a person asks of a running loop: to pause. Kept beside the log, obeyed by the runner.

The log says PAUSED only from the moment the runner really rests, so a row is never a wish.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ppgp_tui.persist.row import moment


class Pause(NamedTuple):
    """A pause that stands until it is taken back (`loops/ID/pause.json`)."""

    by: str
    """`user:LOGIN`."""
    at_ms: int
    reason: str = ""
    hold: str | None = None
    """The hold of the repository's agents that came with it, and goes with it."""

    @property
    def told(self) -> str:
        """As the row's reason: who, and why where that was said."""
        return f"paused by {self.by}" + (f": {self.reason}" if self.reason else "")


def pause_json(pause: Pause) -> dict[str, Any]:
    """The value as `pause.json` holds it."""
    return {"schema": 1, **pause._asdict()}


def read_pause(value: object) -> Pause | None:
    """The value that `pause.json` held, or None for anything of another shape."""
    if not isinstance(value, Mapping) or value.get("schema") != 1:
        return None
    by, at_ms, reason = value.get("by"), moment(value.get("at_ms")), value.get("reason", "")
    if not isinstance(by, str) or at_ms is None or not isinstance(reason, str):
        return None
    hold = value.get("hold")
    return Pause(by, at_ms, reason, hold if isinstance(hold, str) else None)
