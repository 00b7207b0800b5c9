"""The Goal tools an agent calls, step by step (Pi reference sections 2.5, 2.6, 2.11).

Two tools wait in the middle: proposals for the user's decision, a claim of completion for the
auditor's result. Their second halves are `decide` and `finish_audit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppgp_tui.pi import goal_acts, goal_wait, tools
from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.pi.goal import Goal, Proposal
from ppgp_tui.pi.goal_acts import Change, GoalRefusedError
from ppgp_tui.pi.goal_machine import (
    Audit,
    AuditOrder,
    Done,
    GoalMachine,
    Question,
    Refused,
    Step,
    armed,
    audited,
    changed,
    proposed,
    waiting,
)
from ppgp_tui.pi.javascript import length, trim
from ppgp_tui.pi.verdict import AuditResult

TOOLS_REFUSED = "The Goal is complete. Write the final user-facing response without calling tools."
NO_SURFACE = "Goal proposal requires an interactive user confirmation surface."
COMMENT_MOST = 4000

_DECLINED = {
    "create": "Goal proposal declined. Continue the ordinary conversation and propose again only "
    "after the user asks for a change.",
    "tweak": "Goal revision declined. The current Goal is unchanged.",
}
_CONFIRMED = {
    "create": "Goal confirmed and started. Autonomous continuation is active.",
    "tweak": "Goal revision confirmed.",
}
_FINAL_RESPONSE = (
    "Write one normal final response now: explain what was completed, what changed or was "
    "produced, what was verified, and the final state or relevant next step. Do not call tools."
)


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's answer to a proposal; closing the dialog without one is a no."""

    confirmed: bool
    comment: str | None = None


def call_tool(machine: GoalMachine, tool: str, received: object, *, now_ms: int) -> Step:
    """The first or only step of `tool` called with `received`.

    Raises:
        KeyError: there is no such tool.
    """
    checked = tools.check(tool, received)
    if isinstance(checked, tools.Rejection):
        return Step(machine, Refused(checked.text))
    return run_tool(machine, tool, checked, now_ms=now_ms)


def refusal_of_tools(machine: GoalMachine) -> str | None:
    """Why no tool at all may run now: a complete goal waits for the final answer in prose."""
    goal = machine.state.goal
    return TOOLS_REFUSED if goal is not None and goal.status == "complete" else None


def run_tool(machine: GoalMachine, tool: str, arguments: Mapping[str, Any], *, now_ms: int) -> Step:
    """As `call_tool`, with arguments that fit the tool already.

    Raises:
        KeyError: there is no such tool.
    """
    if refused := refusal_of_tools(machine):
        return Step(machine, Refused(refused))
    try:
        return _TOOLS[tool](machine, arguments, now_ms)
    except GoalRefusedError as refusal:
        return Step(machine, Refused(str(refusal)))


def _propose(machine: GoalMachine, arguments: Mapping[str, Any], _now_ms: int) -> Step:
    if machine.state.goal is not None:
        raise GoalRefusedError(goal_acts.ALREADY_EXISTS)
    objective = goal_acts.new_objective(arguments["objective"])
    return _ask(machine, Proposal("create", objective), None)


def _tweak(machine: GoalMachine, arguments: Mapping[str, Any], _now_ms: int) -> Step:
    goal = goal_acts.current_goal(machine.state, "unfinished")
    objective = goal_acts.new_objective(arguments["objective"])
    return _ask(machine, Proposal("tweak", objective, trim(goal.objective)), goal)


def _ask(machine: GoalMachine, proposal: Proposal, goal: Goal | None) -> Step:
    if machine.proposal.proposal is not None:
        raise GoalRefusedError("Another Goal proposal is still waiting for the user's decision.")
    step = proposed(machine, proposal, goal.id if goal else None)
    return Step(step.machine, _question(proposal, goal)).after(step)


def _question(proposal: Proposal, goal: Goal | None) -> Question:
    if goal is None:
        return Question("Confirm Goal", proposal.objective)
    message = f"## Current Goal\n\n{goal.objective}\n\n## Revised Goal\n\n{proposal.objective}"
    return Question("Confirm Goal revision", message)


def decide(machine: GoalMachine, decision: Decision, *, goal_id: str, now_ms: int) -> Step:
    """The user has decided what is proposed; `goal_id` is a fresh id in case a goal begins.

    The proposal is over whatever comes of it. A revision applies to the goal as it is now, and only
    if it is still the goal the user was asked about.

    Raises:
        ValueError: nothing is proposed.
    """
    proposal = _waiting(machine)
    cleared = proposed(machine, None)
    try:
        step = _decided(cleared.machine, proposal, machine.proposed_for, decision, goal_id, now_ms)
    except GoalRefusedError as refusal:
        step = Step(cleared.machine, Refused(str(refusal)))
    return step.after(cleared)


def cannot_ask(machine: GoalMachine, error: str = NO_SURFACE) -> Step:
    """Nobody could be asked about what is proposed: the proposal is over and the tool fails.

    Raises:
        ValueError: nothing is proposed.
    """
    _waiting(machine)
    cleared = proposed(machine, None)
    return Step(cleared.machine, Refused(error)).after(cleared)


def _waiting(machine: GoalMachine) -> Proposal:
    if machine.proposal.proposal is None:
        raise ValueError("no Goal proposal waits for a decision")
    return machine.proposal.proposal


def _decided(
    machine: GoalMachine,
    proposal: Proposal,
    proposed_for: str | None,
    decision: Decision,
    goal_id: str,
    now_ms: int,
) -> Step:
    comment = _comment(decision.comment)
    if not decision.confirmed:
        return Step(machine, Done(_DECLINED[proposal.kind] + comment))
    if proposal.kind == "create":
        change = goal_acts.start(machine.state, proposal.objective, goal_id=goal_id, now_ms=now_ms)
    else:
        goal = goal_acts.current_goal(machine.state, "unfinished")
        if goal.id != proposed_for:
            raise GoalRefusedError("The Goal this revision was proposed for is gone.")
        change = goal_acts.tweak(machine.state, proposal.objective, now_ms=now_ms)
    done = Done(_CONFIRMED[proposal.kind] + comment, ends_run=True)
    return armed(changed(machine, change, done))


def _comment(text: str | None) -> str:
    kept = trim(text or "")
    if length(kept) > COMMENT_MOST:
        raise GoalRefusedError(
            f"Goal proposal comment exceeds the {COMMENT_MOST}-character producer state bound."
        )
    return f'\n\nUser comment: "{kept}"' if kept else ""


def _block(machine: GoalMachine, arguments: Mapping[str, Any], now_ms: int) -> Step:
    proof = BlockProof(
        arguments["blocker"],
        arguments["evidence"],
        arguments["whyNoAutonomousPathRemains"],
        arguments["unblockCondition"],
    )
    change = goal_acts.block(machine.state, proof, now_ms=now_ms)
    text = goal_acts.block_text(change.state.goal) if change.state.goal else ""
    return changed(machine, change, Done(f"Goal blocked.\n\n{text}", ends_run=True))


def _resume(machine: GoalMachine, _arguments: Mapping[str, Any], now_ms: int) -> Step:
    change = goal_acts.resume(machine.state, now_ms=now_ms)
    done = Done("Goal resumed. Autonomous continuation is active.", ends_run=True)
    return armed(changed(machine, change, done))


def _abandon(machine: GoalMachine, arguments: Mapping[str, Any], now_ms: int) -> Step:
    change = goal_acts.abandon(machine.state, arguments["reason"], now_ms=now_ms)
    text = f"Goal abandoned: {trim(arguments['reason'])}"
    return changed(machine, change, Done(text, ends_run=True))


def _complete(machine: GoalMachine, arguments: Mapping[str, Any], now_ms: int) -> Step:
    goal, summary = goal_acts.claim(machine.state, arguments["summary"])
    if machine.audit is not None:
        raise GoalRefusedError("A completion audit is already running.")
    step = audited(machine, Audit(goal, summary), now_ms)
    return Step(step.machine, AuditOrder(goal, summary)).after(step)


def _wait(machine: GoalMachine, arguments: Mapping[str, Any], now_ms: int) -> Step:
    seconds, condition = arguments["delaySeconds"], arguments["waitingFor"]
    return waiting(machine, goal_wait.wait(machine.state, seconds, condition, now_ms=now_ms))


def finish_audit(machine: GoalMachine, audit: AuditResult, *, now_ms: int) -> Step:
    """The auditor is done. The result counts only if the goal has not changed meanwhile.

    Raises:
        ValueError: no audit runs.
    """
    about = _running(machine)
    ended = audited(machine, None, now_ms)
    try:
        change = goal_acts.conclude(
            ended.machine.state, about.goal, about.summary, audit, now_ms=now_ms
        )
    except GoalRefusedError as refusal:
        return Step(ended.machine, Refused(str(refusal))).after(ended)
    return changed(ended.machine, change, Done(_conclusion(change, audit))).after(ended)


def fail_audit(machine: GoalMachine, error: str, *, now_ms: int) -> Step:
    """The auditor could not even be run: the tool fails with `error`, the goal is as it was.

    Raises:
        ValueError: no audit runs.
    """
    _running(machine)
    ended = audited(machine, None, now_ms)
    return Step(ended.machine, Refused(error)).after(ended)


def _running(machine: GoalMachine) -> Audit:
    if machine.audit is None:
        raise ValueError("no completion audit runs")
    return machine.audit


def _conclusion(change: Change, audit: AuditResult) -> str:
    if audit.approved:
        return f"Goal audit approved.\n\n{audit.output}\n\n{_FINAL_RESPONSE}"
    rejection = change.state.goal.last_audit_rejection if change.state.goal else None
    report = rejection.report if rejection else ""
    return f"Goal completion rejected. Address these objections before retrying:\n\n{report}"


_TOOLS = {
    "propose_goal": _propose,
    "tweak_goal": _tweak,
    "set_goal_blocked": _block,
    "resume_goal": _resume,
    "abandon_goal": _abandon,
    "complete_goal": _complete,
    "wait_goal": _wait,
}
