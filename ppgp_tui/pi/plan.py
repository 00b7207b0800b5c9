"""The todo plan as Pi stores it: values, their JSON and which stored plans are valid.

A valid plan may still hold duplicate keys, dangling or cyclic dependencies and untrimmed keys: Pi
checks those only when a plan is changed (Pi reference sections 3.1, 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeGuard

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.javascript import is_safe_integer, length, trim, utf8_size

TaskStatus = Literal["pending", "in_progress", "completed"]

STATUSES: tuple[TaskStatus, ...] = ("pending", "in_progress", "completed")
KEY_MOST = 256
SUBJECT_MOST = 2048
DESCRIPTION_MOST = 16384
DEPENDENCIES_MOST = 100


class Limits(NamedTuple):
    """How big a plan may be: a number of tasks, and bytes of UTF-8 of its compact JSON."""

    max_tasks: int = 200
    max_bytes: int = 16384


class TodoTask(NamedTuple):
    """One task; `depends_on` holds keys of tasks that come first."""

    key: str
    subject: str
    status: TaskStatus = "pending"
    description: str | None = None
    depends_on: tuple[str, ...] = ()


class TodoState(NamedTuple):
    """One revision of the plan. Revision 0 without tasks is how every plan starts."""

    revision: int = 0
    tasks: tuple[TodoTask, ...] = ()


class Removal(NamedTuple):
    """Why a task left the plan. Pi stores it nowhere but in the call."""

    key: str
    reason: str


DEFAULT_LIMITS = Limits()


def task_json(task: TodoTask) -> dict[str, Any]:
    """`task` as Pi writes it: members in Pi's order, absent ones left out."""
    members: dict[str, Any] = {"key": task.key, "subject": task.subject}
    if task.description is not None:
        members["description"] = task.description
    members["status"] = task.status
    if task.depends_on:
        members["dependsOn"] = list(task.depends_on)
    return members


def state_json(state: TodoState) -> dict[str, Any]:
    """`state` as Pi writes it."""
    tasks = [task_json(task) for task in state.tasks]
    return {"schemaVersion": 1, "revision": state.revision, "tasks": tasks}


def read_state(raw: object, limits: Limits = DEFAULT_LIMITS) -> TodoState | None:
    """The plan in the JSON value `raw`, or None where Pi calls it invalid (section 3.2)."""
    if not isinstance(raw, Mapping) or not set(raw) <= {"schemaVersion", "revision", "tasks"}:
        return None
    version, revision, tasks = (raw.get(name) for name in ("schemaVersion", "revision", "tasks"))
    if not is_safe_integer(version) or version != 1:
        return None
    if not is_safe_integer(revision) or revision < 0:
        return None
    if not isinstance(tasks, list) or len(tasks) > limits.max_tasks:
        return None
    if not all(map(_is_task, tasks)) or utf8_size(raw) > limits.max_bytes:
        return None
    return TodoState(int(revision), tuple(map(_task, tasks)))


def _is_task(raw: object) -> bool:
    known = {"key", "subject", "description", "status", "dependsOn"}
    return (
        isinstance(raw, Mapping)
        and set(raw) <= known
        and _is_text(raw.get("key"), KEY_MOST)
        and _is_text(raw.get("subject"), SUBJECT_MOST)
        and ("description" not in raw or _is_text(raw["description"], DESCRIPTION_MOST))
        and raw.get("status") in STATUSES
        and ("dependsOn" not in raw or _are_dependencies(raw["dependsOn"]))
    )


def _are_dependencies(raw: object) -> bool:
    return (
        isinstance(raw, list)
        and len(raw) <= DEPENDENCIES_MOST
        and all(_is_text(key, KEY_MOST) and key == trim(key) for key in raw)
        and len(set(raw)) == len(raw)
    )


def _is_text(raw: object, most: int) -> TypeGuard[str]:
    return isinstance(raw, str) and trim(raw) != "" and length(raw) <= most


def _task(raw: Mapping[str, Any]) -> TodoTask:
    return TodoTask(
        raw["key"],
        raw["subject"],
        raw["status"],
        raw.get("description"),
        tuple(raw.get("dependsOn", ())),
    )


def render_todo(state: TodoState) -> str:
    """The text `get_todo` answers with (section 3.3)."""
    lines = ["Your todo list, as you authored:", f"Revision: {state.revision}"]
    for task in state.tasks:
        mark = {"completed": "[x]", "in_progress": "[>]", "pending": "[ ]"}[task.status]
        after = f" (after: {', '.join(task.depends_on)})" if task.depends_on else ""
        lines.append(f"{mark} {task.key}: {task.subject}{after}")
        if task.description is not None:
            lines.append(f"    {task.description}")
    return "\n".join(lines)
