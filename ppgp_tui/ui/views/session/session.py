"""View 1: the whole session in one look, what needs a person on top."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.layout import GAP, Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.agent_row import WAITS, agent_row, waits_elsewhere
from ppgp_tui.ui.views.agents.loop_asks import ASKS, asking_rows
from ppgp_tui.ui.views.inbox.requests import asking_row, waiting
from ppgp_tui.ui.views.log.event_rows import EventRows, log_path
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.tasks import TaskRows, no_tasks, plan_counts
from ppgp_tui.ui.views.room import ROOMY_HEIGHT, THREE_COLUMNS, TWO_COLUMNS, found, split
from ppgp_tui.ui.views.session.done_when import blocked_rows, done_when_rows
from ppgp_tui.ui.views.session.now import now_rows, phase_rows

_FIRST, _SECOND = 58, 50
"""Widths of the first two of three columns; the third takes the rest."""
_EVENTS_SHOWN = 12
_EVIDENCE_FROM = 72


class SessionView:
    """For you, Now, phase and pulse, Done when, Blocked, Plan, Agents, Loops, Events."""

    name = "session"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return one, two or three columns; a row that is opened takes the last ones."""
        if is_empty(snapshot):
            from ppgp_tui.ui.views.session.empty import empty_layout

            return empty_layout(snapshot, frame)
        if frame.width < TWO_COLUMNS:
            return (_one_column(snapshot, frame),)
        if frame.width < THREE_COLUMNS:
            left, right = split(frame.width, 0.55)
        else:
            left, right = _FIRST, frame.width - _FIRST - GAP
        first = _main_pane(_shown(_main(snapshot, frame, left), frame), left)
        if frame.opened and (detail := _opened(snapshot, frame, right)):
            return ((first,), (detail,))
        if frame.width < THREE_COLUMNS:
            side = [*_side(snapshot, frame, right), *_events(snapshot, frame, right)]
            return ((first,), (Pane("session.side", _shown(side, frame), right),))
        side = _shown(_side(snapshot, frame, _SECOND), frame)
        second = Pane("session.side", side, _SECOND)
        return ((first,), (second,), _all_events(snapshot, frame, right - _SECOND - GAP))


def is_empty(snapshot: SessionSnapshot) -> bool:
    """No goal document, no log, no plan: nothing a session could be made of."""
    events = snapshot.events.value
    return (
        snapshot.goal.value.health == "MISSING"
        and snapshot.plan.value.source == "none"
        and snapshot.lifecycle.value.source == "log"
        and events.log is None
        and events.count == 0
        and not snapshot.inbox.value
        and not snapshot.agents.value
    )


def _main_pane(rows: list[Row], width: int) -> Pane:
    return Pane("session.main", rows, width, urgent_first=True)


def _one_column(snapshot: SessionSnapshot, frame: Frame) -> tuple[Pane, ...]:
    if frame.opened and (detail := _opened(snapshot, frame, frame.width)):
        return (detail,)
    rows = [
        *_main(snapshot, frame, frame.width),
        *_section(_side(snapshot, frame, frame.width)),
        *_events(snapshot, frame, frame.width),
    ]
    return (_main_pane(_shown(rows, frame), frame.width),)


def _shown(rows: list[Row], frame: Frame) -> list[Row]:
    """The rows with what is looked for, and as dense as the person wants them."""
    kept = found(rows, frame.filter)
    return [row for row in kept if row != blank()] if frame.density == "compact" else kept


def _opened(snapshot: SessionSnapshot, frame: Frame, width: int) -> Pane | None:
    key = frame.opened or ""
    if key.startswith(("agent:", WAITS)):
        from ppgp_tui.ui.views.agents.agent_card import agent_card  # a start opens none

        rows = agent_card(snapshot, f"agent:{key.partition(':')[2]}", width, frame)
    elif key.startswith(("loop:", ASKS)):
        from ppgp_tui.ui.views.agents.loop_card import loop_card

        rows = loop_card(snapshot, f"loop:{key.partition(':')[2]}", width, frame)
    else:
        from ppgp_tui.ui.views.session.opened import opened_rows

        rows = opened_rows(snapshot, key, width, frame.look, frame.now_ms)
    return Pane("session.detail", rows, width, about=key) if rows else None


def _section(rows: list[Row]) -> list[Row]:
    return [blank(), *rows] if rows else []


def _main(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """What a person must know first."""
    roomy = frame.height >= ROOMY_HEIGHT
    evidence = frame.width < TWO_COLUMNS and width >= _EVIDENCE_FROM
    look, now_ms = frame.look, frame.now_ms
    return [
        *_for_you(snapshot, frame, most=6 if roomy else 3),
        *_section(now_rows(snapshot, look, now_ms, following=roomy)),
        *_section(phase_rows(snapshot, width, look, now_ms)),
        *_section(done_when_rows(snapshot, width, look, now_ms, evidence=evidence)),
        *_section(blocked_rows(snapshot, look, now_ms)),
    ]


def _for_you(snapshot: SessionSnapshot, frame: Frame, most: int) -> list[Row]:
    """The requests that wait, one of them with its second line, or one soft line in their place."""
    requests = waiting(snapshot, frame.order)
    elsewhere = [*asking_rows(snapshot, frame), *waits_elsewhere(snapshot, frame)]
    if not requests and elsewhere:
        return [heading("For you"), *elsewhere]
    if not requests:
        return [Row("", (Line((Span("nothing waits for you", "soft"),), indent=1),))]
    freed = {key for request in requests if request.is_open for key in request.frees}
    note = f"answers free {count(len(freed), 'task')}" if freed else ""
    under = frame.cursor.get("session.main", "")
    shown = requests[:most]
    keys = [f"req:{request.id}" for request in shown]
    expanded = under if under in keys else keys[0]
    rows = [heading("For you", right=(Span(note, "soft"),))]
    between = [blank()] if frame.density == "roomy" else []
    for key, request in zip(keys, shown, strict=True):
        rows += [] if key == keys[0] else between
        rows.append(asking_row(request, frame, expanded=key == expanded))
    if more := len(requests) - len(shown):
        rows.append(_more(f"{more} more in the inbox"))
    return [*rows, *elsewhere]


def _side(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The plan, what changed in it since the person last looked, agents and loops."""
    return [
        *_plan(snapshot, frame, width),
        *_section(_since(frame, width)),
        *_section(_agents(snapshot, frame)),
        *_section(_loops(snapshot, frame)),
        *_section(_audit(snapshot, frame, width)),
    ]


def _loops(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    if not snapshot.loops.value.here:
        return []
    from ppgp_tui.ui.views.agents.loop_rows import loops_brief  # a first picture seldom has any

    return loops_brief(snapshot, frame)


def _since(frame: Frame, width: int) -> list[Row]:
    if frame.since is None:
        return []
    from ppgp_tui.ui.views.plan.revision_rows import since_rows  # a start knows of no look

    return since_rows(frame.since, width, frame.now_ms)


def _plan(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The tasks, those that matter now on top; a long plan is cut from its end."""
    plan, graph = snapshot.plan.value, graph_of(snapshot.plan.value)
    if not plan.tasks:
        return no_tasks(snapshot)
    roomy = 60 <= width == frame.width
    tasks = graph.urgent[: max(12, frame.height // 2)]
    rows = TaskRows(snapshot, tasks, frame.look, frame.now_ms, roomy=roomy, opens="read")
    more = len(graph.urgent) - len(tasks)
    return [
        heading("Plan", count(len(plan.tasks), "task"), plan_counts(graph, frame.look)),
        *rows,
        *([_more(f"{more} more in the plan")] if more else []),
        *_graph(snapshot, frame, width),
    ]


def _graph(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The plan as keys where there is a column to spare for it."""
    if frame.width < THREE_COLUMNS:
        return []
    from ppgp_tui.ui.views.plan.small import small_graph  # narrower screens need none

    return small_graph(snapshot, frame, width)


def _agents(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    present = [agent for agent in snapshot.agents.value if agent.state not in ("ended", "gone")]
    if not present:
        return []
    names = max(len(agent.agent or agent.session) for agent in present)
    rows = [agent_row(agent, min(names, 12), frame.now_ms, short=True) for agent in present]
    time: list[Row] = []
    if frame.width >= THREE_COLUMNS:
        from ppgp_tui.ui.views.session.your_time import your_time_brief

        time = your_time_brief(snapshot, frame.now_ms)
    head = heading("Agents", right=(Span(str(len(present)), "soft"),))
    return [head, *rows, *_section(time)]


def _audit(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """Where the audit stands, where there is a column to spare for it."""
    if frame.width < THREE_COLUMNS:
        return []
    from ppgp_tui.ui.views.audit.brief import audit_brief  # narrower screens need none

    return audit_brief(snapshot, frame, width)


def _event_rows(snapshot: SessionSnapshot, frame: Frame, width: int) -> EventRows | None:
    log = snapshot.events.value.log
    if log is None or not len(log):
        return None
    return EventRows(
        log, snapshot.events.value.names, frame.look, frame.now_ms, min(width, 60),
        log_path(snapshot), opens="read",
    )  # fmt: skip


def _events(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The newest events at the end of a column, without the graph changes that go with them."""
    log = snapshot.events.value.log
    rows = _event_rows(snapshot, frame, width)
    if log is None or rows is None:
        return []
    newest = range(len(log) - 1, max(-1, len(log) - 1 - 4 * _EVENTS_SHOWN), -1)
    telling = [at for at in newest if log.event(at).kind != "state.ops_applied"]
    shown = [rows[len(log) - 1 - at] for at in telling[:_EVENTS_SHOWN]]
    head = heading("Events", right=(Span(f"{len(rows):,}", "soft"),))
    return [blank(), head, *shown]


def _all_events(snapshot: SessionSnapshot, frame: Frame, width: int) -> tuple[Pane, ...]:
    """All events in a column of their own."""
    rows = _event_rows(snapshot, frame, width)
    if rows is None:
        said = Row("", (Line((Span("no events yet", "soft"),), indent=1),))
        return (Pane("session.events", [heading("Events"), said], width),)
    newer = frame.newer.get("session.events")
    note = f"{len(rows):,}" if newer is None else f"{newer:,} newer, G"
    head = [heading("Events", right=(Span(note, "soft"),))]
    return (
        Pane("session.events.head", head, width, height=1),
        Pane("session.events", rows, width, uniform=True, newest_first=True),
    )


def _more(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),)),))
