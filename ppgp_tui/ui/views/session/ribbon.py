"""The ribbon's list: what needs a person, what runs, what is done, the plan in numbers."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.loop_asks import asking_rows
from ppgp_tui.ui.views.inbox.requests import asked, row, waiting
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.tasks import plan_counts
from ppgp_tui.ui.views.room import found
from ppgp_tui.ui.views.session.now import now_rows
from ppgp_tui.ui.views.session.opened import opened_rows

_BAR = 10
"""Most cells of a bar; up to here one cell is one criterion."""


class RibbonView:
    """For you, Now, Done when, Plan, in as few columns as they can be read in."""

    name = "session"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """One list; a row that is opened takes its place."""
        width = frame.width
        if frame.opened:
            detail = opened_rows(snapshot, frame.opened, width, frame.look, frame.now_ms)
            if detail:
                return ((Pane("ribbon.detail", detail, width, about=frame.opened),),)
        parts = [
            _for_you(snapshot, frame),
            _now(snapshot, frame),
            _done_when(snapshot, frame.look),
            _plan(snapshot, frame.look),
        ]
        rows: list[Row] = []
        for part in filter(None, parts):
            rows += [blank(), *part] if rows and frame.density != "compact" else part
        return ((Pane("ribbon.list", found(rows, frame.filter), width, urgent_first=True),),)


def _for_you(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    requests, asking = waiting(snapshot, frame.order), asking_rows(snapshot, frame)
    if not requests and not asking:
        return []
    return [
        heading("For you"),
        *(
            row(
                request,
                Line((Span(asked(request)),), (), "for_you", "needs"),
                opens="answer" if request.is_open else "read",
            )
            if request.is_open
            else row(request, Line((Span(asked(request), "soft"),), (), "done", "ok"), opens="read")
            for request in requests
        ),
        *asking,
    ]


def _now(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    """What runs and what comes next, without the words that their signs say."""
    rows = now_rows(snapshot, frame.look, frame.now_ms, following=True)
    bare = [
        one._replace(lines=tuple(line._replace(right=()) for line in one.lines)) for one in rows
    ]
    return [heading("Now"), *bare[1:]]


def _done_when(snapshot: SessionSnapshot, look: Look) -> list[Row]:
    dod = snapshot.goal.value.dod
    if not dod:
        return []
    total = len(dod)
    done = sum(one.state == "done" for one in dod)
    claimed = sum(one.state == "claimed" for one in dod)
    room = min(total, _BAR)
    full = done if total <= _BAR or not done else max(1, done * room // total)
    bar = (
        Span(look.sign("bar_full") * full, "ok"),
        Span(look.sign("bar_empty") * (room - full), "soft"),
    )
    said = Span(f"{claimed} claim{'s' if claimed > 1 else ''}" if claimed else "", "soft")
    return [
        heading("Done when", right=(Span(f"{done}/{total}", "soft"),)),
        Row("", (Line(bar, (said,) if claimed else (), indent=1),)),
    ]


def _plan(snapshot: SessionSnapshot, look: Look) -> list[Row]:
    plan = snapshot.plan.value
    if not plan.tasks:
        return []
    counts = Line(plan_counts(graph_of(plan), look), indent=1)
    head = heading("Plan", right=(Span(f"{len(plan.tasks):,}", "soft"),))
    return [head, Row("", (counts,))]
