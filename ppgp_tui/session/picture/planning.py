"""The plan as shown: which source counts, what stops each task, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ppgp_tui.pi.plan import TodoTask
from ppgp_tui.pi.todo import Standing, TodoReading, read_todo, standing
from ppgp_tui.ppgp.reading import Blocker
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.log.facts import LogSays, RecordedBlocker, RecordedPlan
from ppgp_tui.session.model import Plan, Problem, Request, Task, TaskState
from ppgp_tui.session.picture.inbox import scope_keys
from ppgp_tui.session.sources.pi_look import AUTHOR, NO_SESSION, PiLook
from ppgp_tui.session.sources.todo import TodoFile

_STATES: Mapping[Standing, TaskState] = {
    "done": "done",
    "running": "running",
    "ready": "ready",
    "waits": "waits",
}
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")


def plan_now(
    says: LogSays,
    file: TodoFile | None,
    blockers: Iterable[Blocker],
    requests: Iterable[Request],
    *,
    settled: bool = True,
    pi: PiLook = NO_SESSION,
) -> Plan:
    """The plan: the log's newest revision, else the file's, else a Pi session's, else none.

    `blockers` are those of the goal document; with a scope that is a task's key they stop it. A
    file that differs from every recorded plan is a hand edit once both have `settled`.
    """
    recorded = says.plan
    reading = read_todo(recorded.state) if recorded else None
    if recorded is None or reading is None:
        if file is None:
            return _pi_plan(pi, says, blockers, requests)
        tasks = _tasks(file.reading, says, blockers, requests, {})
        return Plan("todo.json", file.reading.revision, file.digest, tasks)
    known = _digest(recorded)
    return Plan(
        source="log",
        revision=reading.revision if reading.revision is not None else recorded.revision,
        digest=known,
        tasks=_tasks(reading, says, blockers, requests, recorded.task_changed),
        hand_edit=settled and file is not None and file.digest not in (known, *recorded.earlier),
        history_count=recorded.revisions,
        changed_ms=recorded.changed_ms,
        changed_by=recorded.changed_by or None,
    )


def _pi_plan(
    pi: PiLook, says: LogSays, blockers: Iterable[Blocker], requests: Iterable[Request]
) -> Plan:
    """The plan that a Pi agent holds."""
    if pi.plan is None:
        return Plan()
    reading = pi.plan.reading
    return Plan(
        source="pi session",
        revision=reading.revision,
        digest=pi.plan.digest,
        tasks=_tasks(reading, says, blockers, requests, pi.plan.task_changed),
        history_count=len(pi.history),
        changed_ms=pi.plan.changed_ms,
        changed_by=AUTHOR,
    )


def plan_problems(
    plan: Plan, says: LogSays, file: TodoFile | None, path: str, pi: PiLook = NO_SESSION
) -> list[Problem]:
    """What is wrong within the plan shown, and between the log and the file."""
    problems = []
    if plan.source == "log" and says.plan is not None:
        reading = read_todo(says.plan.state)
        where = says.plan.origin.path, says.plan.origin.line
    elif plan.source == "pi session":
        return [*_pi_problems(pi)]
    else:
        reading = file.reading if file else None
        where = path, None
    for problem in reading.problems if reading else ():
        code = f"plan-{problem.code}"
        problems.append(Problem(code, *where, problem.text, "revise the plan"))
    if plan.hand_edit:
        text = f"{path} is not what the log says the plan is: edited by hand"
        problems.append(Problem("hand-edit", path, None, text, "the log's plan is shown"))
    return problems


def _pi_problems(pi: PiLook) -> Iterator[Problem]:
    mend = "Pi writes the next one"
    if pi.plan is not None and not pi.plan.valid:
        text = "the newest plan of the Pi session is none that Pi would take"
        yield Problem("plan-pi-invalid", pi.path, None, text, mend)
    for problem in pi.plan.reading.problems if pi.plan is not None else ():
        yield Problem(f"plan-{problem.code}", pi.path, None, problem.text, mend)


def _digest(recorded: RecordedPlan) -> str | None:
    try:
        return digest(recorded.state)
    except UnserialisableError:
        return recorded.digest or None


def _tasks(
    reading: TodoReading,
    says: LogSays,
    blockers: Iterable[Blocker],
    requests: Iterable[Request],
    changed: Mapping[str, int],
) -> tuple[Task, ...]:
    stops = _stops(says.blockers, blockers)
    asked = {key: request for request in requests if request.is_open for key in request.frees}
    return tuple(
        _task(task, stands, stops.get(task.key), asked.get(task.key), changed.get(task.key))
        for task, stands in zip(reading.tasks, standing(reading.tasks), strict=True)
    )


def _task(
    task: TodoTask, stands: Standing, stop: str | None, asked: Request | None, changed: int | None
) -> Task:
    """What a person can do is said first; a task that something else stops too stays blocked."""
    state, stopped_by = _STATES[stands], None
    if stands != "done" and (stop is not None or asked is not None):
        state = "for_you" if stop is None else "blocked"
        stopped_by = stop if asked is None else f"{asked.klass} you".strip()
    return Task(
        key=task.key,
        subject=task.subject,
        status=task.status,
        depends_on=task.depends_on,
        description=task.description,
        state=state,
        stopped_by=stopped_by,
        changed_ms=changed,
    )


def _stops(recorded: Iterable[RecordedBlocker], written: Iterable[Blocker]) -> dict[str, str]:
    """By key of a task: class and who or until when. Class A is the agent's own to solve."""
    stops: dict[str, str] = {}
    for blocker in written:
        if blocker.scope and blocker.klass != "A":
            words = _who(blocker.klass or "", blocker.until or "")
            stops.update(dict.fromkeys(scope_keys(blocker.scope), words))
    for raised in recorded:
        if raised.klass != "A":
            stops.update(dict.fromkeys(raised.blocks, _who(raised.klass, raised.until)))
    return stops


def _who(klass: str, until: str) -> str:
    """`C you`, `B 02:00`, `B 2026-10-23`, `D`."""
    if klass == "C":
        return "C you"
    timed = _TIME.match(until)
    return f"{klass} {timed[2] if timed else until}".strip()
