"""Where the completion stands, for the status line: as it was recorded.

Whether contract, plan and code are still what a verdict was about is not looked into here: that
takes Git, and a status line has no time for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ppgp_tui.session.members import text

if TYPE_CHECKING:
    from ppgp_tui.session.picture.audit_state import Running

Json = dict[str, Any]

KINDS = ("goal.created", "goal.claimed", "goal.status_changed", "eval.finished", "decision.created")
_WORDS = {
    "approved": "verified", "approved_with_notes": "verified", "rejected": "rejected",
    "inconclusive": "unsure",
}  # fmt: skip


def nothing() -> Json:
    """What is known before the first event."""
    return {"goal": None, "settled": None, "state": None, "claim": None}


def take(memory: Json, kind: str, payload: Json) -> None:
    """Take in one event of `KINDS`; `memory` is changed."""
    metadata = payload.get("metadata")
    about: Json = metadata if isinstance(metadata, dict) else {}
    goal, settled = memory["goal"], memory["settled"]
    if kind == "goal.created" and isinstance(about.get("ppgp"), dict):
        memory.update(nothing() | {"goal": text(payload.get("id"))})
    elif kind == "goal.status_changed" and payload.get("goal_id") == goal and goal is not None:
        if payload.get("status") in ("Satisfied", "Abandoned"):
            is_done = payload["status"] == "Satisfied"
            memory.update(goal=None, settled=goal if is_done else None)
            memory["state"] = memory["state"] if is_done else None
    elif kind == "goal.claimed" and payload.get("goal_id") == goal and goal is not None:
        if isinstance(payload.get("bound"), dict):
            memory.update(state="claimed", claim=text(payload.get("id")))
    elif kind == "eval.finished" and about.get("type") == "audit":
        bound = about.get("bound")
        if isinstance(bound, dict) and bound.get("goal") == (goal or settled):
            _judged(memory, about)
    elif (
        kind == "decision.created"
        and about.get("type") == "override"
        and about.get("goal") == (goal or settled)
    ):
        memory["state"] = "taken"


def _judged(memory: Json, metadata: Json) -> None:
    """A verdict; one on an earlier claim leaves the newest as it is."""
    answers = metadata.get("claim") in (None, memory["claim"])
    if memory["state"] == "taken" or (memory["state"] == "claimed" and not answers):
        return
    word = _WORDS.get(text(metadata.get("verdict")))
    if word is not None:
        memory["state"] = "stale" if metadata.get("stale") is True else word


def running_in(top: str) -> Running | None:
    """How far the audit under way is; None where none is."""
    if not os.path.lexists(f"{top}/.ppgp/run/audit/progress.json"):
        return None
    from pathlib import Path

    from ppgp_tui.session.sources.audit import running_now

    return running_now(Path(top))
