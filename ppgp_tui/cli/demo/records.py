"""What hooks would record of the demo's agents: runs, calls and checks; nobody asks for these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppgp_tui.cli.demo.heartbeat import Json
from ppgp_tui.session.engine.draft import Actor, Draft, create, relate, update


def run_started(draft: Draft, run: str, task: str, agent: str, session: str) -> None:
    """An agent begins to work on the goal."""
    known = {"agent": agent, "session": session, "source": "startup"}
    props = {"task": task, "status": "started", "metadata": known}
    ops = [create(run, "run", props)]
    if draft.ledger.goal is not None:
        ops.append(relate(run, "references", draft.ledger.goal["id"]))
    payload = {"run_id": run, "task": task, "metadata": known}
    draft.record("run.started", payload, correlation=run, ops=ops)


def run_finished(draft: Draft, run: str, outcome: str) -> None:
    """An agent has ended its work."""
    payload: Json = {"run_id": run, "outcome": outcome, "metadata": {}}
    props = {"status": "finished", "outcome": outcome}
    draft.record("run.finished", payload, correlation=run, ops=[update(run, props)])


def tool_called(draft: Draft, run: str, tool: str, summary: str) -> None:
    """A tool call that went well."""
    payload: Json = {
        "id": draft.new_id("call"),
        "run_id": run,
        "tool": tool,
        "input_summary": summary,
        "output_summary": None,
        "success": True,
        "metadata": {},
    }
    draft.record("tool.called", payload, actor=Actor("tool", tool))


def check_finished(draft: Draft, check: Mapping[str, Any]) -> None:
    """A verification command has ended."""
    node = draft.new_id("eval")
    known = {
        "command": check["command"],
        "status": "Passed" if check["passed"] else "Failed",
        "score": None,
        "metadata": {"type": "check"},
    }
    ops = [create(node, "eval", known)]
    if draft.ledger.goal is not None:
        ops.append(relate(draft.ledger.goal["id"], "validated_by", node))
    draft.record("eval.finished", {"id": node, **known}, actor=Actor("tool", "Bash"), ops=ops)
