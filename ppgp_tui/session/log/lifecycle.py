"""The goal's life as the log tells it, by the very folds that an action goes by."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ppgp_tui.pi.block_proof import decode, label_of
from ppgp_tui.pi.goal import Goal
from ppgp_tui.pi.goal_reading import read_goal
from ppgp_tui.session.engine import folds
from ppgp_tui.session.members import text
from ppgp_tui.session.model import Claim, Lifecycle, Origin


class GoalLog:
    """The goal, gathered event by event."""

    def __init__(self) -> None:
        self._state = folds.nothing()
        self._moments: dict[str, int | None] = {}
        self._since_ms: int | None = None
        self.now = Lifecycle()

    def copied(self) -> GoalLog:
        """The same, to go on by itself."""
        other = copy.copy(self)
        other._state = copy.deepcopy(self._state)
        other._moments = dict(self._moments)
        return other

    def take(
        self,
        kind: str,
        event_id: str,
        actor_id: str,
        ts_ms: int | None,
        payload: Any,
        origin: Callable[[], Origin],
    ) -> None:
        """Take in one event about the goal; one of another shape is somebody else's."""
        event = {
            "id": event_id, "kind": kind, "actor": {"id": actor_id}, "payload": payload,
            "causation_id": None,
        }  # fmt: skip
        with suppress(KeyError, TypeError, AttributeError, ValueError):
            folds.FOLDS[kind](self._state, event)
            if kind in ("goal.created", "goal.claimed"):
                self._moments[event_id] = ts_ms
            self._look(ts_ms, origin)

    def _look(self, ts_ms: int | None, origin: Callable[[], Origin]) -> None:
        entry = self._state["goal"]
        goal = entry and read_goal({**entry["pi"], "objective": entry["objective"]})
        status = label_of(goal)
        if (status, entry and entry["id"]) != (self.now.status, self.now.id):
            self._since_ms = ts_ms
        if not goal:
            self.now = Lifecycle(
                state_revision=self._state["pi_revision"],
                since_ms=self._since_ms,
                settled=_fulfilled(self._state["settled"]),
                origin=origin(),
            )
            return
        self.now = Lifecycle(
            id=entry["id"],
            status=status,
            revision=entry["revision"],
            state_revision=self._state["pi_revision"],
            objective=goal.objective,
            created_ms=self._moments.get(entry["event"]),
            since_ms=self._since_ms,
            pause_reason=goal.pause.reason if goal.pause and status == "paused" else None,
            block=_block(goal),
            claims=tuple(self._claim(said) for said in self._claims_of(entry["id"])),
            rejection=goal.last_audit_rejection.report if goal.last_audit_rejection else None,
            origin=origin(),
        )

    def _claims_of(self, goal_id: str) -> list[Mapping[str, Any]]:
        return [said for said in self._state["claims"] if said.get("goal_id") == goal_id]

    def _claim(self, said: Mapping[str, Any]) -> Claim:
        return Claim(
            id=text(said.get("id")),
            by=text(said.get("by")),
            summary=text(said.get("summary")),
            at_ms=self._moments.get(said["event"]),
            bound=said["bound"],
            dispute=text(said.get("dispute")),
            disputes=text(said.get("disputes")) or None,
        )


def _fulfilled(ended: Mapping[str, Any] | None) -> str | None:
    return text(ended["id"]) if ended and ended["status"] == "Satisfied" else None


def _block(goal: Goal) -> dict[str, str]:
    """The parts of a block's proof; nothing where the goal is not blocked."""
    proof = decode(goal.pause) if goal.status == "paused" else None
    if proof is None:
        return {}
    return {
        "blocker": proof.blocker,
        "evidence": proof.evidence,
        "why_no_autonomous_path_remains": proof.why_no_autonomous_path_remains,
        "unblock_condition": proof.unblock_condition,
    }
