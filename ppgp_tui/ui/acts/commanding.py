"""What a person's keys do to one agent: the one under the cursor, in whichever view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.session.picture.handshake import EVERYBODY
from ppgp_tui.ui.acts import deeds, forms
from ppgp_tui.ui.acts.answering import send
from ppgp_tui.ui.acts.confirming import ask, confirm
from ppgp_tui.ui.acts.on_agent import agent_in_hand, name_of

if TYPE_CHECKING:
    from ppgp_tui.session.model import Agent
    from ppgp_tui.ui.seat.seat import Seat

_Act = Callable[["Seat"], None]


def _on(act: Callable[[Seat, Agent], None]) -> _Act:
    def do(seat: Seat) -> None:
        agent = agent_in_hand(seat)
        if agent is not None:
            act(seat, agent)

    return do


def _hold(seat: Seat, agent: Agent) -> None:
    """Turn its order round as it is on the screen."""
    control, acting = seat.snapshot.control.value, seat.acting
    if not acting.painted.is_order_settled(seat.clock() - acting.late_ms):
        seat.say("the order to the agents just changed: look, then press again")
    elif agent.session in control.hold_who and EVERYBODY not in control.hold_who:
        send(seat, deeds.Release(control.generation, agent.session))
    else:
        send(seat, deeds.Hold(control.generation, agent.session))


def _stop(seat: Seat, agent: Agent) -> None:
    send(seat, deeds.StopTurn(agent.session))


def _note(seat: Seat, agent: Agent) -> None:
    ask(seat, forms.note(agent.session, name_of(seat, agent)))


def _freeze(seat: Seat, agent: Agent) -> None:
    if agent.frozen_since_ms is not None:
        send(seat, deeds.Thaw(agent.session))
    else:
        confirm(seat, forms.freeze(agent, name_of(seat, agent), seat.key("agent.freeze")))


def _kill(seat: Seat, agent: Agent) -> None:
    confirm(seat, forms.kill(agent, name_of(seat, agent)))


def _pane(seat: Seat, agent: Agent) -> None:
    send(seat, deeds.OpenPane(agent.pane or "", agent.pid))


def _connect(seat: Seat) -> None:
    """Find out what would be written before it is confirmed."""
    seat.say("looking for agents and their settings")
    seat.outside.do(deeds.Connect())


ACTS: dict[str, _Act] = {
    "agent.hold": _on(_hold),
    "agent.stop": _on(_stop),
    "agent.note": _on(_note),
    "agent.freeze": _on(_freeze),
    "agent.kill": _on(_kill),
    "agent.pane": _on(_pane),
    "agents.connect": _connect,
}
"""By action id."""
