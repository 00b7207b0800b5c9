"""View 6: the agents that leave a heartbeat, the restart loops, and what they took of a person."""

from __future__ import annotations

from ppgp_tui.session.model import Agent, SessionSnapshot
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.agent_card import agent_card
from ppgp_tui.ui.views.agents.agent_row import agent_row
from ppgp_tui.ui.views.agents.agent_words import (
    OVER,
    alarms,
    doing,
    facts,
    note_line,
    short_session,
)
from ppgp_tui.ui.views.agents.loop_rows import loop_rows
from ppgp_tui.ui.views.past import nobody
from ppgp_tui.ui.views.prose import READABLE, paragraph
from ppgp_tui.ui.views.room import ROWS_BELOW, TWO_COLUMNS, found, opens, split, under_cursor
from ppgp_tui.ui.views.session.your_time import your_time

HEARTBEATS = ".ppgp/run/agents/"


class AgentsView:
    """Who works here, in what state, since when."""

    name = "agents"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the agents, and from 100 columns everything known of the one under the cursor.

        On a narrower screen that takes the whole room when it is opened.
        """
        agents = snapshot.agents.value
        if not agents and not snapshot.loops.value.seen:
            rows = [
                *(_nobody(frame.width) if snapshot.moment is None else nobody(frame.width)),
                *_section(your_time(snapshot, frame.width, frame.now_ms)),
            ]
            return ((Pane("agents.list", rows, frame.width),),)
        if frame.width < TWO_COLUMNS:
            card = _card(snapshot, frame.opened or "", frame.width, frame)
            if card:
                return ((Pane("agents.card", card, frame.width, about=frame.opened or ""),),)
            return ((Pane("agents.list", _list(snapshot, frame, frame.width), frame.width),),)
        left, right = split(frame.width, 0.5)
        rows = _list(snapshot, frame, left)
        key = under_cursor(frame, "agents.list", rows)
        detail = _card(snapshot, key, right, frame)
        return (
            (Pane("agents.list", rows, left),),
            (Pane("agents.detail", detail, right, about=key),),
        )


def _card(snapshot: SessionSnapshot, key: str, width: int, frame: Frame) -> list[Row]:
    """Everything known of the agent or the loop with that row key."""
    if key.startswith("loop:"):
        from ppgp_tui.ui.views.agents.loop_card import loop_card  # no start opens one

        return loop_card(snapshot, key, width, frame)
    return agent_card(snapshot, key, width, frame)


def _list(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    agents = snapshot.agents.value
    present = [agent for agent in agents if agent.state not in OVER]
    over = [agent for agent in agents if agent.state in OVER]
    rows = [heading("Agents", right=(Span(f"{len(present)} connected", "soft"),))]
    rows += [_agent(snapshot, agent, frame) for agent in present]
    if not agents:
        rows = _nobody(width)
    if over:
        rows += [blank(), heading("No longer here", right=(Span(str(len(over)), "soft"),))]
        rows += [_agent(snapshot, agent, frame) for agent in over]
    rows += _section(loop_rows(snapshot, frame, width))
    rows += _section(your_time(snapshot, width, frame.now_ms))
    return found(rows, frame.filter)


def _section(rows: list[Row]) -> list[Row]:
    return [blank(), *rows] if rows else []


def _agent(snapshot: SessionSnapshot, agent: Agent, frame: Frame) -> Row:
    """Name, state and age; what it does; where it lives; and what must not be overlooked."""
    now = frame.now_ms
    also = short_session(agent) if _has_namesake(snapshot, agent) else ""
    row = agent_row(agent, 0, now, short=False, also=also)
    lines = list(row.lines)
    if now_doing := doing(snapshot, agent, now):
        lines.append(Line((Span(now_doing, "soft"),), cut="middle"))
    kind, limit = frame.kind(agent.agent), snapshot.continue_limit
    said = ", ".join(facts(agent, kind, limit, roomy=frame.width >= ROWS_BELOW))
    lines.append(Line((Span(said, "soft"),)))
    lines += [Line((Span(f"! {text}", "stop"),)) for text in alarms(agent)]
    if note := note_line(agent, now):
        lines.append(Line((Span(note, "text"),)))
    return Row(row.key, tuple(lines), agent.origin, agent.session, opens=opens(frame))


def _has_namesake(snapshot: SessionSnapshot, agent: Agent) -> bool:
    """Another one of its kind is there, so its name says too little."""
    if agent.state in OVER:
        return False
    same = [one for one in snapshot.agents.value if one.agent == agent.agent]
    return sum(one.state not in OVER for one in same) > 1


def _nobody(width: int) -> list[Row]:
    room = min(width, READABLE)
    return [
        heading("Agents", right=(Span("none connected", "soft"),)),
        Row("", (Line((Span(f"looked for {HEARTBEATS}", "soft"),), indent=1),)),
        blank(),
        paragraph(
            "An agent shows up here when its own hooks leave a heartbeat file in that folder. "
            "Nothing about an agent is guessed from processes or windows.",
            room,
        ),
        blank(),
        Row(
            "do:agents.connect",
            (Line((Span("Connect an agent", "ink", bold=True),), sign="ready", sign_role="ink"),),
            opens="connect",
        ),
        paragraph(
            "Puts our hooks into the settings of Claude Code and Codex, where they are installed; "
            "the change is shown first. The same as ppgp-tui connect.",
            room,
            "soft",
            indent=3,
        ),
    ]
