"""What agents are told to do: `.ppgp/run/control.json`, and `pause.json` in the user's folder.

Reading only. The second one tells of a pause whose order the repository has lost.
"""

from __future__ import annotations

from typing import Final

from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.model import Control
from ppgp_tui.session.picture.handshake import Hold, hold_of
from ppgp_tui.session.sources.jsonfile import json_object

CONTROL_FILE: Final = ".ppgp/run/control.json"
PAUSE_FILE: Final = "pause.json"


def parse_control(data: bytes | None) -> Control:
    """The orders within `data`; nothing is held where there is no file.

    Raises `DamagedError` for a file that makes no sense.
    """
    if data is None:
        return Control()
    value = json_object(data, CONTROL_FILE)
    hold, stop = value.get("hold"), tuple(texts(value.get("stop")))
    if not isinstance(hold, dict):
        return Control(generation=whole(value.get("generation")), stop=stop)
    return Control(
        generation=whole(value.get("generation")),
        hold_id=text(hold.get("id")) or None,
        held_since_ms=whole(hold.get("since_ms")),
        hold_reason=text(hold.get("reason")),
        hold_who=tuple(texts(hold.get("who"))),
        stop=stop,
    )


def ordered(control: Control) -> Hold | None:
    """The pause that `control` orders."""
    if control.hold_id is None:
        return None
    who = control.hold_who or ("*",)
    return Hold(control.hold_id, control.held_since_ms, control.generation, who)


def parse_pause(data: bytes | None) -> Hold | None:
    """The pause that the user's own folder says is in force; raises `DamagedError`."""
    return None if data is None else hold_of(json_object(data, PAUSE_FILE))
