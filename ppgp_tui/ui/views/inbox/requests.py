"""Requests as rows: what is asked, of what class, about what, by whom, since when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.words import AGENTS, CLASSES, REQUESTS, count, plain
from ppgp_tui.ui.rows.columns import state_and_age
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.views.room import TWO_COLUMNS

CHANGED = "changed, read it again"
_ASKER_AGE_FROM = 60
"""From this width a row says since when the one who asked does nothing."""


def waiting(snapshot: SessionSnapshot, order: tuple[str, ...] = ()) -> list[Request]:
    """The requests listed for a person, in the order of the inbox or in `order`.

    In `order` there may be one that is answered already: it stays until the cursor leaves it.
    """
    if not order:
        return [request for request in snapshot.inbox.value if request.is_open]
    known = {request.id: request for request in snapshot.inbox.value}
    return [known[one] for one in order if one in known]


def decided(snapshot: SessionSnapshot, listed: Iterable[Request]) -> list[Request]:
    """The requests that are over, one way or another, and are not among those `listed`."""
    shown = {request.id for request in listed}
    return [one for one in snapshot.inbox.value if not one.is_open and one.id not in shown]


def age_width(requests: Iterable[Request], now_ms: int) -> int:
    """Cells of the widest age among `requests`, at least three."""
    return max(3, *(len(when(since(request), now_ms)) for request in requests))


def since(request: Request) -> int | None:
    """Since when it stands as it does: asked, or decided."""
    return request.created_ms if request.is_open else request.state_ms or request.created_ms


def why_closed(request: Request, now_ms: int) -> str:
    """Why no answer to it is possible; empty when one is."""
    if request.state in ("answered", "delivered", "acted_on"):
        by = f" by {person(request.answer.by)}" if request.answer and request.answer.by else ""
        return f"already answered{by}"
    if request.state == "withdrawn":
        return f"withdrawn: {reason_words(request)}" if request.reason else "it was withdrawn"
    over = request.expires_ms is not None and request.expires_ms <= now_ms
    if request.state == "expired" or over:
        return "it expired, nobody answered"
    return f"no answer to it can count: {one_line(request.damage)}" if request.damage else ""


def reason_words(request: Request) -> str:
    """Why it was withdrawn, as one says it."""
    return _REASONS.get(request.reason, one_line(request.reason))


_REASONS = {
    "asker": "by the one who asked",
    "asker_gone": "the one who asked is gone",
    "answered_in_agent": "answered in the agent's own pane",
    "handed_back": "handed back to the agent's own pane",
    "reworded": "it is asked in other words now",
    "expired": "it expired, nobody answered",
}


def person(actor: str) -> str:
    """An actor without its kind."""
    return one_line(actor.removeprefix("user:"))


def said(request: Request) -> str:
    """The answer in a word or two; empty where none stands."""
    answer = request.answer
    if answer is None or request.is_open:
        return ""
    return one_line(answer.option or "").replace("_", " ") or "your words"


def listed_rows(
    requests: list[Request], frame: Frame, *, first: bool, opens: str = "answer"
) -> list[Row]:
    """The requests for a person, one line each; `first` sets the first one in bold."""
    ages = age_width(requests, frame.now_ms)
    return [
        _waiting_row(request, frame, ages, bold=first and at == 0)
        if request.is_open
        else decided_row(request, frame, ages, opens=opens)
        for at, request in enumerate(requests)
    ]


def _waiting_row(request: Request, frame: Frame, ages: int, *, bold: bool) -> Row:
    frees = f"frees {len(request.frees)}" if request.frees else ""
    old = _since(request, frame)
    right = state_and_age(Span(frees, "soft"), old, age_width=ages) if frees else (old,)
    question = Span(asked(request), "ink" if bold else "text", bold=bold)
    return row(request, Line((question,), right, "for_you", "needs"), opens="answer")


def asking_row(request: Request, frame: Frame, *, expanded: bool) -> Row:
    """A request as the session shows it; `expanded` adds what it is about and what keys do."""
    if not request.is_open:
        return decided_row(request, frame, 3, opens="read")
    question = Span(asked(request), "ink", bold=expanded)
    first = Line((question,), (_since(request, frame),), "for_you", "needs")
    if not expanded:
        return row(request, first, opens="answer")
    roomy = frame.width if frame.width < TWO_COLUMNS else 0
    since = frame.now_ms if frame.width >= _ASKER_AGE_FROM else None
    if frame.later is not None:
        became = _became(frame.later.get(request.id))
        return row(request, first, _about(request, since), became, opens="read")
    keys = _keys(request, frame.keys, final_words(roomy) if request.irreversible else "")
    return row(request, first, _about(request, since), keys, opens="answer")


def _became(later: Request | None) -> Line:
    """What became of a request after the moment that is shown."""
    if later is None:
        words = "what became of it is not recorded"
    elif later.answer is not None:
        words = f"answered later, by {person(later.answer.by)}: {said(later)}".removesuffix(": ")
    elif later.is_open:
        words = "it waits still"
    else:
        words = f"{REQUESTS[later.state].text} later"
    return Line((Span(words, "soft"),))


def decided_row(request: Request, frame: Frame, ages: int, *, opens: str) -> Row:
    """A request that is over, and how it ended."""
    word = REQUESTS[request.state]
    old = Span(when(since(request), frame.now_ms), "soft")
    ended = ", ".join(filter(None, (said(request) if frame.width >= 60 else "", word.text)))
    right = state_and_age(Span(ended, "soft"), old, age_width=ages)
    question = Span(asked(request), "soft")
    return row(request, Line((question,), right, word.sign, word.role), opens=opens)


def asked(request: Request) -> str:
    """The question; a proposal says that it is one, for its question is an objective."""
    return _PROPOSED.get(request.kind, "") + plain(request.question)


_PROPOSED = {"goal_proposal": "proposed goal: ", "goal_tweak": "proposed objective: "}


def final_words(width: int) -> str:
    """What is said of an answer that allows something for good."""
    return "cannot be undone" if width >= 60 else "final"


def class_words(klass: str) -> str:
    """`C authority`: the letter, then what it means."""
    return f"{klass} {CLASSES.get(klass, '')}".strip() or "no class"


def row(request: Request, *lines: Line, opens: str = "") -> Row:
    """A row of that request."""
    key, thing = f"req:{request.id}", f"node:{request.id}"
    return Row(key, lines, request.origin, request.question, opens, thing)


def _since(request: Request, frame: Frame) -> Span:
    if frame.changed == request.id:
        return Span(CHANGED, "needs", bold=True)
    return Span(when(request.created_ms, frame.now_ms), "needs", bold=True)


def _about(request: Request, now_ms: int | None) -> Line:
    parts = [request.of] if request.of else []
    parts.append(class_words(request.klass))
    if request.scope:
        parts.append(request.scope)
    if request.frees:
        parts.append(f"frees {count(len(request.frees), 'task')}")
    return Line((Span(", ".join(parts)),), (Span(asker_words(request, now_ms)),))


def asker_words(request: Request, now_ms: int | None = None) -> str:
    """Who asked, in one word, and how it is: `claude waits`, `claude gone`; empty if unknown.

    With the time of now also since when it does nothing: `claude waits 6m`.
    """
    name = short_actor("agent", request.asker or "") if request.asker else ""
    if not name or request.asker_state is None:
        return name
    waits = request.asker_state == "waiting_for_you"
    old = "" if now_ms is None else when(request.asker_quiet_ms, now_ms)
    return f"{name} {'waits' if waits else AGENTS[request.asker_state].text} {old}".rstrip()


def _keys(request: Request, keys: Mapping[str, str], final: str) -> Line:
    """What the keys of this place do with it, the advised option by its name."""
    key = keys.get("answer.final", "Y") if request.irreversible else keys.get("answer.yes", "y")
    label = next((one.label for one in request.options if one.key == request.recommended), "")
    left: tuple[Span, ...] = ()
    if label:
        left = (Span(f"{key} ", "ink", bold=True), Span(f"{label}, advised", "soft"))
    elif not request.options:
        no = Span(f"  {keys.get('answer.no', 'n')} ", "ink", bold=True)
        left = (Span(f"{key} ", "ink", bold=True), Span("yes", "soft"), no, Span("no", "soft"))
    if final:
        left = (Span(f"{final}  " if left else final, "stop"), *left)
    options = count(len(request.options), "option") if request.options else "reads it"
    enter = Span(f"{keys.get('row.open', 'Enter')} ", "ink", bold=True)
    return Line(left, (enter, Span(options, "soft")))
