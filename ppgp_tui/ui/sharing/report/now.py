"""How the session stands: lamps in words, goal and conditions, plan, blockers, requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ppgp_tui.gasp.telling.chapters import span
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.session.model import Request, SessionSnapshot, Task
from ppgp_tui.session.picture.blockers import in_the_way
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.picture.human_load import load_now
from ppgp_tui.session.sharing.markdown import block, code, table, text
from ppgp_tui.session.text import sentence
from ppgp_tui.ui.looks.words import plain, stopped_words
from ppgp_tui.ui.plain.ages import counted, lasted
from ppgp_tui.ui.plain.audit import audit_facts
from ppgp_tui.ui.plain.loops import loop_sentences
from ppgp_tui.ui.plain.pause import life_sentences, pause_sentences
from ppgp_tui.ui.plain.picture import phase_words
from ppgp_tui.ui.plain.words import (
    AGENTS,
    CLASSES,
    CRITERIA,
    TASKS,
    VERIFIED,
    criterion_words,
)
from ppgp_tui.ui.sharing.report.material import Material, moment
from ppgp_tui.ui.views.inbox.requests import reason_words

_RUN = {
    "violated": "an agent broke the pause", "lost": "the pause was lost",
    "not_seen": "a pause is asked, and not seen", "pause_asked": "a pause is asked",
    "seen": "a pause is seen", "held": "held", "waiting_for_you": "waiting for a person",
    "frozen": "frozen", "stopping": "about to end its turn", "limited": "stopped by its model",
    "working": "working", "quiet": "no sign of work", "idle": "idle", "none": "no agent connected",
}  # fmt: skip
_ENDED = {
    "answered": "answered", "delivered": "answered, and the answer was fetched",
    "acted_on": "answered and acted on", "expired": "expired, nobody answered",
    "withdrawn": "withdrawn", "waiting": "waits", "taken_back": "waits again, answer taken back",
}  # fmt: skip
_SIGNED = {"verified": "signed, signature right", "unsigned": "unsigned",
           "unchecked": "signature not checked"}  # fmt: skip


def standing(material: Material) -> Iterator[str]:
    """The lamps in words."""
    snapshot, now = material.snapshot, material.now_ms
    seen, goal = glance(snapshot), snapshot.goal.value
    yield _fact("Phase", phase_words(goal))
    yield _fact("Agents", _run(snapshot, now))
    yield _fact("For a person", _needs(snapshot, now))
    yield _fact("Blockers", counted(seen.blockers, "blocker") if seen.blockers else "none")
    said = [criterion_words(item.state, snapshot.audit.value) for item in goal.dod]
    tally = _tally(said, [VERIFIED, *CRITERIA.values()])
    yield _fact(
        "Done when", f"{counted(seen.total, 'condition')}: {tally}" if tally else "not said"
    )
    audits = audit_facts(snapshot)
    if "audit" not in audits:
        none = "none; what is said to be done is a claim as long as no audit has looked"
        yield _fact("Audit", none)
    for fact in audits.values():
        yield f"- **Audit:** {text(fact.words)}"
    last = lasted(seen.last_event_ms, now)
    yield _fact("Last event", f"{last} before this report" if last else "none")
    for words in (*pause_sentences(snapshot), *life_sentences(snapshot)):
        yield f"- {text(words)}"


def goal(material: Material) -> Iterator[str]:
    """The goal, why, its conditions with their evidence, and what comes next."""
    goal, audit = material.snapshot.goal.value, material.snapshot.audit.value
    if goal.health == "MISSING":
        yield f"There is no goal document (looked for {code(goal.path)})."
        return
    yield text(goal.goal or "No goal is written.")
    if goal.why:
        yield from ("", f"**Why:** {text(goal.why)}")
    if goal.dod:
        yield ""
        yield from table(
            ("", "condition", "state", "evidence", "line"),
            (
                (str(item.number), text(plain(item.text)), criterion_words(item.state, audit),
                 "; ".join(text(plain(one.text)) for one in item.evidence), str(item.line))
                for item in goal.dod
            ),
        )  # fmt: skip
    action = goal.next_action
    if action is not None:
        waits = "" if action.executable_now else f" (waits: {text(action.waits_for or 'not said')})"
        yield from ("", f"**Next action:** {text(plain(action.text))}{waits}")
    for title, items in (("Standing limits", goal.authority.standing),
                         ("Granted", goal.authority.granted)):  # fmt: skip
        if items:
            yield from ("", f"**{title}:**", "")
            yield from (f"- {text(plain(item.text))} (line {item.line})" for item in items)


def plan(material: Material, drawn: str = "") -> Iterator[str]:
    """Every task with its state and what it needs; `drawn`: the graph as text."""
    plan = material.snapshot.plan.value
    if not plan.tasks:
        yield "There is no plan." if plan.source == "none" else "The plan has no tasks."
        return
    tally = _tally([TASKS[task.state] for task in plan.tasks], list(TASKS.values()))
    tally = tally.replace(TASKS["for_you"], "for a person")
    revision = "" if plan.revision is None else f"Revision {plan.revision}, "
    yield f"{revision}{counted(len(plan.tasks), 'task')}: {text(tally)}."
    if plan.hand_edit:
        yield "The plan's file holds an edit that nobody recorded."
    yield ""
    yield from table(
        ("task", "", "state", "needs", "changed, UTC"),
        (
            (code(task.key), text(task.subject),
             text(_task_state(task)),
             ", ".join(code(key) for key in task.depends_on), moment(task.changed_ms))
            for task in plan.tasks
        ),
    )  # fmt: skip
    if drawn:
        yield ""
        yield from block(drawn)


def blockers(material: Material) -> Iterator[str]:
    """Everything in the way, of the document and of the log."""
    found = in_the_way(material.snapshot)
    if not found:
        yield "Nothing is said to be in the way."
        return
    yield from table(
        ("class", "what", "stops", "until", "since, UTC", "said in"),
        (
            (
                f"{one.klass} {CLASSES[one.klass]}" if one.klass else "not said",
                text(plain(one.text)),
                text(one.scope or ""),
                text(one.until or ""),
                moment(one.since_ms),
                code(f"{one.origin.path}:{one.origin.line}") if one.origin else "",
            )
            for one in found
        ),
    )


def requests(material: Material) -> Iterator[str]:
    """What waits for a person, then what was answered: by whom, when, and how sure that is."""
    found = material.snapshot.inbox.value
    if not found:
        yield "Nobody has asked anything."
    for at, request in enumerate(found):
        yield from ([""] if at else [])
        yield from _request(request)


def agents(material: Material) -> Iterator[str]:
    """Who was there, and who waited for whom."""
    snapshot, now = material.snapshot, material.now_ms
    if not snapshot.agents.value:
        yield "No agent has been seen."
    else:
        yield from table(
            ("agent", "session", "state", "last sign", "last tool"),
            (
                (text(one.agent), code(one.session), _AGENTS.get(one.state, AGENTS[one.state]),
                 _ago(one.contact_ms, now), text(one.last_tool or ""))
                for one in snapshot.agents.value
            ),
        )  # fmt: skip
    loops = list(loop_sentences(snapshot))
    if loops:
        yield from ("", *(f"- {text(words)}" for words in loops))
    load = load_now(snapshot, now)
    if load is not None:
        window = "In the last hour" if load.is_hour else "Since the log began"
        words = [counted(load.interruptions, "interruption") + " of the person"]
        words += [f"agents waited for the person at least {span(load.agents_waited_ms)}"]
        words += [f"the person waited for agents at least {span(load.you_waited_ms)}"]
        yield from ("", f"{window}: {', '.join(words)}.")


def _task_state(task: Task) -> str:
    word = "for a person" if task.state == "for_you" else TASKS[task.state]
    stopped = stopped_words(task.stopped_by or "").replace("your answer", "an answer")
    return f"{word}: {stopped}" if stopped else word


_AGENTS = {"waiting_for_you": "waits for a person"}


def _request(request: Request) -> Iterator[str]:
    yield f"### {text(plain(request.question))}"
    yield ""
    yield _fact("State", _ENDED[request.state])
    klass = f"{request.klass} {CLASSES.get(request.klass, '')}".strip()
    yield _fact("About", ", ".join(filter(None, (klass, request.scope))) or "not said")
    asked = moment(request.created_ms)
    by = short_actor("agent", request.asker) if request.asker else ""
    yield _fact("Asked", f"{by or 'by nobody named'}, {asked or 'nobody recorded when'}")
    if request.why:
        yield _fact("Why", request.why)
    for option in request.options:
        advised = ", advised" if option.key == request.recommended else ""
        yield f"- {code(option.key)} {text(option.label)}{advised}"
    if request.irreversible:
        yield "- It cannot be undone."
    if request.frees:
        yield _fact("Frees", ", ".join((*request.frees, *request.frees_then)))
    yield from _answer(request)


def _answer(request: Request) -> Iterator[str]:
    answer = request.answer
    if answer is not None:
        words = answer.text or (answer.option or "").replace("_", " ") or "not said"
        by, when = answer.by.removeprefix("user:"), moment(answer.at_ms) or "at an unknown time"
        yield _fact("Answer", f"{words}; {by}, {when}; {_SIGNED[answer.signature]}")
        if answer.note:
            yield _fact("Note", answer.note)
    if request.reason:
        yield _fact("Because", reason_words(request))
    for one in request.refused:
        yield _fact("Does not count", f"attempt {one.attempt}, {one.word}: {one.why}")


def _run(snapshot: SessionSnapshot, now_ms: int) -> str:
    seen = glance(snapshot)
    since = lasted(seen.run_since_ms, now_ms)
    of = f" ({seen.agents_in_run} of {seen.agents})" if seen.agents > 1 else ""
    return f"{_RUN[seen.run]}{of}" + (f", {since}" if since and seen.run != "none" else "")


def _needs(snapshot: SessionSnapshot, now_ms: int) -> str:
    seen = glance(snapshot)
    if not seen.needs:
        return "nothing waits"
    oldest = lasted(seen.needs_oldest_ms, now_ms)
    requests = seen.needs - seen.loops_asking
    what = [counted(requests, "request")] if requests else []
    what += [counted(seen.loops_asking, "restart loop")] if seen.loops_asking else []
    waits = f"{' and '.join(what)} {'waits' if seen.needs == 1 else 'wait'}"
    return waits + (f", the oldest {oldest}" if oldest else "")


def _ago(ms: int | None, now_ms: int) -> str:
    since = lasted(ms, now_ms)
    return f"{since} ago" if since else ""


def _fact(name: str, words: str) -> str:
    return f"- **{name}:** {text(sentence(words))}"


def _tally(words: list[str], order: list[str]) -> str:
    found = Counter(words)
    return ", ".join(f"{found[word]} {word}" for word in order if found[word])
