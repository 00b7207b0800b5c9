"""The revisions of the plan in the log, and what one changed in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ppgp_tui.cli.times import shown
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.pi.plan import Removal, TodoState, TodoTask, read_state, task_json
from ppgp_tui.pi.plan_change import PlanChange, compare
from ppgp_tui.session.actions.recorded import Recorded, events, recorded
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.folds import NO_LIMITS
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.text import one_line

FILE = "file"
"""Stands for `todo.json` as it is, recorded or not."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One recorded plan and what it changed in the one before."""

    state: TodoState
    change: PlanChange
    removed: tuple[Removal, ...]
    origin: str
    event: str
    ts_ms: int
    actor: Json


def revisions(engine: Engine) -> list[Revision]:
    """Every recorded plan, oldest first. Raises `RefusalError` where there is no log."""
    found: list[Revision] = []
    before = TodoState()
    for event in events(engine, "todo.revised"):
        payload = event["payload"] if isinstance(event["payload"], dict) else {}
        state = read_state(payload.get("state"), NO_LIMITS)
        if state is None or state.revision < before.revision:
            continue
        removed = tuple(_removals(payload.get("removed")))
        change = compare(before, state, removed)
        origin = str(payload.get("origin"))
        found.append(
            Revision(state, change, removed, origin, event["id"], event["ts_ms"], event["actor"])
        )
        before = state
    return found


def difference(engine: Engine, a: str | None, b: str | None) -> Result:
    """What changed from `a` to `b`: revisions, or `file`. Raises `RefusalError`."""
    known, seen = revisions(engine), recorded(engine)
    last = known[-1].state if known else TodoState()
    if a is not None:
        start = _named(seen, known, a)
    elif seen.plan_file.state == "edited":
        start, b = last, FILE
    else:
        start = known[-2].state if len(known) > 1 else TodoState()
    end = last if b is None else _named(seen, known, b)
    between = [one for one in known if start.revision < one.state.revision <= end.revision]
    reasons = (removal for one in between for removal in one.removed)
    change = compare(start, end, reasons)
    names = (start.revision, FILE if b == FILE else end.revision)
    text = "\n".join([f"revision {names[0]} to {names[1]}", *change_lines(change)])
    data = {"from": names[0], "to": names[1], "changes": change_json(change)}
    return seen.result("todo.diff", text if change else f"{text}\n  no change", data)


def _named(seen: Recorded, known: list[Revision], name: str) -> TodoState:
    if name == FILE:
        plan_file = seen.plan_file
        state = read_state(plan_file.value, NO_LIMITS)
        if state is None:
            lacks = "not there" if plan_file.state == "missing" else plan_file.why
            text = f"todo.json is {lacks or 'no plan of the shape Pi stores'}"
            raise RefusalError("refused", text)
        return state
    if name == "0":
        return TodoState()
    for one in known:
        if str(one.state.revision) == name:
            return one.state
    newest = f"1 to {known[-1].state.revision}" if known else "none"
    text = f"no revision {one_line(name)} is recorded; there are: {newest}, and the word {FILE}"
    raise RefusalError("refused", text)


def _removals(listed: object) -> Iterator[Removal]:
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and isinstance(item.get("key"), str):
            yield Removal(item["key"], str(item.get("reason", "")))


# As text -----------------------------------------------------------------------------------------


def lines(revision: Revision) -> Iterator[str]:
    """One revision for a person."""
    who = short_actor(revision.actor["kind"], revision.actor["id"])
    count = len(revision.state.tasks)
    noun = "task" if count == 1 else "tasks"
    words = [f"revision {revision.state.revision}", shown(revision.ts_ms), who, f"{count} {noun}"]
    words += ["edited by hand"] if revision.origin == "adopted" else []
    yield "  ".join(map(one_line, words))
    yield from change_lines(revision.change)


def change_lines(change: PlanChange) -> Iterator[str]:
    """What changed, one line each."""
    for text in _changes(change):
        yield f"  {one_line(text)}"


def _changes(change: PlanChange) -> Iterator[str]:
    for task in change.added:
        yield f"+ {task.key}: {task.subject} [{task.status}]{_needs(task.depends_on)}"
    for left in change.removed:
        done = " [completed]" if left.task.status == "completed" else ""
        reason = f" (because: {left.reason})" if left.reason else ""
        yield f"- {left.task.key}: {left.task.subject}{done}{reason}"
    for restated in change.restated:
        yield f"~ {restated.key}: {restated.before} to {restated.after}"
    for reworded in change.reworded:
        before, after = reworded.before, reworded.after
        if before.subject != after.subject:
            yield f"~ {after.key}: “{before.subject}” to “{after.subject}”"
        if before.description != after.description:
            yield f"~ {after.key}: description to “{after.description or ''}”"
    for rewired in change.rewired:
        needs = _needs(rewired.after) or " needs nothing"
        yield f"~ {rewired.key}:{needs}"
    if change.reordered:
        yield "~ in another order"


def _needs(keys: Iterable[str]) -> str:
    listed = ", ".join(keys)
    return f" needs {listed}" if listed else ""


# As JSON -----------------------------------------------------------------------------------------


def as_json(revision: Revision) -> Json:
    """One revision for a program."""
    return {
        "revision": revision.state.revision,
        "event": revision.event,
        "ts_ms": revision.ts_ms,
        "actor": revision.actor,
        "origin": revision.origin,
        "tasks": len(revision.state.tasks),
        "removed": [{"key": one.key, "reason": one.reason} for one in revision.removed],
        "changes": change_json(revision.change),
    }


def change_json(change: PlanChange) -> Json:
    """What changed, for a program."""
    return {
        "added": [task_json(task) for task in change.added],
        "removed": [
            {"key": one.task.key, "subject": one.task.subject, "reason": one.reason}
            for one in change.removed
        ],
        "restated": [
            {"key": one.key, "before": one.before, "after": one.after} for one in change.restated
        ],
        "reworded": [
            {"key": one.after.key, "before": _words(one.before), "after": _words(one.after)}
            for one in change.reworded
        ],
        "rewired": [
            {"key": one.key, "before": list(one.before), "after": list(one.after)}
            for one in change.rewired
        ],
        "reordered": change.reordered,
    }


def _words(task: TodoTask) -> Json:
    return {"subject": task.subject, "description": task.description}
