"""What the commands about the plan's history print: as text for a person, as JSON for a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppgp_tui.cli.times import shown
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.pi.plan import Removal, TodoState, TodoTask, read_state, task_json
from ppgp_tui.pi.plan_change import PlanChange, compare
from ppgp_tui.session.actions.recorded import Recorded, recorded, recorded_if_any
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.folds import NO_LIMITS
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.plan_history.blame import TaskChange, Touch, blame
from ppgp_tui.session.plan_history.comparing import reasons_between, step
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.recorded import Told, told
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.session.text import one_line

FILE = "file"
"""Stands for `todo.json` as it is, recorded or not."""

Which = int | str
"""The index of a revision, -1 for the empty plan before the first, or `file`."""


def revisions(engine: Engine, limit: int | None) -> Result:
    """The newest `limit` revisions, the newest first. Raises `RefusalError`."""
    found = told(engine)
    history = found.history
    newest = range(len(history) - 1, -1, -1)[:limit]
    text = [line for at in newest for line in _lines(found, at)]
    if text and history.source != "log":
        text.insert(0, one_line(history.words()))
    data = {
        "source": history.source,
        "note": history.note,
        "revisions": [_as_json(found, at) for at in newest],
    }
    said = "\n".join(text) or "no plan is recorded"
    return Result("todo.history", "unchanged", said, data=data)


def difference(engine: Engine, a: str | None, b: str | None) -> Result:
    """What changed from `a` to `b`: revisions, or `file`. Raises `RefusalError`."""
    start: Which
    history = told(engine).history
    seen = recorded(engine) if history.source in ("log", "none") else recorded_if_any(engine)
    last = len(history) - 1
    if a is not None:
        start = _named(history, a)
    elif seen.plan_file.state == "edited" and history.source == "log":
        start, b = last, FILE
    else:
        start = max(-1, last - 1)
    end = last if b is None else _named(history, b)
    change = compare(
        _plan(seen, history, start), _plan(seen, history, end), _reasons(history, start, end)
    )
    names = [_name(history, at) for at in (start, end)]
    text = "\n".join([f"revision {names[0]} to {names[1]}", *change_lines(change)])
    data = {"from": names[0], "to": names[1], "changes": change_json(change)}
    return seen.result("todo.diff", text if change else f"{text}\n  no change", data)


def _reasons(history: PlanHistory, start: Which, end: Which) -> tuple[Removal, ...]:
    if isinstance(start, str):
        return ()
    last = len(history) if isinstance(end, str) else end + 1
    return reasons_between(history.revisions[start + 1 : last])


def blamed(engine: Engine, key: str, limit: int | None) -> Result:
    """Who changed the task `key`, the newest change first. Raises `RefusalError`."""
    found = told(engine)
    changes = blame(found.history, key, limit)
    if not changes:
        text = f"no revision tells of a task {one_line(key)!r}; see `ppgp-tui todo get` for its key"
        raise RefusalError("refused", text)
    lines = [line for change in changes for line in _blame_lines(change)]
    data = {
        "source": found.history.source,
        "key": key,
        "changes": [_blame_json(found, change) for change in changes],
    }
    return Result("todo.blame", "unchanged", "\n".join(lines), data=data)


def _named(history: PlanHistory, name: str) -> Which:
    """The revision of that number, or the commit that begins so."""
    if name == FILE:
        return FILE
    if name == "0":
        return -1
    for at in range(len(history) - 1, -1, -1):
        one = history.revisions[at]
        commit = history.source == "git" and len(name) >= 4 and one.id.startswith(name)
        if commit or str(one.number) == name:
            return at
    numbers = [one.number for one in history.revisions if one.number is not None]
    newest = f"{min(numbers)} to {max(numbers)}" if numbers else "none"
    text = f"no revision {one_line(name)} is recorded; there are: {newest}, and the word {FILE}"
    raise RefusalError("refused", text)


def _plan(seen: Recorded, history: PlanHistory, which: Which) -> TodoState:
    if isinstance(which, int):
        state = history.state(which)
        if state is None:
            text = f"the plan of revision {_name(history, which)} cannot be read any more"
            raise RefusalError("refused", text)
        return state
    plan_file = seen.plan_file
    state = read_state(plan_file.value, NO_LIMITS)
    if state is None:
        lacks = "not there" if plan_file.state == "missing" else plan_file.why
        text = f"todo.json is {lacks or 'no plan of the shape Pi stores'}"
        raise RefusalError("refused", text)
    return state


def _name(history: PlanHistory, which: Which) -> int | str:
    if isinstance(which, str):
        return which
    if which < 0:
        return 0
    one = history.revisions[which]
    return one.name if history.source in ("git", "file") or one.number is None else one.number


# As text -----------------------------------------------------------------------------------------


def _lines(found: Told, at: int) -> Iterator[str]:
    """One revision for a person."""
    revision, compared = found.history.revisions[at], step(found.history, at)
    actor = found.actor(revision)
    words = [_called(revision), shown(revision.ts_ms) if revision.ts_ms is not None else "no time"]
    words.append(short_actor(actor["kind"], actor["id"]) if actor["id"] else "not committed")
    if compared is not None:
        count = len(compared.after.tasks)
        words.append(f"{count} {'task' if count == 1 else 'tasks'}")
    words += ["edited by hand"] if revision.origin == "adopted" else []
    yield "  ".join(map(one_line, words))
    if compared is None:
        yield "  not recorded any more"
    else:
        yield from change_lines(compared.change)


def _called(revision: Revision) -> str:
    if revision.origin in ("commit", "file") or revision.number is None:
        return revision.name
    return f"revision {revision.number}"


def _blame_lines(change: TaskChange) -> Iterator[str]:
    revision = change.revision
    when = shown(revision.ts_ms) if revision.ts_ms is not None else "no time"
    yield "  ".join(map(one_line, (_called(revision), when, revision.by or "not committed")))
    for touch in change.touches:
        yield f"  {one_line(touch_words(touch))}"


def touch_words(touch: Touch) -> str:
    """What was done to a task, in a line: `pending to in_progress`."""
    if touch.deed == "added":
        return f"added: {touch.now}"
    if touch.deed == "removed":
        return f"removed{f' because: {touch.why}' if touch.why else ''}"
    if touch.deed == "restated":
        return f"{touch.was} to {touch.now}"
    if touch.deed == "reworded":
        return f"“{touch.was}” to “{touch.now}”"
    if touch.deed == "re-wired":
        return f"needs {touch.now or 'nothing'}, was {touch.was or 'nothing'}"
    return "not recorded any more"


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


def _as_json(found: Told, at: int) -> Json:
    """One revision for a program; null where its plan cannot be read any more."""
    revision, compared = found.history.revisions[at], step(found.history, at)
    return {
        "revision": revision.number,
        "event": revision.id,
        "ts_ms": revision.ts_ms,
        "actor": found.actor(revision),
        "origin": revision.origin,
        "tasks": len(compared.after.tasks) if compared else None,
        "removed": [{"key": one.key, "reason": one.reason} for one in revision.reasons],
        "changes": change_json(compared.change) if compared else None,
    }


def _blame_json(found: Told, change: TaskChange) -> Json:
    """One change of a task for a program."""
    revision = change.revision
    return {
        "revision": revision.number,
        "event": revision.id,
        "ts_ms": revision.ts_ms,
        "actor": found.actor(revision),
        "touches": [touch._asdict() for touch in change.touches],
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
