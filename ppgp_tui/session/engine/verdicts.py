"""Recording what an audit came to, and closing a goal by it.

A verdict counts for the goal only if nothing that it is about has moved while it was made; only a
goal that is verified and still what was verified can be closed. A person may close it without: that
is recorded as what it is.
"""

from __future__ import annotations

from typing import Final, Literal

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.goal import REPORT_MOST, SUMMARY_MOST
from ppgp_tui.pi.goal_acts import Change
from ppgp_tui.pi.javascript import cut
from ppgp_tui.pi.verdict import AuditResult
from ppgp_tui.session.engine import blockers, goals
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft, create, relate
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.picture.audit_state import moved

Word = Literal["approved", "approved_with_notes", "rejected", "inconclusive"]
AUDITOR: Final = Actor("tool", "ppgp-audit")
_STATUS: Final[dict[Word, str]] = {
    "approved": "Passed",
    "approved_with_notes": "Passed",
    "rejected": "Failed",
    "inconclusive": "Error",
}
REASON_MOST: Final = 2_000
"""Characters of a reason in the log; of a verdict's the report has all."""


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
    claim: str | None = None,
) -> Json:
    """Record the end of an audit; a verdict that is not stale settles the claim.

    `bound` is what the audit was about, its goal included: that one may have left meanwhile, or be
    a document's alone. `claim` is the id of the claim it began with. `report` is what the agent is
    told, `report_digest` that of the whole report kept under `.ppgp/audits/EVAL/`. Returns
    `{eval, verdict, stale, decision?, goal, claim?}`.
    """
    goal_id: str | None = bound.get("goal")
    why, report = _plain(why), _plain(report)
    about = _claim(draft.ledger, goal_id, claim, bound)
    metadata: Json = {
        "type": "audit",
        "bound": bound,
        "report_digest": report_digest,
        "isolation": isolation,
        "auditor": _plain(auditor),
        "verdict": word,
        "why": why[:REASON_MOST],
        "stale": stale,
    }
    if about:
        metadata["claim"] = about["id"]
    props = {"command": command, "status": _STATUS[word], "score": None, "metadata": metadata}
    ops = [create(eval_id, "eval", props)]
    if goal_id is not None:
        ops.append(relate(goal_id, "validated_by", eval_id))
    finished = draft.record(
        "eval.finished", {"id": eval_id, **props}, cause=about.get("event"), actor=AUDITOR, ops=ops
    )
    data: Json = {"eval": eval_id, "verdict": word, "stale": stale, "goal": goal_id}
    if about:
        data["claim"] = about["id"]
    if word == "inconclusive" or stale:
        return data  # neither decides anything
    approved = word != "rejected"
    metadata = {"type": "verdict", "eval": eval_id}
    decision, event = _decide(draft, goal_id, approved, why, metadata, finished, SYSTEM)
    if goal_id is not None:
        _conclude(draft, about.get("summary") or why, approved, report, event, SYSTEM)
    data["decision"] = decision
    return data


def take(draft: Draft, reason: str, *, goal_id: str | None, eval_id: str | None) -> Json:
    """A person lets the goal count as done in spite of what an audit says, or without one."""
    reason = reason.strip()
    if not reason:
        raise RefusalError("refused", "say why: it is recorded and shown for ever")
    if len(reason) > REASON_MOST:
        raise RefusalError("refused", f"the reason has at most {REASON_MOST:,} characters")
    metadata: Json = {"type": "override"}
    if goal_id is not None:
        metadata["goal"] = goal_id
    if eval_id is not None:
        metadata["eval"] = eval_id
    decision, event = _decide(draft, goal_id, True, reason, metadata, None, draft.actor)
    return {"decision": decision, "event": event, "goal": goal_id}


def close(draft: Draft, *, reason: str, cause: str | None = None) -> Json:
    """The log's goal is over: Satisfied, and nothing that its block raised stands any more.

    `cause` is the event of the decision by which it is.
    """
    entry = goals.current(draft.ledger)
    blockers.clear_of_goal(draft, entry["id"], "the goal was closed")
    settled = goals.settle(draft, cause=cause)
    if settled is not None:
        return settled
    _conclude(draft, reason, True, reason, cause, draft.actor)
    goals.settle(draft, cause=cause)
    return {"goal": entry["id"], "status": "Satisfied"}


def _claim(ledger: Ledger, goal_id: str | None, began: str | None, bound: Json) -> Json:
    """The claim that is answered: the newest of the same things, else that the audit began with."""
    for one in reversed(ledger.claims):
        same = one["goal_id"] == goal_id and not moved(one["bound"], bound)
        if same or one["id"] == began:
            return one
    return {}


def _decide(
    draft: Draft,
    goal_id: str | None,
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
    ops = [create(decision_id, "decision", props)]
    if goal_id is not None:
        ops.append(relate(goal_id, "approved_by" if approved else "rejected_by", decision_id))
    payload = {"id": decision_id, **props}
    event = draft.record("decision.created", payload, cause=cause, actor=actor, ops=ops)
    return decision_id, event


def _conclude(
    draft: Draft, summary: str, approved: bool, report: str, cause: str | None, actor: Actor
) -> None:
    """Pi's goal becomes complete, or active again with the objections (Pi reference 2.11)."""
    state = goals.state_of(draft.ledger)
    goal = state.goal
    if goal is None:
        raise RefusalError("refused", "No Goal is active on this branch.")
    with goals.pis_rules():
        change: Change = goal_acts.conclude(
            state,
            goal,
            cut(summary, SUMMARY_MOST),
            AuditResult(approved, cut(report, REPORT_MOST)),
            now_ms=draft.now_ms,
        )
    reason = "verified by an audit" if approved else "rejected by an audit"
    if actor is not SYSTEM:
        reason = "closed by a person"
    goals.record_change(draft, change, reason, cause=cause, actor=actor)


def _plain(text: str) -> str:
    """`text` without halves of characters, such as a file name may have: they cannot be written."""
    return text.encode("utf-8", "replace").decode()
