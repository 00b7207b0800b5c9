"""The fold for acting: what the log says, as far as an action needs to know it.

Only events written by this program carry our lifecycle; foreign ones give causes and nothing else.
The ledger is plain JSON inside, so a checkpoint keeps it as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

FINISHED_TASK = "completed"
_SETTLED = ("Satisfied", "Abandoned")


class Ledger:
    """Current goal, plan, blockers, requests and open runs, folded from log events in order."""

    def __init__(self, state: Json | None = None) -> None:
        """Start empty, or from what `as_json` gave."""
        self._state: Json = copy.deepcopy(state) if state is not None else _empty()

    def as_json(self) -> Json:
        """Everything folded so far, as JSON for a checkpoint."""
        return copy.deepcopy(self._state)

    def copy(self) -> Ledger:
        """An independent ledger in the same state."""
        return Ledger(self._state)

    # What is known -----------------------------------------------------------------------------

    @property
    def goal(self) -> Json | None:
        """The goal under way: `{id, event, objective, revision, pi}`; None when there is none."""
        goal: Json | None = self._state["goal"]
        return goal

    @property
    def pi_revision(self) -> int:
        """Revision of Pi's goal state; never restarts."""
        revision: int = self._state["pi_revision"]
        return revision

    @property
    def todo(self) -> Json:
        """The recorded plan `{schemaVersion, revision, tasks}`; revision 0 before the first."""
        todo: Json = self._state["todo"]
        return todo

    @property
    def tasks_on_record(self) -> Json:
        """Task nodes in the graph by key: `{title, summary, status, depends_on}`, none dropped."""
        tasks: Json = self._state["tasks"]
        return tasks

    @property
    def blockers(self) -> Json:
        """Open blockers by id: payload of `blocker.raised` and the `event` that raised it."""
        blockers: Json = self._state["blockers"]
        return blockers

    @property
    def requests(self) -> Json:
        """Requests by id: `{event, digest, request, state, attempt, answer?, …}`."""
        requests: Json = self._state["requests"]
        return requests

    @property
    def claims(self) -> list[Json]:
        """Claims of completion, oldest first: `{id, event, goal_id, bound, summary}`."""
        claims: list[Json] = self._state["claims"]
        return claims

    @property
    def phase(self) -> Json | None:
        """The newest recorded phase: payload of `goal.phase_changed`."""
        phase: Json | None = self._state["phase"]
        return phase

    @property
    def pause(self) -> Json | None:
        """The newest pause or resume act: `{event, what, hold}`."""
        pause: Json | None = self._state["pause"]
        return pause

    def held(self, session: str) -> Json | None:
        """The open `agent.held` of that session: `{event, hold}`."""
        held: Json | None = self._state["held"].get(session)
        return held

    def open_run(self, actor_id: str) -> Json | None:
        """The open run of the acting session: `{run_id, event}`; None when it has none."""
        run: Json | None = self._state["runs"].get(actor_id)
        return run

    @property
    def open_runs(self) -> Json:
        """Every open run by session key."""
        runs: Json = self._state["runs"]
        return runs

    def causes(self, actor_id: str, *, inside_run: bool = True) -> list[str]:
        """Candidates for the default cause D of an act: open run, goal, newest session start.

        `inside_run=False` leaves out the run, as `run.started` itself must.
        """
        run = self.open_run(actor_id) if inside_run else None
        candidates = [
            run["event"] if run else None,
            self.goal["event"] if self.goal else None,
            self._state["session_started"],
        ]
        return [event for event in candidates if event is not None]

    def correlation(self, actor_id: str) -> str | None:
        """The open run's id, else the goal's id, else None."""
        run = self.open_run(actor_id)
        if run is not None:
            return str(run["run_id"])
        return str(self.goal["id"]) if self.goal is not None else None

    # Folding -----------------------------------------------------------------------------------

    def apply(self, event: Mapping[str, Any]) -> None:
        """Take one log event in; an unknown kind or an odd payload changes nothing."""
        fold = _FOLDS.get(event.get("kind", ""))
        if fold is None or not isinstance(event.get("payload"), dict):
            return
        try:
            fold(self._state, event)
        except (KeyError, TypeError, AttributeError):
            return  # a foreign writer's event of the same name and another shape


def _empty() -> Json:
    return {
        "session_started": None,
        "goal": None,
        "pi_revision": 0,
        "todo": {"schemaVersion": 1, "revision": 0, "tasks": []},
        "tasks": {},
        "blockers": {},
        "requests": {},
        "runs": {},
        "claims": [],
        "phase": None,
        "pause": None,
        "held": {},
    }


def _session_started(state: Json, event: Mapping[str, Any]) -> None:
    state["session_started"] = event["id"]


def _goal_created(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    metadata = payload.get("metadata")
    if not isinstance(metadata, dict) or "ppgp" not in metadata or "pi" not in payload:
        return
    state["pi_revision"] += 1
    state["goal"] = {
        "id": payload["id"],
        "event": event["id"],
        "objective": payload.get("summary", ""),
        "revision": metadata["ppgp"].get("revision", 1),
        "pi": payload["pi"],
    }


def _goal_changed(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    goal = state["goal"]
    if goal is None or payload.get("goal_id") != goal["id"] or "pi_revision" not in payload:
        return
    state["pi_revision"] = payload["pi_revision"]
    _note_pause_of_goal(state, event)
    if payload.get("status") in _SETTLED or payload.get("pi") is None:
        state["goal"] = None
        return
    goal["pi"] = payload["pi"]
    if "objective" in payload:
        goal["objective"] = payload["objective"]
        goal["revision"] += 1


def _note_pause_of_goal(state: Json, event: Mapping[str, Any]) -> None:
    """Remember that a hold paused the goal, so that its release resumes exactly that."""
    pause, pi = state["pause"], event["payload"].get("pi")
    if pause is None or event["kind"] != "goal.status_changed":
        return
    by_hold = event["causation_id"] == pause["event"] and pi is not None
    pause["paused_goal"] = by_hold and pi.get("status") == "paused"


def _goal_claimed(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["claims"].append({"event": event["id"], "by": event["actor"]["id"], **payload})


def _phase_changed(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["phase"] = {"event": event["id"], "ts_ms": event["ts_ms"], **payload}


def _todo_revised(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    plan = payload.get("state")
    if not isinstance(plan, dict) or not isinstance(plan.get("tasks"), list):
        return
    state["todo"] = plan
    kept = {task["key"] for task in plan["tasks"]}
    for key in [key for key in state["tasks"] if key not in kept]:
        del state["tasks"][key]
    for task in plan["tasks"]:
        if task["key"] in state["tasks"]:
            state["tasks"][task["key"]] = task
    state["todo_event"] = event["id"]


def _task_created(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    key = (payload.get("metadata") or {}).get("key")
    tasks = {task["key"]: task for task in state["todo"]["tasks"]}
    if isinstance(key, str) and key in tasks:
        state["tasks"][key] = tasks[key]


def _blocker_raised(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["blockers"][payload["id"]] = {"event": event["id"], "ts_ms": event["ts_ms"], **payload}


def _blocker_cleared(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["blockers"].pop(payload.get("id", ""), None)


def _authority_requested(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["requests"][payload["id"]] = {
        "event": event["id"],
        "digest": payload["digest"],
        "request": payload["request"],
        "by": event["actor"]["id"],
        "ts_ms": event["ts_ms"],
        "state": "waiting",
        "attempt": 0,
    }


def _decision_created(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    metadata = payload.get("metadata") or {}
    request = state["requests"].get(metadata.get("request", ""))
    if request is None or metadata.get("type") not in ("answer", "confirm"):
        return
    request.update(
        state="answered",
        attempt=metadata.get("attempt", 1),
        answer={
            "decision": payload["id"],
            "event": event["id"],
            "ts_ms": event["ts_ms"],
            "by": event["actor"]["id"],
            "status": payload.get("status"),
            **metadata,
        },
    )


def _decision_changed(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    for request in state["requests"].values():
        answer = request.get("answer")
        if answer and answer["decision"] == payload.get("decision_id"):
            request["state"] = "waiting"
            request["taken_back"] = request.get("taken_back", 0) + 1
            del request["answer"]


def _authority_delivered(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    request = state["requests"].get(payload.get("id", ""))
    if request is not None and request["state"] == "answered":
        request.update(state="delivered", delivered=event["id"])


def _authority_consumed(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    request = state["requests"].get(payload.get("id", ""))
    if request is not None and request["state"] == "delivered":
        request["state"] = "acted_on"


def _authority_withdrawn(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    request = state["requests"].get(payload.get("id", ""))
    if request is not None:
        request.update(state="withdrawn", reason=payload.get("reason", ""))


def _run_started(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["runs"][event["actor"]["id"]] = {"run_id": payload.get("run_id"), "event": event["id"]}


def _run_finished(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    for session, run in list(state["runs"].items()):
        if run["run_id"] == payload.get("run_id"):
            del state["runs"][session]


def _human_interrupted(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    if payload.get("what") in ("pause", "resume"):
        state["pause"] = {"event": event["id"], "ts_ms": event["ts_ms"], **payload}


def _agent_held(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["held"][payload.get("session", "")] = {"event": event["id"], "hold": payload.get("hold")}


def _agent_released(state: Json, event: Mapping[str, Any]) -> None:
    payload = event["payload"]
    state["held"].pop(payload.get("session", ""), None)


_FOLDS = {
    "session.started": _session_started,
    "goal.created": _goal_created,
    "goal.status_changed": _goal_changed,
    "goal.tweaked": _goal_changed,
    "goal.claimed": _goal_claimed,
    "goal.phase_changed": _phase_changed,
    "todo.revised": _todo_revised,
    "task.created": _task_created,
    "blocker.raised": _blocker_raised,
    "blocker.cleared": _blocker_cleared,
    "authority.requested": _authority_requested,
    "decision.created": _decision_created,
    "decision.status_changed": _decision_changed,
    "authority.delivered": _authority_delivered,
    "authority.consumed": _authority_consumed,
    "authority.withdrawn": _authority_withdrawn,
    "run.started": _run_started,
    "run.finished": _run_finished,
    "human.interrupted": _human_interrupted,
    "agent.held": _agent_held,
    "agent.released": _agent_released,
}

FOLDED_KINDS: tuple[str, ...] = tuple(_FOLDS)
"""Kinds of events that say something to an action."""
