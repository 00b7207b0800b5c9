"""Acts on the agents' run: hold and release, as one order that every hook reads. Values only.

`control.json` decides what agents do; the log says who ordered it and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ppgp_tui.pi.goal import PAUSE_REASON_MOST
from ppgp_tui.pi.javascript import length
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.journal.results import RefusalError

EVERYONE: Final = ("*",)
PAUSE_REASON: Final = "Paused by user."
HOLD_LIMIT_S: Final = 28800
CONTINUE_TEXT: Final = "Continue the Goal."
CONTINUE_LIMIT: Final = 25


@dataclass(frozen=True, slots=True)
class Order:
    """The wanted content of `control.json`."""

    control: Json
    changed: bool


def nothing_ordered() -> Json:
    """`control.json` before anybody ordered anything."""
    return {
        "by": "system:ppgp-tui",
        "continue": {"limit": CONTINUE_LIMIT, "on": True, "text": CONTINUE_TEXT},
        "generation": 0,
        "hold": None,
        "hold_limit_s": HOLD_LIMIT_S,
        "next": "",
        "schema": 1,
        "slow": False,
        "stop": [],
    }


def hold(
    control: Json,
    *,
    by: str,
    hold_id: str,
    now_ms: int,
    reason: str,
    seen_generation: int | None,
    limit_s: int = HOLD_LIMIT_S,
    who: Sequence[str] = EVERYONE,
) -> Order:
    """Order sessions to wait before their next call.

    A hold that concerns all of them is left as it is. One that holds others becomes a new one for
    these and those: whoever waits goes on waiting.
    """
    _must_be_painted(control, seen_generation)
    if length(reason) > PAUSE_REASON_MOST:
        text = f"a reason to pause has at most {PAUSE_REASON_MOST} characters"
        raise RefusalError("refused", f"{text}; nothing was changed")
    standing = control["hold"]["who"] if control["hold"] is not None else []
    everybody = EVERYONE[0] in who
    if EVERYONE[0] in standing or (standing and set(who) <= set(standing)):
        return Order(control, changed=False)
    wanted = list(EVERYONE) if everybody else [*dict.fromkeys((*standing, *who))]
    held = {"id": hold_id, "reason": reason, "since_ms": now_ms, "who": wanted}
    control = {**control, "hold_limit_s": limit_s}
    return Order(ordered(control, held, by=by), changed=True)


def release(
    control: Json, *, by: str, seen_generation: int | None, session: str | None = None
) -> Order:
    """Let every held call go on, or those of one `session`.

    Raises `RefusalError` for one session where every one is held.
    """
    _must_be_painted(control, seen_generation)
    hold = control["hold"]
    if hold is None or (session is not None and not _holds(hold, session)):
        return Order(control, changed=False)
    if session is not None and EVERYONE[0] in hold["who"]:
        text = f"every agent is held, not {session} alone: resume lets all of them go on"
        raise RefusalError("refused", f"{text}; nothing was changed")
    still = [one for one in hold["who"] if one != session] if session is not None else []
    left = {**hold, "who": still} if still else None
    return Order(ordered(control, left, by=by), changed=True)


def _holds(hold: Json, session: str) -> bool:
    return EVERYONE[0] in hold["who"] or session in hold["who"]


def stopped(control: Json, stop: Sequence[str], *, by: str) -> Json:
    """The next order: the turns of these sessions are to end."""
    return {**control, "by": by, "stop": list(stop), "generation": control["generation"] + 1}


def ordered(control: Json, held: Json | None, *, by: str, after: int = 0) -> Json:
    """The next order: `held` in force, everything else as it was, a generation above `after`."""
    generation = max(control["generation"], after) + 1
    slow = held is not None or bool(control["stop"])
    return {**control, "by": by, "hold": held, "generation": generation, "slow": slow}


def record_hold(
    draft: Draft,
    hold_id: str,
    reason: str,
    actor: Actor | None = None,
    session: str | None = None,
) -> Json:
    """Record the pause, and pause an active goal with it, unless it is for one `session` alone."""
    payload: Json = {"what": "pause", "hold": hold_id}
    if session is not None:
        payload["session"] = session
    event = draft.record("human.interrupted", payload, actor=actor)
    goal = None if session is not None else goals.state_of(draft.ledger).goal
    if goal is not None and goal.status == "active":
        goals.pause(draft, reason or PAUSE_REASON, cause=event, actor=actor)
    return {"hold": hold_id}


def record_release(
    draft: Draft, hold_id: str, session: str | None = None, still: Sequence[str] = ()
) -> Json:
    """Record the resume; a goal that the hold had paused goes on, any other stays as it is.

    `still` are the sessions that it goes on holding when one `session` is released.
    """
    payload: Json = {"what": "resume", "hold": hold_id}
    if session is not None:
        payload["session"] = session
    if still:
        draft.record("human.interrupted", {**payload, "still": list(still)})
        return {"hold": hold_id}
    paused_by_hold = (draft.ledger.hold(hold_id) or {}).get("paused_goal", False)
    event = draft.record("human.interrupted", payload)
    goal = goals.state_of(draft.ledger).goal
    if paused_by_hold and goal is not None and goal.status == "paused":
        goals.resume(draft, cause=event)
    return {"hold": hold_id}


def _must_be_painted(control: Json, seen: int | None) -> None:
    if seen is not None and seen != control["generation"]:
        text = f"the order changed meanwhile (generation {control['generation']}, you saw {seen})"
        raise RefusalError("stale", f"{text}; nothing was changed")
