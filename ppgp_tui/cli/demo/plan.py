"""The calls that the demo's agents make to revise the plan."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

Json = dict[str, Any]


def call_for(state: Json, change: Mapping[str, Any]) -> Json:
    """The call `{baseRevision, tasks, remove}` for one `plan` act of the story at that state."""
    gone = change.get("remove", {})
    tasks = [task for task in deepcopy(state["tasks"]) if task["key"] not in gone]
    for entry in change.get("add", ()):
        tasks.append({"key": entry["key"], "subject": entry["subject"], "status": "pending"})
        if "needs" in entry:
            tasks[-1]["dependsOn"] = list(entry["needs"])
    known = {task["key"]: task for task in tasks}
    for member, key in (("subject", "reword"), ("status", "status"), ("dependsOn", "needs")):
        for name, value in change.get(key, {}).items():
            if name in known:
                known[name][member] = value
    call: Json = {"baseRevision": state["revision"], "tasks": tasks}
    remove = [
        {"key": task["key"], "reason": gone[task["key"]]}
        for task in state["tasks"]
        if task["key"] in gone
    ]
    return {**call, "remove": remove} if remove else call


def is_done(state: Json, key: str) -> bool:
    """Whether the task is completed."""
    return any(task["key"] == key and task["status"] == "completed" for task in state["tasks"])


def is_open(state: Json, key: str) -> bool:
    """Whether the task is still to be done."""
    return any(task["key"] == key and task["status"] != "completed" for task in state["tasks"])
