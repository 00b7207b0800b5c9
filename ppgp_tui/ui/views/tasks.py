"""Tasks as rows: one line each, made when it is looked at, and all that is known of one task."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.session.blockers import in_the_way
from ppgp_tui.session.model import Plan, SessionSnapshot, Task
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.ages import age, when
from ppgp_tui.ui.columns import cut, state_and_age, to_left
from ppgp_tui.ui.look import Look
from ppgp_tui.ui.rows import Line, Row, RowsOnDemand, Span
from ppgp_tui.ui.views.graph import Graph, graph_of, unlocked
from ppgp_tui.ui.views.prose import labelled, paragraph
from ppgp_tui.ui.words import TASKS, stopped_words, task_word

STATE = 7
"""Cells of a task's state word; `running` and `for you` are the widest."""


def task_line(
    task: Task, key_width: int, look: Look, now_ms: int, *, roomy: bool = False, state: str = ""
) -> Line:
    """Sign, key, subject, state and age of `task`; `state` replaces its own state word."""
    word = task_word(task)
    text = cut(state or word.text, 12, look.sign("cut"))
    since = Span(when(task.changed_ms, now_ms), "soft")
    finished = task.state == "done"
    return Line(
        (
            *to_left(Span(task.key, "soft"), key_width),
            Span(" "),
            Span(task.subject, "soft" if finished else "text"),
        ),
        state_and_age(Span(text, word.role), since, STATE, roomy=roomy),
        word.sign,
        word.role,
    )


class TaskRows(RowsOnDemand):
    """Tasks of a plan as rows, each made when it is asked for."""

    def __init__(
        self,
        snapshot: SessionSnapshot,
        positions: Sequence[int],
        look: Look,
        now_ms: int,
        *,
        roomy: bool = False,
        opens: str = "",
    ) -> None:
        """`positions` says which tasks of the plan, in which order."""
        self._plan = snapshot.plan.value
        self._origin = snapshot.plan.origin
        self._graph = graph_of(self._plan)
        self._positions = positions
        self._look = look
        self._now_ms = now_ms
        self._roomy = roomy
        self._opens = opens

    def __len__(self) -> int:
        return len(self._positions)

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        at = self._positions[index]
        task, graph = self._plan.tasks[at], self._graph
        line = task_line(task, graph.key_width, self._look, self._now_ms, roomy=self._roomy)
        words = f"{task.key} {task.subject}"
        thing = f"node:todo:{task.key}"
        return Row(f"task:{graph.names[at]}", (line,), self._origin, words, self._opens, thing)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        at = self._graph.place.get(key.removeprefix("task:"))
        if at is None or isinstance(self._positions, range):
            return at
        return self._positions.index(at) if at in self._positions else None


def plan_counts(graph: Graph, look: Look) -> tuple[Span, ...]:
    """`✓4 ▸1 ▹1 ?1 ⊘2 ⋯3`: how many tasks are in each state; states nobody is in are left out."""
    spans: list[Span] = []
    for state in ("done", "running", "ready", "for_you", "blocked", "waits"):
        if number := graph.counts[state]:
            word = TASKS[state]
            spans.append(Span(f"{' ' if spans else ''}{look.sign(word.sign)}{number}", word.role))
    return tuple(spans)


def task_brief(plan: Plan, task: Task, look: Look) -> Row:
    """`T8 needs T3 ✓ T4 ✓  unlocks T11 T12` in one line, for where there is no room for more.

    Of a stopped one what stops it comes first, and of what it unlocks only what follows at once:
    `T8 C your answer  needs T3 ✓ T4 ✓  unlocks T11`.
    """
    graph = graph_of(plan)
    spans = [Span(task.key, "ink", bold=True)]
    if task.stopped_by:
        said = Span(f" {stopped_words(task.stopped_by)}".replace(",", ""), task_word(task).role)
        spans += [said, Span(" ")] if task.depends_on else [said]
    if task.depends_on:
        spans += [Span(" needs ", "soft"), Span(_needs(plan, graph, task, look, " "))]
    direct, later = unlocked(graph, task.key, limit=8)
    if direct:
        then = () if task.stopped_by else later
        spans += [Span("  unlocks ", "soft"), Span(" ".join((*direct, *then)))]
    if not task.depends_on and not direct and not task.stopped_by:
        spans.append(Span(" needs nothing and unlocks nothing", "soft"))
    return Row("", (Line(tuple(spans), indent=1),))


def task_detail(
    snapshot: SessionSnapshot, task: Task, width: int, look: Look, now_ms: int
) -> list[Row]:
    """Everything known of `task`: needs, unlocks, what stops it, its description, its origin."""
    plan, graph = snapshot.plan.value, graph_of(snapshot.plan.value)
    word = task_word(task)
    since = age(task.changed_ms, now_ms)
    state = TASKS[task.state].text
    head = Line(
        (Span(f"{task.key}  ", "soft"), Span(task.subject, "ink", bold=True)),
        (Span(f"{state} {since}".rstrip(), word.role),),
        word.sign,
        word.role,
    )
    indent = 3
    rows = [Row(f"task:{task.key}", (head,), snapshot.plan.origin, f"{task.key} {task.subject}")]
    if len(one_line(task.subject)) + len(task.key) + len(state) + 12 > width:
        rows.append(paragraph(task.subject, width, indent=indent, key="subject"))
    if task.depends_on:
        rows.append(labelled("needs", _needs(plan, graph, task, look, "  "), width, indent=indent))
    rows += _unlocks(graph, task, width, indent)
    rows += _stopped(snapshot, task, width, indent)
    if task.description:
        rows.append(labelled("says", task.description, width, indent=indent))
    source = {"log": "the event log", "todo.json": "todo.json"}.get(plan.source, "")
    if source:
        revision = "" if plan.revision is None else f", r{plan.revision}"
        rows.append(labelled("from", source + revision, width, indent=indent))
    return rows


def _needs(plan: Plan, graph: Graph, task: Task, look: Look, gap: str) -> str:
    shown = []
    for key in task.depends_on:
        at = graph.place.get(key)
        mark = "not in the plan" if at is None else look.sign(TASKS[plan.tasks[at].state].sign)
        shown.append(f"{key} {mark}")
    return gap.join(shown)


def _unlocks(graph: Graph, task: Task, width: int, indent: int) -> list[Row]:
    direct, later = unlocked(graph, task.key)
    if not direct:
        return []
    shown, more = later[:8], len(later) - 8
    then = f", then {', '.join(shown)}" if shown else ""
    rest = " and more" if more > 0 else ""
    return [labelled("unlocks", ", ".join(direct) + then + rest, width, indent=indent)]


def _stopped(snapshot: SessionSnapshot, task: Task, width: int, indent: int) -> list[Row]:
    """By whom, and the very question or blocker where one names this task as its scope."""
    named = [
        ("asked", request.question, request.origin)
        for request in snapshot.inbox.value
        if request.is_open and (request.scope == task.key or task.key in request.frees)
    ]
    named += [
        ("blocker", blocker.text, blocker.origin)
        for blocker in in_the_way(snapshot)
        if blocker.scope == task.key or task.key in blocker.tasks
    ]
    stop = stopped_words(task.stopped_by) if task.stopped_by else ""
    if any(label == "asked" for label, *_ in named):
        stop += " to a request"
    by = [("stopped", stop, None)] if task.stopped_by else []
    return [
        labelled(label, text, width, indent=indent, origin=origin)
        for label, text, origin in (*by, *named)
    ]
