"""What changed outside the engine is recorded with the next act, before it."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.authority.identity import login_name
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine import pauses, requests
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft, update
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.picture.inbox import pending_bullets

_CONTRACT = ("INVARIANTS", "FROZEN_DECISIONS")
_READ = ("CONFORMANT", "PARTIAL")


def reconcile(scene: Scene, draft: Draft) -> None:
    """Put first what the document and the orders say and the log does not know yet."""
    observe_phase(scene.document.reading, scene.document.path, draft)
    _withdraw_reworded(scene, draft)
    _record_standing_hold(scene, draft)


def observe_phase(reading: GoalReading, document: str, draft: Draft) -> None:
    """Record a phase that somebody wrote into the document."""
    recorded = draft.ledger.phase
    if reading.phase is None or (recorded is not None and recorded["to"] == reading.phase):
        return
    record_phase(draft, reading, document, reading.phase, observed=True, actor=SYSTEM)


def record_phase(
    draft: Draft,
    reading: GoalReading,
    document: str,
    phase: str,
    *,
    observed: bool,
    actor: Actor | None = None,
) -> None:
    """Record that the goal is in `phase` now."""
    recorded, goal = draft.ledger.phase, draft.ledger.goal
    payload = {
        "from": recorded["to"] if recorded else None,
        "to": phase,
        "observed": observed,
        "document": document,
        "sha256": contract(reading).removeprefix("sha256:"),
        "line": reading.phase_line,
    }
    ops = []
    if goal is not None:
        payload["goal_id"] = goal["id"]
        ops = [update(goal["id"], {"phase": phase})]
    draft.record("goal.phase_changed", payload, actor=actor, ops=ops)


def contract(reading: GoalReading) -> str:
    """Digest of what was agreed: goal, conditions, invariants and frozen decisions."""
    fields = {name: reading.field_named(name) for name in _CONTRACT}
    items = {
        name: [item.text for item in found.items] if found else [] for name, found in fields.items()
    }
    return digest(
        {
            "goal": reading.goal or "",
            "dod": [criterion.text for criterion in reading.dod],
            "invariants": items["INVARIANTS"],
            "frozen": items["FROZEN_DECISIONS"],
        }
    )


def _withdraw_reworded(scene: Scene, draft: Draft) -> None:
    """A recorded entry of the document that no longer stands there is no longer asked.

    A document that cannot be read says nothing about its entries.
    """
    if scene.document.reading.health not in _READ:
        return
    asked = [
        request_id
        for request_id, entry in scene.waiting_requests()
        if entry["request"]["kind"] == "document"
    ]
    standing = {bullet.id for bullet in pending_bullets(scene.document.reading)} if asked else set()
    for request_id in asked:
        if request_id not in standing:
            requests.withdraw(draft, request_id, "reworded", SYSTEM)


def _record_standing_hold(scene: Scene, draft: Draft) -> None:
    """A hold in force that was given where there was no log, or whose giver was killed."""
    kept = scene.orders.kept
    if kept is not None and scene.ledger.hold(kept["hold"]["id"]) is None:
        hold = kept["hold"]
        pauses.record_hold(draft, hold["id"], hold["reason"], Actor("user", login_name()))
