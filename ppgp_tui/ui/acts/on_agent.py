"""The agent in hand: the one under the cursor, or whose detail has the focus; what it allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.session.picture.handshake import EVERYBODY
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.seat.place import OnAgent, Place

if TYPE_CHECKING:
    from ppgp_tui.session.model import Agent
    from ppgp_tui.ui.seat.seat import Seat

_OVER = ("ended", "gone")
_RESTS = ("idle", "limited")


def agent_in_hand(seat: Seat) -> Agent | None:
    """The agent that keys act on; None where there is none."""
    stay = seat.stay
    pane = next((at.pane for at in stay.placed if at.pane.id == stay.focus), None)
    for key in (seat.row.key if seat.row else "", pane.about if pane else "", stay.opened or ""):
        kind, _, session = key.partition(":")
        if kind in ("agent", "waits"):
            agents = seat.snapshot.agents.value
            return next((agent for agent in agents if agent.session == session), None)
    return None


def with_agent(seat: Seat, place: Place) -> Place:
    """`place` with what the agent in hand allows."""
    agent = agent_in_hand(seat)
    return place if agent is None else place._replace(agent=about(seat, agent))


def about(seat: Seat, agent: Agent) -> OnAgent:
    """What can be done to it."""
    kind = seat.crew.kind(agent.agent)
    silent = "none of its hooks was heard of yet" if agent.launched == agent.session else ""
    control = seat.snapshot.control.value
    return OnAgent(
        name=name_of(seat, agent),
        over=agent.state in _OVER,
        held=_held(seat, agent),
        frozen=agent.frozen_since_ms is not None,
        launched=agent.launched is not None and agent.exit_code is None,
        stopping=agent.session in control.stop,
        resting=agent.state in _RESTS,
        pane=bool(agent.pane),
        no_hold=silent or kind.why_not("hold_tool"),
        no_stop=silent or kind.why_not("stop_turn"),
        no_note=silent or kind.why_not("note"),
    )


def name_of(seat: Seat, agent: Agent) -> str:
    """What a person calls it: the kind of agent, or the session where there are several of it."""
    same = [one for one in seat.snapshot.agents.value if one.agent == agent.agent]
    present = [one for one in same if one.state not in _OVER]
    alone = len(present) <= 1 and agent.state not in _OVER
    return one_line(agent.agent if alone and agent.agent else agent.session)


def _held(seat: Seat, agent: Agent) -> Literal["", "alone", "all"]:
    control = seat.snapshot.control.value
    if control.hold_id is None:
        return ""
    if EVERYBODY in (control.hold_who or (EVERYBODY,)):
        return "all"
    return "alone" if agent.session in control.hold_who else ""
