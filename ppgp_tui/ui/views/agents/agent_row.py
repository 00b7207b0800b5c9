"""An agent in one line, the same in every view."""

from __future__ import annotations

from ppgp_tui.session.model import Agent, SessionSnapshot
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.words import AGENTS
from ppgp_tui.ui.rows.columns import state_and_age, to_left
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span

WAITS = "waits:"
"""How the key of a row begins that says of an agent only that it waits for a person."""


def waits_elsewhere(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    """Agents that wait for a person with a question that only their own window shows."""
    asked = {request.asker for request in snapshot.inbox.value if request.is_open}
    return [
        _waits(agent, frame)
        for agent in snapshot.agents.value
        if agent.state == "waiting_for_you" and not asked & {agent.session, agent.agent}
    ]


def _waits(agent: Agent, frame: Frame) -> Row:
    """Who waits, where, and since when."""
    name = agent.agent or agent.session
    old = Span(when(agent.since_ms, frame.now_ms), "needs", bold=True)
    words = (Span(name, "ink", bold=True), Span(" waits for you in its own window"))
    line = Line(words, (old,), "for_you", "needs")
    return Row(f"{WAITS}{agent.session}", (line,), agent.origin, agent.session, "read")


def agent_since(agent: Agent) -> int | None:
    """Since when the state shown holds; for a working agent, when it was last heard of."""
    return agent.contact_ms if agent.state in ("working", "quiet") else agent.since_ms


def agent_row(agent: Agent, name_width: int, now_ms: int, *, short: bool, also: str = "") -> Row:
    """One agent in one line; `short` says `for you` instead of `waiting for you`.

    `also` stands beside its name, to tell two of a kind apart.
    """
    word = AGENTS[agent.state]
    text = "for you" if short and agent.state == "waiting_for_you" else word.text
    tool = Span(agent.last_tool or "", "soft")
    name = to_left(Span(agent.agent or agent.session, "ink"), name_width)
    if also:
        name = (*name, Span(f"  {also}", "soft"))
    since = Span(when(agent_since(agent), now_ms), "soft")
    return Row(
        f"agent:{agent.session}",
        (
            Line(
                (*name, Span("  "), tool) if short else name,
                state_and_age(Span(text, word.role, bold=not short), since),
                word.sign,
                word.role,
            ),
        ),
        agent.origin,
        agent.session,
    )
