"""A stored plan read for looking at: everything that can be shown is, whatever is wrong with it.

Pi refuses a damaged plan as a whole (`plan.read_state`). A person who looks at one must see what is
there: duplicate keys, missing or cyclic dependencies and unknown statuses survive, each named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.javascript import trim
from ppgp_tui.pi.plan import STATUSES, TodoTask

Standing = Literal["done", "running", "ready", "waits"]


class TodoProblem(NamedTuple):
    """Something wrong with a plan; `number` counts tasks from 1, None for the plan itself."""

    code: str
    text: str
    number: int | None = None


class TodoReading(NamedTuple):
    """What a stored plan says. A status nobody knows reads as pending and is a problem."""

    revision: int | None
    tasks: tuple[TodoTask, ...]
    problems: tuple[TodoProblem, ...]


def read_todo(value: Any) -> TodoReading | None:
    """Return what the JSON value of a plan says; None when it is no plan at all.

    Never raises for any JSON value.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("tasks"), list):
        return None
    problems: list[TodoProblem] = []
    if value.get("schemaVersion") != 1:
        said = value.get("schemaVersion")
        problems.append(TodoProblem("schema", f"schemaVersion is {said!r:.40}, not 1"))
    revision = value.get("revision")
    if not isinstance(revision, int) or isinstance(revision, bool) or revision < 0:
        problems.append(TodoProblem("revision", f"revision is {revision!r:.40}, not a number"))
        revision = None
    tasks = []
    for number, raw in enumerate(value["tasks"], 1):
        task = _task(raw, number, problems)
        if task is not None:
            tasks.append(task)
    problems.extend(_between(tasks))
    return TodoReading(revision, tuple(tasks), tuple(problems))


def standing(tasks: Sequence[TodoTask]) -> tuple[Standing, ...]:
    """Where each task stands: ready when everything it depends on is done, else it waits.

    A missing dependency is never done; of two tasks with one key the first counts.
    """
    done = {key for key, task in _by_key(tasks).items() if task.status == "completed"}
    return tuple(_standing(task, done) for task in tasks)


def _standing(task: TodoTask, done: set[str]) -> Standing:
    if task.status == "completed":
        return "done"
    if task.status == "in_progress":
        return "running"
    return "ready" if all(key in done for key in task.depends_on) else "waits"


def _by_key(tasks: Sequence[TodoTask]) -> dict[str, TodoTask]:
    first: dict[str, TodoTask] = {}
    for task in tasks:
        first.setdefault(task.key, task)
    return first


def _task(raw: Any, number: int, problems: list[TodoProblem]) -> TodoTask | None:
    def wrong(code: str, text: str) -> None:
        problems.append(TodoProblem(code, text, number))

    if not isinstance(raw, Mapping):
        wrong("task", f"task {number} is no object")
        return None
    key, subject = raw.get("key"), raw.get("subject")
    if not isinstance(key, str) or not trim(key):
        wrong("key", f"task {number} has no key")
        key = f"#{number}"
    if not isinstance(subject, str) or not trim(subject):
        wrong("subject", f"{key} has no subject")
        subject = key
    status = next((known for known in STATUSES if known == raw.get("status")), None)
    if status is None:
        wrong("status", f"{key} has the unknown status {raw.get('status')!r:.40}")
    description = raw.get("description")
    return TodoTask(
        key,
        subject,
        status or "pending",
        description if isinstance(description, str) else None,
        _dependencies(raw.get("dependsOn"), key, wrong),
    )


def _dependencies(raw: Any, key: str, wrong: Any) -> tuple[str, ...]:
    if raw is None:
        return ()
    if not isinstance(raw, list):
        wrong("dependencies", f"dependsOn of {key} is no list")
        return ()
    if not all(isinstance(item, str) for item in raw):
        wrong("dependencies", f"dependsOn of {key} holds something that is no key")
    return tuple(dict.fromkeys(item for item in raw if isinstance(item, str)))


def _between(tasks: Sequence[TodoTask]) -> Iterator[TodoProblem]:
    """What is wrong between tasks: keys used twice, dependencies on nothing, circles."""
    known = _by_key(tasks)
    for number, task in enumerate(tasks, 1):
        if known[task.key] is not task:
            yield TodoProblem("duplicate-key", f"the key {task.key} is used twice", number)
        for needed in task.depends_on:
            if needed not in known:
                text = f"{task.key} depends on {needed}, which is not in the plan"
                yield TodoProblem("missing-dependency", text, number)
    circle = find_circle(known)
    if circle:
        text = f"dependencies run in a circle: {' -> '.join(circle)}"
        yield TodoProblem("circle", text)


def find_circle(tasks: Mapping[str, TodoTask]) -> tuple[str, ...]:
    """The first circle of dependencies, from a key back to itself; empty when there is none."""
    finished: set[str] = set()
    for start in tasks:
        path: dict[str, Iterator[str]] = {}
        if start not in finished:
            path[start] = iter(tasks[start].depends_on)
        while path:
            key, rest = next(reversed(path.items()))
            needed = next(rest, None)
            if needed is None:
                finished.add(key)
                del path[key]
            elif needed in path:
                keys = list(path)
                return (*keys[keys.index(needed) :], needed)
            elif needed in tasks and needed not in finished:
                path[needed] = iter(tasks[needed].depends_on)
    return ()
