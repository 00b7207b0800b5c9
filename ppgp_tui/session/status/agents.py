"""Agents and orders for the status line: the app's rules on files read without anything heavy.

The app also keeps the last good picture and tells what is wrong with a file; what cannot be read
is left out here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgp_tui.session.log import pauses
from ppgp_tui.session.members import texts
from ppgp_tui.session.picture.handshake import Calls, Handshake, Hold, handshakes, hold_of, standing
from ppgp_tui.session.sources.calls import CallsSince
from ppgp_tui.session.sources.heartbeat import (
    AGENTS,
    HELD,
    TAIL,
    Heartbeat,
    Held,
    heartbeat,
    held_call,
    is_there,
    joined,
    live_holds,
    sessions,
    state_of,
    waiting_for_you,
)
from ppgp_tui.session.status.files import json_object, open_inside, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]

CONTROL = ".ppgp/run/control.json"
PAUSE = "pause.json"


class AgentState(NamedTuple):
    """One agent, as far as a `Glance` asks."""

    session: str
    state: str
    since_ms: int | None
    contact_ms: int | None


class ControlState(NamedTuple):
    """What is ordered, as far as a `Glance` asks."""

    handshake: tuple[Handshake, ...]


def agents_and_control(
    root: str, own: str, requests: Iterable[Any], paused: Json, now_ms: int
) -> tuple[list[AgentState], ControlState]:
    """Every session with its state at this moment, and how a pause stands with them.

    `own` is the root's folder in the user's state folder, `paused` what the log says (`pauses`).
    """
    ordered, ordered_ms = json_object(root, CONTROL) or ({}, None)
    kept, kept_ms = json_object(own, PAUSE) or ({}, None)
    hold, lost = standing(
        hold_of(ordered), hold_of(kept), released=paused["released"],
        written=(ordered_ms, kept_ms), now_ms=now_ms,
    )  # fmt: skip
    held, beats = _held(root), joined(_heartbeats(root))
    handshake = (
        handshakes(
            hold,
            [(beat, is_there(beat)) for beat in beats],
            {beat.session: calls_since(root, beat.session, hold) for beat in beats},
            {session: call.since_ms for session, call in held.items()},
            pauses.recorded(paused, hold.id),
            now_ms,
            lost=lost,
        )
        if hold
        else ()
    )
    waiting = waiting_for_you(requests)
    broken = {one.session: one.since_ms for one in handshake if one.state == "violated"}
    stop = texts(ordered.get("stop"))
    agents = [
        AgentState(
            beat.session,
            *state_of(beat, held.get(beat.session), waiting, broken, now_ms, stop),
            beat.contact_ms,
        )
        for beat in beats
    ]
    return agents, ControlState(handshake)


def calls_since(root: str, session: str, hold: Hold) -> Calls:
    """What the calls of one session say about a pause."""
    descriptor = open_inside(root, f"{AGENTS}/{session}.calls")
    if descriptor is None:
        return Calls()
    with os.fdopen(descriptor, "rb"):
        return CallsSince(hold).read(descriptor)


def _held(root: str) -> dict[str, Held]:
    files = [json_object(root, f"{HELD}/{name}.json") for name in sessions(f"{root}/{HELD}") or ()]
    calls = [held_call(said) for said, _ in filter(None, files)]
    return live_holds(call for call in calls if call is not None)


def _heartbeats(root: str) -> Iterator[Heartbeat]:
    for session in sessions(f"{root}/{AGENTS}") or ():
        file = json_object(root, f"{AGENTS}/{session}.json")
        if file is not None:
            tail, _ = read(root, f"{AGENTS}/{session}.calls", TAIL)
            yield heartbeat(session, *file, tail)
