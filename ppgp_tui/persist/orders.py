"""What a person asks of a running loop: to pause. Kept beside the log, obeyed by the runner.

A loop asks it of itself where only a person can decide how it goes on. The log says PAUSED only
from the moment the runner really rests, so a row is never a wish.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.row import moment


class Pause(NamedTuple):
    """A pause that stands until it is taken back (`loops/ID/pause.json`)."""

    by: str
    """`user:LOGIN`; `loop` for one that it gave itself."""
    at_ms: int
    reason: str = ""
    hold: str | None = None
    """The hold of the repository's agents that came with it, and goes with it."""
    need: str = ""
    """What it waits for, where the loop gave it itself: `reason` says it in words."""

    @property
    def told(self) -> str:
        """As the row's reason: who, and why where that was said."""
        if self.need:
            return f"needs a person: {self.reason}"
        return f"paused by {self.by}" + (f": {self.reason}" if self.reason else "")


LOOP: Final = "loop"
"""Who gives the order that a loop gives itself."""


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
    hold, need = value.get("hold"), value.get("need")
    return Pause(
        by,
        at_ms,
        reason,
        hold if isinstance(hold, str) else None,
        need if isinstance(need, str) else "",
    )
