"""What moves the goal besides tools: the user's commands and what happens in the session.

Pi reference sections 2.7 and 2.10 to 2.14. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite

from ppgp_tui.pi import goal_acts, javascript
from ppgp_tui.pi.goal import GoalProposal, GoalState, proposal_json, state_json
from ppgp_tui.pi.goal_acts import Change, GoalRefusedError
from ppgp_tui.pi.goal_machine import (
    CONTINUATION,
    PROPOSAL_EVENT,
    STATE_EVENT,
    Done,
    Event,
    GoalMachine,
    Refused,
    Step,
    arm,
    armed,
    audited,
    changed,
    is_active,
    wait_over,
)


def pause(machine: GoalMachine, reason: str, *, now_ms: int) -> Step:
    """`/goal-pause [reason]`: the run in progress is not stopped, only the next continuation."""
    why = javascript.trim(reason) or "Paused by user."
    return _command(machine, lambda: goal_acts.pause(machine.state, why, now_ms=now_ms))


def resume(machine: GoalMachine, *, now_ms: int) -> Step:
    """`/goal-resume`."""
    step = _command(machine, lambda: goal_acts.resume(machine.state, now_ms=now_ms))
    return step if isinstance(step.result, Refused) else armed(step)


def abandon(machine: GoalMachine, reason: str, *, now_ms: int) -> Step:
    """`/goal-abandon [reason]`."""
    why = javascript.trim(reason) or "Abandoned by user."
    return _command(machine, lambda: goal_acts.abandon(machine.state, why, now_ms=now_ms))


def _command(machine: GoalMachine, act: Callable[[], Change]) -> Step:
    try:
        return changed(machine, act(), Done())
    except GoalRefusedError as refusal:
        return Step(machine, Refused(str(refusal)))


def restore(state: GoalState, proposal_revision: int = 0) -> Step:
    """A session starts, or goes to another point of its tree, where these stood last."""
    machine = GoalMachine(state, GoalProposal(proposal_revision))
    return Step(
        arm(machine),
        events=(
            Event(STATE_EVENT, state_json(state)),
            Event(PROPOSAL_EVENT, proposal_json(machine.proposal)),
        ),
    )


def run_started(machine: GoalMachine, *, now_ms: int) -> Step:
    """A run begins: time counts from here if the goal is active, and a wait is over."""
    return wait_over(replace(machine, accounted_ms=now_ms if is_active(machine) else None))


def turn_ended(machine: GoalMachine, tokens: int, *, now_ms: int) -> Step:
    """A turn is over: its tokens and the whole seconds since the last count are added."""
    if not is_active(machine):
        return Step(machine)
    since = now_ms if machine.accounted_ms is None else machine.accounted_ms
    seconds = max(0, (now_ms - since) // 1000)
    machine = replace(machine, accounted_ms=now_ms)
    try:
        change = goal_acts.account(machine.state, tokens=tokens, seconds=seconds, now_ms=now_ms)
    except GoalRefusedError as refusal:
        return Step(machine, Refused(str(refusal)))
    return changed(machine, change, Done()) if change else Step(machine)


def turn_tokens(message: object) -> int:
    """Tokens of an assistant's message that count: input and output, not the cache."""
    if not isinstance(message, Mapping) or message.get("role") != "assistant":
        return 0
    usage = message.get("usage")
    if not isinstance(usage, Mapping):
        return 0
    return sum(_count(usage.get(name)) for name in ("input", "output"))


def _count(value: object) -> int:
    known = javascript.is_number(value) and isfinite(javascript.number(value))
    return max(0, int(value)) if known and isinstance(value, int | float) else 0


def run_ended(machine: GoalMachine, stop_reason: str | None) -> GoalMachine:
    """A run is over: work goes on when Pi is idle, unless it ended in an error or was aborted."""
    if stop_reason in ("error", "aborted"):
        return replace(machine, armed=False)
    return arm(machine) if stop_reason in ("stop", "length", "toolUse") else machine


def idle(machine: GoalMachine) -> Step:
    """Pi is idle: an armed continuation is sent, but only while the goal is still active."""
    sent = (CONTINUATION,) if machine.armed and is_active(machine) else ()
    return Step(replace(machine, armed=False), sent=sent)


def woken(machine: GoalMachine, *, now_ms: int) -> Step:
    """The clock moved: a wait whose time has come is over and work goes on when Pi is idle."""
    if machine.wake is None or javascript.iso_time(now_ms) < (machine.wake.wake_at or ""):
        return Step(machine)
    return armed(wait_over(machine))


def settled(machine: GoalMachine, *, now_ms: int) -> Step:
    """All automatic work is over: a complete goal leaves, once."""
    try:
        change = goal_acts.settle(machine.state, now_ms=now_ms)
    except GoalRefusedError as refusal:
        return Step(machine, Refused(str(refusal)))
    return changed(machine, change, Done()) if change else Step(machine)


def compacted(machine: GoalMachine) -> Step:
    """The context was compacted: the state is written once more with the same revision."""
    return changed(machine, Change(machine.state), Done())


def shut_down(machine: GoalMachine, *, now_ms: int) -> Step:
    """The session ends: nothing is armed and no audit runs any more."""
    return audited(replace(machine, armed=False), None, now_ms)
