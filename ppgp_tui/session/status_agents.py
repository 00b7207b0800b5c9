"""Agents and orders for the status line: the app's rules on files read without anything heavy.

The app also keeps the last good picture and tells what is wrong with a file; what cannot be read
is left out here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgp_tui.session.members import text, whole
from ppgp_tui.session.sources.heartbeat import (
    AGENTS,
    HELD,
    TAIL,
    heartbeat,
    held_call,
    live_holds,
    sessions,
    state_of,
)
from ppgp_tui.session.status_files import read

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

CONTROL = ".ppgp/run/control.json"


class AgentState(NamedTuple):
    """One agent, as far as a `Glance` asks."""

    state: str
    since_ms: int | None
    contact_ms: int | None


class ControlState(NamedTuple):
    """What is ordered, as far as a `Glance` asks."""

    hold_id: str | None
    held_since_ms: int | None


def control(root: str) -> ControlState:
    """What `control.json` orders; nothing where it is absent or makes no sense."""
    said = _object(root, CONTROL)
    hold = said[0].get("hold") if said else None
    if not isinstance(hold, dict):
        return ControlState(None, None)
    return ControlState(text(hold.get("id")) or None, whole(hold.get("since_ms")))


def agents(root: str, waiting: Mapping[str, int | None], now_ms: int) -> list[AgentState]:
    """Every session with its state at this moment; `waiting` says who asked, and when."""
    files = [_object(root, f"{HELD}/{name}.json") for name in sessions(f"{root}/{HELD}") or ()]
    calls = [held_call(said) for said, _ in filter(None, files)]
    held = live_holds(call for call in calls if call is not None)
    found = []
    for session in sessions(f"{root}/{AGENTS}") or ():
        file = _object(root, f"{AGENTS}/{session}.json")
        if file is not None:
            tail, _ = read(root, f"{AGENTS}/{session}.calls", TAIL)
            beat = heartbeat(session, *file, tail)
            state, since = state_of(beat, held.get(session), waiting, now_ms)
            found.append(AgentState(state, since, beat.contact_ms))
    return found


def _object(root: str, path: str) -> tuple[Json, int | None] | None:
    """The JSON object in a file and when the file was written; None when it makes no sense."""
    data, changed_ms = read(root, path)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return (value, changed_ms) if isinstance(value, dict) else None
