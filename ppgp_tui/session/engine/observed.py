"""A phase that somebody changed in the document is recorded with the next act, as observed."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft, update

_CONTRACT = ("INVARIANTS", "FROZEN_DECISIONS")


def observe_phase(reading: GoalReading, document: str, draft: Draft) -> None:
    """Put `goal.phase_changed` first when the document's phase is not the one on record."""
    recorded = draft.ledger.phase
    if reading.phase is None or (recorded is not None and recorded["to"] == reading.phase):
        return
    record_phase(draft, reading, document, reading.phase, observed=True, actor=Actor(*SYSTEM))


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
