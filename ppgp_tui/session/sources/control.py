"""`.ppgp/run/control.json`: what agents are told to do. Reading only."""

from __future__ import annotations

from typing import Final

from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.model import Control
from ppgp_tui.session.sources.jsonfile import json_object

CONTROL_FILE: Final = ".ppgp/run/control.json"


def parse_control(data: bytes | None) -> Control:
    """The orders within `data`; nothing is held where there is no file.

    Raises `DamagedError` for a file that makes no sense.
    """
    if data is None:
        return Control()
    value = json_object(data, CONTROL_FILE)
    hold = value.get("hold")
    if not isinstance(hold, dict):
        return Control(generation=whole(value.get("generation")))
    return Control(
        generation=whole(value.get("generation")),
        hold_id=text(hold.get("id")) or None,
        held_since_ms=whole(hold.get("since_ms")),
        hold_reason=text(hold.get("reason")),
        hold_who=tuple(texts(hold.get("who"))),
    )
