"""What is different from the picture before, each thing once, the urgent first.

A part of the picture is a handful of facts by name. What a person listens to is not told again
because an age grew: two facts are the same when their state is, whatever their words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ppgp_tui.gasp.telling.sentence import sentence as told
from ppgp_tui.session.model import Request, SessionSnapshot, Task
from ppgp_tui.session.picture.blockers import in_the_way
from ppgp_tui.session.text import one_line, sentence
from ppgp_tui.ui.plain.ages import counted, lasted
from ppgp_tui.ui.plain.asked import whole
from ppgp_tui.ui.plain.audit import audit_facts
from ppgp_tui.ui.plain.facts import Fact, Facts, differing
from ppgp_tui.ui.plain.loops import asking, loop_changes
from ppgp_tui.ui.plain.pause import life_sentences, pause_facts
from ppgp_tui.ui.plain.picture import (
    Numbers,
    agent_sentence,
    blocker_sentence,
    criterion_sentence,
    phase_words,
    task_sentence,
    waiting_sentence,
)
from ppgp_tui.ui.plain.words import REQUESTS

_NUMBER = re.compile(r"\d+")
"""Ages and line numbers in the words of a problem: they make it no other problem."""
EVENTS_SAID = 3
"""So many new events are told; of more only their number."""
_TOLD_ELSEWHERE = (
    "state.", "todo.", "task.", "goal.", "blocker.", "authority.", "decision.", "agent.", "human.",
)  # fmt: skip
"""Kinds of events whose effect is told as a change of the picture."""
TASKS_SAID = 8
"""So many changed tasks are told one by one."""


def changes(before: SessionSnapshot, after: SessionSnapshot, numbers: Numbers) -> Iterator[str]:
    """Yield what differs, in lines that are safe to print anywhere; nothing when nothing does.

    `numbers` is how requests are called. Ages are those at `after.at_ms`.
    """

    def of(*facts: Callable[[SessionSnapshot], Facts]) -> Iterator[str]:
        return (line for one in facts for line in differing(one(before), one(after)))

    parts = (
        _requests(before, after, numbers),
        of(pause_facts, _agents),
        loop_changes(before, after),
        of(_goal, audit_facts, _criteria, _blockers),
        _plan(before, after),
        _events(before, after),
        of(_repository, _wrong),
    )
    return (one_line(line) for part in parts for line in part)


# --- what needs a person ------------------------------------------------------------------------


def _requests(before: SessionSnapshot, after: SessionSnapshot, numbers: Numbers) -> Iterator[str]:
    known = {request.id: request for request in before.inbox.value}
    there = {request.id for request in after.inbox.value}
    lines = []
    for request in after.inbox.value:
        old = known.get(request.id)
        name = f"equest {numbers(request.id)}"
        if request.is_open and (old is None or not old.is_open):
            again = "" if old is None else f" {REQUESTS[request.state]}"
            first = "R" if again else "New r"
            lines.append(f"{first}{name}{again}: {whole(request, after.at_ms)}")
        elif request.is_open and old is not None and old.digest != request.digest:
            lines.append(f"R{name} changed, read it again: {whole(request, after.at_ms)}")
        elif old is not None and old.state != request.state:
            lines.append(f"R{name} {REQUESTS[request.state]}{_answer(request)}.")
    lines += [
        f"Request {numbers(request.id)} is no longer asked: {request.question}"
        for request in before.inbox.value
        if request.is_open and request.id not in there
    ]
    if _waiting(before) != _waiting(after):
        yield waiting_sentence(after)
    yield from lines


def _waiting(snapshot: SessionSnapshot) -> set[str]:
    requests = {request.id for request in snapshot.inbox.value if request.is_open}
    return requests | {loop.id for loop in asking(snapshot)}


def _answer(request: Request) -> str:
    """The answer that stands, as one says it."""
    answer = request.answer
    if answer is None:
        return f": {one_line(request.reason)}" if request.reason else ""
    words = (answer.option or "").replace("_", " ") or "in your own words"
    return f": {one_line(words)}"


# --- agents and goal ----------------------------------------------------------------------------


def _agents(snapshot: SessionSnapshot) -> Facts:
    now = snapshot.at_ms
    return {
        agent.session: Fact(
            (agent.state, agent.error, agent.exit_code),
            agent_sentence(agent, now),
            f"{agent.session} is no longer connected.",
        )
        for agent in snapshot.agents.value
    } | {
        f"{agent.session} {problem}": Fact(problem, f"The hook of {agent.session}: {problem}.")
        for agent in snapshot.agents.value
        for problem in agent.problems
    }


def _goal(snapshot: SessionSnapshot) -> Facts:
    goal, life = snapshot.goal.value, snapshot.lifecycle.value
    there = goal.health != "MISSING"
    facts = {
        "document": Fact(
            there,
            f"The goal document is at {goal.path}."
            if there
            else f"There is no goal document any more: looked for {goal.path}.",
        )
    }
    if there:
        facts["phase"] = Fact(phase_words(goal), f"The phase is {phase_words(goal)}.")
        facts["goal"] = Fact(goal.goal, sentence(f"The goal is: {goal.goal or 'none is written'}"))
    if life.id is not None:
        words = " ".join(life_sentences(snapshot))
        claims = tuple(claim.id for claim in life.claims)
        facts["life"] = Fact((life.id, life.status, life.revision, life.block, claims), words)
    action = goal.next_action
    if action is not None:
        facts["next"] = Fact(action.text, sentence(f"The next action is: {action.text}"))
    return facts


def _criteria(snapshot: SessionSnapshot) -> Facts:
    return {
        item.text: Fact(
            (item.state, tuple(entry.text for entry in item.evidence)),
            criterion_sentence(item),
            f"A condition is gone: {sentence(item.text)}",
        )
        for item in snapshot.goal.value.dod
    }


def _blockers(snapshot: SessionSnapshot) -> Facts:
    path = snapshot.goal.value.path
    return {
        one.text: Fact(
            (one.klass, one.scope, one.until),
            f"Blocker. {sentence(blocker_sentence(one, path))}",
            f"No longer in the way: {sentence(one.text)}",
        )
        for one in in_the_way(snapshot)
    }


# --- plan and events ----------------------------------------------------------------------------


def _plan(before: SessionSnapshot, after: SessionSnapshot) -> Iterator[str]:
    old, new = before.plan.value, after.plan.value
    if new.revision is not None and new.revision != old.revision:
        by = f" by {new.changed_by}" if new.changed_by else ""
        since = lasted(new.changed_ms, after.at_ms)
        yield f"The plan is at revision {new.revision}{by}{f', {since} ago' if since else ''}."
    if new.hand_edit and not old.hand_edit:
        yield "The file .ppgp/todo.json was edited by hand and differs from the plan."
    lines = list(differing(_tasks(old.tasks), _tasks(new.tasks)))
    yield from lines[:TASKS_SAID]
    if len(lines) > TASKS_SAID:
        yield f"And {counted(len(lines) - TASKS_SAID, 'more task')} changed."


def _tasks(tasks: tuple[Task, ...]) -> Facts:
    return {
        task.key: Fact(
            (task.subject, task.state, task.stopped_by, task.depends_on),
            sentence(task_sentence(task)),
            sentence(f"Task {task.key} is no longer in the plan: {task.subject}"),
        )
        for task in tasks
    }


def _events(before: SessionSnapshot, after: SessionSnapshot) -> Iterator[str]:
    old, new = before.events.value, after.events.value
    if new.rewritten is not None and new.rewritten != old.rewritten:
        line = new.rewritten.line
        yield f"The log was rewritten from line {line} on; it should only grow."
    log = new.log
    count = new.count - old.count
    if log is None or old.log is None or count <= 0:
        return
    newest = (log.event(at) for at in range(len(log) - 1, len(log) - 1 - min(count, 50), -1))
    telling = [one for one in newest if one.kind and not one.kind.startswith(_TOLD_ELSEWHERE)]
    for event in reversed(telling[:EVENTS_SAID]):
        said = told(event, new.names)
        since = lasted(event.ts_ms, after.at_ms)
        yield sentence(f"{said.actor}{f', {since} ago' if since else ''}: {said.words}")
    if count > EVENTS_SAID and len(telling) > EVENTS_SAID:
        yield f"Those are the last of {count:,} new events."


# --- the files themselves -----------------------------------------------------------------------


def _repository(snapshot: SessionSnapshot) -> Facts:
    repo = snapshot.repo.value
    if not repo.git:
        return {}
    place = f"detached at {repo.head}" if repo.detached else f"on branch {repo.branch}"
    return {
        "place": Fact((repo.branch, repo.detached), f"The repository is {place}."),
        "head": Fact(repo.head, f"The newest commit is {(repo.head or 'none')[:7]}."),
    }


def _wrong(snapshot: SessionSnapshot) -> Facts:
    """What is wrong with a file, and whether changes are seen at all."""
    goal, watching = snapshot.goal.value, snapshot.watching
    found = [(goal.path, one.line, one.text, one.mend) for one in goal.reasons]
    found += [(one.path, one.line, one.text, one.mend) for one in snapshot.problems]
    facts: dict[str, Fact] = {}
    for path, line, text, mend in found:
        same = f"{path} {_NUMBER.sub('', text)}"
        place = path if line is None else f"{path} line {line}"
        todo = f" What to do: {sentence(mend)}" if mend else ""
        words = f"{place}: {sentence(text)}{todo}"
        facts[same] = Fact(None, words, f"No longer wrong: {sentence(text)}")
    for source in snapshot.sources:
        if source.state == "unread":
            words = f"{source.path} cannot be read: {sentence(source.why)}"
            facts[source.path] = Fact(source.why, words, f"{source.path} can be read again.")
    if watching.mode == "stale":
        why = f": {watching.why}" if watching.why else ""
        words = sentence(f"Changes are no longer seen{why}")
        facts["watching"] = Fact("stale", words, "Changes are seen again.")
    return facts
