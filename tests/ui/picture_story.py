"""A log with everything a story and a lineage can hold, as lines of a real file.

Two goals, tasks, a finished run with an approved and a rejected patch, a run that is still open, a
stretch of no run; a link that ends nowhere, a node made twice, one that was given up, a time that
went backwards, a title of two hundred characters with emoji.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppgp_tui.session.log.graph import LogGraph
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.model import Events, Part, SessionSnapshot
from tests.ui import picture
from tests.ui.picture_time import ago

LOG = "events.jsonl"
COMMIT = "4e1f09c" + "ab" * 16 + "c"
LONG = "Make 🦑 retry “reliable” (#816) 漢字 " + "again and again " * 10 + "🐙"

Line = dict[str, Any]


def event(
    name: str,
    kind: str,
    payload: Any,
    minutes: float | None,
    *,
    cause: str | None = None,
    run: str | None = None,
    actor: str = "agent:claude-5f1e",
) -> Line:
    """One event, so many minutes ago."""
    actor_kind, _, actor_id = actor.partition(":")
    return {
        "id": name,
        "schema_version": 1,
        "ts_ms": ago(seconds=int((minutes or 0) * 60)),
        "actor": {"kind": actor_kind, "id": actor_id},
        "kind": kind,
        "payload": payload,
        "causation_id": cause,
        "correlation_id": run,
    }


def ops(name: str, cause: str | None, minutes: float, *made: Any, run: str | None = None) -> Line:
    """The graph changes that go with an event."""
    return event(
        name, "state.ops_applied", list(made), minutes, cause=cause, run=run,
        actor="system:yoagent-state",
    )  # fmt: skip


def node(name: str, kind: str, **props: Any) -> Any:
    return {"CreateNode": {"id": name, "kind": kind, "props": props}}


def link(source: str, relation: str, target: str) -> Any:
    return {"CreateRelation": {"from": source, "rel": relation, "to": target, "props": {}}}


def update(name: str, **props: Any) -> Any:
    return {"UpdateNode": {"id": name, "props": props}}


def _patch(
    number: int, title: str, run: str, cause: str, minutes: float, passed: bool
) -> list[Line]:
    """A patch with its eval, its decision and what became of it."""
    patch, eval_, decision = f"patch_{number}", f"eval_{number}", f"decision_{number}"
    command, status = "cargo test retry", "Passed" if passed else "Failed"
    decided, became = ("Approved", "Promoted") if passed else ("Rejected", "Rejected")
    verb = "approved_by" if passed else "rejected_by"
    commit = {
        "kind": "git-commit", "uri": f"acme/importer@{COMMIT}", "hash": COMMIT, "summary": None,
        "metadata": None,
    }  # fmt: skip
    at = f"p{number}"
    return [
        event(f"{at}", "patch.proposed", {"id": patch, "title": title, "status": "Proposed",
              "artifacts": [commit]}, minutes, cause=cause, run=run),
        ops(f"{at}o", at, minutes, node(patch, "patch", title=title, status="Proposed"),
            {"AttachArtifact": {"id": patch, "artifact": commit}}, run=run),
        ops(f"{at}l", cause, minutes, link(patch, "advances", "goal_retry"), run=run),
        event(f"{at}e", "eval.finished", {"id": eval_, "command": command, "status": status},
              minutes - 1, cause=cause, run=run),
        ops(f"{at}eo", f"{at}e", minutes - 1,
            node(eval_, "eval", command=command, status=status),
            link(patch, "validated_by", eval_), run=run),
        event(f"{at}d", "decision.created", {"id": decision, "status": decided,
              "reason": "oracle said so", "decided_by": {"kind": "agent", "id": "evolve"}},
              minutes - 2, cause=cause, run=run, actor="agent:evolve"),
        ops(f"{at}do", f"{at}d", minutes - 2,
            node(decision, "decision", status=decided, reason="oracle said so"),
            link(patch, verb, decision), run=run),
        event(f"{at}s", "patch.status_changed", {"patch_id": patch, "status": became},
              minutes - 2, cause=cause, run=run),
        ops(f"{at}so", f"{at}s", minutes - 2, update(patch, status=became), run=run),
    ]  # fmt: skip


def lines() -> list[Line]:
    """The log, the oldest event first."""
    goal = {"title": "Make retry reliable", "status": "Open"}
    task = {"title": "Retry with a limit", "status": "Open"}
    return [
        event("g1", "goal.created", {"id": "goal_retry", **goal}, 300, actor="user:dev"),
        ops("g1o", "g1", 300, node("goal_retry", "goal", **goal)),
        event("r1", "run.started", {"run_id": "run_1", "task": "evolve session 1"}, 240,
              run="run_1"),
        ops("r1o", "r1", 240, node("run_1", "run", task="evolve session 1", status="started"),
            run="run_1"),
        event("t1", "task.created", {"id": "task_9", **task, "goal": "goal_retry"}, 238,
              cause="r1", run="run_1"),
        ops("t1o", "t1", 238, node("task_9", "task", **task),
            link("task_9", "serves", "goal_retry"), link("task_9", "serves", "goal_elsewhere"),
            run="run_1"),
        *_patch(9, "Retry up to five times", "run_1", "r1", 230, passed=True),
        *_patch(8, LONG, "run_1", "r1", 200, passed=False),
        event("r1f", "run.finished", {"run_id": "run_1", "outcome": "promoted 1/2 tasks"}, 190,
              cause="r1", run="run_1"),
        ops("r1fo", "r1f", 190, update("run_1", status="finished"), run="run_1"),
        event("o1", "observation.created", {"id": "observation_1", "title": "CI is slow"}, 100,
              cause="g1", actor="user:dev"),
        ops("o1o", "o1", 100, node("observation_1", "observation", title="CI is slow")),
        ops("o1t", None, 99, {"TombstoneNode": {"id": "observation_1", "reason": "it is not"}}),
        event("r2", "run.started", {"run_id": "run_2", "task": "todo:T5"}, 30, run="run_2"),
        ops("r2o", "r2", 30, node("run_2", "run", task="todo:T5", status="started"), run="run_2"),
        event("c1", "tool.called", {"id": "call_1", "run_id": "run_2", "tool": "Edit",
              "input_summary": "src/retry.py", "success": True}, 20, cause="r2", run="run_2"),
        event("t2", "task.created", {"id": "todo:T5", "title": "Bound it", "status": "Open"}, 40,
              cause="r2", run="run_2"),
        ops("t2o", "t2", 40, node("todo:T5", "task", title="Bound it", status="Open"),
            run="run_2"),
        ops("t2p", None, 10, node("todo:T5", "task", title="Bound it well", status="InProgress")),
        event("q1", "authority.requested", {"id": "req_5", "request": {"class": "C",
              "question": "Retry uploads too?", "scope": "T5"}}, 6, cause="r2", run="run_2"),
        ops("q1o", "q1", 6, node("req_5", "decision", status="Pending", reason="Retry uploads?"),
            link("req_5", "blocks", "todo:T5"), run="run_2"),
    ]  # fmt: skip


def text(told: Iterable[Line]) -> bytes:
    return b"".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        for line in told
    )


class Teller:
    """A log file that grows, and pictures of it."""

    def __init__(self, folder: Path, told: Sequence[Line] | None = None) -> None:
        self._file = folder / LOG
        self._file.write_bytes(text(lines() if told is None else told))
        self._tail = LogTail(folder, LOG, lambda: picture.NOW, settle_s=0)
        self._graph = LogGraph()

    def write(self, *more: Line) -> None:
        with self._file.open("ab") as file:
            file.write(text(more))

    def write_bytes(self, data: bytes) -> None:
        self._file.write_bytes(data)

    def snapshot(
        self, *, folded: bool = True, of: SessionSnapshot | None = None
    ) -> SessionSnapshot:
        """The full picture with this log, folded or not."""
        view = self._tail.look().view
        assert view is not None
        before = of or picture.full()
        value = Events(
            log=view,
            count=len(view),
            last=view.event(len(view) - 1) if len(view) else None,
            names={"user:dev": "you"},
        )
        made = replace(before, events=Part(value, 1, before.events.origin))
        return replace(made, graph=Part(self._graph.look(view), 1)) if folded else made
