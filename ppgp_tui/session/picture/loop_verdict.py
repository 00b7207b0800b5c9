"""Whether the condition of a loop that waits for the goal's verdict holds, by the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ppgp_tui.session.picture.audit_state import Audit
    from ppgp_tui.session.picture.loops import Loops

GOAL_VERIFIED: Final = "goal-verified"
"""A condition that the runner has checked with the repository."""
_VERDICTS: Final[dict[str | None, tuple[bool, str]]] = {
    None: (False, "nobody has claimed the goal"),
    "claimed": (False, "the goal is claimed, its audit comes after the run"),
    "running": (False, "an audit of the claim is under way"),
    "verified": (True, "an audit verified the goal"),
    "rejected": (False, "the audit rejected the claim"),
    "unsure": (False, "the audit could not decide: only a person can"),
    "stale": (False, "something moved since the verdict"),
    "taken": (False, "closed by a person, not verified"),
}
"""By the state of the audit."""


def with_verdict(loops: Loops, audit: Audit, goals: Sequence[str | None]) -> Loops:
    """The loops, and of those that wait for the verdict on one of these `goals` how it stands."""
    said = _VERDICTS.get(audit.state)
    if said is None:
        return loops
    holds: bool | None
    holds, why = said
    verdict = audit.verdict
    if holds and audit.stale is None:
        holds, why = None, "whether the verdict still fits is not known yet"
    if holds and verdict is not None:
        why = f"verdict {verdict.id} {verdict.word.replace('_', ' ')}"
    return loops._replace(
        seen=tuple(
            loop._replace(holds=holds, holds_why=why)
            if loop.open and loop.here and loop.condition == GOAL_VERIFIED and loop.goal in goals
            else loop
            for loop in loops.seen
        )
    )
