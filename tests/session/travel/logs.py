"""Logs to travel in: written down, read whole, and cut after any of their lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.log.tail import LogRead, LogTail
from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.model import SessionSnapshot

LOG = "state/events.jsonl"
BEGUN = 1_790_000_000_000


def lay(root: Path, lines: Sequence[bytes]) -> Path:
    """Write a log of these lines into a new folder; return it."""
    path = root / LOG
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(lines))
    return root


def live(root: Path, now_ms: int = BEGUN + 86_400_000) -> SessionSnapshot:
    """The picture of a session that read everything at `now_ms`."""
    session = LiveSession(root, clock=lambda: now_ms)
    try:
        return session.read_all()
    finally:
        session.close()


def read(root: Path, now_ms: int) -> LogRead:
    """What is read of the log alone."""
    return LogTail(root, LOG, lambda: now_ms).look()


def view_of(snapshot: SessionSnapshot) -> LogView:
    view = snapshot.events.value.log
    assert isinstance(view, LogView)
    return view


def line(number: int, kind: str, payload: Any, *, actor: str = "claude-1", **members: Any) -> bytes:
    """One line, told a second after the line before it unless `ts_ms` says otherwise."""
    kind_of = "user" if actor == "dev" else "agent"
    said = {
        "id": f"event_{number:032x}",
        "schema_version": 1,
        "ts_ms": BEGUN + number * 1000,
        "actor": {"kind": kind_of, "id": actor},
        "kind": kind,
        "payload": payload,
        "causation_id": None,
        "correlation_id": None,
        **members,
    }
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def plan(revision: int, **tasks: str) -> dict[str, Any]:
    """The payload of a revision; by key the status."""
    listed = [
        {"key": key, "subject": f"Do {key}", "status": status} for key, status in tasks.items()
    ]
    state = {"schemaVersion": 1, "revision": revision, "tasks": listed}
    return {"revision": revision, "base_revision": revision - 1, "state": state, "digest": "d"}


def goal(title: str) -> dict[str, Any]:
    """The payload of a goal of ours."""
    moment = "2026-09-21T14:13:21.000Z"
    usage = {"activeSeconds": 0, "tokensUsed": 0}
    pi = {
        "id": "goal_1", "status": "active", "createdAt": moment, "updatedAt": moment,
        "usage": usage, "autoContinue": True,
    }  # fmt: skip
    return {
        "id": "goal_1", "title": title, "summary": title, "status": "InProgress",
        "owner": {"kind": "user", "id": "dev"}, "metadata": {"ppgp": {"revision": 1}}, "pi": pi,
    }  # fmt: skip


def request(name: str, question: str) -> dict[str, Any]:
    """The payload of a question."""
    return {"id": name, "request": {"question": question, "class": "C", "frees": ["todo:a"]}}


def answer(decision: str, name: str, option: str) -> dict[str, Any]:
    """The payload of an answer."""
    said = {"type": "answer", "request": name, "attempt": 1, "option": option}
    return {"id": decision, "status": "Approved", "reason": option, "metadata": said}


STORY = [
    line(0, "goal.created", goal("Make it resumable"), actor="dev"),
    line(1, "run.started", {"run_id": "run_1", "task": "s", "metadata": {"agent": "claude"}}),
    line(2, "todo.revised", plan(1, a="pending", b="pending")),
    line(3, "goal.phase_changed", {"from": "", "to": "EXECUTE"}),
    line(4, "authority.requested", request("req_1", "Drop it?")),
    line(5, "todo.revised", plan(2, a="in_progress", b="pending")),
    line(6, "decision.created", answer("dec_1", "req_1", "yes"), actor="dev"),
    line(7, "todo.revised", plan(3, a="completed", b="pending")),
    line(8, "human.interrupted", {"what": "pause", "hold": "hold_1"}, actor="dev"),
    line(9, "agent.held", {"hold": "hold_1", "session": "claude-1", "tool": "Bash"}),
    line(10, "observation.created", {"id": "obs_1"}),
    line(11, "run.finished", {"run_id": "run_1"}),
]
"""A small session: asked, answered, planned, paused, held, done."""
