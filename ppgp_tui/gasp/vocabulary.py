"""The closed words of the protocol (GASP reference sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping

OPS_EVENT = "state.ops_applied"
"""The only kind of event that changes the graph."""

NODE_KINDS = frozenset({
    "goal", "task", "run", "observation", "failure", "hypothesis", "patch", "eval", "decision",
    "model_call", "tool_call", "frame", "project_snapshot", "policy", "behavior",
})  # fmt: skip
"""Baseline kinds of nodes. `artifact` is none."""

RELATIONS = frozenset({
    "serves", "blocks", "advances", "observes", "explains", "addresses", "modifies",
    "validated_by", "approved_by", "rejected_by", "produced_by", "derived_from", "depends_on",
    "supersedes", "contained_in_frame", "forked_from", "references",
})  # fmt: skip
"""Baseline kinds of relations."""

CREATES: Mapping[str, str] = {
    "goal.created": "goal",
    "task.created": "task",
    "observation.created": "observation",
    "failure.observed": "failure",
    "hypothesis.created": "hypothesis",
    "patch.proposed": "patch",
    "eval.finished": "eval",
    "decision.created": "decision",
    "frame.created": "frame",
}
"""The entity-creating kinds of events and the kind of node that each implies."""

ROOT_ENDINGS = (".created", ".started")
"""Only kinds with these endings, and `state.ops_applied`, may have no cause."""

STATUSES: Mapping[str, tuple[str, ...]] = {
    "goal": ("Open", "InProgress", "Satisfied", "Abandoned", "Blocked", "Stale"),
    "task": ("Open", "InProgress", "Done", "Blocked", "Abandoned", "Stale"),
    "run": ("started", "finished"),
    "patch": (
        "Proposed", "AppliedInFork", "Evaluated", "Approved", "Rejected", "Promoted", "Stale",
        "Conflicted",
    ),
    "eval": ("Started", "Passed", "Failed", "Error", "Skipped"),
    "decision": ("Pending", "Approved", "Rejected", "Superseded"),
    "behavior": ("Enabled", "Disabled", "Error"),
    "policy": ("Enabled", "Disabled"),
}  # fmt: skip
"""The statuses that the protocol knows for a kind of node; nothing enforces them on reading."""


def may_be_root(kind: str) -> bool:
    """Whether an event of that kind may have no cause (section 8)."""
    return kind == OPS_EVENT or kind.endswith(ROOT_ENDINGS)
