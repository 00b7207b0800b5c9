"""From what the sources know to the one picture: pure, no file is touched here."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.files.places import login
from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.log.tail import LogRead
from ppgp_tui.session.model import (
    Control,
    Events,
    Lifecycle,
    Loops,
    Origin,
    Part,
    Plan,
    PlanHistory,
    Problem,
    Repo,
    Request,
    SessionSnapshot,
    SourceState,
    Watching,
)
from ppgp_tui.session.picture.audit_state import Audit, AuditLook, audit_now, subject
from ppgp_tui.session.picture.beside import JournalLook, journal_problems
from ppgp_tui.session.picture.blockers import blockers_now
from ppgp_tui.session.picture.conformance import Checked, Outcome, conformance_now
from ppgp_tui.session.picture.goal_state import goal_differs
from ppgp_tui.session.picture.graph_look import GraphLook
from ppgp_tui.session.picture.handshake import Hold
from ppgp_tui.session.picture.inbox import completed, inbox
from ppgp_tui.session.picture.line_ages import carried
from ppgp_tui.session.picture.loops import LoopsLook
from ppgp_tui.session.picture.on_disk import AnswersLook, disk_problems, with_files
from ppgp_tui.session.picture.pause import control_now, pause_problems
from ppgp_tui.session.picture.planning import plan_now, plan_problems
from ppgp_tui.session.picture.repo_look import RepoLook
from ppgp_tui.session.plan_history.now import history_now
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.agents import AGENTS, AgentsLook, agents_now, asker_now
from ppgp_tui.session.sources.control import PAUSE_FILE
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.goal import GoalLook
from ppgp_tui.session.sources.pi_look import NO_SESSION, PiLook
from ppgp_tui.session.sources.todo import TodoFile

T = TypeVar("T")

SETTLE_MS = 1_000
"""One act writes several files; until then a difference between them says nothing."""

TORN_MS = 10_000
"""An unfinished last line is worth a word after this time."""


class Known(NamedTuple):
    """What every source knows right now."""

    settings: Settings
    goal: GoalLook
    todo: Look[TodoFile | None]
    control: Look[Control]
    log: LogRead = LogRead()
    agents: AgentsLook = AgentsLook()
    repo: RepoLook = RepoLook()
    watching: Watching = Watching()
    pause: Look[Hold | None] = Look(PAUSE_FILE, None)
    answers: AnswersLook = AnswersLook()
    journal: JournalLook = JournalLook()
    further: LogSays | None = None
    """What the log says with the lines beside it, by which acts go; None while there are none."""
    checked: Checked = Checked()
    history: Outcome = Outcome()
    """Check 4: how the append-only files stand with what Git knows of them."""
    graph: GraphLook = GraphLook()
    pi: PiLook = NO_SESSION
    commits: PlanHistory = PlanHistory()
    """The versions of `todo.json` in Git; only where no log has the plan."""
    audit: AuditLook = AuditLook()
    loops: LoopsLook = LoopsLook()
    broken: tuple[Problem, ...] = ()
    """Readers that failed in a way nobody foresaw."""

    @property
    def says(self) -> LogSays:
        """What is recorded."""
        return self.log.says if self.further is None else self.further


def compose(
    root: Path, known: Known, before: SessionSnapshot | None, now_ms: int
) -> SessionSnapshot:
    """The picture of `known`; parts that did not change are those of `before`, as they were.

    Returns `before` itself when nothing differs.
    """
    reading, log = known.goal.look.value, known.log
    document = known.goal.look
    seen = document.seen_ms or now_ms
    line_ms = _line_ages(known, before)
    recorded = with_files(known.says.requests, known.answers, has_log=_has_log(known))
    requests = inbox(reading, recorded, line_ms, seen, now_ms, known.goal.bullets)
    settled = _plan_settled(known, now_ms)
    plan = plan_now(
        known.says, known.todo.value, reading.blockers, requests, settled=settled, pi=known.pi
    )
    history = history_now(
        plan, known.says.plan, log.view, known.settings.log, known.todo, known.pi.history,
        known.commits,
    )  # fmt: skip
    log_origin = _origin(known.settings.log, log.seen_ms)
    agents_origin = _origin(AGENTS, known.agents.seen_ms)
    repo_origin = _origin(known.repo.path, known.repo.seen_ms)
    repo = known.repo.repo._replace(touched_ms=known.repo.touched_ms, goal_line_ms=line_ms)
    control = control_now(
        known.control, known.pause, known.agents, known.says, known.repo.touched_ms, now_ms
    )
    agents = agents_now(known.agents, requests, now_ms, control.handshake, control.stop, known.says)
    requests = completed(
        requests, plan.tasks, lambda request: asker_now(request, known.agents, now_ms)
    )
    blockers = blockers_now(reading.blockers, known.says.blockers)
    was = before or _nothing(root, now_ms)
    conformance = conformance_now(known.checked, known.history, was.conformance.value, now_ms)
    audit = _audit(known)
    made = SessionSnapshot(
        root=root,
        at_ms=now_ms,
        goal=_part(was.goal, reading, _of(document), document.stale_since_ms),
        plan=_part(was.plan, plan, *_plan_origin(plan, known)),
        inbox=_part(was.inbox, requests, None, document.stale_since_ms),
        control=_part(was.control, control, _of(known.control), known.control.stale_since_ms),
        agents=_part(was.agents, agents, agents_origin, None),
        events=_part(was.events, _events(known, now_ms), log_origin, log.stale_since_ms),
        repo=_part(was.repo, repo, repo_origin, known.repo.stale_since_ms),
        loops=_loops(was.loops, known.loops, audit, known.says.lifecycle, reading),
        audit=_part(was.audit, audit, log_origin, log.stale_since_ms),
        lifecycle=_part(was.lifecycle, *_lifecycle(known, log_origin)),
        recorded_blockers=_part(was.recorded_blockers, blockers, log_origin, log.stale_since_ms),
        conformance=_part(was.conformance, conformance, log_origin, log.stale_since_ms),
        graph=_part(was.graph, known.graph, log_origin, log.stale_since_ms),
        load=_part(was.load, known.says.load, log_origin, log.stale_since_ms),
        history=_part(was.history, history, *_plan_origin(plan, known)),
        continue_limit=known.settings.continue_limit if known.settings.continue_on else None,
        problems=tuple(_problems(known, plan, requests, now_ms)),
        sources=tuple(_sources(known)),
        watching=known.watching,
        roles=known.goal.roles,
    )
    if before is not None and replace(made, at_ms=before.at_ms) == before:
        return before
    return made


def _line_ages(known: Known, before: SessionSnapshot | None) -> Mapping[int, int]:
    """Since when the document's lines stand there.

    Of one written again since Git was asked, only those that say what they said before: the age of
    a question does not jump with every edit.
    """
    if known.repo.goal_written_ms == known.goal.look.changed_ms:
        return known.repo.repo.goal_line_ms
    if before is None:
        return {}
    return carried(before.repo.value.goal_line_ms, before.goal.value, known.goal.look.value)


def _audit(known: Known) -> Audit:
    """How the completion stands; what it is about is looked at only where there is a verdict."""
    says, running, reading = known.says, known.audit.running, known.goal.look.value
    goal = subject(says.lifecycle, has_document=reading.health != "MISSING")
    bound: Mapping[str, Any] = {}
    if says.audits.verdicts:
        from ppgp_tui.session.sources.audit import bound_now  # the start has no time for it

        bound = bound_now(reading, says, known.audit.code)
    return audit_now(says.audits, goal, says.lifecycle.claims, bound, running)


def _nothing(root: Path, now_ms: int) -> SessionSnapshot:
    """The picture before anything was read."""
    reading = GoalReading("", "MISSING", ())
    return SessionSnapshot(
        root, now_ms, Part(reading), Part(Plan()), Part(()), Part(Control()), Part(()),
        Part(Events()), Part(Repo()), Part(Loops()), Part(Audit()),
    )  # fmt: skip


def _part(before: Part[T], value: T, origin: Origin | None, stale: int | None) -> Part[T]:
    """The part, as it was where neither value nor standing changed."""
    if before.value != value:
        return Part(value, before.revision + 1, origin, stale)
    if before.origin != origin or before.stale_since_ms != stale:
        return replace(before, origin=origin, stale_since_ms=stale)
    return before


def _loops(
    before: Part[Loops], look: LoopsLook, audit: Audit, recorded: Lifecycle, reading: GoalReading
) -> Part[Loops]:
    loops = look.loops
    if any(loop.open and loop.here for loop in loops.seen):
        from ppgp_tui.session.picture.loop_verdict import with_verdict  # a start seldom has any

        goals = (recorded.id or recorded.settled, reading.path)
        loops = with_verdict(loops, audit, goals)
    return _part(before, loops, _origin(look.path, look.seen_ms), look.stale_since_ms)


def _of(look: Look[T]) -> Origin | None:
    return _origin(look.path, look.seen_ms)


def _origin(path: str, seen_ms: int | None) -> Origin | None:
    return None if seen_ms is None else Origin(path, seen_ms=seen_ms)


def _plan_settled(known: Known, now_ms: int) -> bool:
    """Whether log and `todo.json` were read, and had time to be written by one and the same act."""
    recorded, todo = known.says.plan, known.todo
    if recorded is None or todo.state != "found":
        return False
    written = max(known.log.changed_ms or 0, todo.changed_ms or 0)
    seen = max(recorded.origin.seen_ms, todo.seen_ms or 0)
    return now_ms - written >= SETTLE_MS or now_ms - seen >= SETTLE_MS


def _plan_origin(plan: Plan, known: Known) -> tuple[Origin | None, int | None]:
    recorded = known.says.plan
    if plan.source == "log" and recorded is not None:
        return recorded.origin, known.log.stale_since_ms
    if plan.source == "pi session":
        return _origin(known.pi.path, known.pi.seen_ms), None
    return _of(known.todo), known.todo.stale_since_ms


def _lifecycle(known: Known, origin: Origin | None) -> tuple[Lifecycle, Origin | None, int | None]:
    """The goal as the log has it; where the log never had one, as a Pi agent holds it."""
    recorded = known.says.lifecycle
    if recorded == Lifecycle() and known.pi.lifecycle is not None:
        return known.pi.lifecycle, _origin(known.pi.path, known.pi.seen_ms), None
    return recorded, origin, known.log.stale_since_ms


def _events(known: Known, now_ms: int) -> Events:
    journal = known.journal
    return replace(
        _events_read(known, now_ms),
        cut=None if journal.cut is None else len(journal.cut),
        cut_ms=journal.cut_ms,
        outbox=None if journal.outbox is None else len(journal.outbox),
    )


def _events_read(known: Known, now_ms: int) -> Events:
    log = known.log
    view = log.view
    if view is None:
        return Events(torn=log.torn, bytes=log.bytes)
    whole = log.state != "reading"
    pulse = known.says.pulse(now_ms) if whole else ()
    return Events(
        log=view,
        count=len(view),
        bytes=log.bytes,
        last=view.event(len(view) - 1) if len(view) else None,
        torn=log.torn,
        rewritten=log.rewritten,
        uncommitted=view.lines_from(known.journal.committed) if whole else None,
        phases=known.says.phases,
        pulse=pulse,
        per_hour=sum(pulse) if whole else None,
        names=ChainMap({f"user:{login()}": "you"}, known.says.names),  # type: ignore[arg-type]
    )


def _sources(known: Known) -> Iterator[SourceState]:
    for name, look in (("goal", known.goal.look), ("plan", known.todo)):
        yield SourceState(
            name, look.path, look.state, None, look.seen_ms, look.changed_ms, look.why
        )
    log = known.log
    yield SourceState(
        "events", known.settings.log, log.state, log.progress, log.seen_ms, log.changed_ms, log.why
    )
    control = known.control
    yield SourceState(
        "control", control.path, control.state, None, control.seen_ms, control.changed_ms,
        control.why,
    )  # fmt: skip
    agents = known.agents
    yield SourceState("agents", AGENTS, "found" if agents.found else "absent")
    repo = known.repo
    state = "unread" if repo.why else "found" if repo.found else "absent"
    if repo.seen_ms is None:
        state = "reading"
    yield SourceState("git", repo.path, state, why=repo.why)  # type: ignore[arg-type]


def _has_log(known: Known) -> bool:
    """Whether requests are recorded; unknown counts as yes."""
    log = known.log
    return log.state != "absent" or log.view is not None or log.seen_ms is None


def _problems(
    known: Known, plan: Plan, requests: tuple[Request, ...], now_ms: int
) -> Iterator[Problem]:
    yield from known.broken
    looks: tuple[Look[Any], ...] = (
        known.goal.look,
        known.todo,
        known.control,
        known.pause,
    )
    for look in looks:
        if look.state == "unread":
            yield Problem(look.code, look.path, look.line, look.why, look.mend)
    yield from pause_problems(known.control, known.pause, known.says, known.log.changed_ms, now_ms)
    yield from _log_problems(known, now_ms)
    yield from journal_problems(_known_beside(known), known.settings.log, now_ms)
    yield from known.goal.problems
    yield from _goal_problems(known)
    yield from plan_problems(plan, known.says, known.todo.value, known.todo.path, known.pi)
    yield from known.agents.problems
    recorded = {request.id: request for request in known.says.requests}
    yield from disk_problems(requests, recorded, known.answers, now_ms, has_log=_has_log(known))
    yield from known.repo.problems()
    yield from known.loops.problems
    yield from known.settings.problems


def _goal_problems(known: Known) -> Iterator[Problem]:
    """The document's goal is shown; that the log has another one is said beside it."""
    reading, recorded = known.goal.look.value, known.says.lifecycle.objective
    if goal_differs(reading.goal, recorded):
        text = f"the log's goal is another one: {recorded}"
        mend = "change the document, or the goal with `ppgp-tui goal tweak`"
        yield Problem("goal-differs", reading.path, reading.goal_line, text, mend)


def _known_beside(known: Known) -> JournalLook:
    """What lies beside the log; that a log nobody can read was not compared goes without saying."""
    journal = known.journal
    return journal._replace(unknown="") if known.log.state == "unread" else journal


def _log_problems(known: Known, now_ms: int) -> Iterator[Problem]:
    log, path = known.log, known.settings.log
    if log.code:
        yield Problem(log.code, path, None, log.why, log.mend)
    if log.rewritten is not None:
        line, lost = log.rewritten.line, log.rewritten.lost_lines
        gone = f"; {lost:,} {'line is' if lost == 1 else 'lines are'} gone" if lost else ""
        text = f"{path} was changed from line {line:,} on, not only appended to{gone}"
        yield Problem("log-rewritten", path, line, text, f"git diff -- {path}")
    if log.damaged is not None:
        first, more = log.damaged, log.damaged.lines - 1
        others = f", and {more:,} more like it" if more else ""
        text = f"{path} line {first.line:,} is no sound event: {first.why}{others}"
        yield Problem("log-line", path, first.line, text, "its writer is at fault; it is kept")
    if log.torn is not None and log.view is not None and now_ms - log.torn.since_ms >= TORN_MS:
        line = log.view.lines.number(len(log.view))
        text = f"{path} line {line:,} is cut off; waiting for the rest"
        yield Problem("log-torn", path, line, text, "if its writer is dead, add a line end")
