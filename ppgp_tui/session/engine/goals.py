"""Acts on the goal: what Pi's state machine allows, recorded as events with their pairs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.block_proof import BlockProof, label_of
from ppgp_tui.pi.goal import Goal, GoalState, goal_json
from ppgp_tui.pi.goal_acts import Change, GoalRefusedError
from ppgp_tui.pi.goal_reading import read_goal
from ppgp_tui.pi.javascript import length, trim
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine import blockers
from ppgp_tui.session.engine.draft import Actor, Draft, create, update
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.journal.results import RefusalError
from ppgp_tui.session.picture.audit_state import moved

TITLE_MOST: Final = 200
CHECKPOINT_MOST: Final = 4000
DISPUTE_MOST: Final = 4000
NOTHING_MOVED: Final = (
    "The last audit rejected the claim, and code, plan, contract and evidence are as they were "
    "then. Address its objections first, or dispute them, or ask the person:"
)
_WORD: Final = {
    "active": "InProgress", "paused": "Open", "blocked": "Blocked", "complete": "InProgress",
}  # fmt: skip


def state_of(ledger: Ledger) -> GoalState:
    """Pi's goal state as the log has it."""
    entry = ledger.goal
    if entry is None:
        return GoalState(ledger.pi_revision)
    goal = read_goal({**entry["pi"], "objective": entry["objective"]})
    return GoalState(ledger.pi_revision, goal)


def start(
    draft: Draft, objective: str, *, request: str | None = None, cause: str | None = None
) -> Json:
    """A person made or confirmed a goal. Returns `{goal}`.

    `request` is the proposal's id and `cause` the event of the decision that confirmed it.
    """
    settle(draft)
    goal_id = draft.new_id("goal")
    with pis_rules():
        change = goal_acts.start(
            state_of(draft.ledger), objective, goal_id=goal_id, now_ms=draft.now_ms
        )
    goal = _kept(change)
    metadata: Json = {"ppgp": {"revision": 1}}
    if request is not None:
        metadata["ppgp"]["request"] = request
    props = {
        "title": _title(goal.objective),
        "summary": goal.objective,
        "status": _WORD["active"],
        "owner": draft.actor.as_json(),
        "metadata": metadata,
    }
    draft.record(
        "goal.created",
        {"id": goal_id, **props, "pi": _pi(goal)},
        cause=cause,
        correlation=draft.ledger.correlation(draft.actor.id) or goal_id,
        ops=[create(goal_id, "goal", props)],
    )
    return {"goal": goal_id}


def tweak(draft: Draft, objective: str, *, cause: str | None = None) -> Json:
    """A person revised the objective; `cause` is the confirming decision's event."""
    entry = current(draft.ledger)
    with pis_rules():
        change = goal_acts.tweak(state_of(draft.ledger), objective, now_ms=draft.now_ms)
    goal = _kept(change)
    payload = {
        "goal_id": entry["id"],
        "objective": goal.objective,
        "was": digest(entry["objective"]),
        "pi": _pi(goal),
        "pi_revision": change.state.revision,
    }
    ops = [update(entry["id"], {"title": _title(goal.objective), "summary": goal.objective})]
    draft.record("goal.tweaked", payload, cause=cause, ops=ops)
    return {"goal": entry["id"]}


def pause(
    draft: Draft, reason: str, *, cause: str | None = None, actor: Actor | None = None
) -> Json:
    """The goal stands still by a person's will."""
    with pis_rules():
        change = goal_acts.pause(state_of(draft.ledger), reason, now_ms=draft.now_ms)
    return record_change(draft, change, trim(reason), cause=cause, actor=actor)


def resume(draft: Draft, *, cause: str | None = None) -> Json:
    """A paused or blocked goal goes on; the blockers that its block raised are cleared."""
    with pis_rules():
        change = goal_acts.resume(state_of(draft.ledger), now_ms=draft.now_ms)
    data = record_change(draft, change, "resumed", cause=cause)
    blockers.clear_of_goal(draft, data["goal"], "the goal was resumed")
    return data


def block(draft: Draft, proof: BlockProof, *, klass: str = "D", scope: str = "goal") -> Json:
    """The agent cannot go on and proves it; a blocker on the goal says so in the graph."""
    with pis_rules():
        change = goal_acts.block(state_of(draft.ledger), proof, now_ms=draft.now_ms)
    data = record_change(draft, change, goal_acts.block_text(_kept(change)))
    raised = blockers.raise_blocker(
        draft, trim(proof.blocker), klass=klass, scope=scope, blocks=(data["goal"],), origin="goal"
    )
    return {**data, **raised}


def abandon(draft: Draft, reason: str) -> Json:
    """The goal is given up, and with it what its block had raised."""
    with pis_rules():
        change = goal_acts.abandon(state_of(draft.ledger), reason, now_ms=draft.now_ms)
    blockers.clear_of_goal(draft, current(draft.ledger)["id"], "the goal was abandoned")
    return record_change(draft, change, trim(reason), word="Abandoned")


def settle(draft: Draft, *, cause: str | None = None) -> Json | None:
    """A complete goal leaves at the end of its run, at closing, or before the next one starts."""
    change = goal_acts.settle(state_of(draft.ledger), now_ms=draft.now_ms)
    if change is None:
        return None
    return record_change(draft, change, "settled", word="Satisfied", cause=cause)


def claim(draft: Draft, summary: str, bound: Json, *, dispute: str = "") -> Json:
    """Somebody says the goal is done; only an audit can make that true. Returns `{claim, goal}`.

    After a rejection something must have moved, evidence at least, or `dispute` says why the
    verdict is wrong: an agent that was not told the objections would claim the same for ever.
    """
    entry = current(draft.ledger)
    with pis_rules():
        goal, kept = goal_acts.claim(state_of(draft.ledger), summary)
    payload = {"id": draft.new_id("claim"), "goal_id": entry["id"], "summary": kept, "bound": bound}
    objections = goal.last_audit_rejection.report if goal.last_audit_rejection else ""
    rejection = _rejection(draft.ledger, entry["id"]) if objections else None
    if dispute.strip():
        payload |= _disputed(draft.ledger, entry["id"], rejection, dispute.strip(), bound)
    elif rejection is not None and _is_the_same(rejection["bound"], bound):
        raise RefusalError("refused", f"{NOTHING_MOVED}\n\n{objections}")
    draft.record("goal.claimed", payload, ops=[update(entry["id"], {"claim": payload["id"]})])
    return {"claim": payload["id"], "goal": entry["id"]}


def _rejection(ledger: Ledger, goal_id: str) -> Json | None:
    """The audit whose rejection of that goal stands."""
    found = (one for one in reversed(ledger.audits) if one["goal"] == goal_id and not one["stale"])
    newest = next(found, None)
    return newest if newest is not None and newest["verdict"] == "rejected" else None


def _is_the_same(before: Json, now: Json) -> bool:
    """Whether a claim rests on exactly what one before it rested on."""
    return not moved(before, now) and before.get("evidence") == now.get("evidence")


def _disputed(
    ledger: Ledger, goal_id: str, rejection: Json | None, dispute: str, bound: Json
) -> Json:
    """What a claim carries that disputes the standing rejection."""
    if rejection is None:
        raise RefusalError("refused", "no verdict stands that could be disputed; claim without")
    if length(dispute) > DISPUTE_MOST:
        raise RefusalError("refused", f"a dispute has at most {DISPUTE_MOST} characters")
    for one in ledger.claims:
        same = one["goal_id"] == goal_id and one.get("disputes") == rejection["id"]
        if same and _is_the_same(one["bound"], bound):
            raise RefusalError("refused", "that verdict is disputed already; an audit answers it")
    return {"dispute": dispute, "disputes": rejection["id"]}


def checkpoint(draft: Draft, document: str, sha256: str, summary: str) -> Json:
    """The agent says that the document is up to date."""
    summary = summary.strip()
    if not summary or len(summary) > CHECKPOINT_MOST:
        text = f"a checkpoint says what was verified, in 1 to {CHECKPOINT_MOST} characters"
        raise RefusalError("refused", text)
    draft.record("goal.checkpointed", {"document": document, "sha256": sha256, "summary": summary})
    return {"document": document, "sha256": sha256}


def current(ledger: Ledger) -> Json:
    """The goal under way, or Pi's refusal."""
    entry = ledger.goal
    if entry is None:
        raise RefusalError("refused", "No Goal is active on this branch.")
    return entry


def record_change(
    draft: Draft,
    change: Change,
    reason: str,
    *,
    word: str | None = None,
    cause: str | None = None,
    actor: Actor | None = None,
) -> Json:
    """Record what Pi's goal has become; `word` is GASP's for a goal that left."""
    goal_id, goal = current(draft.ledger)["id"], change.state.goal
    status = word or _WORD[label_of(goal)]
    payload = {
        "goal_id": goal_id,
        "status": status,
        "reason": reason,
        "pi": _pi(goal) if goal else None,
        "pi_revision": change.state.revision,
    }
    props = {
        "status": status,
        "status_reason": reason,
        "pi_status": goal.status if goal else None,
    }
    ops = [update(goal_id, props)]
    draft.record("goal.status_changed", payload, cause=cause, actor=actor, ops=ops)
    return {"goal": goal_id, "status": label_of(goal) if goal else word}


@contextmanager
def pis_rules() -> Iterator[None]:
    """What Pi refuses is refused here, in its words."""
    try:
        yield
    except GoalRefusedError as refusal:
        raise RefusalError("refused", str(refusal)) from None


def _kept(change: Change) -> Goal:
    goal = change.state.goal
    if goal is None:
        raise RuntimeError("the goal left where it was to stay")
    return goal


def _pi(goal: Goal) -> Json:
    members = goal_json(goal)
    del members["objective"]
    return members


def _title(objective: str) -> str:
    return objective.split("\n", 1)[0].strip()[:TITLE_MOST]
