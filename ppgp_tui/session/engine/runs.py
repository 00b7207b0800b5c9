"""Runs of agents: an agent's session, and one iteration of a restart loop."""

from __future__ import annotations

from typing import Any

from ppgp_tui.session.engine.draft import Actor, Draft, create, relate, update

Json = dict[str, Any]


def start(
    draft: Draft, run_id: str, task: str, metadata: Json, *, cause: str | None = None
) -> None:
    """The acting session begins a run; one that it had open must have been finished before.

    `cause` is the event it comes from, such as the iteration that the session belongs to.
    """
    ops = [create(run_id, "run", {"task": task, "status": "started", "metadata": metadata})]
    if draft.ledger.goal is not None:
        ops.append(relate(run_id, "references", draft.ledger.goal["id"]))
    payload = {"run_id": run_id, "task": task, "metadata": metadata}
    draft.record("run.started", payload, cause=cause, correlation=run_id, ops=ops)


def finish(
    draft: Draft, run: Json, outcome: str, metadata: Json, actor: Actor | None = None
) -> None:
    """The open `run` (as the ledger has it) is over; `actor` says so, else the acting session."""
    payload = {"run_id": run["run_id"], "outcome": outcome, "metadata": metadata}
    ops = [update(run["run_id"], {"status": "finished", "outcome": outcome})]
    draft.record(
        "run.finished",
        payload,
        cause=run["event"],
        correlation=run["run_id"],
        actor=actor,
        ops=ops,
    )
