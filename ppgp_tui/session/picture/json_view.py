"""The snapshot as plain JSON values: what `show --json` prints.

Members are only added within a schema number; null means unknown, never a guess.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from ppgp_tui.ppgp.goal import as_json
from ppgp_tui.session.model import (
    Agent,
    Blocker,
    Conformance,
    Event,
    Events,
    GraphLook,
    Lifecycle,
    Memory,
    Origin,
    Part,
    Problem,
    Request,
    SessionSnapshot,
    SourceState,
    Task,
)
from ppgp_tui.session.picture.audit_json import audit_json
from ppgp_tui.session.picture.human_load import load_now
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.picture.memories import memory_line

SCHEMA: Final = "ppgp-tui/1"


def snapshot_json(snapshot: SessionSnapshot) -> dict[str, Any]:
    """Return `snapshot` as dicts, lists and scalars that `json.dumps` takes."""
    return {
        "schema": SCHEMA,
        "root": str(snapshot.root),
        "at_ms": snapshot.at_ms,
        "goal": {**as_json(snapshot.goal.value), **_standing(snapshot.goal)},
        "goal_state": {**_lifecycle(snapshot.lifecycle.value), **_standing(snapshot.lifecycle)},
        "recorded_blockers": [_blocker(one) for one in snapshot.recorded_blockers.value],
        "plan": _plan(snapshot),
        "inbox": [request_json(request) for request in snapshot.inbox.value],
        "control": _control(snapshot),
        "agents": [_agent(agent) for agent in snapshot.agents.value],
        "events": {**_events(snapshot.events.value), **_standing(snapshot.events)},
        "repo": _repo(snapshot),
        "loops": [_loop(loop) for loop in snapshot.loops.value.seen],
        "audit": {**audit_json(snapshot.audit.value), **_standing(snapshot.audit)},
        "lineages": None,
        "conformance": {
            **_conformance(snapshot.conformance.value),
            **_standing(snapshot.conformance),
        },
        "human_load": _load(snapshot),
        "continue_limit": snapshot.continue_limit,
        "graph": {**_graph(snapshot.graph.value), **_standing(snapshot.graph)},
        "sources": [_source(source) for source in snapshot.sources],
        "problems": [_problem(problem) for problem in snapshot.problems],
        "watching": snapshot.watching._asdict(),
        "roles": dict(snapshot.roles),
        "revisions": snapshot.part_revisions(),
    }


def _standing(part: Part[Any]) -> dict[str, Any]:
    """What every part carries beside its value; its revision stands under `revisions`."""
    return {"origin": _origin(part.origin), "stale_since_ms": part.stale_since_ms}


def _origin(origin: Origin | None) -> dict[str, Any] | None:
    if origin is None:
        return None
    members = asdict(origin)
    del members["commit"]  # only the past has one, and no past is told here
    return members


def _plan(snapshot: SessionSnapshot) -> dict[str, Any]:
    plan = snapshot.plan.value
    return {
        "source": plan.source,
        "revision": plan.revision,
        "digest": plan.digest,
        "tasks": [_task(task) for task in plan.tasks],
        "ready": list(plan.keys_in("ready")),
        "blocked": list(plan.keys_in("blocked", "for_you")),
        "hand_edit": plan.hand_edit,
        "history_count": plan.history_count,
        "changed_ms": plan.changed_ms,
        "changed_by": plan.changed_by,
        **_standing(snapshot.plan),
    }


def _task(task: Task) -> dict[str, Any]:
    members = {
        "key": task.key,
        "subject": task.subject,
        "description": task.description,
        "status": task.status,
        "dependsOn": list(task.depends_on),
        "state": task.state,
        "stopped_by": task.stopped_by,
        "changed_ms": task.changed_ms,
    }
    if task.description is None:
        del members["description"]
    return members


def _lifecycle(goal: Lifecycle) -> dict[str, Any]:
    """The goal as the log has it; its own place in the log takes the one of the part."""
    members = goal._asdict()
    members["block"] = dict(goal.block)
    members["claims"] = [{**one._asdict(), "bound": dict(one.bound)} for one in goal.claims]
    del members["origin"]
    return members


def _blocker(blocker: Blocker) -> dict[str, Any]:
    members = blocker._asdict()
    members["class"] = members.pop("klass")
    members["tasks"] = list(blocker.tasks)
    members["origin"] = _origin(blocker.origin)
    return members


def request_json(request: Request) -> dict[str, Any]:
    """One request as it stands in the inbox."""
    members = request._asdict()
    del members["of"]
    members["class"] = members.pop("klass")
    members["origin"] = _origin(request.origin)
    members["frees"] = list(request.frees)
    members["options"] = [option._asdict() for option in request.options]
    members["frees_then"] = list(request.frees_then)
    members["answer"] = request.answer._asdict() if request.answer else None
    members["refused"] = [one._asdict() for one in request.refused]
    return members


def _control(snapshot: SessionSnapshot) -> dict[str, Any]:
    control = snapshot.control.value
    hold = None
    if control.hold_id is not None:
        hold = {
            "id": control.hold_id,
            "since_ms": control.held_since_ms,
            "reason": control.hold_reason,
            "who": list(control.hold_who),
        }
    return {
        "generation": control.generation,
        "hold": hold,
        "lost": control.lost,
        "handshake": [one._asdict() for one in control.handshake],
        "unclaimed_ms": control.unclaimed_ms,
        **_standing(snapshot.control),
    }


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        **agent._asdict(),
        "origin": _origin(agent.origin),
        "calls": [call._asdict() for call in agent.calls],
        "notes": [note._asdict() for note in agent.notes],
        "memories": [_memory(memory) for memory in agent.memories],
    }


def _loop(loop: Loop) -> dict[str, Any]:
    """One restart loop, with what follows from its members."""
    return {
        **loop._asdict(),
        "name": loop.name,
        "orphan": loop.orphan,
        "clock": loop.clock._asdict() if loop.clock else None,
        "pause": loop.pause._asdict() if loop.pause else None,
        "runner": loop.runner._asdict(),
        "runs": [
            {**run._asdict(), "changes": run.changes._asdict() if run.changes else None}
            for run in loop.runs
        ],
        "output": loop.output._asdict() if loop.output else None,
        "origin": _origin(loop.origin),
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        **memory._asdict(),
        "stands_out": memory.stands_out,
        "said": memory_line(memory),
        "origin": _origin(memory.origin),
    }


def _load(snapshot: SessionSnapshot) -> dict[str, Any] | None:
    """Who waited for whom in the last hour; null where the log says nothing of it."""
    load = load_now(snapshot, snapshot.at_ms)
    if load is None:
        return None
    return {
        **load._asdict(),
        "acts": dict(load.acts),
        "interruptions": load.interruptions,
        **_standing(snapshot.load),
    }


def _events(events: Events) -> dict[str, Any]:
    return {
        "count": events.count,
        "bytes": events.bytes,
        "last": _event(events.last) if events.last else None,
        "torn": events.torn._asdict() if events.torn else None,
        "cut": events.cut,
        "cut_ms": events.cut_ms,
        "outbox": events.outbox,
        "uncommitted": events.uncommitted,
        "rewritten": events.rewritten._asdict() if events.rewritten else None,
        "phases": [span._asdict() for span in events.phases],
        "pulse": list(events.pulse),
        "per_hour": events.per_hour,
    }


def _conformance(known: Conformance) -> dict[str, Any]:
    return {
        "state": known.state,
        "checks": [
            {
                "number": one.number,
                "name": one.name,
                "state": one.state,
                "findings": one.findings,
                "why": one.why,
            }
            for one in known.checks
        ],
        "findings": known.findings,
        "first": [finding._asdict() for finding in known.first],
        "lacks": list(known.lacks),
        "progress": known.progress,
        "lines": known.lines,
        "offset": known.offset,
        "since_ms": known.since_ms,
        "why": known.why,
    }


def _graph(look: GraphLook) -> dict[str, Any]:
    """How far it is folded; the graph itself is too much to print beside everything else."""
    members = look._asdict()
    del members["folded"]
    return members


def _event(event: Event) -> dict[str, Any]:
    return {
        "index": event.index,
        "line": event.line or None,
        "offset": event.offset,
        "id": event.id,
        "ts_ms": event.ts_ms,
        "actor": {"kind": event.actor_kind, "id": event.actor_id},
        "kind": event.kind,
        "payload": event.payload,
        "causation_id": event.causation_id,
        "correlation_id": event.correlation_id,
        "error": event.error,
    }


def _repo(snapshot: SessionSnapshot) -> dict[str, Any]:
    repo = snapshot.repo.value
    return {
        "git": repo.git,
        "branch": repo.branch,
        "detached": repo.detached,
        "head": repo.head,
        "dirty": repo.dirty,
        "ahead": repo.ahead,
        "behind": repo.behind,
        "commits_since_goal": repo.commits_since_goal,
        "other_goals": list(repo.other_goals),
        **_standing(snapshot.repo),
    }


def _source(source: SourceState) -> dict[str, Any]:
    return source._asdict()


def _problem(problem: Problem) -> dict[str, Any]:
    return problem._asdict()
