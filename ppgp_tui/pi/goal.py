"""The goal as Pi keeps it: values and their JSON (Pi reference section 2.1).

"Blocked" is no status: it is a pause whose text proves it (`block_proof`). Times are ISO text, as
stored.
"""

from __future__ import annotations

from typing import Any, Literal

from ppgp_tui.named_tuple import NamedTuple

GoalStatus = Literal["active", "paused", "complete"]

ID_MOST = 256
OBJECTIVE_MOST = 128 * 1024
TIMESTAMP_MOST = 64
PAUSE_REASON_MOST = 2048
SUGGESTED_ACTION_MOST = 2048
REPORT_MOST = 12000
SUMMARY_MOST = 4000


class Usage(NamedTuple):
    """What the goal has cost so far."""

    tokens_used: int | float = 0
    active_seconds: int | float = 0


class Pause(NamedTuple):
    """Why the goal stands still; only a block or an older version suggests an action."""

    reason: str
    suggested_action: str | None = None


class AuditRejection(NamedTuple):
    """The last time an auditor did not approve."""

    rejected_at: str
    report: str


class Completion(NamedTuple):
    """The approval that completed the goal."""

    approved_at: str
    summary: str
    auditor_report: str


class Goal(NamedTuple):
    """One goal."""

    id: str
    objective: str
    status: GoalStatus
    created_at: str
    updated_at: str
    usage: Usage = Usage()
    pause: Pause | None = None
    last_audit_rejection: AuditRejection | None = None
    completion: Completion | None = None

    @property
    def auto_continue(self) -> bool:
        """Whether Pi goes on by itself: exactly while the goal is active."""
        return self.status == "active"


class GoalState(NamedTuple):
    """The goal of a branch and how often it changed; the count goes on when there is none."""

    revision: int = 0
    goal: Goal | None = None


class Proposal(NamedTuple):
    """A goal, or a new objective for the current one, that waits for the user."""

    kind: Literal["create", "tweak"]
    objective: str
    current_objective: str | None = None


class GoalProposal(NamedTuple):
    """What is proposed now; the revision is odd while something waits for the user."""

    revision: int = 0
    proposal: Proposal | None = None


def goal_json(goal: Goal) -> dict[str, Any]:
    """`goal` as Pi writes it: absent members left out."""
    members: dict[str, Any] = {
        "id": goal.id,
        "objective": goal.objective,
        "status": goal.status,
        "autoContinue": goal.auto_continue,
        "usage": {
            "tokensUsed": goal.usage.tokens_used,
            "activeSeconds": goal.usage.active_seconds,
        },
        "createdAt": goal.created_at,
        "updatedAt": goal.updated_at,
    }
    if goal.pause:
        members["pause"] = pause_json(goal.pause)
    if goal.last_audit_rejection:
        members["lastAuditRejection"] = {
            "rejectedAt": goal.last_audit_rejection.rejected_at,
            "report": goal.last_audit_rejection.report,
        }
    if goal.completion:
        members["completion"] = {
            "approvedAt": goal.completion.approved_at,
            "summary": goal.completion.summary,
            "auditorReport": goal.completion.auditor_report,
        }
    return members


def pause_json(pause: Pause) -> dict[str, Any]:
    """`pause` as Pi writes it."""
    if pause.suggested_action is None:
        return {"reason": pause.reason}
    return {"reason": pause.reason, "suggestedAction": pause.suggested_action}


def state_json(state: GoalState) -> dict[str, Any]:
    """`state` as Pi writes it."""
    goal = goal_json(state.goal) if state.goal else None
    return {"schemaVersion": 1, "revision": state.revision, "goal": goal}


def proposal_json(proposal: GoalProposal) -> dict[str, Any]:
    """`proposal` as Pi tells its listeners."""
    waiting = proposal.proposal
    members: dict[str, Any] | None = None
    if waiting:
        members = {"kind": waiting.kind, "objective": waiting.objective}
        if waiting.current_objective is not None:
            members["currentObjective"] = waiting.current_objective
    return {"schemaVersion": 1, "revision": proposal.revision, "proposal": members}
