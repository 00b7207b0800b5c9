"""The snapshot in sentences: one a line, the urgent first, nothing that needs eyes or colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ppgp_tui.ppgp.reading import NOTHING_LEFT, Criterion, GoalReading
from ppgp_tui.session.model import Agent, SessionSnapshot, Task
from ppgp_tui.session.picture.blockers import InTheWay, in_the_way
from ppgp_tui.session.picture.human_load import load_now
from ppgp_tui.session.picture.memories import memory_line
from ppgp_tui.session.text import one_line, sentence
from ppgp_tui.ui.plain.ages import counted, lasted
from ppgp_tui.ui.plain.asked import whole
from ppgp_tui.ui.plain.audit import audit_facts
from ppgp_tui.ui.plain.conformance import conformance_sentences
from ppgp_tui.ui.plain.loops import asking, loop_sentences
from ppgp_tui.ui.plain.pause import life_sentences, pause_sentences
from ppgp_tui.ui.plain.words import (
    AGENTS,
    CLASSES,
    CRITERIA,
    TASKS,
    VERIFIED,
    criterion_words,
)

_Part = Callable[[SessionSnapshot], Iterator[str]]

Numbers = Callable[[str], int]
"""The number by which a request is called, by its id."""


def sentences(snapshot: SessionSnapshot, numbers: Numbers | None = None) -> Iterator[str]:
    """Yield everything the snapshot knows, as lines that are safe to print anywhere.

    Requests are counted from 1, or have the `numbers` by which they were told before.
    """
    yield from request_sentences(snapshot, numbers)
    for name in PARTS:
        yield from part_sentences(snapshot, name)


def part_sentences(snapshot: SessionSnapshot, name: str) -> Iterator[str]:
    """Yield one part of it, by its name in `PARTS`."""
    return _said(snapshot, PARTS[name])


def about_document(snapshot: SessionSnapshot) -> Iterator[str]:
    """Yield what a goal document says that was read by itself."""
    yield from request_sentences(snapshot)
    yield from _said(snapshot, (_goal, _criteria, _blockers, _next, _limits, _findings))


def _said(snapshot: SessionSnapshot, parts: Iterable[_Part]) -> Iterator[str]:
    return (one_line(line) for part in parts for line in part(snapshot))


def _tally(words: Iterable[str], order: Iterable[str]) -> str:
    found = Counter(words)
    return ", ".join(f"{found[word]} {word}" for word in order if found[word])


def request_sentences(snapshot: SessionSnapshot, numbers: Numbers | None = None) -> Iterator[str]:
    """Yield how much waits, then each request whole."""
    waiting = [request for request in snapshot.inbox.value if request.is_open]
    yield waiting_sentence(snapshot)
    called = [at if numbers is None else numbers(one.id) for at, one in enumerate(waiting, 1)]
    of = f" of {len(waiting)}" if called == list(range(1, len(waiting) + 1)) else ""
    for number, request in zip(called, waiting, strict=True):
        yield f"Request {number}{of}: {whole(request, snapshot.at_ms)}"


def waiting_sentence(snapshot: SessionSnapshot) -> str:
    """How many requests and restart loops wait for a person, and how old the oldest is."""
    requests = [request for request in snapshot.inbox.value if request.is_open]
    loops = asking(snapshot)
    if not requests and not loops:
        return "Nothing waits for you."
    what = [counted(len(requests), "request")] if requests else []
    what += [counted(len(loops), "restart loop")] if loops else []
    began = [one.created_ms for one in requests] + [one.pause.at_ms for one in loops if one.pause]
    known = [ms for ms in began if ms is not None]
    oldest = f", oldest {lasted(min(known), snapshot.at_ms)}" if known else ""
    return f"{' and '.join(what)} for you{oldest}."


def _agents(snapshot: SessionSnapshot) -> Iterator[str]:
    yield from pause_sentences(snapshot)
    if not snapshot.agents.value:
        yield "No agent is connected."
    for agent in snapshot.agents.value:
        yield agent_sentence(agent, snapshot.at_ms)
        yield from _about(agent, snapshot.at_ms)
    yield from loop_sentences(snapshot)
    yield from _load(snapshot)


def agent_sentence(agent: Agent, now_ms: int) -> str:
    """What an agent is doing, and since when."""
    return f"{agent.session} {AGENTS[agent.state]}{_contact(agent, now_ms)}."


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
    words = [counted(load.interruptions, "interruption")]
    if load.agents_waited_ms:
        words.append(f"agents waited for you at least {_lasting(load.agents_waited_ms)}")
    if load.you_waited_ms:
        words.append(f"you waited for agents at least {_lasting(load.you_waited_ms)}")
    yield f"{window}: {', '.join(words)}."


def _lasting(ms: int) -> str:
    seconds = ms // 1000
    return counted(seconds // 60, "minute") if seconds >= 60 else counted(seconds, "second")


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
    yield f"Goal document: {goal.path}, {goal.health.lower()}, {counted(goal.line_count, 'line')}."
    if goal.why:
        yield f"Why: {goal.why}"
    yield f"Phase: {phase_words(goal)}."


def _life(snapshot: SessionSnapshot) -> Iterator[str]:
    return life_sentences(snapshot)


def _audit(snapshot: SessionSnapshot) -> Iterator[str]:
    return (fact.words for fact in audit_facts(snapshot).values())


def phase_words(goal: GoalReading) -> str:
    """The phase as the document says it, or what was concluded instead."""
    if goal.phase:
        return goal.phase
    said = f"not one of the seven; the document says {goal.phase_raw}" if goal.phase_raw else ""
    concluded = f"concluded {goal.phase_inferred}" if goal.phase_inferred else ""
    return "; ".join(word for word in (said, concluded) if word) or "none is named"


def _criteria(snapshot: SessionSnapshot) -> Iterator[str]:
    dod = snapshot.goal.value.dod
    if not dod:
        return
    audit = snapshot.audit.value
    said = (criterion_words(item.state, audit) for item in dod)
    tally = _tally(said, (VERIFIED, *CRITERIA.values()))
    yield f"Done when, {counted(len(dod), 'condition')}: {tally}."
    for item in dod:
        yield criterion_sentence(item, criterion_words(item.state, audit))


def criterion_sentence(item: Criterion, state: str = "") -> str:
    """A condition, its state (in other words than the document's if given), what shows it."""
    proof = "; ".join(entry.text for entry in item.evidence)
    said = f"{sentence(item.text)} Evidence: {proof}" if proof else item.text
    return f"Condition {item.number}, {state or CRITERIA[item.state]}, line {item.line}: {said}"


def _blockers(snapshot: SessionSnapshot) -> Iterator[str]:
    blockers = in_the_way(snapshot)
    if blockers:
        yield f"{counted(len(blockers), 'blocker')}."
    for blocker in blockers:
        yield blocker_sentence(blocker, snapshot.goal.value.path)


def blocker_sentence(blocker: InTheWay, document: str) -> str:
    """What is in the way; `document` is the path of the goal document."""
    klass = f"Class {blocker.klass} {CLASSES[blocker.klass]}" if blocker.klass else "No class"
    words = [klass + (", concluded" if blocker.inferred else "")]
    words += [f"stops {blocker.scope}"] if blocker.scope else []
    words += [f"until {blocker.until}"] if blocker.until else []
    words += [f"raised by {blocker.actor}"] if blocker.actor else []
    origin = blocker.origin
    written = origin is not None and origin.path == document
    words += [f"line {origin.line}" if origin and written else "in the log"]
    return f"{', '.join(words)}: {blocker.text}"


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
    tally = _tally((TASKS[task.state] for task in plan.tasks), TASKS.values())
    by = f", changed {lasted(plan.changed_ms, snapshot.at_ms)} ago" if plan.changed_ms else ""
    by += f" by {plan.changed_by}" if plan.changed_by else ""
    where = {"log": "the log", "pi session": "a Pi session"}.get(plan.source, ".ppgp/todo.json")
    revision = "" if plan.revision is None else f" revision {plan.revision}"
    yield f"Plan{revision}, from {where}{by}, {counted(len(plan.tasks), 'task')}: {tally}."
    if plan.hand_edit:
        yield "The file .ppgp/todo.json was edited by hand and differs from this plan."
    for task in plan.tasks:
        yield task_sentence(task)


def task_sentence(task: Task) -> str:
    """A task, its state, and what it waits for."""
    words = [f"Task {task.key}", TASKS[task.state]]
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
    yield f"{counted(events.count, 'event')} in the log.{said}"
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
        words.append(f"{counted(repo.dirty, 'changed path')}" if repo.dirty else "clean")
    for number, word in ((repo.ahead, "ahead"), (repo.behind, "behind")):
        words += [f"{number} {word}"] if number else []
    if repo.commits_since_goal:
        words.append(
            f"{counted(repo.commits_since_goal, 'commit')} since the goal document changed"
        )
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


PARTS: dict[str, tuple[_Part, ...]] = {
    "agents": (_agents,),
    "goal": (_goal, _life, _audit, _criteria, _blockers, _next, _limits),
    "plan": (_plan,),
    "events": (_events,),
    "files": (_repository, _findings, _sources),
}
"""The picture after the requests, by the words that ask for its parts."""
