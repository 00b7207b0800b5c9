"""What one look must tell: run state, needs-you, blockers, audit, phase.

The lamp lines of the app, the status line and the ribbon all say this, so it is computed once.
Cheap to import, because the status line has no time for dataclasses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ppgp_tui.session.model import SessionSnapshot
    from ppgp_tui.session.picture.loop import Loop

RunState = Literal[
    "violated", "lost", "not_seen", "pause_asked", "seen", "held", "waiting_for_you", "frozen",
    "stopping", "limited", "working", "quiet", "idle", "none",
]  # fmt: skip

_WORST_FIRST: tuple[RunState, ...] = (
    "violated", "lost", "not_seen", "pause_asked", "seen", "held", "waiting_for_you", "frozen",
    "stopping", "limited", "working", "quiet", "idle", "none",
)  # fmt: skip
_SHAKEN: dict[str, RunState] = {
    "violated": "violated", "lost": "lost", "not_seen": "not_seen", "requested": "pause_asked",
    "will_hold": "pause_asked", "seen": "seen", "held": "held",
}  # fmt: skip


LoopState = Literal["gone", "asks", "held", "waits", "runs"]
_LOOKED_AT: tuple[LoopState, ...] = ("gone", "asks", "held", "waits", "runs")


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
    run_count: int = 0
    """Calls and events since the pause, of the agents in the state shown."""
    audit_done: int = 0
    audit_checks: int = 0
    """How far the audit under way is; 0 of 0 while none is."""
    loop: LoopState | None = None
    """What the restart loop here does that needs a look most; None without one."""
    loop_since_ms: int | None = None
    loops: int = 0
    """Open restart loops here that somebody is known to run, or to have run."""
    loops_asking: int = 0
    """Those of them that rest for what only a person can decide; they are among `needs`."""


def glance(snapshot: SessionSnapshot) -> Glance:
    """Return the lamps for `snapshot`; nothing is inferred beyond what its parts say."""
    goal = snapshot.goal.value
    waiting = [one for one in snapshot.inbox.value if one.state in ("waiting", "taken_back")]
    ages = [request.created_ms for request in waiting if request.created_ms is not None]
    loops = [(loop_state(one), one) for one in snapshot.loops.value.here if is_known(one)]
    asking = [one.pause.at_ms for state, one in loops if state == "asks" and one.pause is not None]
    state, loop = min(loops, key=lambda one: _LOOKED_AT.index(one[0]), default=(None, None))
    run, since, in_run, present, broken = _run(snapshot)
    if not present and run in ("pause_asked", "not_seen") and loops and _all_rest(loops):
        run, since = "none", None  # nobody else could see that pause, and every loop obeys it
    last = snapshot.events.value.last
    running = snapshot.audit.value.running
    alone = sum(blocker.line is None for blocker in snapshot.recorded_blockers.value)
    return Glance(
        run=run,
        run_since_ms=since,
        agents_in_run=in_run,
        agents=present,
        needs=len(waiting) + len(asking),
        needs_oldest_ms=min((*ages, *asking), default=None),
        blockers=len(goal.blockers) + alone,
        audit=snapshot.audit.value.state,
        phase=goal.phase or goal.phase_inferred,
        phase_inferred=goal.phase is None and goal.phase_inferred is not None,
        done=sum(criterion.state == "done" for criterion in goal.dod),
        claimed=sum(criterion.state == "claimed" for criterion in goal.dod),
        total=len(goal.dod),
        last_event_ms=last.ts_ms if last else None,
        run_count=broken,
        audit_done=running.done if running else 0,
        audit_checks=running.checks if running else 0,
        loop=state,
        loop_since_ms=loop.phase_ms if loop is not None else None,
        loops=len(loops),
        loops_asking=len(asking),
    )


def is_known(loop: Loop) -> bool:
    """Whether it is open, and somebody is known to run it or to have run it."""
    return loop.open and loop.runner.state != "not recorded"


def loop_state(loop: Loop) -> LoopState:
    """What it does, in a word."""
    if loop.orphan:
        return "gone"
    if loop.needs_you:
        return "asks"
    if loop.phase == "paused":  # what is only asked for is not held yet
        return "held"
    return "waits" if loop.phase in ("rate_limited", "slowed") else "runs"


def _all_rest(loops: Sequence[tuple[LoopState, Loop]]) -> bool:
    return all(state in ("held", "asks") for state, _ in loops)


class _Seen(NamedTuple):
    """One agent, as the run lamp sees it."""

    state: RunState
    since_ms: int | None
    broken: int = 0


def _run(snapshot: SessionSnapshot) -> tuple[RunState, int | None, int, int, int]:
    """The worst state of any agent: the state, since when, of how many, of how many in all.

    The last member says how often a pause was broken. An agent whose turn is over has nothing to
    hold: how it stands with a pause counts only where no other agent is concerned.
    """
    shaken = {one.session: one for one in snapshot.control.value.handshake}
    seen: list[_Seen] = []
    resting: list[_Seen] = []
    known = shaken.keys() - {"*"}
    for agent in snapshot.agents.value:
        if agent.state in ("ended", "gone"):
            continue
        known |= {agent.session}
        contact = agent.state in ("working", "quiet")
        own = _Seen(agent.state, agent.contact_ms if contact else agent.since_ms)  # type: ignore[arg-type]  # ended and gone are left out
        if own.state == "idle" and agent.session in shaken:
            one = shaken[agent.session]
            if one.state in ("requested", "seen"):
                del shaken[agent.session]
                resting.append(_Seen(_SHAKEN[one.state], one.since_ms))
                seen.append(own)
        elif agent.session not in shaken:
            seen.append(own)
    paused = [_Seen(_SHAKEN[one.state], one.since_ms, one.count) for one in shaken.values()]
    for state in _WORST_FIRST:
        found = [one for one in (*seen, *(paused or resting)) if one.state == state]
        if found:
            since = max((one.since_ms for one in found if one.since_ms is not None), default=None)
            of_agents = 0 if "*" in shaken else len(found)
            return state, since, of_agents, len(known), sum(one.broken for one in found)
    return "none", None, 0, 0, 0
