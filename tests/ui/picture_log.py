"""The event log of the made-up session, held in a list."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ppgp_tui.session.model import Event, Events, PhaseSpan
from tests.ui.picture_time import NOW, ago

_OPS = [
    {"UpdateNode": {"id": "todo:T9", "props": {"title": "Kill test at 50 points"}}},
    {"DeleteRelation": {"from": "todo:T12", "rel": "depends_on", "to": "todo:T9"}},
]
_TOLD: tuple[tuple[str, str, object, int], ...] = (
    ("agent:claude-5f1e", "run.started", {"run_id": "run_24", "task": "todo:T3"}, ago(minutes=75)),
    (
        "agent:claude-5f1e",
        "todo.revised",
        {"base_revision": 9, "revision": 10},
        ago(minutes=74),
    ),
    ("tool:git", "tool.called", {"input_summary": "git commit 77a2c1e"}, ago(minutes=73)),
    ("tool:Read", "tool.called", {"input_summary": "Read tests/golden/README"}, ago(minutes=70)),
    (
        "tool:pytest",
        "eval.finished",
        {"command": "pytest tests/checkpoint: 12 passed", "status": "Passed"},
        ago(minutes=67),
    ),
    (
        "tool:Edit",
        "tool.called",
        {"input_summary": "Edit src/importer/checkpoint.py"},
        ago(minutes=65),
    ),
    (
        "agent:claude-5f1e",
        "goal.phase_changed",
        {"from": "FREEZE", "to": "EXECUTE"},
        ago(minutes=62),
    ),
    (
        "agent:claude-5f1e",
        "task.status_changed",
        {"task_id": "todo:T3", "status": "Done"},
        ago(minutes=41),
    ),
    (
        "user:dev",
        "decision.created",
        {"reason": "Use 500 rows per batch", "status": "Approved"},
        ago(minutes=40),
    ),
    ("tool:git", "tool.called", {"input_summary": "git commit 4e1f09c"}, ago(minutes=38)),
    (
        "agent:codex-77a2",
        "task.status_changed",
        {"task_id": "todo:T4", "status": "Done"},
        ago(minutes=37),
    ),
    (
        "agent:codex-77a2",
        "blocker.raised",
        {"class": "B", "scope": "T11", "text": "staging window opens at 02:00"},
        ago(minutes=22),
    ),
    ("agent:claude-5f1e", "agent.held", {"hold": "hold_1", "tool": "Bash"}, ago(minutes=18)),
    (
        "user:dev",
        "human.interrupted",
        {"hold": "hold_1", "what": "resume"},
        ago(minutes=14),
    ),
    (
        "agent:claude-5f1e",
        "agent.released",
        {"hold": "hold_1", "outcome": "resumed", "waited_ms": 240_000},
        ago(minutes=14),
    ),
    (
        "agent:claude-5f1e",
        "todo.revised",
        {"base_revision": 13, "revision": 14},
        ago(minutes=8),
    ),
    ("system:ppgp-tui", "state.ops_applied", _OPS, ago(minutes=8)),
    ("agent:claude-5f1e", "run.started", {"run_id": "run_31", "task": "todo:T5"}, ago(minutes=6)),
    (
        "agent:claude-5f1e",
        "authority.requested",
        {
            "digest": "sha256:9c41e0" + "5a" * 29,
            "id": "req_" + "17" * 16,
            "request": {
                "class": "C",
                "question": "Drop the old cursor column now?",
                "scope": "T8",
            },
        },
        ago(minutes=6),
    ),
    (
        "agent:claude-5f1e",
        "blocker.raised",
        {"class": "A", "scope": "T5", "text": "test_batch flaky under load"},
        ago(minutes=3),
    ),
    (
        "agent:codex-77a2",
        "authority.requested",
        {
            "id": "req_" + "18" * 16,
            "request": {
                "class": "C",
                "question": "Run the soak script on the staging copy?",
                "scope": "T10",
            },
        },
        ago(minutes=2),
    ),
    (
        "tool:pytest",
        "eval.finished",
        {"command": "pytest tests/batch: 41 passed", "status": "Passed"},
        ago(seconds=31),
    ),
    ("tool:Edit", "tool.called", {"input_summary": "Edit src/importer/batch.py"}, ago(seconds=12)),
)
EVENT_COUNT = 1_204


@dataclass(frozen=True)
class ListLog:
    """A log held in a list: what tests use where the app has offsets into a file."""

    events: tuple[Event, ...]

    def __len__(self) -> int:
        return len(self.events)

    def event(self, index: int) -> Event:
        """The event at `index`, oldest first."""
        if not 0 <= index < len(self.events):
            raise IndexError(index)
        return self.events[index]

    def raw(self, index: int) -> bytes:
        """The line as GASP writes it."""
        event = self.event(index)
        envelope = {
            "id": event.id,
            "schema_version": 1,
            "ts_ms": event.ts_ms,
            "actor": {"kind": event.actor_kind, "id": event.actor_id},
            "kind": event.kind,
            "payload": event.payload,
            "causation_id": event.causation_id,
            "correlation_id": event.correlation_id,
        }
        return json.dumps(envelope, separators=(",", ":"), ensure_ascii=False).encode()

    def index_of(self, event_id: str) -> int | None:
        """Where that event is."""
        return next((event.index for event in self.events if event.id == event_id), None)

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,  # noqa: ARG002
    ) -> Sequence[int]:
        """Indexes of the lines that contain `text`."""
        wanted = text.casefold()
        hits = [at for at in range(len(self)) if wanted in self.raw(at).decode().casefold()]
        return hits[::-1] if newest_first else hits


@cache
def log(count: int = EVENT_COUNT) -> ListLog:
    """`count` events: quiet tool calls first, then the ones the screens tell of."""
    earlier = max(0, count - len(_TOLD))
    told = [
        (
            "tool:Read",
            "tool.called",
            {"input_summary": f"Read src/importer/part_{at}.py"},
            ago(minutes=76, seconds=5 * (earlier - at)),
        )
        for at in range(earlier)
    ] + list(_TOLD)[-count:]
    made: list[Event] = []
    run: str | None = None
    for index, (actor, kind, payload, ts_ms) in enumerate(told):
        actor_kind, _, actor_id = actor.partition(":")
        event = Event(
            index=index,
            line=index + 1,
            offset=index * 220,
            id=f"event_{index:032x}",
            ts_ms=ts_ms,
            actor_kind=actor_kind,
            actor_id=actor_id,
            kind=kind,
            payload=payload,
            causation_id=run,
            correlation_id="run_31" if index > count - 7 else None,
        )
        if kind == "run.started":
            run = event.id
        made.append(event)
    return ListLog(tuple(made))


def events(count: int = EVENT_COUNT) -> Events:
    """The log with its pulse and the phases it tells of."""
    lines = log(count)
    return Events(
        log=lines,
        count=len(lines),
        bytes=220 * len(lines),
        last=lines.event(len(lines) - 1) if count else None,
        phases=(
            PhaseSpan("THINK", ago(minutes=78), ago(minutes=66), by="user:ann"),
            PhaseSpan("FREEZE", ago(minutes=66), ago(minutes=62), by="user:ann"),
            PhaseSpan("EXECUTE", ago(minutes=62), None, by="system:ppgp-tui", observed=True),
        ),
        pulse=(0, 0, 1, 1, 0, 0, 2, 5, 1, 0, 0, 0, 0, 0, 1, 5, 7, 6, 2, 1, 0, 0, 2, 5, 6, 4, 1, 0,
               2, 5, 7),
        per_hour=84,
    )  # fmt: skip


def appended(before: Events, by: int) -> Events:
    """The same log after `by` more tool calls arrived, all of them now."""
    assert isinstance(before.log, ListLog)
    first = len(before.log)
    more = tuple(
        Event(
            index=index,
            line=index + 1,
            offset=index * 220,
            id=f"event_{index:032x}",
            ts_ms=NOW,
            actor_kind="tool",
            actor_id="Read",
            kind="tool.called",
            payload={"input_summary": f"Read tests/new_{index}.py"},
            correlation_id="run_31",
        )
        for index in range(first, first + by)
    )
    lines = ListLog(before.log.events + more)
    return replace(
        before,
        log=lines,
        count=len(lines),
        bytes=220 * len(lines),
        last=lines.event(len(lines) - 1),
    )
