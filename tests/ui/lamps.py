"""The lamp lines of a picture, as text."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import (
    Agent,
    AgentState,
    Audit,
    Part,
    SessionSnapshot,
    SourceState,
)
from ppgp_tui.ui.screen.lamps import lamp_lines, notice_line
from tests.ui import picture
from tests.ui.picture import NOW, ago
from tests.ui.views.drawn import PLAIN, text_of


def lamps(snapshot: SessionSnapshot, width: int) -> list[str]:
    return [text_of(line, width) for line in lamp_lines(snapshot, width, PLAIN, NOW)]


def with_agents(snapshot: SessionSnapshot, *agents: Agent) -> SessionSnapshot:
    return replace(snapshot, agents=Part(agents))


def agent(state: AgentState, since_ms: int | None, name: str = "claude") -> Agent:
    return Agent(f"{name}-1", name, state, since_ms, contact_ms=since_ms)


def working() -> SessionSnapshot:
    audited = replace(picture.full(), audit=Part(Audit(state="3/7")))
    return with_agents(audited, agent("working", ago(seconds=12)))


def unread(snapshot: SessionSnapshot) -> SessionSnapshot:
    broken = SourceState("events", "state/events.jsonl", "unread", why="permission denied")
    return replace(
        snapshot,
        sources=(*snapshot.sources[:2], broken),
        events=replace(snapshot.events, stale_since_ms=ago(seconds=41)),
    )


def notice(snapshot: SessionSnapshot, width: int) -> str:
    line = notice_line(snapshot, width, PLAIN, NOW)
    return "" if line is None else text_of(line, width)
