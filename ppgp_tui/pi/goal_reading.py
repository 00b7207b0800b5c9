"""Which stored goal states are valid, and their values (Pi reference section 2.2).

Unknown members make a state invalid. Pi does not check that only paused goals have a pause or that
complete ones have a completion, and neither does this.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from ppgp_tui.pi.goal import (
    ID_MOST,
    OBJECTIVE_MOST,
    PAUSE_REASON_MOST,
    REPORT_MOST,
    SUGGESTED_ACTION_MOST,
    SUMMARY_MOST,
    TIMESTAMP_MOST,
    AuditRejection,
    Completion,
    Goal,
    GoalProposal,
    GoalState,
    Pause,
    Proposal,
    Usage,
)
from ppgp_tui.pi.javascript import is_number, is_safe_integer, length, trim


class _InvalidError(ValueError):
    """The value is not one Pi would have written."""


def read_state(raw: object) -> GoalState | None:
    """The goal state in the JSON value `raw`, or None where Pi calls it invalid."""
    try:
        members = _members(raw, "schemaVersion", "revision", "goal")
        goal = _present(members, "goal")
        return GoalState(_revision(members), None if goal is None else _goal(goal))
    except _InvalidError:
        return None


def read_proposal(raw: object) -> GoalProposal | None:
    """The proposal in the JSON value `raw`, or None where Pi calls it invalid."""
    try:
        members = _members(raw, "schemaVersion", "revision", "proposal")
        proposal = _present(members, "proposal")
        return GoalProposal(_revision(members), None if proposal is None else _proposal(proposal))
    except _InvalidError:
        return None


def read_goal(raw: object) -> Goal | None:
    """The goal in the JSON value `raw`, or None where Pi calls it invalid."""
    try:
        return _goal(raw)
    except _InvalidError:
        return None


def _goal(raw: object) -> Goal:
    members = _members(
        raw,
        *("id", "objective", "status", "autoContinue", "usage", "createdAt", "updatedAt"),
        *("pause", "lastAuditRejection", "completion"),
    )
    status = members.get("status")
    if status not in ("active", "paused", "complete"):
        raise _InvalidError
    if members.get("autoContinue") is not (status == "active"):
        raise _InvalidError
    return Goal(
        _text(members, "id", ID_MOST),
        _text(members, "objective", OBJECTIVE_MOST),
        status,
        _text(members, "createdAt", TIMESTAMP_MOST),
        _text(members, "updatedAt", TIMESTAMP_MOST),
        _usage(members.get("usage")),
        _pause(members["pause"]) if "pause" in members else None,
        _rejection(members["lastAuditRejection"]) if "lastAuditRejection" in members else None,
        _completion(members["completion"]) if "completion" in members else None,
    )


def _usage(raw: object) -> Usage:
    members = _members(raw, "tokensUsed", "activeSeconds")
    return Usage(_count(members, "tokensUsed"), _count(members, "activeSeconds"))


def _pause(raw: object) -> Pause:
    members = _members(raw, "reason", "suggestedAction")
    action = None
    if "suggestedAction" in members:
        action = _text(members, "suggestedAction", SUGGESTED_ACTION_MOST)
    return Pause(_text(members, "reason", PAUSE_REASON_MOST), action)


def _rejection(raw: object) -> AuditRejection:
    members = _members(raw, "rejectedAt", "report")
    return AuditRejection(
        _text(members, "rejectedAt", TIMESTAMP_MOST), _text(members, "report", REPORT_MOST)
    )


def _completion(raw: object) -> Completion:
    members = _members(raw, "approvedAt", "summary", "auditorReport")
    return Completion(
        _text(members, "approvedAt", TIMESTAMP_MOST),
        _text(members, "summary", SUMMARY_MOST),
        _text(members, "auditorReport", REPORT_MOST),
    )


def _proposal(raw: object) -> Proposal:
    members = _members(raw, "kind", "objective", "currentObjective")
    kind = members.get("kind")
    if kind not in ("create", "tweak"):
        raise _InvalidError
    current = None
    if "currentObjective" in members:
        current = _text(members, "currentObjective", OBJECTIVE_MOST)
    return Proposal(kind, _text(members, "objective", OBJECTIVE_MOST), current)


def _members(raw: object, *allowed: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping) or not set(raw) <= set(allowed):
        raise _InvalidError
    return raw


def _present(members: Mapping[str, Any], name: str) -> object:
    """A member that must be there, if only as null."""
    if name not in members:
        raise _InvalidError
    return members[name]


def _text(members: Mapping[str, Any], name: str, most: int) -> str:
    """A string that is not blank and at most `most` UTF-16 units long."""
    text = members.get(name)
    if not isinstance(text, str) or not trim(text) or length(text) > most:
        raise _InvalidError
    return text


def _count(members: Mapping[str, Any], name: str) -> int | float:
    count = members.get(name)
    if not is_number(count) or not isfinite(count) or count < 0:
        raise _InvalidError
    return count


def _revision(members: Mapping[str, Any]) -> int:
    """The revision of a value of schema version 1."""
    version, revision = members.get("schemaVersion"), members.get("revision")
    if not is_number(version) or version != 1:
        raise _InvalidError
    if not is_safe_integer(revision) or revision < 0:
        raise _InvalidError
    return int(revision)
