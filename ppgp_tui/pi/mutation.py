"""Replacing the plan: one call, checked in Pi's order, accepted whole or refused whole.

The call is the raw JSON value, because Pi's answers depend on what exactly was passed; the texts
are Pi's own (Pi reference sections 3.3 to 3.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ppgp_tui.pi import plan, tools
from ppgp_tui.pi.javascript import (
    UNDEFINED,
    is_number,
    is_safe_integer,
    length,
    number,
    to_text,
    trim,
    utf8_size,
)
from ppgp_tui.pi.plan import DEFAULT_LIMITS, Limits, Removal, TaskStatus, TodoState, TodoTask
from ppgp_tui.pi.todo import find_circle


@dataclass(frozen=True, slots=True)
class Accepted:
    """The plan is now `state`, one revision on; `removed` are the removals the call explained."""

    state: TodoState
    removed: tuple[Removal, ...]

    @property
    def text(self) -> str:
        """What the tool says."""
        count = len(self.state.tasks)
        noun = "task" if count == 1 else "tasks"
        return f"Todo plan updated to revision {self.state.revision}: {count} {noun}."


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The call asks for the plan that already stands."""

    state: TodoState

    @property
    def text(self) -> str:
        """What the tool says."""
        return f"Todo plan unchanged at revision {self.state.revision}."


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing changed. `kind` names the rule, `text` is what the tool says."""

    kind: str
    text: str


Outcome = Accepted | Unchanged | Refused


class _RuleError(Exception):
    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.refused = Refused(kind, text)


class _ShapeError(Exception):
    """The call has another shape than the rules can read."""


def call_todo(state: TodoState, received: object, limits: Limits = DEFAULT_LIMITS) -> Outcome:
    """The outcome of the tool `todo` called with `received`: Pi's check first, then the rules."""
    checked = tools.check("todo", received, max_tasks=limits.max_tasks)
    if isinstance(checked, tools.Rejection):
        return Refused("schema", checked.text)
    return apply_call(state, checked, limits)


def apply_call(state: TodoState, call: object, limits: Limits = DEFAULT_LIMITS) -> Outcome:
    """The outcome of `call` = `{baseRevision?, tasks, remove?}` on `state` by the rules alone.

    A call of another shape, which Pi would refuse before the rules, is refused as `malformed`.
    """
    try:
        return _apply(state, call, limits)
    except _RuleError as refusal:
        return refusal.refused
    except _ShapeError:
        return Refused("malformed", tools.misfit("todo", call, max_tasks=limits.max_tasks).text)


def _apply(state: TodoState, call: object, limits: Limits) -> Outcome:
    if not isinstance(call, Mapping):
        raise _ShapeError
    _check_revision(state, call.get("baseRevision", UNDEFINED))
    raw_tasks = _list(call.get("tasks"))
    if len(raw_tasks) > limits.max_tasks:
        raise _RuleError(
            "too_many_tasks", f"Todo plans may contain at most {limits.max_tasks} tasks."
        )
    tasks = [_clean(raw) for raw in raw_tasks]
    raw_removals = [] if call.get("remove") is None else _list(call["remove"])
    removals = _removals(raw_removals)
    by_key = _by_key(tasks, removals)
    _check_omissions(state, by_key, removals)
    _check_dependencies(tasks, by_key)
    _check_cycle(by_key)
    _check_progress(tasks, by_key)
    if not removals and [_clean(plan.task_json(task)) for task in state.tasks] == tasks:
        return Unchanged(state)
    accepted = _accepted(TodoState(state.revision + 1, tuple(tasks)), limits)
    return Accepted(accepted, tuple(Removal(key, reason) for key, reason in removals.items()))


def _check_revision(state: TodoState, base: object) -> None:
    if base is UNDEFINED or (is_number(base) and number(base) == state.revision):
        return
    raise _RuleError(
        "stale_revision",
        f"Stale Todo revision {to_text(base)}; current revision is {state.revision}. "
        "Reload the current plan and retry.",
    )


def _clean(raw: object) -> TodoTask:
    """Trimmed; blank descriptions, empty dependency lists and unknown members are left out.

    The status is taken as it is: Pi says what is wrong with it only after all other rules.
    """
    if not isinstance(raw, Mapping):
        raise _ShapeError
    description = None if raw.get("description") is None else _trimmed(raw["description"])
    depends_on = [] if raw.get("dependsOn") is None else _list(raw["dependsOn"])
    return TodoTask(
        _trimmed(raw.get("key")),
        _trimmed(raw.get("subject")),
        cast(TaskStatus, raw.get("status", UNDEFINED)),
        description or None,
        tuple(map(_trimmed, depends_on)),
    )


def _trimmed(raw: object) -> str:
    if not isinstance(raw, str):
        raise _ShapeError
    return trim(raw)


def _list(raw: object) -> list[Any]:
    if not isinstance(raw, list):
        raise _ShapeError
    return raw


def _removals(raw_removals: Iterable[object]) -> dict[str, str]:
    """Reasons by key, in the order given."""
    reasons: dict[str, str] = {}
    for raw in raw_removals:
        if not isinstance(raw, Mapping):
            raise _ShapeError
        key, reason = _trimmed(raw.get("key")), _trimmed(raw.get("reason"))
        if not key or not reason:
            raise _RuleError(
                "remove_empty", "Every removed Todo requires a non-empty key and reason."
            )
        if length(key) > plan.KEY_MOST:
            raise _RuleError("remove_key_too_long", f"Removed Todo key {_over(plan.KEY_MOST)}")
        if key in reasons:
            raise _RuleError("remove_duplicate", f'Todo "{key}" appears more than once in remove.')
        reasons[key] = reason
    return reasons


def _by_key(tasks: Iterable[TodoTask], removals: Mapping[str, str]) -> dict[str, TodoTask]:
    """The tasks by key, each checked by itself and against those before it."""
    by_key: dict[str, TodoTask] = {}
    for task in tasks:
        _check_fields(task)
        if task.key in by_key:
            raise _RuleError("duplicate_key", f'Duplicate Todo key: "{task.key}".')
        if task.key in removals:
            raise _RuleError(
                "retained_and_removed",
                f'Todo "{task.key}" cannot be retained and removed in the same mutation.',
            )
        by_key[task.key] = task
    return by_key


def _check_fields(task: TodoTask) -> None:
    if not task.key:
        raise _RuleError("key_empty", "Every Todo requires a non-empty key.")
    if length(task.key) > plan.KEY_MOST:
        raise _RuleError("key_too_long", f"Todo key {_over(plan.KEY_MOST)}")
    name = f'Todo "{task.key}"'
    if not task.subject:
        raise _RuleError("subject_empty", f"{name} requires a non-empty subject.")
    if length(task.subject) > plan.SUBJECT_MOST:
        raise _RuleError("subject_too_long", f"{name} subject {_over(plan.SUBJECT_MOST)}")
    if length(task.description or "") > plan.DESCRIPTION_MOST:
        raise _RuleError(
            "description_too_long", f"{name} description {_over(plan.DESCRIPTION_MOST)}"
        )
    if len(task.depends_on) > plan.DEPENDENCIES_MOST:
        most = plan.DEPENDENCIES_MOST
        raise _RuleError("too_many_dependencies", f"{name} has more than {most} dependencies.")
    if any(length(key) > plan.KEY_MOST for key in task.depends_on):
        raise _RuleError("dependency_key_too_long", f"{name} dependency key {_over(plan.KEY_MOST)}")


def _over(most: int) -> str:
    return f"exceeds the {most}-character producer state bound."


def _check_omissions(
    state: TodoState, by_key: Mapping[str, TodoTask], removals: Mapping[str, str]
) -> None:
    for task in state.tasks:
        if task.status != "completed" and task.key not in by_key and task.key not in removals:
            raise _RuleError(
                "omitted_unfinished",
                f'Existing unfinished Todo "{task.key}" was omitted '
                "without an explicit removal reason.",
            )
    existing = {task.key for task in state.tasks}
    for key in removals:
        if key not in existing:
            raise _RuleError("remove_unknown", f'Cannot remove unknown Todo "{key}".')


def _check_dependencies(tasks: Iterable[TodoTask], by_key: Mapping[str, TodoTask]) -> None:
    for task in tasks:
        if len(set(task.depends_on)) != len(task.depends_on):
            raise _RuleError(
                "duplicate_dependency",
                f'Todo "{task.key}" has a duplicate dependency after normalization.',
            )
        for key in task.depends_on:
            if key == task.key:
                raise _RuleError("self_dependency", f'Todo "{task.key}" cannot depend on itself.')
            if key not in by_key:
                raise _RuleError(
                    "missing_dependency", f'Todo "{task.key}" depends on missing Todo "{key}".'
                )


def _check_cycle(by_key: Mapping[str, TodoTask]) -> None:
    circle = find_circle(by_key)
    if circle:
        raise _RuleError("cycle", f"Todo dependencies contain a cycle: {' -> '.join(circle)}.")


def _check_progress(tasks: Iterable[TodoTask], by_key: Mapping[str, TodoTask]) -> None:
    for task in tasks:
        if task.status == "pending":
            continue
        for key in task.depends_on:
            if by_key[key].status != "completed":
                raise _RuleError(
                    "premature_status",
                    f'Todo "{task.key}" cannot be {to_text(task.status)} '
                    f'until dependency "{key}" is completed.',
                )


def _accepted(state: TodoState, limits: Limits) -> TodoState:
    if utf8_size(plan.state_json(state)) > limits.max_bytes:
        raise _RuleError(
            "over_budget",
            f"Todo plan exceeds the {limits.max_bytes}-byte serialized UTF-8 byte budget.",
        )
    known = all(task.status in plan.STATUSES for task in state.tasks)
    if not known or not is_safe_integer(state.revision):
        raise _RuleError("contract", "Todo mutation exceeds the exported producer state contract.")
    return state
