"""What is known of the task under the cursor: a block, or two lines where there is no room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ppgp_tui.session.model import Plan, SessionSnapshot, Task
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.looks.words import TASKS, task_word
from ppgp_tui.ui.rows.columns import to_left
from ppgp_tui.ui.rows.row import Line, Row, Span, heading
from ppgp_tui.ui.views.plan.dependencies import Graph, graph_of, unlocked
from ppgp_tui.ui.views.plan.nodes import BLOCKED, Looked
from ppgp_tui.ui.views.plan.stop import Stop, stop_words, stops_of
from ppgp_tui.ui.views.prose import LABEL, labelled, paragraph, wrapped

INDENT = 3
_MOST_LINES = 3
"""Lines in which the keys of a chain are named."""
NO_KEYS: Mapping[str, str] = MappingProxyType({})
_LOOKED_THROUGH = 200
"""Revisions in which the last change of a task is looked for; `B` looks through all of them."""
_MOST_NAMED = 8
"""Tasks named one by one in a line of the block."""


def detail_rows(
    snapshot: SessionSnapshot,
    looked: Looked,
    task: Task,
    width: int,
    look: Look,
    now_ms: int,
    keys: Mapping[str, str] = NO_KEYS,
    *,
    source: bool = True,
) -> list[Row]:
    """Everything known of `task`: needs, unlocks, what stops it, who touched it, what it says.

    `source`: also where the plan comes from.
    """
    plan = looked.plan
    graph, word = graph_of(plan), task_word(task)
    state, since = TASKS[task.state].text, age(task.changed_ms, now_ms)
    head = Line(
        (Span(f"{task.key}  ", "soft"), Span(task.subject, "ink", bold=True)),
        (Span(f"{state} {since}".rstrip(), word.role),),
        word.sign,
        word.role,
        cut="middle",
    )
    words, thing = f"{task.key} {task.subject}", looked.thing(task.key)
    rows = [Row(f"task:{task.key}", (head,), snapshot.plan.origin, words, thing=thing)]
    if len(one_line(task.subject)) + len(task.key) + len(state) + 12 > width:
        rows.append(paragraph(task.subject, width, indent=INDENT, key="subject"))
    rows.append(_spans_row("needs", needs(plan, graph, task, look), width))
    rows.append(labelled("unlocks", _unlocks(graph, task), width, indent=INDENT))
    stops = stops_of(snapshot, task)
    label = "stopped" if task.stopped_by else "blocker"
    rows += [_stopped(label, stop, width, keys) for stop in stops]
    if task.stopped_by and not stops:
        rows.append(labelled("stopped", _unnamed(task), width, indent=INDENT))
    rows.append(_last(snapshot, task, stops, keys, now_ms))
    if task.description:
        rows.append(labelled("says", task.description, width, indent=INDENT))
    if source and plan.source != "none":
        name = "the event log" if plan.source == "log" else plan.source
        revision = "" if plan.revision is None else f", r{plan.revision}"
        rows.append(labelled("from", name + revision, width, indent=INDENT))
    return rows


def fold_detail(folded: int, is_open: bool, width: int) -> list[Row]:
    """What the row of finished tasks stands for."""
    said = f"{folded} finished tasks that need nothing unfinished"
    head = Line((Span(f"{folded} done", "ink", bold=True),), sign="done", sign_role="ok")
    shown = "listed below, and drawn" if is_open else "not listed, and drawn as one"
    return [
        Row("", (head,)),
        labelled("these", said, width, indent=INDENT),
        labelled("shown", shown, width, indent=INDENT),
    ]


def brief_rows(
    snapshot: SessionSnapshot, plan: Plan, task: Task, look: Look, keys: Mapping[str, str]
) -> list[Row]:
    """Two lines for where there is no room for more: what stops it, then what it hangs on.

    The first one is blank for a task that nothing stops, so that the list keeps its place.
    """
    return [_stop_line(snapshot, task, keys), _hangs_on(plan, task, look, keys)]


def fold_brief(folded: int, is_open: bool, keys: Mapping[str, str]) -> list[Row]:
    """The same in two lines, the first one blank as it is for a task that nothing stops."""
    left = Span(f"{folded} done", "ink", bold=True), Span(" need nothing unfinished", "soft")
    key, does = keys.get("row.open", ""), "fold" if is_open else "unfold"
    right = (Span(key, "ink", bold=True), Span(f" {does}", "soft")) if key else ()
    return [Row("", (Line(),)), Row("", (Line(left, right, indent=1),))]


def needs(plan: Plan, graph: Graph, task: Task, look: Look, gap: str = "  ") -> list[Span]:
    """`T3 ✓  T4 ✓`, each sign in the colour of its state."""
    spans: list[Span] = []
    for key in task.depends_on:
        at = graph.place.get(key)
        spans.append(Span(f"{gap if spans else ''}{key} "))
        if at is None:
            spans.append(Span("not in the plan", "stop"))
        else:
            word = TASKS[plan.tasks[at].state]
            spans.append(Span(look.sign(word.sign), word.role, bold=True))
    return spans or [Span("nothing", "soft")]


def _spans_row(label: str, spans: list[Span], width: int) -> Row:
    """A label and coloured words; plain wrapped ones where they do not fit one line."""
    said = "".join(span.text for span in spans)
    if len(said) + INDENT + LABEL + 1 > width:
        return labelled(label, said, width, indent=INDENT)
    line = Line((*to_left(Span(label, "soft"), LABEL), *spans), indent=INDENT)
    return Row(f"about:{label}", (line,), copy=said)


def _unlocks(graph: Graph, task: Task) -> str:
    direct, later = unlocked(graph, task.key)
    if not direct:
        return "nothing"
    shown, more = later[:_MOST_NAMED], len(later) - _MOST_NAMED
    first = ", ".join(direct[:_MOST_NAMED])
    if rest := len(direct) - _MOST_NAMED:
        first += f" and {rest} more" if rest > 0 else ""
    then = f", then {', '.join(shown)}" if shown else ""
    return first + then + (" and more" if more > 0 else "")


def _stopped(label: str, stop: Stop, width: int, keys: Mapping[str, str]) -> Row:
    """Class, who is to act, and the very words; Enter goes to a request."""
    said = f"{stop_words(stop)}: {stop.text}"
    enter = keys.get("row.open", "") if stop.request else ""
    hint = (Span(enter, "ink", bold=True), Span(" reads it", "soft")) if enter else ()
    room = width - INDENT - LABEL - 1
    first = wrapped(said, room - (len(enter) + 11 if enter else 0))[0]
    rest = said[len(first) :].strip()
    lines = [first, *(wrapped(rest, room) if rest else ())]
    role: Role = "needs" if stop.who == "you" else "text"
    drawn = tuple(
        Line(
            (*to_left(Span("" if at else label, "soft"), LABEL), Span(line, role)),
            () if at else hint,
            indent=INDENT,
        )
        for at, line in enumerate(lines)
    )
    opens = "read it" if stop.request else ""
    key = f"stop:{stop.request or stop.text[:60]}"
    return Row(key, drawn, stop.origin, said, opens)


def _unnamed(task: Task) -> str:
    """What is known where no request and no blocker names the task."""
    if task.stopped_by == BLOCKED:
        return "its node in the log says so, not by what"
    klass, _, rest = (task.stopped_by or "").partition(" ")
    stop = Stop(klass, "", "you" if rest == "you" else f"until {rest}" if rest else "", None, None)
    return stop_words(stop)


def _last(
    snapshot: SessionSnapshot,
    task: Task,
    stops: list[Stop],
    keys: Mapping[str, str],
    now_ms: int,
) -> Row:
    """Who touched it last, as far as the picture knows, and the key that says it exactly."""
    asked = next((stop for stop in stops if stop.request and stop.asker), None)
    if asked is not None:
        since = age(asked.since_ms, now_ms)
        said = f"{asked.asker} asked{f' {since} ago' if since else ''}"
        if asked.origin is not None and asked.origin.line and asked.origin.path.endswith(".jsonl"):
            said += f", event {asked.origin.line:,}"
    else:
        said = _changed(snapshot, task, now_ms)
    key = keys.get("blame", "")
    hint = (Span(key, "ink", bold=True), Span(" blame", "soft")) if key else ()
    line = Line((*to_left(Span("last", "soft"), LABEL), Span(said)), hint, indent=INDENT)
    return Row("about:last", (line,), snapshot.plan.origin, said)


def _changed(snapshot: SessionSnapshot, task: Task, now_ms: int) -> str:
    """By whom and in which revision, where one of the last ones names the task; else only when."""
    revisions = snapshot.history.value.revisions
    for at in range(len(revisions) - 1, max(-1, len(revisions) - 1 - _LOOKED_THROUGH), -1):
        revision = revisions[at]
        if revision.exact and task.key in revision.keys:
            since = age(revision.ts_ms, now_ms)
            told = (revision.by, f"in {revision.name}", f"{since} ago" if since else "")
            return ", ".join(filter(None, told))
    since = age(task.changed_ms, now_ms)
    return f"changed {since} ago" if since else "no change recorded"


def _stop_line(snapshot: SessionSnapshot, task: Task, keys: Mapping[str, str]) -> Row:
    stops = stops_of(snapshot, task)
    if not task.stopped_by:
        return Row("", (Line(),))
    word = task_word(task)
    if not stops:
        said = (Span(_unnamed(task), word.role),)
        return Row("", (Line(said, sign=word.sign, sign_role=word.role),))
    stop = stops[0]
    left = (Span(f"{stop_words(stop)}: ", word.role), Span(stop.text))
    enter = keys.get("row.open", "") if stop.request else ""
    right = (Span(enter, "ink", bold=True),) if enter else ()
    return Row("", (Line(left, right, word.sign, word.role),))


def _hangs_on(plan: Plan, task: Task, look: Look, keys: Mapping[str, str]) -> Row:
    """`T8 needs T3 ✓ T4 ✓  unlocks T11 T12  B blame`."""
    graph = graph_of(plan)
    direct, later = unlocked(graph, task.key, limit=8)
    spans = [Span(task.key, "ink", bold=True)]
    if task.depends_on:
        spans += [Span(" needs ", "soft"), *needs(plan, graph, task, look, " ")]
    if direct:
        lead = "  unlocks " if task.depends_on else " unlocks "
        spans += [Span(lead, "soft"), Span(" ".join((*direct, *later)))]
    if not task.depends_on and not direct:
        spans.append(Span(" needs nothing and unlocks nothing", "soft"))
    key = keys.get("blame", "")
    hint = (Span(key, "ink", bold=True), Span(" blame", "soft")) if key else ()
    return Row("", (Line(tuple(spans), hint, indent=1),))


def chain_rows(keys: Sequence[str], width: int, look: Look) -> list[Row]:
    """The longest chain of what is left to do, with its length."""
    if len(keys) < 2:
        return []
    named, long = ", ".join(keys), (Span(f"{len(keys)} tasks", "soft"),)
    if len(named) + 26 <= width:
        return [heading("Longest chain", named, long)]
    said = wrapped(named, width - 4)
    if len(said) > _MOST_LINES:
        said = [*said[: _MOST_LINES - 1], f"{said[_MOST_LINES - 1]} {look.sign('cut')}"]
    lines = tuple(Line((Span(line),), indent=1) for line in said)
    return [heading("Longest chain", right=long), Row("", lines)]


def frees_rows(looked: Looked, most: Sequence[tuple[str, int]]) -> list[Row]:
    """The tasks whose end lets most others begin, each with how many wait for it."""
    if not most:
        return []
    plan = looked.plan
    graph = graph_of(plan)
    rows = [heading("Frees most when done")]
    for key, count in most:
        task = plan.tasks[graph.place[key]]
        word = task_word(task)
        left = (*to_left(Span(task.key, "soft"), graph.key_width + 1), Span(task.subject))
        right = (Span(f"{count} task{'' if count == 1 else 's'}", "soft"),)
        thing = looked.thing(task.key)
        line = Line(left, right, word.sign, word.role)
        rows.append(Row(f"frees:{task.key}", (line,), None, task.subject, "see it", thing))
    return rows
