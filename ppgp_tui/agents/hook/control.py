"""What agents are ordered, as a hook reads it: `control.json`, and whether a pause was lost."""

from __future__ import annotations

import json
import os
from typing import Any, Final, Literal, NamedTuple

from ppgp_tui.agents.hook.place import Place
from ppgp_tui.session.canonical import is_id
from ppgp_tui.session.files.safe import Folder

CONTROL: Final = "control.json"
PAUSE: Final = "pause.json"
LIMIT_S: Final = 28800
_MOST = 256 * 1024


class Control(NamedTuple):
    """The order, as far as a hook goes by it."""

    state: Literal["read", "missing", "damaged"] = "missing"
    generation: int = 0
    hold: str | None = None
    """The id of the pause that holds this session."""
    limit_s: int | None = None
    stop: bool = False
    """The turn of this session is to end."""
    goes_on: bool = True
    """Nobody has said that agents shall stop at the end of their turns."""
    rounds: int | None = None
    """So many rounds at most, if the order says."""
    words: str = ""
    """To go on with."""
    slow: bool = False


Stamp = tuple[int, int, int, int]


def stamp(run: Folder | None) -> Stamp | None:
    """Changes when the order is given anew; None while there is none."""
    if run is None:
        return None
    try:
        found = os.stat(CONTROL, dir_fd=run.descriptor, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def read(run: Folder | None, session: str) -> Control:
    """The order for that session; never raises. One that cannot be read holds nobody."""
    if run is None:
        return Control()
    try:
        said = _object(run, CONTROL)
    except FileNotFoundError:
        return Control()
    except (OSError, ValueError, RecursionError):
        return Control("damaged")
    if said is None or said.get("schema") != 1:
        return Control("damaged")
    going = said.get("continue")
    going = going if isinstance(going, dict) else {}
    stop = said.get("stop")
    return Control(
        "read",
        _count(said.get("generation")) or 0,
        _hold(said.get("hold"), session),
        _count(said.get("hold_limit_s")) or None,
        isinstance(stop, list) and session in stop,
        going.get("on") is not False,
        _count(going.get("limit")),
        going["text"] if isinstance(going.get("text"), str) else "",
        said.get("slow") is True,
    )


def kept(place: Place) -> str | None:
    """The pause for this session that `pause.json` in the user's folder says is in force."""
    try:
        with Folder.open(place.state.parents[2], *place.state.parts[-3:]) as state:
            said = _object(state, PAUSE)
    except (OSError, ValueError, RecursionError):
        return None
    return _hold(said.get("hold"), place.key) if said else None


def _object(folder: Folder, name: str) -> dict[str, Any] | None:
    data = folder.read(name)
    said = json.loads(data) if len(data) <= _MOST else None
    return said if isinstance(said, dict) else None


def _hold(hold: Any, session: str) -> str | None:
    """The id of a hold that concerns the session."""
    if not isinstance(hold, dict) or not isinstance(hold.get("id"), str):
        return None
    who = hold.get("who")
    named = who if isinstance(who, list) and who else ["*"]
    concerned = "*" in named or session in named
    return hold["id"] if concerned and is_id(hold["id"], "hold") else None


def _count(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53:
        return value
    return None
