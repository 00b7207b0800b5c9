"""Recording what an audit came to, and closing a goal by it.

A verdict counts for the goal only if nothing that it is about has moved while it was made; only a
goal that is verified and still what was verified can be closed. A person may close it without: that
is recorded as what it is.
"""

from __future__ import annotations

from typing import Final, Literal

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.goal import REPORT_MOST
from ppgp_tui.pi.goal_acts import Change
from ppgp_tui.pi.verdict import AuditResult
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft, create, relate
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.journal import RefusalError

Word = Literal["approved", "approved_with_notes", "rejected", "inconclusive"]
AUDITOR: Final = Actor("tool", "ppgp-audit")
_STATUS: Final[dict[Word, str]] = {
    "approved": "Passed",
    "approved_with_notes": "Passed",
    "rejected": "Failed",
    "inconclusive": "Error",
}
REASON_MOST: Final = 2_000
"""Characters of a reason in the log; the report has all of it."""


def record(
    draft: Draft,
    word: Word,
    why: str,
    *,
    eval_id: str,
    bound: Json,
    stale: bool,
    report: str,
    report_digest: str,
    isolation: str,
    auditor: str,
    command: str,
) -> Json:
    """Record the end of an audit; a verdict that is not stale settles the claim.

    `report` is what the agent is told, `report_digest` that of the whole report kept under
    `.ppgp/audits/EVAL/`. Returns `{eval, verdict, stale, decision?, goal}`.
    """
    entry = goals.current(draft.ledger)
    claim = next(
        (one for one in reversed(draft.ledger.claims) if one["goal_id"] == entry["id"]), {}
    )
    metadata: Json = {
        "type": "audit",
        "bound": bound,
        "report_digest": report_digest,
        "isolation": isolation,
        "auditor": auditor,
        "verdict": word,
        "stale": stale,
    }
    if claim:
        metadata["claim"] = claim["id"]
    props = {"command": command, "status": _STATUS[word], "score": None, "metadata": metadata}
    finished = draft.record(
        "eval.finished",
        {"id": eval_id, **props},
        cause=claim.get("event"),
        actor=AUDITOR,
        ops=[create(eval_id, "eval", props), relate(entry["id"], "validated_by", eval_id)],
    )
    data: Json = {"eval": eval_id, "verdict": word, "stale": stale, "goal": entry["id"]}
    if word == "inconclusive":
        return data
    approved = word != "rejected"
    metadata = {"type": "verdict", "eval": eval_id}
    decision, event = _decide(draft, entry["id"], approved, why, metadata, finished, SYSTEM)
    if not stale:
        _conclude(draft, claim.get("summary") or why, approved, report, event)
    data["decision"] = decision
    return data


def take(draft: Draft, reason: str, *, eval_id: str | None) -> Json:
    """A person lets the goal count as done in spite of what an audit says, or without one."""
    entry = goals.current(draft.ledger)
    reason = reason.strip()
    if not reason:
        raise RefusalError("refused", "say why: it is recorded and shown for ever")
    metadata: Json = {"type": "override"}
    if eval_id is not None:
        metadata["eval"] = eval_id
    decision, event = _decide(draft, entry["id"], True, reason, metadata, None, draft.actor)
    return {"decision": decision, "event": event, "goal": entry["id"]}


def close(draft: Draft, *, reason: str, cause: str | None = None) -> Json:
    """The goal is over: Satisfied, and nothing is under way any more.

    `cause` is the event of the decision by which it is.
    """
    entry = goals.current(draft.ledger)
    if goals.state_of(draft.ledger).goal is None:
        raise RefusalError("refused", "No Goal is active on this branch.")
    settled = goals.settle(draft, cause=cause)
    if settled is not None:
        return settled
    _conclude(draft, reason, True, reason, cause)
    goals.settle(draft, cause=cause)
    return {"goal": entry["id"], "status": "Satisfied"}


def _decide(
    draft: Draft,
    goal_id: str,
    approved: bool,
    why: str,
    metadata: Json,
    cause: str | None,
    actor: Actor,
) -> tuple[str, str]:
    """Record a decision on the goal; return its id and its event's."""
    decision_id = draft.new_id("dec")
    props = {
        "status": "Approved" if approved else "Rejected",
        "reason": why[:REASON_MOST],
        "decided_by": actor.as_json(),
        "metadata": metadata,
    }
    relation = "approved_by" if approved else "rejected_by"
    event = draft.record(
        "decision.created",
        {"id": decision_id, **props},
        cause=cause,
        actor=actor,
        ops=[
            create(decision_id, "decision", props),
            relate(goal_id, relation, decision_id),
        ],
    )
    return decision_id, event


def _conclude(draft: Draft, summary: str, approved: bool, report: str, cause: str | None) -> None:
    """Pi's goal becomes complete, or active again with the objections (Pi reference 2.11)."""
    state = goals.state_of(draft.ledger)
    goal = state.goal
    if goal is None:
        raise RefusalError("refused", "No Goal is active on this branch.")
    with goals.pis_rules():
        change: Change = goal_acts.conclude(
            state,
            goal,
            summary,
            AuditResult(approved, report[:REPORT_MOST]),
            now_ms=draft.now_ms,
        )
    goals.record_change(
        draft, change, "verified by an audit" if approved else "rejected by an audit", cause=cause
    )
