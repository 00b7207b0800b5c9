"""Requests as rows: what is asked, of what class, about what, by whom, since when."""

from __future__ import annotations

from collections.abc import Iterable

from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.columns import state_and_age
from ppgp_tui.ui.rows import Line, Row, Span, blank
from ppgp_tui.ui.views.prose import labelled, paragraph
from ppgp_tui.ui.words import CLASSES, REQUESTS, count, plain

OPEN = ("waiting", "taken_back")
"""States in which a person still has to answer."""


def waiting(snapshot: SessionSnapshot) -> list[Request]:
    """The requests that wait for a person, in the order of the inbox."""
    return [request for request in snapshot.inbox.value if request.state in OPEN]


def decided(snapshot: SessionSnapshot) -> list[Request]:
    """The requests that are over, one way or another."""
    return [request for request in snapshot.inbox.value if request.state not in OPEN]


def age_width(requests: Iterable[Request], now_ms: int) -> int:
    """Cells of the widest age among `requests`, at least three."""
    return max(3, *(len(age(request.created_ms, now_ms)) for request in requests))


def waiting_row(request: Request, now_ms: int, ages: int, *, first: bool, opens: str) -> Row:
    """A waiting request in one line, as the inbox lists it; `first` sets it in bold."""
    frees = f"frees {len(request.frees)}" if request.frees else ""
    since = Span(age(request.created_ms, now_ms), "needs", bold=True)
    right = state_and_age(Span(frees, "soft"), since, age_width=ages) if frees else (since,)
    question = Span(plain(request.question), "ink" if first else "text", bold=first)
    return _row(request, Line((question,), right, "for_you", "needs"), opens=opens)


def asking_row(request: Request, now_ms: int, *, expanded: bool) -> Row:
    """A waiting request as the session shows it; `expanded` adds what it is about and who waits."""
    since = Span(age(request.created_ms, now_ms), "needs", bold=True)
    question = Span(plain(request.question), "ink", bold=expanded)
    first = Line((question,), (since,), "for_you", "needs")
    if not expanded:
        return _row(request, first, opens="read")
    return _row(request, first, _about(request), opens="read")


def decided_row(request: Request, now_ms: int, ages: int, *, opens: str) -> Row:
    """A request that is over, and how it ended."""
    word = REQUESTS[request.state]
    since = Span(age(request.created_ms, now_ms), "soft")
    right = state_and_age(Span(word.text, "soft"), since, age_width=ages)
    question = Span(plain(request.question), "soft")
    return _row(request, Line((question,), right, word.sign, word.role), opens=opens)


def class_words(klass: str) -> str:
    """`C authority`: the letter, then what it means."""
    return f"{klass} {CLASSES.get(klass, '')}".strip() or "no class"


def request_detail(request: Request, width: int, now_ms: int) -> list[Row]:
    """The whole request."""
    word = REQUESTS[request.state]
    scope = f", scope {request.scope}" if request.scope else ""
    asker = f", asked by {request.asker}" if request.asker else ""
    kind = (Span(class_words(request.klass)), Span(scope + asker, "soft"))
    rows = [
        _question(request, width, age(request.created_ms, now_ms)),
        Row("", (Line(kind, (Span(word.text, word.role),), indent=1),)),
    ]
    if request.irreversible:
        rows.append(Row("", (Line((Span("cannot be undone", "stop", bold=True),), indent=1),)))
    if request.why:
        rows += [blank(), paragraph(request.why, width, key="why", origin=request.origin)]
    if request.options:
        rows += [blank(), *_options(request, width)]
    facts = _facts(request, width)
    return [*rows, blank(), *facts] if facts else rows


def _row(request: Request, *lines: Line, opens: str = "") -> Row:
    return Row(f"req:{request.id}", lines, request.origin, request.question, opens)


def _about(request: Request) -> Line:
    parts = [class_words(request.klass)]
    if request.scope:
        parts.append(request.scope)
    if request.frees:
        parts.append(f"frees {count(len(request.frees), 'task')}")
    waits = f"{request.asker} waits" if request.asker else ""
    return Line((Span(", ".join(parts)),), (Span(waits),))


def _question(request: Request, width: int, since: str) -> Row:
    """The whole question, wrapped; its age stands beside the first line."""
    asked = paragraph(
        plain(request.question), width - len(since) - 1, "ink", key=f"req:{request.id}", bold=True
    )
    first = Line(asked.lines[0].left, (Span(since, "needs", bold=True),), indent=1)
    return _row(request, first, *asked.lines[1:])


def _options(request: Request, width: int) -> list[Row]:
    rows = []
    for option in request.options:
        advised = "advised" if option.key == request.recommended else ""
        label = option.label if not option.detail else f"{option.label}: {option.detail}"
        row = paragraph(label, width - len(advised) - 5, key=f"option:{option.key}", indent=6)
        key = Span(f"{option.key}  ", "ink", bold=True)
        first = Line((key, *row.lines[0].left), (Span(advised, "ok"),), indent=3)
        rows.append(Row(row.key, (first, *row.lines[1:]), request.origin, label))
    return rows


def _facts(request: Request, width: int) -> list[Row]:
    rows = []
    if request.frees:
        rows.append(labelled("frees", ", ".join(request.frees), width))
    if request.evidence:
        rows.append(labelled("evidence", request.evidence, width, origin=request.origin))
    origin = request.origin
    if origin and request.kind != "document":
        place = origin.path if origin.line is None else f"{origin.path}:{origin.line}"
        rows.append(labelled("asked in", place, width, origin=origin))
    return rows
