"""Every way a goal may change: one function each, from the state before to the state after.

Each change raises the revision by one. What is not allowed raises `GoalRefusedError` with Pi's own
text. Times are milliseconds since 1970; ids come from the caller (Pi reference sections 2.4 to 2.8,
2.11 to 2.13).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ppgp_tui.pi import block_proof
from ppgp_tui.pi.block_proof import BlockProof, label_of
from ppgp_tui.pi.goal import (
    OBJECTIVE_MOST,
    PAUSE_REASON_MOST,
    REPORT_MOST,
    SUMMARY_MOST,
    AuditRejection,
    Completion,
    Goal,
    GoalState,
    Pause,
    Usage,
    state_json,
)
from ppgp_tui.pi.goal_reading import read_state
from ppgp_tui.pi.goal_text import NO_GOAL
from ppgp_tui.pi.javascript import iso_time, length, trim
from ppgp_tui.pi.receipt import Receipt, ReceiptKind, ReceiptLevel
from ppgp_tui.pi.verdict import AuditResult

ALREADY_EXISTS = (
    "A Goal already exists. Use tweak_goal, set_goal_blocked, abandon_goal, or complete_goal."
)
CHANGED_DURING_AUDIT = (
    "Goal changed while the completion audit was running; audit result discarded."
)


class GoalRefusedError(ValueError):
    """The goal does not allow this now; the message says why in Pi's words."""


@dataclass(frozen=True, slots=True)
class Change:
    """The state after an act, and the receipt it leaves, if it leaves one."""

    state: GoalState
    receipt: Receipt | None = None


def bounded(text: str, label: str, most: int) -> str:
    """`text` trimmed.

    Raises:
        GoalRefusedError: it is blank, or longer than `most` UTF-16 units.
    """
    kept = trim(text)
    if not kept:
        raise GoalRefusedError(f"{label} requires non-empty text.")
    if length(kept) > most:
        raise GoalRefusedError(f"{label} exceeds the {most}-character producer state bound.")
    return kept


def current_goal(state: GoalState, needs: Literal["active", "unfinished"]) -> Goal:
    """The goal of `state`.

    Raises:
        GoalRefusedError: there is none, or it is not in the status the act needs.
    """
    goal = state.goal
    if goal is None:
        raise GoalRefusedError(NO_GOAL)
    if needs == "active" and goal.status != "active":
        raise GoalRefusedError(f"The Goal is {label_of(goal)}, not active.")
    if goal.status == "complete":
        raise GoalRefusedError("The Goal is already complete and awaiting final settlement.")
    return goal


def new_objective(text: str) -> str:
    """A proposed objective, trimmed and within its bound."""
    return bounded(text, "Goal objective", OBJECTIVE_MOST)


def start(state: GoalState, objective: str, *, goal_id: str, now_ms: int) -> Change:
    """A confirmed proposal begins a new, active goal."""
    if state.goal is not None:
        raise GoalRefusedError(ALREADY_EXISTS)
    at = iso_time(now_ms)
    goal = Goal(goal_id, new_objective(objective), "active", at, at)
    return Change(
        _next(state, goal), _receipt("goal_started", "info", goal, "Goal started.", now_ms)
    )


def tweak(state: GoalState, objective: str, *, now_ms: int) -> Change:
    """A confirmed revision replaces the objective; status, pause and id stay."""
    goal = current_goal(state, "unfinished")._replace(
        objective=new_objective(objective),
        updated_at=iso_time(now_ms),
        last_audit_rejection=None,
    )
    receipt = replace(
        _receipt("goal_updated", "info", goal, "Goal updated.", now_ms),
        change_summary="Goal objective revised with user confirmation.",
    )
    return Change(_next(state, goal), receipt)


def block(state: GoalState, proof: BlockProof, *, now_ms: int) -> Change:
    """The agent proves that it cannot go on; the proof is checked before the goal is."""
    proof = block_proof.trimmed(proof)
    if fault := block_proof.fault(proof):
        raise GoalRefusedError(fault)
    goal = current_goal(state, "active")._replace(
        status="paused",
        updated_at=iso_time(now_ms),
        pause=block_proof.encode(proof),
    )
    said = f"Goal blocked: {proof.blocker}"
    receipt = replace(
        _receipt("goal_blocked", "warning", goal, said, now_ms),
        message=block_text(goal),
        reason=goal.pause.reason if goal.pause else None,
        suggested_action=proof.unblock_condition,
    )
    return Change(_next(state, goal), receipt)


def block_text(goal: Goal) -> str:
    """The proof of a blocked goal with the condition that would end the block."""
    if goal.pause is None:
        return ""
    return f"{goal.pause.reason}\nUnblock condition: {goal.pause.suggested_action}"


def pause(state: GoalState, reason: str, *, now_ms: int) -> Change:
    """The user pauses; unlike a block this suggests no action."""
    kept = bounded(reason, "Goal pause reason", PAUSE_REASON_MOST)
    goal = current_goal(state, "active")._replace(
        status="paused",
        updated_at=iso_time(now_ms),
        pause=Pause(kept),
    )
    receipt = _receipt("goal_paused", "warning", goal, f"Goal paused: {kept}", now_ms)
    return Change(_next(state, goal), replace(receipt, reason=kept))


def resume(state: GoalState, *, now_ms: int) -> Change:
    """A paused or blocked goal is active again, as it was."""
    goal = current_goal(state, "unfinished")
    if goal.status == "active":
        raise GoalRefusedError("The Goal is already active.")
    goal = goal._replace(status="active", updated_at=iso_time(now_ms), pause=None)
    return Change(
        _next(state, goal), _receipt("goal_resumed", "info", goal, "Goal resumed.", now_ms)
    )


def abandon(state: GoalState, reason: str, *, now_ms: int) -> Change:
    """The goal is given up; the receipt shows it as it was."""
    goal = current_goal(state, "unfinished")
    kept = trim(reason)
    if not kept:
        raise GoalRefusedError("abandon_goal requires a non-empty reason.")
    receipt = _receipt("goal_abandoned", "warning", goal, f"Goal abandoned: {kept}", now_ms)
    return Change(_next(state, None), replace(receipt, reason=kept))


def claim(state: GoalState, summary: str) -> tuple[Goal, str]:
    """The goal an audit is about, and the claim it examines."""
    goal = current_goal(state, "unfinished")
    return goal, bounded(summary, "Goal completion summary", SUMMARY_MOST)


def conclude(
    state: GoalState, audited: Goal, summary: str, audit: AuditResult, *, now_ms: int
) -> Change:
    """The audit of `audited` is over; it counts only if the goal has not changed since.

    Pi compares id and time of the last change. The whole goal is compared here, so that a pause in
    the very millisecond of the change before is not lost.
    """
    if state.goal != audited:
        raise GoalRefusedError(CHANGED_DURING_AUDIT)
    if audit.approved:
        return _approve(state, audited, summary, audit.output, now_ms)
    return _reject(state, audited, audit, now_ms)


def _approve(state: GoalState, audited: Goal, summary: str, report: str, now_ms: int) -> Change:
    """Complete, but without a receipt until the run has settled."""
    kept = bounded(report, "Goal completion auditor report", REPORT_MOST)
    goal = audited._replace(
        status="complete",
        updated_at=iso_time(now_ms),
        pause=None,
        last_audit_rejection=None,
        completion=Completion(iso_time(now_ms), summary, kept),
    )
    return Change(_next(state, goal))


def _reject(state: GoalState, audited: Goal, audit: AuditResult, now_ms: int) -> Change:
    """Active again, even from a pause, with the objections kept."""
    report = bounded(
        trim(audit.output) or audit.error or "The independent auditor did not approve completion.",
        "Goal audit rejection report",
        REPORT_MOST,
    )
    goal = audited._replace(
        status="active",
        updated_at=iso_time(now_ms),
        pause=None,
        last_audit_rejection=AuditRejection(iso_time(now_ms), report),
    )
    level: ReceiptLevel = "error" if audit.error else "warning"
    said = f"Goal completion rejected.\n{report}"
    why = "Rejected by independent auditor." if audit.error is None else audit.error
    receipt = replace(
        _receipt("goal_completion_rejected", level, goal, said, now_ms),
        message="Goal completion rejected by independent auditor.",
        reason=why,
        auditor_report=report,
    )
    return Change(_next(state, goal), receipt)


def settle(state: GoalState, *, now_ms: int) -> Change | None:
    """All work of the run is over: a complete goal is done and leaves; None for any other."""
    goal = state.goal
    if goal is None or goal.status != "complete":
        return None
    done = goal.completion
    receipt = replace(
        _receipt("goal_completed", "info", goal, "Goal completed.", now_ms),
        message="Goal completed.",
        completion_summary=done.summary if done else None,
        auditor_report=done.auditor_report if done else None,
    )
    return Change(_next(state, None), receipt)


def account(state: GoalState, *, tokens: float, seconds: int, now_ms: int) -> Change | None:
    """What a turn cost is added to an active goal; None where there is nothing to add."""
    goal = state.goal
    if goal is None or goal.status != "active" or (tokens == 0 and seconds == 0):
        return None
    usage = Usage(goal.usage.tokens_used + tokens, goal.usage.active_seconds + seconds)
    return Change(_next(state, goal._replace(usage=usage, updated_at=iso_time(now_ms))))


def _next(state: GoalState, goal: Goal | None) -> GoalState:
    changed = GoalState(state.revision + 1, goal)
    if read_state(state_json(changed)) is None:
        raise GoalRefusedError("Goal mutation exceeds the exported producer state contract.")
    return changed


def _receipt(kind: ReceiptKind, level: ReceiptLevel, goal: Goal, said: str, now_ms: int) -> Receipt:
    return Receipt(kind, level, said, iso_time(now_ms), goal.auto_continue, goal.id, goal.objective)
