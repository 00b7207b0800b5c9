"""How each kind of event changes the ledger; requests and answers are in `request_folds`.

A fold looks at its whole event before it changes anything: what it raises leaves the state alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ppgp_tui.pi.goal_reading import read_goal
from ppgp_tui.pi.plan import Limits, read_state, state_json
from ppgp_tui.session.canonical import digest

Json = dict[str, Any]
Event = Mapping[str, Any]

NO_LIMITS: Final = Limits(10**9, 10**9)
_SETTLED: Final = ("Satisfied", "Abandoned")
_PLANS_KEPT: Final = 256
_KEPT: Final = 32
"""Holds, and ends whose beginning is unknown, that are remembered."""


def nothing() -> Json:
    """The state before the first event."""
    return {
        "session_started": None,
        "goal": None,
        "settled": None,
        "early_goals": {},
        "pi_revision": 0,
        "todo": {"schemaVersion": 1, "revision": 0, "tasks": []},
        "tasks": [],
        "plans": [],
        "blockers": {},
        "cleared_early": [],
        "runs": {},
        "claims": [],
        "audits": [],
        "overrides": [],
        "phase": None,
        "holds": {},
    }


def short_digest(todo: Json) -> str:
    """What a recorded plan is remembered by."""
    return digest(todo).removeprefix("sha256:")[:16]


def text(value: Any) -> str:
    """`value` if it is text. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def count(value: Any) -> int:
    """`value` if it is a whole number from 0 on. Raises TypeError."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("not a count")
    return value


def _session_started(state: Json, event: Event) -> None:
    state["session_started"] = event["id"]


# The goal ----------------------------------------------------------------------------------------


def _goal_created(state: Json, event: Event) -> None:
    payload = event["payload"]
    goal = {
        "id": text(payload["id"]),
        "event": event["id"],
        "objective": text(payload["summary"]),
        "revision": count(payload["metadata"]["ppgp"]["revision"]),
        "pi": payload["pi"],
    }
    _must_be_pis(goal["pi"], goal["objective"])
    state["settled"] = None
    early = state["early_goals"].pop(goal["id"], None)
    if early is None:
        state["pi_revision"] += 1
        at = state["pi_revision"]
        state["goal"] = {**goal, "pi_at": at, "objective_at": at}
    elif not early["settled"]:
        state["goal"] = {**goal, "pi_at": 0, "objective_at": 0}
        for change in early["changes"]:
            _take_change(state["goal"], change)


def _goal_changed(state: Json, event: Event) -> None:
    payload = event["payload"]
    change = {
        "at": count(payload["pi_revision"]),
        "pi": payload["pi"],
        "objective": payload.get("objective"),
    }
    goal, goal_id = state["goal"], text(payload["goal_id"])
    settled = payload.get("status") in _SETTLED or change["pi"] is None
    if not settled:
        _must_be_pis(change["pi"], change["objective"] or "known elsewhere")
    if goal is None or goal["id"] != goal_id:  # its beginning was cut, or stands further behind
        early = state["early_goals"].setdefault(goal_id, {"settled": False, "changes": []})
        early["settled"] = early["settled"] or settled
        early["changes"].append(change)
    elif settled:
        state["goal"] = None
        state["settled"] = {"id": goal_id, "status": payload.get("status")}
    else:
        _take_change(goal, change)
    state["pi_revision"] = max(state["pi_revision"], change["at"])
    if event["kind"] == "goal.status_changed":
        _note_pause_of_goal(state, event)


def _take_change(goal: Json, change: Json) -> None:
    if change["at"] > goal["pi_at"] and change["pi"] is not None:
        goal.update(pi=change["pi"], pi_at=change["at"])
    if change["objective"] is not None:
        goal["revision"] += 1
        if change["at"] > goal["objective_at"]:
            goal.update(objective=change["objective"], objective_at=change["at"])


def _must_be_pis(pi: Any, objective: str) -> None:
    if not isinstance(pi, dict) or read_goal({**pi, "objective": objective}) is None:
        raise ValueError("not a goal as Pi keeps it")


def _goal_claimed(state: Json, event: Event) -> None:
    payload = event["payload"]
    if not isinstance(payload["bound"], dict):
        raise TypeError("a claim without what it is about")
    actor = event["actor"]
    claim = {**payload, "event": event["id"], "by": actor["id"], "kind": actor.get("kind")}
    state["claims"].append(claim)


def _eval_finished(state: Json, event: Event) -> None:
    payload = event["payload"]
    metadata = payload["metadata"]
    if metadata["type"] != "audit":
        return
    audit = {
        "id": text(payload["id"]),
        "event": event["id"],
        "claim": metadata.get("claim"),
        "goal": _goal_of(metadata["bound"]),
        "verdict": text(metadata["verdict"]),
        "stale": metadata["stale"] is True,
        "bound": metadata["bound"],
    }
    state["audits"] = [*state["audits"], audit][-_KEPT:]


def _goal_of(bound: Json) -> str | None:
    """The goal that an audit was about; None for one that only a document has."""
    goal = bound["goal"]
    return None if goal is None else text(goal)


def _phase_changed(state: Json, event: Event) -> None:
    payload = event["payload"]
    state["phase"] = {**payload, "to": text(payload["to"]), "event": event["id"]}


# The plan ----------------------------------------------------------------------------------------


def _todo_revised(state: Json, event: Event) -> None:
    plan = read_state(event["payload"]["state"], NO_LIMITS)
    if plan is None:
        return
    todo = state_json(plan)
    state["plans"] = [*state["plans"], short_digest(todo)][-_PLANS_KEPT:]
    if plan.revision < state["todo"]["revision"]:
        return
    keys = {task.key for task in plan.tasks}
    state["todo"] = todo
    state["tasks"] = [key for key in state["tasks"] if key in keys]


def _task_created(state: Json, event: Event) -> None:
    payload = event["payload"]
    key = text(payload["metadata"]["key"])
    planned = any(task["key"] == key for task in state["todo"]["tasks"])
    if payload["id"] == f"todo:{key}" and planned and key not in state["tasks"]:
        state["tasks"].append(key)


def _blocker_raised(state: Json, event: Event) -> None:
    payload = event["payload"]
    blocker = {
        **payload,
        "text": text(payload["text"]),
        "class": text(payload["class"]),
        "blocks": [text(node) for node in payload["blocks"]],
        "event": event["id"],
    }
    if payload["id"] in state["cleared_early"]:
        state["cleared_early"].remove(payload["id"])
    else:
        state["blockers"][text(payload["id"])] = blocker


def _blocker_cleared(state: Json, event: Event) -> None:
    blocker_id = text(event["payload"]["id"])
    if state["blockers"].pop(blocker_id, None) is None:
        state["cleared_early"] = [*state["cleared_early"], blocker_id][-_KEPT:]


# Runs and holds ----------------------------------------------------------------------------------


def _run_started(state: Json, event: Event) -> None:
    run = {"run_id": text(event["payload"]["run_id"]), "event": event["id"]}
    metadata = event["payload"].get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("loop"), str):
        run["loop"] = metadata["loop"]
        if metadata.get("audits") is True:
            run["audits"] = True
    state["runs"][text(event["actor"]["id"])] = run


def _run_finished(state: Json, event: Event) -> None:
    run_id = text(event["payload"]["run_id"])
    for session, run in list(state["runs"].items()):
        if run["run_id"] == run_id:
            del state["runs"][session]


def _human_interrupted(state: Json, event: Event) -> None:
    payload = event["payload"]
    if payload.get("still"):
        return  # one session of several goes on: the hold stands
    member = {"pause": "paused", "resume": "resumed"}[payload["what"]]
    hold_id = text(payload["hold"])
    known = state["holds"].pop(hold_id, {"paused": None, "resumed": None, "paused_goal": False})
    state["holds"][hold_id] = {**known, member: event["id"]}
    if len(state["holds"]) > _KEPT:
        del state["holds"][next(iter(state["holds"]))]


def _note_pause_of_goal(state: Json, event: Event) -> None:
    """Remember that a hold paused the goal, so that its release resumes exactly that."""
    cause, pi = event["causation_id"], event["payload"]["pi"]
    for hold in state["holds"].values():
        by_it = cause is not None and cause == hold["paused"]
        hold["paused_goal"] = by_it and isinstance(pi, dict) and pi.get("status") == "paused"


FOLDS: Final[Mapping[str, Callable[[Json, Event], None]]] = {
    "session.started": _session_started,
    "goal.created": _goal_created,
    "goal.status_changed": _goal_changed,
    "goal.tweaked": _goal_changed,
    "goal.claimed": _goal_claimed,
    "eval.finished": _eval_finished,
    "goal.phase_changed": _phase_changed,
    "todo.revised": _todo_revised,
    "task.created": _task_created,
    "blocker.raised": _blocker_raised,
    "blocker.cleared": _blocker_cleared,
    "run.started": _run_started,
    "run.finished": _run_finished,
    "human.interrupted": _human_interrupted,
}
