"""The snapshot in sentences: one a line, the urgent first, nothing that needs eyes or colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ppgp_tui.ppgp.reading import NOTHING_LEFT, Criterion, GoalReading
from ppgp_tui.session.blockers import in_the_way
from ppgp_tui.session.human_load import load_now
from ppgp_tui.session.memories import memory_line
from ppgp_tui.session.model import Agent, Request, SessionSnapshot, Task
from ppgp_tui.session.text import one_line, sentence
from ppgp_tui.ui.plain.conformance import conformance_sentences
from ppgp_tui.ui.plain.pause import life_sentences, pause_sentences

_Part = Callable[[SessionSnapshot], Iterator[str]]

_CRITERIA = {
    "done": "done", "partial": "partly", "claimed": "claimed without evidence",
    "blocked": "blocked", "open": "open", "unknown": "not said",
}  # fmt: skip
_TASKS = {
    "for_you": "for you", "running": "running", "ready": "ready", "blocked": "blocked",
    "waits": "waiting", "done": "done",
}  # fmt: skip
_AGENTS = {
    "waiting_for_you": "waits for you", "violated": "broke the pause", "held": "held",
    "frozen": "frozen", "stopping": "is to end its turn", "limited": "stopped by its model",
    "working": "working", "idle": "idle", "quiet": "shows no sign", "ended": "ended",
    "gone": "gone",
}  # fmt: skip
_CLASSES = {"A": "solvable", "B": "external", "C": "authority", "D": "dependency"}


def sentences(snapshot: SessionSnapshot) -> Iterator[str]:
    """Yield everything the snapshot knows, as lines that are safe to print anywhere."""
    return _said(
        snapshot,
        (
            _requests, _agents, _goal, _life, _criteria, _blockers, _next, _limits, _plan, _events,
            _repository, _findings, _sources,
        ),
    )  # fmt: skip


def about_document(snapshot: SessionSnapshot) -> Iterator[str]:
    """Yield what a goal document says that was read by itself."""
    return _said(snapshot, (_requests, _goal, _criteria, _blockers, _next, _limits, _findings))


def _said(snapshot: SessionSnapshot, parts: Iterable[_Part]) -> Iterator[str]:
    return (one_line(line) for part in parts for line in part(snapshot))


def lasted(since_ms: int | None, now_ms: int) -> str:
    """`12 seconds`, `8 minutes`, `1 hour 2 minutes`, `3 days`; empty when unknown."""
    if since_ms is None:
        return ""
    seconds = max(0, now_ms - since_ms) // 1000
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 60:
        return _count(seconds, "second")
    if minutes < 60:
        return _count(minutes, "minute")
    if hours < 24:
        rest = minutes % 60
        return _count(hours, "hour") + (f" {_count(rest, 'minute')}" if rest else "")
    return _count(hours // 24, "day")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _tally(words: Iterable[str], order: Iterable[str]) -> str:
    found = Counter(words)
    return ", ".join(f"{found[word]} {word}" for word in order if found[word])


def _requests(snapshot: SessionSnapshot) -> Iterator[str]:
    waiting = [request for request in snapshot.inbox.value if request.is_open]
    if not waiting:
        yield "Nothing waits for you."
        return
    known = [request.created_ms for request in waiting if request.created_ms is not None]
    oldest = f", oldest {lasted(min(known), snapshot.at_ms)}" if known else ""
    yield f"{_count(len(waiting), 'request')} for you{oldest}."
    for number, request in enumerate(waiting, 1):
        yield f"Request {number} of {len(waiting)}: {_request(request)}"


def _request(request: Request) -> str:
    scope = f", {request.scope}" if request.scope else ""
    words = [sentence(request.question)]
    words.append(f"Class {request.klass}{scope}." if request.klass else f"{request.scope}.")
    if request.asker:
        words.append(f"Asked by {request.asker}.")
    if request.frees:
        words.append(f"Frees {_count(len(request.frees), 'task')}: {', '.join(request.frees)}.")
    for option in request.options:
        advised = ", advised" if option.key == request.recommended else ""
        words.append(f"{option.key}: {option.label}{advised}.")
    if request.irreversible:
        words.append("It cannot be undone.")
    if request.why:
        words.append(request.why)
    return " ".join(word for word in words if word != ".")


def _agents(snapshot: SessionSnapshot) -> Iterator[str]:
    yield from pause_sentences(snapshot, lasted)
    if not snapshot.agents.value:
        yield "No agent is connected."
    for agent in snapshot.agents.value:
        yield f"{agent.session} {_AGENTS[agent.state]}{_contact(agent, snapshot.at_ms)}."
        yield from _about(agent, snapshot.at_ms)
    yield from _load(snapshot)


def _about(agent: Agent, now_ms: int) -> Iterator[str]:
    """What its hook could not do, and what it was told when its context began anew."""
    if agent.state in ("ended", "gone"):
        return
    for problem in agent.problems:
        yield f"The hook of {agent.session}: {problem}."
    if agent.memories:
        newest = agent.memories[0]
        since = lasted(newest.at_ms, now_ms)
        when = f" {since} ago" if since else ""
        yield f"{agent.session}{when}, {memory_line(newest)}."


def _load(snapshot: SessionSnapshot) -> Iterator[str]:
    """Who waited for whom in the last hour, where anybody did."""
    load = load_now(snapshot, snapshot.at_ms)
    if load is None or not (load.interruptions or load.agents_waited_ms or load.you_waited_ms):
        return
    window = "In the last hour" if load.is_hour else "Since the log began"
    words = [_count(load.interruptions, "interruption")]
    if load.agents_waited_ms:
        words.append(f"agents waited for you at least {_lasting(load.agents_waited_ms)}")
    if load.you_waited_ms:
        words.append(f"you waited for agents at least {_lasting(load.you_waited_ms)}")
    yield f"{window}: {', '.join(words)}."


def _lasting(ms: int) -> str:
    seconds = ms // 1000
    return _count(seconds // 60, "minute") if seconds >= 60 else _count(seconds, "second")


def _contact(agent: Agent, now_ms: int) -> str:
    since, contact = lasted(agent.since_ms, now_ms), lasted(agent.contact_ms, now_ms)
    words = [f"since {since} ago"] if since and agent.state not in ("working", "quiet") else []
    if contact:
        words.append(f"last sign {contact} ago")
    if agent.last_tool:
        words.append(f"last tool {agent.last_tool}")
    return "".join(f", {word}" for word in words)


def _goal(snapshot: SessionSnapshot) -> Iterator[str]:
    goal = snapshot.goal.value
    if goal.health == "MISSING":
        yield f"No goal document: looked for {goal.path}."
        return
    title = " This is the title; no goal is written." if goal.goal_source == "title" else ""
    yield f"Goal: {goal.goal or 'none is written.'}{title}"
    yield f"Goal document: {goal.path}, {goal.health.lower()}, {_count(goal.line_count, 'line')}."
    if goal.why:
        yield f"Why: {goal.why}"
    yield f"Phase: {_phase(goal)}."


def _life(snapshot: SessionSnapshot) -> Iterator[str]:
    return life_sentences(snapshot, lasted)


def _phase(goal: GoalReading) -> str:
    if goal.phase:
        return goal.phase
    said = f"not one of the seven; the document says {goal.phase_raw}" if goal.phase_raw else ""
    concluded = f"concluded {goal.phase_inferred}" if goal.phase_inferred else ""
    return "; ".join(word for word in (said, concluded) if word) or "none is named"


def _criteria(snapshot: SessionSnapshot) -> Iterator[str]:
    dod = snapshot.goal.value.dod
    if not dod:
        return
    tally = _tally((_CRITERIA[item.state] for item in dod), _CRITERIA.values())
    yield f"Done when, {_count(len(dod), 'condition')}: {tally}."
    for item in dod:
        yield _criterion(item)


def _criterion(item: Criterion) -> str:
    proof = "; ".join(entry.text for entry in item.evidence)
    said = f"{sentence(item.text)} Evidence: {proof}" if proof else item.text
    return f"Condition {item.number}, {_CRITERIA[item.state]}, line {item.line}: {said}"


def _blockers(snapshot: SessionSnapshot) -> Iterator[str]:
    blockers = in_the_way(snapshot)
    if blockers:
        yield f"{_count(len(blockers), 'blocker')}."
    for blocker in blockers:
        klass = f"Class {blocker.klass} {_CLASSES[blocker.klass]}" if blocker.klass else "No class"
        words = [klass + (", concluded" if blocker.inferred else "")]
        words += [f"stops {blocker.scope}"] if blocker.scope else []
        words += [f"until {blocker.until}"] if blocker.until else []
        words += [f"raised by {blocker.actor}"] if blocker.actor else []
        origin = blocker.origin
        written = origin is not None and origin.path == snapshot.goal.value.path
        words += [f"line {origin.line}" if origin and written else "in the log"]
        yield f"{', '.join(words)}: {blocker.text}"


def _next(snapshot: SessionSnapshot) -> Iterator[str]:
    action = snapshot.goal.value.next_action
    if action is None:
        return
    yield f"Next action, line {action.line}: {action.text}"
    if action.waits_for == NOTHING_LEFT:
        yield f"{NOTHING_LEFT.capitalize()}."
    elif action.executable_now:
        yield "An agent can do that now."
    else:
        waits = f": {action.waits_for}" if action.waits_for else ""
        yield f"No agent can do that now. It waits{sentence(waits)}"


def _limits(snapshot: SessionSnapshot) -> Iterator[str]:
    authority = snapshot.goal.value.authority
    for word, items in (("Standing limit", authority.standing), ("Granted", authority.granted)):
        for item in items:
            yield f"{word}, line {item.line}: {item.text}"


def _plan(snapshot: SessionSnapshot) -> Iterator[str]:
    plan = snapshot.plan.value
    if plan.source == "none":
        yield "No plan yet: looked for .ppgp/todo.json."
        return
    tally = _tally((_TASKS[task.state] for task in plan.tasks), _TASKS.values())
    by = f", changed {lasted(plan.changed_ms, snapshot.at_ms)} ago" if plan.changed_ms else ""
    by += f" by {plan.changed_by}" if plan.changed_by else ""
    where = "the log" if plan.source == "log" else ".ppgp/todo.json"
    revision = "" if plan.revision is None else f" revision {plan.revision}"
    yield f"Plan{revision}, from {where}{by}, {_count(len(plan.tasks), 'task')}: {tally}."
    if plan.hand_edit:
        yield "The file .ppgp/todo.json was edited by hand and differs from this plan."
    for task in plan.tasks:
        yield _task(task)


def _task(task: Task) -> str:
    words = [f"Task {task.key}", _TASKS[task.state]]
    words += [f"stopped by {task.stopped_by}"] if task.stopped_by else []
    words += [f"needs {' and '.join(task.depends_on)}"] if task.depends_on else []
    return f"{', '.join(words)}: {task.subject}"


def _events(snapshot: SessionSnapshot) -> Iterator[str]:
    events, known = snapshot.events.value, snapshot.conformance.value
    if not events.count:
        yield from conformance_sentences(known) if known.state == "failed" else ()
        return
    last = events.last
    said = ""
    if last is not None and last.kind:
        since = lasted(last.ts_ms, snapshot.at_ms)
        said = f" The last{f', {since} ago' if since else ''}: {last.kind} by {last.actor_id}."
    yield f"{_count(events.count, 'event')} in the log.{said}"
    if events.rewritten is not None:
        yield f"The log was rewritten from line {events.rewritten.line} on; it should only grow."
    yield from conformance_sentences(known)


def _repository(snapshot: SessionSnapshot) -> Iterator[str]:
    repo = snapshot.repo.value
    if not repo.git:
        yield f"{snapshot.root} is not a Git repository."
        return
    place = f"detached at {repo.head}" if repo.detached else f"on branch {repo.branch}"
    words = [place]
    if repo.dirty is not None:
        words.append(f"{_count(repo.dirty, 'changed path')}" if repo.dirty else "clean")
    for number, word in ((repo.ahead, "ahead"), (repo.behind, "behind")):
        words += [f"{number} {word}"] if number else []
    if repo.commits_since_goal:
        words.append(f"{_count(repo.commits_since_goal, 'commit')} since the goal document changed")
    yield f"{snapshot.root} is {', '.join(words)}."
    for other in repo.other_goals:
        yield f"Another goal document lies at {other}."


def _findings(snapshot: SessionSnapshot) -> Iterator[str]:
    goal = snapshot.goal.value
    for finding in goal.reasons:
        place = "" if finding.line is None else f" line {finding.line}"
        yield f"Finding, {goal.path}{place}: {_advised(finding.text, finding.mend)}"


def _advised(text: str, mend: str) -> str:
    """What is wrong, and in a sentence of its own what to do about it."""
    return f"{sentence(text)} What to do: {sentence(mend)}" if mend else sentence(text)


def _sources(snapshot: SessionSnapshot) -> Iterator[str]:
    for problem in snapshot.problems:
        place = "" if problem.line is None else f" line {problem.line}"
        yield f"Problem, {problem.path}{place}: {_advised(problem.text, problem.mend)}"
    for source in snapshot.sources:
        if source.state == "unread":
            yield f"{source.path} could not be read: {source.why}."
