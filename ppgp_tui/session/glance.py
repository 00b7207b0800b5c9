"""What one look must tell: run state, needs-you, blockers, audit, phase.

The lamp lines of the app, the status line and the ribbon all say this, so it is computed once.
Cheap to import, because the status line has no time for dataclasses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.session.model import SessionSnapshot

RunState = Literal["pause_asked", "held", "waiting_for_you", "working", "quiet", "idle", "none"]

_WORST_FIRST: tuple[RunState, ...] = (
    "pause_asked", "held", "waiting_for_you", "working", "quiet", "idle", "none",
)  # fmt: skip


class Glance(NamedTuple):
    """The lamps, as values."""

    run: RunState
    run_since_ms: int | None
    agents_in_run: int
    """How many agents are in the state shown."""
    agents: int
    """Agents that are not ended or gone."""
    needs: int
    needs_oldest_ms: int | None
    """None when nothing waits, or when nobody recorded since when."""
    blockers: int
    audit: str | None
    phase: str | None
    phase_inferred: bool
    done: int
    claimed: int
    total: int
    last_event_ms: int | None


def glance(snapshot: SessionSnapshot) -> Glance:
    """Return the lamps for `snapshot`; nothing is inferred beyond what its parts say."""
    goal = snapshot.goal.value
    waiting = [request for request in snapshot.inbox.value if request.state == "waiting"]
    ages = [request.created_ms for request in waiting if request.created_ms is not None]
    run, since, in_run, present = _run(snapshot)
    last = snapshot.events.value.last
    return Glance(
        run=run,
        run_since_ms=since,
        agents_in_run=in_run,
        agents=present,
        needs=len(waiting),
        needs_oldest_ms=min(ages, default=None),
        blockers=len(goal.blockers),
        audit=snapshot.audit.value.state,
        phase=goal.phase or goal.phase_inferred,
        phase_inferred=goal.phase is None and goal.phase_inferred is not None,
        done=sum(criterion.state == "done" for criterion in goal.dod),
        claimed=sum(criterion.state == "claimed" for criterion in goal.dod),
        total=len(goal.dod),
        last_event_ms=last.ts_ms if last else None,
    )


def _run(snapshot: SessionSnapshot) -> tuple[RunState, int | None, int, int]:
    """The worst state of any present agent, since when, how many share it, how many there are."""
    present = [agent for agent in snapshot.agents.value if agent.state not in ("ended", "gone")]
    control = snapshot.control.value
    by_state: dict[RunState, list[int | None]] = {}
    for agent in present:
        state: RunState = agent.state  # type: ignore[assignment]  # ended and gone are filtered
        by_state.setdefault(state, []).append(
            agent.contact_ms if state in ("working", "quiet") else agent.since_ms
        )
    if control.hold_id is not None and "held" not in by_state:
        by_state["pause_asked"] = [control.held_since_ms]
    for state in _WORST_FIRST:
        if state in by_state:
            known = [since for since in by_state[state] if since is not None]
            return state, max(known, default=None), len(by_state[state]), len(present)
    return "none", None, 0, 0
