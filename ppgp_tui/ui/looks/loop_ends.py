"""Why a restart loop is closed, in words that every form of the picture uses."""

from __future__ import annotations

from typing import Final

from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.text import one_line

_ENDED: Final = {
    "success_condition matched": "its condition holds",
    "max_iterations": "all its runs are over",
    "wall-clock": "its time is over",
}
"""Why it is closed, where the log has only the word of a rule."""


def why_closed(loop: Loop) -> str:
    """Why it is closed, with what showed that; empty where the log says nothing."""
    reason = loop.reason or ""
    said = _ENDED.get(reason, one_line(reason))
    return f"{said}: {one_line(loop.why)}" if said and loop.why else said
