"""The whole of what a row of the session stands for, shown when it is opened."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import Criterion
from ppgp_tui.session.model import Origin, SessionSnapshot
from ppgp_tui.session.picture.blockers import InTheWay, in_the_way
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.audit_words import is_verified
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import criterion_word, plain
from ppgp_tui.ui.rows.columns import state_and_age
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.inbox.request_card import request_detail
from ppgp_tui.ui.views.inbox.requests import class_words
from ppgp_tui.ui.views.log.event_detail import event_detail
from ppgp_tui.ui.views.log.event_rows import log_path
from ppgp_tui.ui.views.past import as_committed, committed_rows, in_commit
from ppgp_tui.ui.views.plan.dependencies import graph_of
from ppgp_tui.ui.views.plan.detail import detail_rows
from ppgp_tui.ui.views.plan.nodes import Looked
from ppgp_tui.ui.views.prose import labelled, paragraph
from ppgp_tui.ui.views.session.phases import history_rows

_READ_IN = {
    "box": "its checkbox",
    "word": "its own words",
    "column": "the column beside it",
    "cross-reference": "another field that names it",
}


def opened_rows(
    snapshot: SessionSnapshot, key: str, width: int, look: Look, now_ms: int
) -> list[Row]:
    """Return everything known of the row with `key`; empty when it is no longer there."""
    kind, _, name = key.partition(":")
    if kind == "req":
        for request in snapshot.inbox.value:
            if request.id == name:
                return request_detail(request, width, now_ms)
    if kind in ("task", "now"):
        at = graph_of(snapshot.plan.value).place.get(name)
        if at is not None:
            plan = snapshot.plan.value
            return detail_rows(snapshot, Looked(plan), plan.tasks[at], width, look, now_ms)
    if kind == "dod":
        for criterion in as_committed(snapshot).goal.value.dod:
            if str(criterion.number) == name:
                rows = _criterion(as_committed(snapshot), criterion, width, now_ms)
                return in_commit([*rows, *committed_rows(snapshot, width)], snapshot)
    if kind == "blocker" and name.isdecimal():
        blockers = in_the_way(snapshot)
        if 0 < int(name) <= len(blockers):
            return _blocker(blockers[int(name) - 1], width)
    if kind == "event":
        return _event(snapshot, name, width, look, now_ms)
    if kind == "next":
        return _next(snapshot, width)
    if kind in ("phase", "quiet"):
        return _phase(snapshot, width, now_ms)
    return []


def _event(snapshot: SessionSnapshot, name: str, width: int, look: Look, now_ms: int) -> list[Row]:
    log = snapshot.events.value.log
    if log is None or not name.isdecimal() or int(name) >= len(log):
        return []
    names, path = snapshot.events.value.names, log_path(snapshot)
    return event_detail(log, log.event(int(name)), names, width, path, look, now_ms)


def _criterion(
    snapshot: SessionSnapshot, criterion: Criterion, width: int, now_ms: int
) -> list[Row]:
    path = snapshot.goal.value.path
    verified = snapshot.moment is None and is_verified(snapshot.audit.value)
    word = criterion_word(criterion.state, verified=verified)
    origin = Origin(path, criterion.line)
    since = when(snapshot.repo.value.goal_line_ms.get(criterion.line), now_ms)
    state = state_and_age(Span(word.text, word.role), Span(since, "soft"), age_width=len(since))
    title = Line((Span(f"Criterion {criterion.number}", "soft"),), state, word.sign, word.role)
    rows = [
        Row(f"dod:{criterion.number}", (title,), origin, criterion.text),
        paragraph(plain(criterion.text), width, "ink", key="text", indent=3, bold=True),
        blank(),
    ]
    if criterion.state_source:
        rows.append(labelled("state in", _READ_IN[criterion.state_source], width, indent=3))
    else:
        rows.append(labelled("state", "the document does not say", width, indent=3))
    for number, item in enumerate(criterion.evidence):
        place = Origin(path, item.line)
        text = f"{plain(item.text)}, line {item.line}"
        label = "" if number else "evidence"
        rows.append(labelled(label, text, width, indent=3, origin=place))
    if not criterion.evidence:
        rows.append(labelled("evidence", "none in the document", width, indent=3))
    return [*rows, labelled("from", f"{path}:{criterion.line}", width, indent=3, origin=origin)]


def _blocker(blocker: InTheWay, width: int) -> list[Row]:
    origin = blocker.origin
    words = class_words(blocker.klass or "")
    if blocker.inferred:
        words += ", inferred from its wording"
    title = Line((Span("Blocker", "soft"),), (Span(words, "stop"),), "blocked", "stop")
    rows = [
        Row("blocker", (title,), origin, blocker.text),
        paragraph(plain(blocker.text), width, "ink", key="text", indent=3, bold=True),
        blank(),
    ]
    stops = blocker.scope or "no scope is named"
    place = f"{origin.path}:{origin.line}" if origin and origin.line else origin and origin.path
    facts = (
        ("stops", stops),
        ("until", blocker.until),
        ("raised by", blocker.actor),
        ("from", place),
    )
    rows += [labelled(label, text, width, indent=3, origin=origin) for label, text in facts if text]
    return rows


def _next(snapshot: SessionSnapshot, width: int) -> list[Row]:
    goal = snapshot.goal.value
    action = goal.next_action
    if action is None:
        return []
    origin = Origin(goal.path, action.line)
    can = "an agent can take it today" if action.executable_now else "it waits"
    rows = [
        heading("Next executable action"),
        paragraph(plain(action.text), width, "ink", key="text", bold=True, origin=origin),
        blank(),
        labelled("now", can, width, origin=origin),
    ]
    if action.waits_for:
        rows.append(labelled("waits for", action.waits_for, width, origin=origin, column=10))
    return [*rows, labelled("from", f"{goal.path}:{action.line}", width, origin=origin)]


def _phase(snapshot: SessionSnapshot, width: int, now_ms: int) -> list[Row]:
    """What the document says of the phase, and the phases seen, the newest first."""
    goal = snapshot.goal.value
    origin = Origin(goal.path, goal.phase_line)
    rows = [heading("Phase", right=(Span(goal.phase or "not one of the seven words", "soft"),))]
    if goal.phase_raw:
        rows.append(labelled("says", goal.phase_raw, width, origin=origin))
    if goal.phase is None and goal.phase_inferred:
        rows.append(labelled("inferred", goal.phase_inferred, width, origin=origin))
    if goal.phase_line:
        rows.append(labelled("from", f"{goal.path}:{goal.phase_line}", width, origin=origin))
    return [*rows, *history_rows(snapshot, width, now_ms)]
