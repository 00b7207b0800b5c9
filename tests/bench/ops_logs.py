"""Long logs that fold into large graphs: a life like a real agent's, and operations only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.bench.logs import event_id

Json = dict[str, Any]

_BEGUN_MS = 1_790_000_000_000
_GOAL = "goal_self_improvement"


def realistic(count: int) -> Iterator[bytes]:
    """`count` lines, 9 of 16 with operations, in the proportions of a public agent's log."""
    number = 0
    run = 0
    while True:
        run += 1
        lines = _life(run, number)
        for line in lines:
            yield line
            number += 1
            if number == count:
                return


def operations(count: int) -> Iterator[bytes]:
    """`count` lines, every one with one to seven operations."""
    for number in range(count):
        name, before = f"task_{number:08}", f"task_{number // 2:08}"
        text = f"Part {number} of the importer – “retry” must survive a restart #{number % 977}"
        batch = [
            _create(name, "task", {"metadata": {"key": f"T{number}"}, "status": "Open",
                                   "summary": "", "title": text}),
            _link(name, "serves", _GOAL),
            _update(before, {"status": "Done", "status_reason": None}),
            _link(name, "depends_on", before),
            _attach(before, f"{number:040x}"),
            _update(name, {"metadata": {"attempt": 1 + number % 5}}),
            {"MarkStale": {"id": before, "reason": "done long ago"}},
        ]  # fmt: skip
        yield _event(number, "state.ops_applied", batch[: 1 + number * 5 % 7], None, None)


def _life(number: int, first: int) -> list[bytes]:
    """One run of an agent: a task, a patch, its eval and decision, each with its pair."""
    day = f"day{number // 8}_20260821T{number % 1_000_000:06}Z"
    run, task, patch = f"run_{day}", f"task_{day}", f"patch_{day}"
    test, verdict, commit = f"eval_{day}", f"decision_{day}", f"{number:040x}"
    title = f"Get src/format/part_{number}.rs under the size cap — move the tables → lang_{number}"
    actor = {"id": "yoyo", "kind": "agent"}
    planned = {"metadata": {"kind": "evolve"}, "status": "Open", "title": title,
               "summary": "planned as task 1 of the session"}  # fmt: skip
    proposed = {
        "base_project_ref": None,
        "base_state_version": 5 * number,
        "expected_effects": [],
        "preconditions": [],
        "status": "Proposed",
        "summary": "",
        "title": title,
    }
    passed = {"command": "cargo build+test", "metadata": {}, "score": 1.0, "status": "Passed"}
    kept = {"decided_by": actor, "metadata": {}, "status": "Approved",
            "reason": "oracle passed (build and test; evaluator agent); kept"}  # fmt: skip
    promoted = {"status": "Promoted", "status_reason": None}
    ended = {"outcome": "completed", "status": "finished"}
    begun = {"status": "started", "task": f"evolve session {number}"}
    ops = "state.ops_applied"
    told: list[tuple[str, Any, int | None]] = [  # kind, payload, and the place of the cause
        ("run.started", {"run_id": run, "task": begun["task"]}, None),
        (ops, [_create(run, "run", begun)], 0),
        ("task.created", {"created_by": actor, "goal": _GOAL, "id": task, **planned}, 0),
        (ops, [_create(task, "task", planned), _link(task, "serves", _GOAL)], 2),
        ("patch.proposed", {"artifacts": [], "created_by": actor, "id": patch, **proposed}, 0),
        (ops, [_create(patch, "patch", proposed)], 4),
        (ops, [_link(patch, "advances", _GOAL)], 0),
        ("eval.finished", {"id": test, **passed}, 0),
        (ops, [_create(test, "eval", passed), _link(patch, "validated_by", test)], 7),
        ("decision.created", {"id": verdict, **kept}, 0),
        (ops, [_create(verdict, "decision", kept), _link(patch, "approved_by", verdict)], 9),
        ("patch.status_changed", {"patch_id": patch, "reason": None, "status": "Promoted"}, 0),
        (ops, [_update(patch, promoted)], 11),
        (ops, [_attach(patch, commit)], 0),
        ("run.finished", {"outcome": "completed", "run_id": run}, 0),
        (ops, [_update(run, ended)], 14),
    ]
    return [
        _event(first + at, kind, payload, None if cause is None else first + cause, run)
        for at, (kind, payload, cause) in enumerate(told)
    ]


def _event(number: int, kind: str, payload: Any, cause: int | None, run: str | None) -> bytes:
    event = {
        "id": event_id(number),
        "schema_version": 1,
        "ts_ms": _BEGUN_MS + number * 20,
        "actor": {"kind": "agent", "id": "yoyo"},
        "kind": kind,
        "payload": payload,
        "causation_id": None if cause is None else event_id(cause),
        "correlation_id": run,
    }
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _create(name: str, kind: str, props: Json) -> Json:
    return {"CreateNode": {"id": name, "kind": kind, "props": props}}


def _update(name: str, props: Json) -> Json:
    return {"UpdateNode": {"id": name, "props": props}}


def _link(source: str, rel: str, target: str) -> Json:
    return {"CreateRelation": {"from": source, "props": {}, "rel": rel, "to": target}}


def _attach(name: str, commit: str) -> Json:
    artifact = {"hash": commit, "kind": "git-commit", "metadata": {}, "summary": None,
                "uri": f"yologdev/yoyo-evolve@{commit}"}  # fmt: skip
    return {"AttachArtifact": {"artifact": artifact, "id": name}}
