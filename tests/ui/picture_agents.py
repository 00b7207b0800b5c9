"""One agent in every state, as a picture: what hooks, launcher and log say of them."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import (
    Agent,
    AgentState,
    CallSeen,
    Control,
    Handshake,
    NoteSeen,
    Origin,
    Part,
    SessionSnapshot,
)
from ppgp_tui.session.picture.human_load import LoadRecord, Span
from ppgp_tui.session.picture.memories import Memory
from tests.ui import picture
from tests.ui.picture import NOW, ago

MEMORY = Memory(
    session="claude-5f1e",
    happened="compacted",
    at_ms=ago(minutes=3),
    trigger="auto",
    goal="same",
    plan="changed",
    constraints="same",
    plan_before=13,
    plan_after=14,
    told=True,
    characters=4212,
    origin=Origin("state/events.jsonl", 1180),
)
FORGOT = MEMORY._replace(
    session="codex-77a2", happened="started", told=False, characters=None, same_session=False
)


def one(state: AgentState, name: str = "claude", **members: object) -> Agent:
    """An agent of whom little is known beside its state."""
    session = f"{name}-{state[:4]}"
    known: dict[str, object] = {
        "since_ms": ago(minutes=4), "contact_ms": ago(minutes=4), "pane": "%3", "pid": 4101,
        "last_tool": "Bash", "origin": Origin(f".ppgp/run/agents/{session}.json"),
    }  # fmt: skip
    return Agent(session=session, agent=name, state=state, **{**known, **members})  # type: ignore[arg-type]


def claude() -> Agent:
    """Everything there is to know of one."""
    return picture.agents()[0]._replace(
        connected_ms=ago(minutes=62),
        version="2.1.197",
        mode="acceptEdits",
        launched="claude-run-5f1e",
        memories=(MEMORY, FORGOT._replace(session="claude-5f1e", at_ms=ago(minutes=62))),
        notes=(
            NoteSeen(3, "Use the staging host.", "user:ann", ago(seconds=9)),
            NoteSeen(2, "The soak script moved.", "user:ann", ago(minutes=9), ago(minutes=8)),
        ),
        calls=(
            CallSeen("Edit", ago(seconds=12), "running"),
            CallSeen("Bash", ago(seconds=40), "failed"),
            CallSeen("Read", ago(minutes=1), "done"),
        ),
    )


def every_state() -> tuple[Agent, ...]:
    return (
        claude(),
        picture.agents()[1]._replace(
            memories=(FORGOT,), problems=("an event was not recorded: No space left on device",)
        ),
        one("violated"),
        one("held", held_tool="Bash", since_ms=ago(minutes=4)),
        one("frozen", launched="claude-run-1", frozen_since_ms=ago(seconds=50)),
        one("stopping"),
        one("limited", error="rate limit"),
        one("idle", rests="nothing is left open", untold=True),
        one("quiet", "pi"),
        one("ended", exit_code=0, launched="claude-run-2"),
        one("gone"),
    )


def crowd(*agents: Agent) -> SessionSnapshot:
    """The full picture with these agents, or one in every state."""
    shaken = (
        Handshake("claude-viol", "violated", ago(minutes=2), 2),
        Handshake("claude-held", "held", ago(minutes=4)),
    )
    control = Control(generation=12, stop=("claude-stop",), handshake=shaken)
    return replace(
        picture.full(),
        agents=Part(agents or every_state()),
        control=Part(control, 1, Origin(".ppgp/run/control.json")),
        load=Part(load(), 1, Origin("state/events.jsonl")),
        continue_limit=20,
    )


def load() -> LoadRecord:
    """An hour in which agents waited twelve minutes and the person thirty-one."""
    return LoadRecord(
        first_ms=NOW - 5 * 3_600_000,
        acts=(
            (ago(minutes=50), "prompt"), (ago(minutes=40), "answer"), (ago(minutes=20), "answer"),
            (ago(minutes=18), "pause"),
        ),
        waited=(Span("claude-5f1e", ago(minutes=50), ago(minutes=40)),),
        waits=(Span("codex-77a2", ago(minutes=2), ago(minutes=2)),),
        worked=(Span("claude-5f1e", ago(minutes=40), ago(minutes=9)),),
    )  # fmt: skip
