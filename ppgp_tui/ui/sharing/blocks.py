"""What `C` copies: the thing under the cursor with all that belongs to it, as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ppgp_tui.session.model import Plan, Request, SessionSnapshot, Task
from ppgp_tui.ui.acts import lineage
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import REQUESTS, TASKS, plain, task_word
from ppgp_tui.ui.rows.row import Line, Row, Span, shown, words
from ppgp_tui.ui.seat.asking import request_in_hand
from ppgp_tui.ui.views.agents.agent_card import agent_card
from ppgp_tui.ui.views.inbox.requests import asked, class_words, reason_words
from ppgp_tui.ui.views.log.event_panes import DETAIL
from ppgp_tui.ui.views.plan.dependencies import graph_of, unlocked

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

CARD_WIDTH = 80
"""How wide what is known of an agent is laid out for a copy."""


def block(seat: Seat) -> str:
    """The whole of what is under the cursor; empty where there is nothing.

    A request with its options and answer, a task with what it needs and unlocks, an event as its
    line of the log, how a thing came about as a tree; of anything else all lines of its row.
    """
    snapshot, row = seat.snapshot, seat.row
    if seat.sheet is not None:
        request = request_in_hand(seat) if seat.sheet.kind == "card" else None
        rows = seat.sheet.rows.pile.rows
        return request_text(request) if request else rows_text(rows, seat.look)
    if row is None:
        return ""
    if seat.stay.focus == DETAIL:
        return _lineage(seat)
    kind, _, name = row.key.partition(":")
    if kind == "req":
        found = next((one for one in snapshot.inbox.value if one.id == name), None)
        return request_text(found) if found else rows_text([row], seat.look)
    if kind == "task":
        at = graph_of(snapshot.plan.value).place.get(name)
        plan = snapshot.plan.value
        return task_text(plan, plan.tasks[at]) if at is not None else rows_text([row], seat.look)
    if kind == "field" and (field := snapshot.goal.value.field_named(name)) is not None:
        return f"{field.heading}\n\n{field.text.strip()}"
    if kind == "agent":
        card = agent_card(snapshot, row.key, CARD_WIDTH, seat.frame())
        return rows_text(card or [row], seat.look)
    return _event_line(snapshot, row.thing) or rows_text([row], seat.look)


def request_text(request: Request) -> str:
    """A request, all that bears on it, and what became of it."""
    return "\n".join(_request(request))


def task_text(plan: Plan, task: Task) -> str:
    """A task, its state, what it needs and what it unlocks."""
    return "\n".join(_task(plan, task))


def rows_text(rows: Iterable[Row], look: Look) -> str:
    """Rows as the screen shows them, uncut."""
    return "\n".join(_line(line, look) for row in rows for line in row.lines or (Line(),)).strip(
        "\n"
    )


def _lineage(seat: Seat) -> str:
    """How a thing came about as the tree that is shown, and an event's line as the log has it."""
    rows = list(seat.stay.lists[DETAIL].pile.rows)
    line = _event_line(seat.snapshot, lineage.shown(seat))
    if not line:
        return rows_text(rows, seat.look)
    itself = (at for at, row in enumerate(rows) if not row.key and words(row).startswith("The "))
    tree = rows_text(rows[: next(itself, len(rows))], seat.look)
    return f"{tree}\n\n{line}"


def _request(request: Request) -> Iterator[str]:
    yield asked(request)
    scope = f"scope {request.scope}" if request.scope else ""
    asker = f"asked by {request.asker}" if request.asker else ""
    state = REQUESTS[request.state].text
    yield ", ".join(filter(None, (class_words(request.klass), scope, asker, state)))
    if request.why:
        yield from ("", request.why)
    if request.tool or request.tool_input:
        yield from ("", f"would call {request.tool or 'a tool'}", request.tool_input or "")
    if request.for_session:
        yield from ("", "may be allowed for the session as well", *request.for_session)
    if request.options:
        yield ""
    for option in request.options:
        detail = f": {option.detail}" if option.detail else ""
        advised = " (advised)" if option.key == request.recommended else ""
        yield f"{option.key}  {option.label}{detail}{advised}"
    facts = list(_facts(request))
    yield from ["", *facts] if facts else []


def _facts(request: Request) -> Iterator[str]:
    if request.irreversible:
        yield "cannot be undone"
    if request.frees:
        then = f", then {', '.join(request.frees_then)}" if request.frees_then else ""
        yield f"frees {', '.join(request.frees)}{then}"
    if request.evidence:
        yield f"evidence {', '.join(request.evidence.splitlines())}"
    if (answer := request.answer) is not None:
        words = answer.text or (answer.option or "").replace("_", " ")
        yield f"answer {words}, by {answer.by.removeprefix('user:')}"
        if answer.note:
            yield f"note {answer.note}"
    if request.reason:
        yield f"because {reason_words(request)}"
    if request.origin is not None:
        line = f":{request.origin.line}" if request.origin.line else ""
        yield f"asked in {request.origin.path}{line}"
    yield f"{request.id}, digest {request.digest}"


def _task(plan: Plan, task: Task) -> Iterator[str]:
    states = {one.key: TASKS[one.state].text for one in reversed(plan.tasks)}
    yield f"{task.key} {plain(task.subject)}"
    word = task_word(task)
    yield f"state {TASKS[task.state].text}" + (f", {word.text}" if task.stopped_by else "")
    needs = (f"{key} ({states.get(key, 'not in the plan')})" for key in task.depends_on)
    yield f"needs {', '.join(needs) or 'nothing'}"
    direct, later = unlocked(graph_of(plan), task.key)
    then = f", then {', '.join(later)}" if later else ""
    yield f"unlocks {', '.join(direct) or 'nothing'}{then}"
    if task.description:
        yield from ("", task.description)


def _event_line(snapshot: SessionSnapshot, thing: str) -> str:
    """The event's line as it stands in the log; empty for what is no event."""
    kind, _, index = thing.partition(":")
    log = snapshot.events.value.log
    if kind != "event" or log is None or not index.isdigit() or int(index) >= len(log):
        return ""
    return log.raw(int(index)).decode("utf-8", "replace")


def _line(line: Line, look: Look) -> str:
    sign = look.sign(line.sign) if line.sign else ""
    left, right = _words((*line.left, *_gap(line), *line.columns)), _words(line.right)
    before = f"{sign} " if sign else " " * max(0, line.indent - 1)
    return f"{before}{left}{'  ' + right.strip() if right.strip() else ''}".rstrip()


def _gap(line: Line) -> tuple[Span, ...]:
    return (Span("  "),) if line.columns else ()


def _words(spans: Iterable[Span]) -> str:
    return "".join(shown(span) for span in spans)
