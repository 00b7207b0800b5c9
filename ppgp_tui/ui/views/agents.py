"""View 6: the agents that leave a heartbeat, and only what their heartbeats say."""

from __future__ import annotations

from ppgp_tui.session.model import Agent, SessionSnapshot
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.columns import state_and_age, to_left
from ppgp_tui.ui.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.prose import READABLE, labelled, paragraph
from ppgp_tui.ui.views.room import ROWS_BELOW, TWO_COLUMNS, found, split, under_cursor
from ppgp_tui.ui.words import AGENTS, count

HEARTBEATS = ".ppgp/run/agents/"
_OVER = ("ended", "gone")


class AgentsView:
    """Who works here, in what state, since when."""

    name = "agents"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the agents, and from 100 columns everything known of the one under the cursor."""
        agents = snapshot.agents.value
        if not agents:
            return ((Pane("agents.list", _nobody(frame.width), frame.width),),)
        rows = found(_list(agents, frame), frame.filter)
        if frame.width < TWO_COLUMNS:
            return ((Pane("agents.list", rows, frame.width),),)
        left, right = split(frame.width, 0.5)
        key = under_cursor(frame, "agents.list", rows)
        detail = agent_detail(agents, key, right, frame.now_ms)
        return (
            (Pane("agents.list", rows, left),),
            (Pane("agents.detail", detail, right, about=key),),
        )


def agent_since(agent: Agent) -> int | None:
    """Since when the state shown holds; for a working agent, when it was last heard of."""
    return agent.contact_ms if agent.state in ("working", "quiet") else agent.since_ms


def agent_row(agent: Agent, name_width: int, now_ms: int, *, short: bool) -> Row:
    """One agent in one line; `short` says `for you` instead of `waiting for you`."""
    word = AGENTS[agent.state]
    text = "for you" if short and agent.state == "waiting_for_you" else word.text
    tool = Span(agent.last_tool or "", "soft")
    name = to_left(Span(agent.agent or agent.session, "ink"), name_width)
    since = Span(age(agent_since(agent), now_ms), "soft")
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


def _list(agents: tuple[Agent, ...], frame: Frame) -> list[Row]:
    present = [agent for agent in agents if agent.state not in _OVER]
    over = [agent for agent in agents if agent.state in _OVER]
    rows = [heading("Agents", right=(Span(f"{len(present)} connected", "soft"),))]
    rows += [_agent(agent, frame) for agent in present]
    if over:
        rows += [blank(), heading("No longer here", right=(Span(str(len(over)), "soft"),))]
        rows += [_agent(agent, frame) for agent in over]
    return rows


def _agent(agent: Agent, frame: Frame) -> Row:
    """Name, state and age; what it did last; where it lives."""
    row = agent_row(agent, 0, frame.now_ms, short=False)
    lines = list(row.lines)
    if agent.last_tool:
        lines.append(Line((Span(agent.last_tool, "soft"),), cut="middle"))
    facts = ", ".join(_facts(agent, frame.width >= ROWS_BELOW))
    lines.append(Line((Span(facts, "soft"),)))
    return Row(row.key, tuple(lines), agent.origin, agent.session)


def _facts(agent: Agent, roomy: bool) -> list[str]:
    facts = [f"pane {agent.pane}"] if agent.pane else []
    if agent.continued:
        facts.append(f"continued {count(agent.continued, 'time')}")
    if agent.model and roomy:
        facts.append(agent.model)
    if agent.pid is not None and (roomy or not facts):
        facts.append(f"pid {agent.pid}")
    return facts or [f"session {agent.session}"]


def agent_detail(agents: tuple[Agent, ...], key: str, width: int, now_ms: int) -> list[Row]:
    """Everything the heartbeat of the agent with that row key says."""
    agent = next((agent for agent in agents if key == f"agent:{agent.session}"), None)
    if agent is None:
        return []
    word = AGENTS[agent.state]

    def ago(since_ms: int | None) -> str:
        since = age(since_ms, now_ms)
        return f"{since} ago" if since else ""

    known = (
        ("session", agent.session),
        ("last call", agent.last_tool or ""),
        ("heard of", ago(agent.contact_ms)),
        ("state", f"{word.text} since {age(agent.since_ms, now_ms)}"
         if agent.since_ms is not None else word.text),
        ("model", agent.model or ""),
        ("pane", agent.pane or ""),
        ("process", "" if agent.pid is None else str(agent.pid)),
        ("continued", count(agent.continued, "time") if agent.continued else ""),
        ("from", agent.origin.path if agent.origin else ""),
    )  # fmt: skip
    title = Line(
        (Span(agent.agent or agent.session, "ink", bold=True),),
        (Span(word.text, word.role),),
        indent=1,
    )
    rows = [Row(key, (title,), agent.origin, agent.session)]
    return rows + [
        labelled(name, text, width, origin=agent.origin, column=11) for name, text in known if text
    ]


def _nobody(width: int) -> list[Row]:
    return [
        heading("Agents", right=(Span("none connected", "soft"),)),
        Row("", (Line((Span(f"looked for {HEARTBEATS}", "soft"),), indent=1),)),
        blank(),
        paragraph(
            "An agent shows up here when its own hooks leave a heartbeat file in that folder: "
            "which session, what it called last, and when. Nothing about an agent is guessed "
            "from processes or windows. The README describes the file under Agents.",
            min(width, READABLE),
        ),
    ]
