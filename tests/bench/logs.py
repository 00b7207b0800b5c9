"""Big logs and plans for the bench: legal, varied enough, quick to make."""

from __future__ import annotations

import json
from pathlib import Path

_BEGUN_MS = 1_790_000_000_000
_GOAL = "goal_" + "7" * 32
_RUN = "run_" + "5" * 32
_AGENT = '{"kind":"agent","id":"claude-0f3a9c21"}'
_TOOLS = ("Read", "Edit", "Bash", "Grep")


def write_log(path: Path, count: int) -> None:
    """Write `count` events: a goal, a run, then the tool calls of a long session."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as log:
        log.write(_first_lines())
        for begin in range(4, count, 10_000):
            numbers = range(begin, min(begin + 10_000, count))
            log.write("".join(map(tool_call, numbers)).encode())


def tool_call(number: int) -> str:
    """The log's line of one tool call."""
    return (
        f'{{"id":"{event_id(number)}","schema_version":1,"ts_ms":{_BEGUN_MS + number * 20},'
        f'"actor":{{"kind":"tool","id":"{_TOOLS[number % 4]}"}},"kind":"tool.called",'
        f'"payload":{{"id":"call_{number:032x}",'
        f'"input_summary":"src/importer/part_{number % 97}.py, lines {number % 400} to 900",'
        f'"metadata":{{}},"output_summary":null,"run_id":"{_RUN}","success":true,'
        f'"tool":"{_TOOLS[number % 4]}"}},'
        f'"causation_id":"{event_id(2)}","correlation_id":"{_RUN}"}}\n'
    )


def event_id(number: int) -> str:
    """The id of the event at that place in the log."""
    return f"event_{number:032x}"


def write_plan(path: Path, count: int) -> None:
    """Write a `todo.json` of `count` tasks in chains of ten, some done, some running."""
    tasks = []
    for number in range(count):
        task: dict[str, object] = {
            "key": f"T{number}",
            "subject": f"Task number {number} of a long plan",
            "status": "completed" if number % 10 < 4 else "pending",
        }
        if number % 10:
            task["dependsOn"] = [f"T{number - 1}"]
        tasks.append(task)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schemaVersion": 1, "revision": 3, "tasks": tasks}, indent=2))


def _first_lines() -> bytes:
    goal = {"status": "InProgress", "summary": "A long goal", "title": "A long goal"}
    owner = {"id": "dev", "kind": "user"}
    known = {**goal, "owner": owner, "metadata": {"ppgp": {"revision": 1}}}
    run = {"agent": "claude", "session": "0f3a9c21", "source": "startup"}
    lines = (
        ("user", "dev", "goal.created", {"id": _GOAL, **known}, None),
        ("system", "ppgp-tui", "state.ops_applied",
         [{"CreateNode": {"id": _GOAL, "kind": "goal", "props": known}}], 0),
        ("agent", "claude-0f3a9c21", "run.started",
         {"run_id": _RUN, "task": "session", "metadata": run}, 0),
        ("system", "ppgp-tui", "state.ops_applied",
         [{"CreateNode": {"id": _RUN, "kind": "run", "props": {"status": "started"}}}], 2),
    )  # fmt: skip
    return b"".join(
        json.dumps(
            {
                "id": event_id(number),
                "schema_version": 1,
                "ts_ms": _BEGUN_MS + number * 20,
                "actor": {"kind": actor, "id": name},
                "kind": kind,
                "payload": payload,
                "causation_id": None if cause is None else event_id(cause),
                "correlation_id": _RUN,
            },
            separators=(",", ":"),
        ).encode()
        + b"\n"
        for number, (actor, name, kind, payload, cause) in enumerate(lines)
    )
