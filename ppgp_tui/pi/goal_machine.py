"""Pi Goal as one value: the goal, its proposal, a running audit and the armed continuation.

Every step gives the next value and what Pi would write, announce and send meanwhile: the state
entry first, then its event, then the receipt and its event (Pi reference section 2.3). Here are the
values and the parts steps are made of; `goal_session` and `goal_tools` have the steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ppgp_tui.pi import javascript
from ppgp_tui.pi.goal import (
    Goal,
    GoalProposal,
    GoalState,
    Proposal,
    proposal_json,
    state_json,
)
from ppgp_tui.pi.goal_acts import Change
from ppgp_tui.pi.goal_wait import Wait, Wake, wake_json
from ppgp_tui.pi.receipt import Receipt, receipt_json

STATE_ENTRY = "pi-goal-state-v1"
RECEIPT_ENTRY = "pi-goal-receipt-v1"
PROPOSAL_ENTRY = "pi-goal-proposal-revision-v1"
WAKE_ENTRY = "pi-goal-wake-v1"
STATE_EVENT = "pi-goal:state"
PROPOSAL_EVENT = "pi-goal:proposal"
RECEIPT_EVENT = "pi-goal:transcript-event"
AUDIT_EVENT = "pi-goal:audit"


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit under way: the goal as it was when it began, and the claim."""

    goal: Goal
    summary: str


@dataclass(frozen=True, slots=True)
class GoalMachine:
    """Everything Pi Goal keeps between two steps of one branch."""

    state: GoalState = field(default_factory=GoalState)
    proposal: GoalProposal = field(default_factory=GoalProposal)
    proposed_for: str | None = None
    """Id of the goal a proposed revision is for."""
    audit: Audit | None = None
    armed: bool = False
    """A continuation is sent when Pi is next idle, if the goal is active then."""
    accounted_ms: int | None = None
    """Until when the time of the goal has been counted."""
    wake: Wake | None = None
    """The wait that is on."""


@dataclass(frozen=True, slots=True)
class Done:
    """The step went through; `text` is what a tool says, `ends_run` that the run stops after it."""

    text: str = ""
    ends_run: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """The step changed nothing but what the entries say; `text` is the error."""

    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """The tool waits for the user's decision about what is shown: Markdown under a title."""

    title: str
    message: str


@dataclass(frozen=True, slots=True)
class AuditOrder:
    """The tool waits for the auditor's result about this goal and claim."""

    goal: Goal
    summary: str


Result = Done | Refused | Question | AuditOrder


@dataclass(frozen=True, slots=True)
class Entry:
    """One custom entry appended to the session."""

    custom_type: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """One announcement to other extensions."""

    channel: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message sent to the agent that starts a turn, not shown to the user."""

    custom_type: str
    content: str


@dataclass(frozen=True, slots=True)
class Step:
    """The machine after a step, the step's result, and what was written, announced and sent."""

    machine: GoalMachine
    result: Result = Done()
    entries: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    sent: tuple[Message, ...] = ()

    def after(self, earlier: Step) -> Step:
        """This step as the rest of what `earlier` began."""
        return replace(
            self,
            entries=earlier.entries + self.entries,
            events=earlier.events + self.events,
            sent=earlier.sent + self.sent,
        )


CONTINUATION = Message("pi-goal-continuation-v1", "Continue the Goal.")


def changed(machine: GoalMachine, change: Change, result: Done) -> Step:
    """`change` written and announced; a wait is over once the goal is no longer active."""
    state = state_json(change.state)
    step = Step(
        replace(machine, state=change.state),
        result,
        (Entry(STATE_ENTRY, state),),
        (Event(STATE_EVENT, state),),
    )
    if change.receipt:
        step = replace(_receipt(step.machine, change.receipt), result=result).after(step)
    if not is_active(step.machine):
        step = replace(wait_over(step.machine), result=result).after(step)
    return step


def _receipt(machine: GoalMachine, receipt: Receipt) -> Step:
    data = receipt_json(receipt)
    return Step(
        machine, entries=(Entry(RECEIPT_ENTRY, data),), events=(Event(RECEIPT_EVENT, data),)
    )


def waiting(machine: GoalMachine, wait: Wait) -> Step:
    """`wait` begins and ends the run; the state does not change."""
    entry = Entry(WAKE_ENTRY, wake_json(wait.wake))
    step = Step(replace(machine, wake=wait.wake, armed=False), entries=(entry,))
    receipt = _receipt(step.machine, wait.receipt)
    return replace(receipt, result=Done(wait.text, ends_run=True)).after(step)


def wait_over(machine: GoalMachine) -> Step:
    """The wait, if one is on, ends."""
    if machine.wake is None:
        return Step(machine)
    entry = Entry(WAKE_ENTRY, wake_json(Wake(machine.wake.goal_id, None)))
    return Step(replace(machine, wake=None), entries=(entry,))


def proposed(machine: GoalMachine, proposal: Proposal | None, goal_id: str | None = None) -> Step:
    """Another proposal, or none any more; the entry holds only that something changed."""
    now = GoalProposal(machine.proposal.revision + 1, proposal)
    return Step(
        replace(machine, proposal=now, proposed_for=goal_id),
        entries=(Entry(PROPOSAL_ENTRY, {"schemaVersion": 1, "revision": now.revision}),),
        events=(Event(PROPOSAL_EVENT, proposal_json(now)),),
    )


def audited(machine: GoalMachine, audit: Audit | None, now_ms: int) -> Step:
    """An audit begins or ends; nothing is written, listeners are told once."""
    about = audit or machine.audit
    if about is None:
        return Step(machine)
    payload = {
        "version": 1,
        "goalId": about.goal.id,
        "active": audit is not None,
        "emittedAt": javascript.iso_time(now_ms),
    }
    return Step(replace(machine, audit=audit), events=(Event(AUDIT_EVENT, payload),))


def armed(step: Step) -> Step:
    """`step` with a continuation armed after it, if it can be."""
    return replace(step, machine=arm(step.machine))


def arm(machine: GoalMachine) -> GoalMachine:
    """`machine` with a continuation armed, if its goal is active and does not wait."""
    ready = is_active(machine) and machine.wake is None
    return replace(machine, armed=True) if ready else machine


def is_active(machine: GoalMachine) -> bool:
    """Whether there is a goal to go on with."""
    return machine.state.goal is not None and machine.state.goal.status == "active"
