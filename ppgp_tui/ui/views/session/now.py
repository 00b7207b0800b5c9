"""Now: what is being worked on, what comes next, in which phase, at what pace."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import NOTHING_LEFT
from ppgp_tui.session.model import Agent, Events, Origin, SessionSnapshot
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import AGENTS, plain
from ppgp_tui.ui.rows.columns import cut
from ppgp_tui.ui.rows.row import GUTTER, Line, Row, Span, heading
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.tasks import task_line
from ppgp_tui.ui.views.session.phases import lasted, quiet_rows, spent

PHASES = ("THINK", "FREEZE", "EXECUTE", "HARDEN", "SHIP", "DISTILL", "CLOSED")
"""The lifecycle (PPGP reference section 3)."""
_RIBBON_WITH_AGES = 72
_RUNNING_SHOWN = 3


def now_rows(snapshot: SessionSnapshot, look: Look, now_ms: int, *, following: bool) -> list[Row]:
    """Who works on what; `following` adds what comes next even while something runs."""
    plan, graph = snapshot.plan.value, graph_of(snapshot.plan.value)
    running = [at for at in graph.urgent if plan.tasks[at].state == "running"]
    rows = [heading("Now", _who(snapshot, now_ms))]
    rows += [_task(snapshot, at, look, now_ms) for at in running[:_RUNNING_SHOWN]]
    if len(running) > _RUNNING_SHOWN:
        rows.append(_soft(f"and {len(running) - _RUNNING_SHOWN} more running"))
    if running and not following:
        return rows
    ready = next((at for at in graph.urgent if plan.tasks[at].state == "ready"), None)
    if ready is not None:
        rows.append(_task(snapshot, ready, look, now_ms, state="next"))
    elif (action := _next_action(snapshot)) is not None:
        rows.append(action)
    elif not running and snapshot.moment is not None:
        rows.append(_soft("no task was running, the next action is not recorded"))
    elif not running:
        rows.append(_soft("no task is running" if plan.tasks else "no next action is named"))
    return rows


def _task(snapshot: SessionSnapshot, at: int, look: Look, now_ms: int, state: str = "") -> Row:
    plan = snapshot.plan.value
    task = plan.tasks[at]
    line = task_line(task, 2, look, now_ms, state=state)
    key = f"now:{graph_of(plan).names[at]}"
    words, thing = f"{task.key} {task.subject}", f"node:todo:{task.key}"
    return Row(key, (line,), snapshot.plan.origin, words, "read", thing)


def _who(snapshot: SessionSnapshot, now_ms: int) -> str:
    """The agent heard of last among those that work, else the state of the first present.

    The agent of a loop need not be connected: then the loop is who works.
    """
    present = [agent for agent in snapshot.agents.value if agent.state not in ("ended", "gone")]
    working = [agent for agent in present if agent.state == "working"]
    if working:
        agent = max(working, key=lambda found: found.contact_ms or 0)
        more = f", and {len(working) - 1} more" if len(working) > 1 else ""
        tool = f", {agent.last_tool}" if agent.last_tool else ""
        return f"{_name(agent)}{tool}{more}"
    if not present and (loops := _loops(snapshot)):
        return loops
    if not present:
        return "no agent connected" if snapshot.moment is None else "no agent recorded"
    agent = present[0]
    since = age(agent.since_ms, now_ms)
    return f"{_name(agent)}, {AGENTS[agent.state].text} {since}".rstrip()


def _loops(snapshot: SessionSnapshot) -> str:
    """The restart loop whose agent works here, or how many do; empty where none is known to."""
    working = [
        loop for loop in snapshot.loops.value.here
        if loop.open and loop.phase == "running" and loop.runner.state == "alive"
    ]  # fmt: skip
    if len(working) > 1:
        return f"{len(working)} loops at work"
    if not working:
        return ""
    from ppgp_tui.ui.views.agents.loop_words import run_of  # a first picture seldom has any

    return "".join(f"loop {one_line(loop.name)}, {run_of(loop)}" for loop in working)


def _name(agent: Agent) -> str:
    return agent.agent or agent.session


def _next_action(snapshot: SessionSnapshot) -> Row | None:
    """The next step as the document names it, and whether an agent could take it today."""
    goal = snapshot.goal.value
    action = goal.next_action
    if action is None or not action.text.strip():
        return None
    left = action.waits_for != NOTHING_LEFT
    word = "next" if action.executable_now else "waits" if left else "nothing left"
    line = Line(
        (Span(plain(action.text)),),
        (Span(word, "ink" if action.executable_now else "soft"),),
        "ready" if action.executable_now else "waits" if left else "unknown",
        "ink" if action.executable_now else "soft",
    )
    return Row("next", (line,), Origin(goal.path, action.line), action.text, "read")


def phase_rows(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> list[Row]:
    """The lifecycle with the current phase, and under it the pulse of the log."""
    events = snapshot.events.value
    with_ages = _fits_with_ages(snapshot, width, look, now_ms)
    known = snapshot.goal.value.health != "MISSING" or snapshot.moment is not None
    rows = [_ribbon(snapshot, width, look, now_ms, with_ages)] if known else []
    if events.log is None and not events.count:
        return rows
    since = _phase_age(events, snapshot.goal.value.phase, now_ms)
    last = age(events.last.ts_ms if events.last else None, now_ms)
    if with_ages:
        right = f"last event {last} ago" if last else ""
    else:
        right = f"{snapshot.goal.value.phase} {since}" if since else ""
    rate = events.per_hour
    said = "" if rate is None else f"  {rate} event{'' if rate == 1 else 's'}/h"
    left = (*_pulse(events, 18 if width < 60 else 32, look), Span(said, "soft"))
    rows.append(Row("", (Line(left, (Span(right, "soft"),), indent=1),)))
    return [*rows, *quiet_rows(snapshot, width, now_ms)]


def _ribbon(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int, with_ages: bool) -> Row:
    goal = snapshot.goal.value
    origin = Origin(goal.path, goal.phase_line)
    if goal.phase not in PHASES:
        words = _phase_in_words(snapshot, width, look)
        return Row("phase", (Line(words, sign="unknown"),), origin, goal.phase_raw or "", "read")
    steps = _steps(snapshot, look, now_ms, with_ages)
    return Row("phase", (Line(tuple(steps), indent=1),), origin, goal.phase, "history")


def _fits_with_ages(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> bool:
    """Whether there is room to say how long every phase took."""
    steps = _steps(snapshot, look, now_ms, with_ages=True)
    return width >= _RIBBON_WITH_AGES and sum(len(step.text) for step in steps) <= width - 2


def _steps(snapshot: SessionSnapshot, look: Look, now_ms: int, with_ages: bool) -> list[Span]:
    """The phases one after the other, with how long each took or without."""
    goal, events = snapshot.goal.value, snapshot.events.value
    been = {span.phase for span in events.phases if span.until_ms is not None}
    steps: list[Span] = []
    for phase in PHASES if goal.phase == "CLOSED" else PHASES[:-1]:
        if steps:
            steps.append(Span("   " if with_ages else " "))
        blank = " " if with_ages else ""
        if phase == goal.phase:
            steps.append(Span(look.sign("running") + blank, "run", bold=True))
            steps.append(Span(phase, "ink", bold=True))
            age_now = _phase_age(events, phase, now_ms)
            steps.append(Span(f" {age_now}" if with_ages and age_now else "", "run"))
        elif phase in been and not _is_ahead(phase, goal.phase):
            tick = look.sign("done") if with_ages or not look.ascii else " "
            steps.append(Span(tick + blank, "ok"))
            steps.append(Span(phase.lower(), "text" if with_ages else "soft"))
            took = spent(events.phases, phase, left=False)
            steps.append(Span(f" {took}" if with_ages and took else "", "soft"))
        else:
            took = spent(events.phases, phase, left=True) if with_ages else ""
            words = f"{phase.lower()} {took}".rstrip()
            steps.append(Span(words if with_ages else f" {words}", "soft"))
    return steps


def _is_ahead(phase: str, current: str | None) -> bool:
    """Whether `phase` comes after the current one: if it was seen, a step back led out of it."""
    return current in PHASES and PHASES.index(phase) > PHASES.index(current)


def _phase_in_words(snapshot: SessionSnapshot, width: int, look: Look) -> tuple[Span, ...]:
    """What the document says where it names no phase of the lifecycle."""
    goal, mark = snapshot.goal.value, look.sign("cut")
    raw, room = goal.phase_raw or "", width - GUTTER - 1
    if goal.phase_inferred:
        said = ", inferred"
        if raw.strip():
            left = room - len(f'{goal.phase_inferred}{said} from ""')
            said += f' from "{cut(raw, max(8, left), mark)}"'
        return (Span(goal.phase_inferred, "ink", bold=True), Span(said, "soft"))
    if raw.strip():
        return (Span("phase ", "soft"), Span(raw, "ink", bold=True))
    return (Span("no phase named" if snapshot.moment is None else "phase not recorded", "soft"),)


def _phase_age(events: Events, phase: str | None, now_ms: int) -> str:
    """How long the current phase lasts, where the log or the app has seen it begin."""
    span = events.phases[-1] if events.phases else None
    if span is None or span.phase != phase or span.until_ms is not None:
        return ""
    return lasted(events.phases, phase, now_ms)


def _pulse(events: Events, room: int, look: Look) -> tuple[Span, ...]:
    """Events of the last minutes as a row of blocks, the newest one bright."""
    shown = events.pulse[-room:]
    if not shown:
        return ()
    most = max(1, *shown)
    blocks = "".join(look.spark(0 if not n else 1 + n * 5 // most) for n in shown)
    return (Span(blocks[:-1], "edge"), Span(blocks[-1], "run"))


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1),))
