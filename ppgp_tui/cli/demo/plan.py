"""Revisions of the demo's plan and the events that each one is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from ppgp_tui.cli.demo.journal import Journal, Json, create, relate, unrelate, update

_WORDS = {"pending": "Open", "in_progress": "InProgress", "completed": "Done"}


@dataclass(slots=True)
class Plan:
    """The plan as it stands: Pi's TodoState."""

    revision: int = 0
    tasks: list[Json] = field(default_factory=list)

    @property
    def state(self) -> Json:
        """As it is kept in the log and in `.ppgp/todo.json`."""
        return {"schemaVersion": 1, "revision": self.revision, "tasks": self.tasks}

    def text(self) -> str:
        """The projection `.ppgp/todo.json`."""
        return json.dumps(self.state, indent=2, ensure_ascii=False) + "\n"

    def changed(self, change: Mapping[str, Any]) -> Plan:
        """The plan after one `plan` act of the story."""
        tasks = deepcopy(self.tasks)
        for entry in change.get("add", ()):
            tasks.append(_task(entry["key"], entry["subject"], "pending", entry.get("needs", ())))
        at = {task["key"]: index for index, task in enumerate(tasks)}
        for key, subject in change.get("reword", {}).items():
            tasks[at[key]]["subject"] = subject
        for key, needs in change.get("needs", {}).items():
            tasks[at[key]]["dependsOn"] = list(needs)
        for key, status in change.get("status", {}).items():
            tasks[at[key]]["status"] = status
        return Plan(self.revision + 1, tasks)


@dataclass(frozen=True, slots=True)
class Moment:
    """When and by whom a revision is made, and what it hangs on in the log."""

    ts_ms: int
    actor: tuple[str, str]
    cause: str
    about: str
    goal: str


def record(journal: Journal, moment: Moment, before: Plan, after: Plan, why: str) -> None:
    """Add the events of one revision: the revision, what became of each task, and the edges."""
    ts_ms, actor, about = moment.ts_ms, moment.actor, moment.about
    revised = journal.event(
        ts_ms,
        actor,
        "todo.revised",
        {
            "revision": after.revision,
            "base_revision": before.revision,
            "state": after.state,
            "removed": [],
            "origin": "call",
            "digest": _digest(after.state),
        },
        cause=moment.cause,
        about=about,
    )
    old = {task["key"]: task for task in before.tasks}
    edges: list[Json] = []
    for task in after.tasks:
        node, known = f"todo:{task['key']}", old.get(task["key"])
        status = _WORDS[task["status"]]
        if known is None:
            _created(journal, moment, revised, task)
        elif known["status"] != task["status"]:
            journal.event(
                ts_ms,
                actor,
                "task.status_changed",
                {"task_id": node, "status": status, "reason": why},
                cause=revised,
                about=about,
                pair=[update(node, {"status": status, "status_reason": why})],
            )
        if known is not None and known["subject"] != task["subject"]:
            edges.append(update(node, {"title": task["subject"]}))
        edges += _edges(node, () if known is None else known.get("dependsOn", ()), task)
    if edges:
        journal.pair(ts_ms, revised, edges, about)


def _created(journal: Journal, moment: Moment, revised: str, task: Json) -> None:
    node, status = f"todo:{task['key']}", _WORDS[task["status"]]
    known = {
        "title": task["subject"],
        "summary": "",
        "status": status,
        "metadata": {"key": task["key"]},
    }
    kind, who = moment.actor
    journal.event(
        moment.ts_ms,
        moment.actor,
        "task.created",
        {"id": node, "goal": moment.goal, "created_by": {"kind": kind, "id": who}, **known},
        cause=revised,
        about=moment.about,
        pair=[create(node, "task", known), relate(node, "serves", moment.goal)],
    )


def _edges(node: str, before: Sequence[str], task: Json) -> list[Json]:
    after = task.get("dependsOn", ())
    gone = [unrelate(node, "depends_on", f"todo:{key}") for key in before if key not in after]
    new = [relate(node, "depends_on", f"todo:{key}") for key in after if key not in before]
    return gone + new


def _task(key: str, subject: str, status: str, needs: Sequence[str]) -> Json:
    task: Json = {"key": key, "subject": subject, "status": status}
    return {**task, "dependsOn": list(needs)} if needs else task


def _digest(value: Json) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
