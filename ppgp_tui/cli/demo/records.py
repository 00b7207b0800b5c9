"""What each act of the demo's story puts into the log: kind, payload and paired operations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ppgp_tui.cli.demo.journal import Json, create, relate, update


class Record(NamedTuple):
    """One event to be recorded."""

    kind: str
    payload: Json
    pair: Sequence[Json] = ()


def goal_created(goal: str, title: str, summary: str, owner: str, ts_ms: int) -> Record:
    """A goal that a person has made, active from the start."""
    known = {
        "title": title,
        "summary": summary,
        "status": "InProgress",
        "owner": {"kind": "user", "id": owner},
        "metadata": {"ppgp": {"revision": 1}},
    }
    stamp = datetime.fromtimestamp(ts_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    pi = {
        "autoContinue": True,
        "createdAt": stamp,
        "id": goal,
        "status": "active",
        "updatedAt": stamp,
        "usage": {"activeSeconds": 0, "tokensUsed": 0},
    }
    return Record("goal.created", {"id": goal, "pi": pi, **known}, [create(goal, "goal", known)])


def phase_changed(
    goal: str, path: str, text: str, phases: tuple[str | None, str], *, observed: bool
) -> Record:
    """The document names another phase; `observed` when somebody else wrote it."""
    before, after = phases
    payload = {
        "goal_id": goal,
        "from": before,
        "to": after,
        "observed": observed,
        "document": path,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "line": text[: text.index("\n## PHASE\n")].count("\n") + 4,
    }
    return Record("goal.phase_changed", payload, [update(goal, {"phase": after})])


def checkpointed(path: str, text: str, summary: str) -> Record:
    """The agent says that the document is up to date."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Record("goal.checkpointed", {"document": path, "sha256": digest, "summary": summary})


def run_started(run: str, goal: str, task: str, agent: str, session: str) -> Record:
    """An agent begins to work."""
    known = {"agent": agent, "session": session, "source": "startup"}
    props = {"task": task, "status": "started", "metadata": known}
    return Record(
        "run.started",
        {"run_id": run, "task": task, "metadata": known},
        [create(run, "run", props), relate(run, "references", goal)],
    )


def run_finished(run: str, outcome: str) -> Record:
    """An agent has ended its work."""
    return Record(
        "run.finished",
        {"run_id": run, "outcome": outcome, "metadata": {}},
        [update(run, {"status": "finished", "outcome": outcome})],
    )


def tool_called(call: str, run: str, tool: str, summary: str) -> Record:
    """A tool call that went well."""
    payload = {"id": call, "run_id": run, "tool": tool, "input_summary": summary}
    return Record(
        "tool.called", {**payload, "output_summary": None, "success": True, "metadata": {}}
    )


def blocker_raised(node: str, blocker: Mapping[str, Any]) -> Record:
    """Something is in the way of the tasks in `blocks`."""
    klass, scope, text = blocker["class"], blocker["scope"], blocker["text"]
    blocks = [f"todo:{key}" for key in blocker["blocks"]]
    about = {"type": "blocker", "class": klass, "scope": scope, "until": None}
    props = {"title": text, "summary": text, "status": "Open", "metadata": about}
    said = {"class": klass, "scope": scope, "text": text, "blocks": blocks, "origin": "agent"}
    return Record(
        "blocker.raised",
        {"id": node, **said},
        [create(node, "observation", props), *(relate(node, "blocks", task) for task in blocks)],
    )


def blocker_cleared(node: str, reason: str) -> Record:
    """It is in the way no more."""
    props = {"status": "Cleared", "status_reason": reason}
    return Record("blocker.cleared", {"id": node, "reason": reason}, [update(node, props)])


def requested(node: str, ask: Mapping[str, Any], session: str, repo: str, ts_ms: int) -> Record:
    """An agent asks a person."""
    frees = [f"todo:{key}" for key in ask["frees"]]
    request = {
        "schema": 1,
        "id": node,
        "repo": repo,
        "kind": "question",
        "class": ask["class"],
        "scope": ask["scope"],
        "question": ask["question"],
        "options": [],
        "irreversible": False,
        "frees": frees,
        "asker": {"actor": f"agent:{session}", "session": session, "cwd": "."},
        "created_ms": ts_ms,
    }
    text = json.dumps(request, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    about = {"type": "authority_request", "class": ask["class"], "scope": ask["scope"]}
    props = {
        "status": "Pending",
        "reason": ask["question"],
        "decided_by": None,
        "metadata": about,
    }
    return Record(
        "authority.requested",
        {"id": node, "request": request, "digest": digest},
        [create(node, "decision", props), *(relate(node, "blocks", task) for task in frees)],
    )


def approved(decision: str, request: str, person: str) -> Record:
    """A person says yes."""
    made = {"status": "Approved", "reason": "yes", "decided_by": {"kind": "user", "id": person}}
    known = {"type": "answer", "request": request}
    return Record(
        "decision.created",
        {"id": decision, **made, "metadata": {**known, "attempt": 1, "option": "yes"}},
        [
            create(decision, "decision", {**made, "metadata": known}),
            relate(request, "approved_by", decision),
            update(request, {"status": "Approved"}),
        ],
    )


def check_finished(node: str, goal: str, check: Mapping[str, Any]) -> Record:
    """A verification command has ended."""
    known = {
        "command": check["command"],
        "status": "Passed" if check["passed"] else "Failed",
        "score": None,
        "metadata": {"type": "check"},
    }
    return Record(
        "eval.finished",
        {"id": node, **known},
        [create(node, "eval", known), relate(goal, "validated_by", node)],
    )
