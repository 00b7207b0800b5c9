"""The pause as it stands: what is ordered, what was lost, and how every session took it."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.handshake import Hold, Recorded, handshakes, standing
from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.model import Control
from ppgp_tui.session.sources.agents import AgentsLook
from ppgp_tui.session.sources.control import ordered
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


def control_now(
    control: Look[Control], kept: Look[Hold | None], agents: AgentsLook, says: LogSays, now_ms: int
) -> Control:
    """The orders, and how a pause among them stands with every session."""
    hold, lost = pause_of(control, kept, says, now_ms)
    if hold is None:
        return control.value
    same = agents.hold is not None and agents.hold.id == hold.id
    handshake = handshakes(
        hold,
        [(beat, is_there(beat)) for beat in agents.heartbeats],
        agents.calls if same else {},
        {session: held.since_ms for session, held in live_holds(agents.held).items()},
        says.since_hold if says.hold == hold.id else Recorded({}, {}),
        now_ms,
        lost=lost,
    )
    return replace(control.value, lost=lost, handshake=handshake)
