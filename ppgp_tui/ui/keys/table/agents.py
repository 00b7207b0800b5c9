"""What keys do to agents."""

from __future__ import annotations

from ppgp_tui.ui.keys import refusals as needs
from ppgp_tui.ui.keys.action import Action, Topic

AGENTS = (
    Topic(
        "pause, resume",
        "Agent",
        (Action("agents.pause", ("p",), "pause or resume every agent", needs.acting),),
        lambda place: "" if place.sheet else "resume" if place.held else "pause",
    ),
    Topic(
        "hold it, let it go on",
        "Agent",
        (Action("agent.hold", ("P",), "hold this agent, or let it go on", needs.hold_one),),
        lambda place: "let it go on" if place.agent.held else "hold it",
    ),
    Topic(
        "stop its turn",
        "Agent",
        (Action("agent.stop", ("S",), "stop this agent's turn", needs.stop_turn),),
        "stop turn",
    ),
    Topic(
        "tell it",
        "Agent",
        (
            Action(
                "agent.note",
                ("m",),
                "send this agent a note",
                needs.tell_agent,
                ("answer.note",),
            ),
        ),
        "note",
    ),
    Topic(
        "freeze, thaw",
        "Agent",
        (Action("agent.freeze", ("F",), "freeze this agent, or thaw it", needs.processes),),
        lambda place: "thaw" if place.agent.frozen else "freeze",
    ),
    Topic(
        "its window",
        "Agent",
        (Action("agent.pane", ("W",), "go to this agent's window", needs.pane),),
        "its window",
    ),
)
