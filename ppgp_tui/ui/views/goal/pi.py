"""The goal that a Pi agent holds, where neither document nor log has one: to be read only."""

from __future__ import annotations

from pathlib import PurePath

from ppgp_tui.session.model import Lifecycle, SessionSnapshot
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.rows.row import Row, Span, blank, heading
from ppgp_tui.ui.views.prose import labelled, paragraph

_ROLES: dict[str, Role] = {
    "active": "run", "paused": "wait", "blocked": "stop", "complete": "ok",
}  # fmt: skip
_PROOF = {
    "blocker": "blocker",
    "evidence": "evidence",
    "why_no_autonomous_path_remains": "why",
    "unblock_condition": "until",
}


def held_by_pi(snapshot: SessionSnapshot) -> Lifecycle | None:
    """The goal of the Pi session, where that is the one that counts."""
    held = snapshot.lifecycle.value
    if held.source != "pi session" or not held.objective or snapshot.goal.value.goal:
        return None
    return held


def pi_goal_rows(snapshot: SessionSnapshot, width: int) -> list[Row]:
    """The objective, how it stands, why it is paused or blocked, and the file that says so."""
    held = held_by_pi(snapshot)
    if held is None:
        return []
    state = Span(held.status, _ROLES.get(held.status, "soft"), bold=True)
    rows = [blank(), heading("Goal held by Pi", "read only", (state,))]
    rows.append(paragraph(held.objective or "", width, key="pi:goal"))
    said = [("paused", held.pause_reason or "")]
    said += [(label, held.block.get(member, "")) for member, label in _PROOF.items()]
    path = held.origin.path if held.origin else ""
    said.append(("from", f"pi session {PurePath(path).name}" if path else ""))
    rows += [labelled(label, text, width, origin=held.origin) for label, text in said if text]
    return rows
