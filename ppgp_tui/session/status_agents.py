"""The states of the connected agents, read without anything heavy.

Says the same as `sources.agents` (a test compares them), which also keeps the last good picture
and tells what is wrong with a file. What cannot be read is left out here.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgp_tui.session.process import is_alive
from ppgp_tui.session.status_files import read

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

AGENTS = ".ppgp/run/agents"
HELD = ".ppgp/run/held"
CONTROL = ".ppgp/run/control.json"
FRESH_MS = 15_000
_MOST = 200
_TAIL = 16 * 1024
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


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
    hold = _object(root, CONTROL)[0].get("hold")
    if not isinstance(hold, dict):
        return ControlState(None, None)
    return ControlState(_text(hold.get("id")) or None, _whole(hold.get("since_ms")))


def agents(root: str, waiting: Mapping[str, int | None], now_ms: int) -> list[AgentState]:
    """Every session with its state at this moment; `waiting` says who asked, and when."""
    held = dict(_held(root, name) for name in _newest(root, HELD))
    found = []
    for name in _newest(root, AGENTS):
        said, changed_ms = _object(root, f"{AGENTS}/{name}")
        if changed_ms is not None:
            found.append(_agent(root, name[:-5], said, changed_ms, held, waiting, now_ms))
    return found


def _agent(
    root: str,
    session: str,
    said: Json,
    changed_ms: int,
    held: Mapping[str, tuple[bool, int | None]],
    waiting: Mapping[str, int | None],
    now_ms: int,
) -> AgentState:
    called_ms, open_call = _calls(read(root, f"{AGENTS}/{session}.calls", _TAIL)[0])
    since, state, pid = _whole(said.get("since_ms")), said.get("state"), _whole(said.get("pid"))
    contact = max(ms for ms in (changed_ms, since, called_ms) if ms is not None)
    lives, held_since = held.get(session, (False, None))
    if state == "ended":
        return AgentState("ended", since, contact)
    if pid is not None and not is_alive(pid, _whole(said.get("pid_start"))):
        return AgentState("gone", contact, contact)
    if session in waiting:
        return AgentState("waiting_for_you", waiting[session], contact)
    if lives:
        return AgentState("held", held_since, contact)
    if state == "idle" and (called_ms or 0) <= (since or 0):
        return AgentState("idle", since, contact)
    if open_call or now_ms - contact < FRESH_MS:
        return AgentState("working", since, contact)
    return AgentState("quiet", contact, contact)


def _held(root: str, name: str) -> tuple[str, tuple[bool, int | None]]:
    said, _ = _object(root, f"{HELD}/{name}")
    pid = _whole(said.get("pid"))
    lives = pid is not None and is_alive(pid, _whole(said.get("pid_start")))
    return _text(said.get("session")), (lives, _whole(said.get("since_ms")))


def _calls(tail: bytes) -> tuple[int | None, bool]:
    """When the last call was written of, and whether one is still open."""
    open_calls = set()
    last_ms = None
    for line in tail.split(b"\n")[:-1]:
        words = line.decode("ascii", "replace").split(" ")
        if len(words) != 7 or not words[0].isdigit():
            continue
        moment, what, _, _, call, subagent, name = words
        last_ms = int(moment)
        key = call if call != "-" else f"{subagent} {name}"
        if what == "pre":
            open_calls.add(key)
        else:
            open_calls.discard(key)
    return last_ms, bool(open_calls)


def _newest(root: str, folder: str) -> list[str]:
    """Names of the newest JSON files in a folder, in order of name."""
    try:
        with os.scandir(f"{root}/{folder}") as entries:
            found = [
                (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                for entry in entries
                if entry.name.endswith(".json")
                and 0 < len(entry.name) - 5 <= 160
                and _NAME.issuperset(entry.name)
            ]
    except OSError:
        return []
    return sorted(name for _, name in sorted(found)[-_MOST:])


def _object(root: str, path: str) -> tuple[Json, int | None]:
    """The JSON object in a file and when the file was written; None when it makes no sense."""
    data, changed_ms = read(root, path)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}, None
    return (value, changed_ms) if isinstance(value, dict) else ({}, None)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
