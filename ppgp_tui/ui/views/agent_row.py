"""An agent in one line, the same in every view."""

from __future__ import annotations

from ppgp_tui.session.model import Agent
from ppgp_tui.ui.ages import when
from ppgp_tui.ui.columns import state_and_age, to_left
from ppgp_tui.ui.rows import Line, Row, Span
from ppgp_tui.ui.words import AGENTS


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
