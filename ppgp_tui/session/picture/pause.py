"""The pause as it stands: what is ordered, what was lost, and how every session took it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.model import Control, Problem
from ppgp_tui.session.picture.handshake import (
    SETTLE_MS,
    Calls,
    Handshake,
    Hold,
    Recorded,
    handshakes,
    standing,
)
from ppgp_tui.session.sources.agents import AgentsLook
from ppgp_tui.session.sources.control import CONTROL_FILE, ordered
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.heartbeat import is_there, live_holds


def pause_of(
    control: Look[Control], kept: Look[Hold | None], says: LogSays, now_ms: int
) -> tuple[Hold | None, bool]:
    """The pause that stands, and whether its order was lost (`handshake.standing`)."""
    return standing(
        ordered(control.value),
        kept.value,
        released=says.released,
        written=(control.changed_ms, kept.changed_ms),
        now_ms=now_ms,
    )


def may_be_lost(
    control: Look[Control], kept: Look[Hold | None], says: LogSays, now_ms: int
) -> bool:
    """Whether the two files differ and it is too early to say that the order was lost."""
    now, before = ordered(control.value), kept.value
    if before is None or before.id in says.released or (now is not None and now.id == before.id):
        return False
    return not pause_of(control, kept, says, now_ms)[1]


def control_now(
    control: Look[Control],
    kept: Look[Hold | None],
    agents: AgentsLook,
    says: LogSays,
    touched_ms: int | None,
    now_ms: int,
) -> Control:
    """The orders, and how a pause among them stands with every session.

    `touched_ms` is when something in the repository last changed.
    """
    hold, lost = pause_of(control, kept, says, now_ms)
    if hold is None:
        return control.value
    same = agents.hold is not None and agents.hold.id == hold.id
    calls = agents.calls if same else {}
    handshake = handshakes(
        hold,
        [(beat, is_there(beat)) for beat in agents.heartbeats],
        calls,
        {session: held.since_ms for session, held in live_holds(agents.held).items()},
        says.since_hold if says.hold == hold.id else Recorded({}, {}),
        now_ms,
        lost=lost,
    )
    unclaimed = _unclaimed(handshake, agents, calls, touched_ms)
    return control.value._replace(lost=lost, handshake=handshake, unclaimed_ms=unclaimed)


def _unclaimed(
    handshake: tuple[Handshake, ...],
    agents: AgentsLook,
    calls: Mapping[str, Calls],
    touched_ms: int | None,
) -> int | None:
    """When something changed that no connected agent can have done, as all of them are held.

    An agent at rest did nothing either. Git tells whole seconds, so the first one is left out.
    """
    resting = {beat.session for beat in agents.heartbeats if beat.is_idle}
    held = [one for one in handshake if one.state == "held"]
    if touched_ms is None or not held:
        return None
    if any(one.state != "held" and one.session not in resting for one in handshake):
        return None
    if any(said.earlier_ms is not None for said in calls.values()):
        return None
    since = [one.since_ms for one in held if one.since_ms is not None]
    since += [said.freed_ms for said in calls.values() if said.freed_ms is not None]
    return touched_ms if since and touched_ms >= max(since) + 1000 else None


def pause_problems(
    control: Look[Control], kept: Look[Hold | None], says: LogSays, log_ms: int | None, now_ms: int
) -> Iterator[Problem]:
    """Where the order and what was promised or recorded of it say different things."""
    hold, lost = pause_of(control, kept, says, now_ms)
    if lost:
        text = f"{CONTROL_FILE} no longer orders the pause that was asked"
        yield Problem("pause-lost", CONTROL_FILE, None, text, "the next act orders it again")
        return
    written = (control.changed_ms, kept.changed_ms, log_ms)
    if any(moment is not None and now_ms - moment < SETTLE_MS for moment in written):
        return
    if hold is not None and hold.id in says.released:
        text = f"the log says that the pause was released; {CONTROL_FILE} still orders it"
        yield Problem("pause-differs", CONTROL_FILE, None, text, "agents are held until it is gone")
    elif hold is None and says.hold is not None:
        text = f"the log's last word is a pause; {CONTROL_FILE} orders none"
        yield Problem("pause-differs", CONTROL_FILE, None, text, "no agent is held by it")
