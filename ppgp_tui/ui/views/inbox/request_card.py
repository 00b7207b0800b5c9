"""The whole of one request: what is asked, the answers it takes, and all that bears on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ppgp_tui.session.model import Request
from ppgp_tui.session.text import safe
from ppgp_tui.ui.looks.ages import age, when
from ppgp_tui.ui.looks.words import AGENTS, REQUESTS
from ppgp_tui.ui.rows.row import Line, Row, Span, blank
from ppgp_tui.ui.screen.sheets import clock_time
from ppgp_tui.ui.seat.answers import FOR_SESSION
from ppgp_tui.ui.views.inbox.requests import (
    CHANGED,
    asked,
    class_words,
    final_words,
    person,
    reason_words,
    row,
    said,
    why_closed,
)
from ppgp_tui.ui.views.prose import exact_pieces, labelled, paragraph

_DIGITS = 6
"""Digits of a digest that a person compares."""
_SIGNED = {
    "verified": "signed by you, and the signature is right",
    "unsigned": "unsigned",
    "unchecked": "signed; the signature was not checked here",
}


def card_body(
    request: Request, width: int, now_ms: int, keys: Mapping[str, str], *, changed: bool = False
) -> list[Row]:
    """The request as its card shows it: with the keys that answer it."""
    return _rows(request, width, now_ms, keys, changed=changed, card=True)


def request_detail(
    request: Request, width: int, now_ms: int, *, changed: bool = False
) -> list[Row]:
    """The same beside or below a list, where letters choose nothing."""
    return _rows(request, width, now_ms, {}, changed=changed, card=False)


def _rows(
    request: Request,
    width: int,
    now_ms: int,
    keys: Mapping[str, str],
    *,
    changed: bool,
    card: bool,
) -> list[Row]:
    rows = list(_head(request, width, now_ms, changed=changed, card=card))
    if request.why:
        rows += [blank(), paragraph(request.why, width, key="why", origin=request.origin)]
    if request.tool_input is not None or request.tool:
        rows += [blank(), *_tool(request, width)]
    answers = list(_answers(request, width, now_ms, keys, card))
    if answers:
        rows += [blank(), *answers]
    facts = list(_facts(request, width, now_ms))
    return [*rows, blank(), *facts] if facts else rows


def _head(request: Request, width: int, now_ms: int, *, changed: bool, card: bool) -> Iterator[Row]:
    """The whole question with its age beside the first line; class, scope, asker and state."""
    old = CHANGED if changed else when(request.created_ms, now_ms)
    words = paragraph(asked(request), width - len(old) - 1, "ink", bold=True)
    first = Line(words.lines[0].left, (Span(old, "needs", bold=True),), indent=1)
    yield row(request, first, *words.lines[1:])
    word = REQUESTS[request.state]
    scope = f", scope {request.scope}" if request.scope else ""
    asker = f", asked by {request.asker}" if request.asker else ""
    text = (f"{request.of}, " if request.of else "") + class_words(request.klass) + scope + asker
    kind = paragraph(text, width - len(word.text) - 1)
    state = (Span(word.text, word.role),)
    yield Row("", (Line(kind.lines[0].left, state, indent=1), *kind.lines[1:]))
    if request.damage:
        yield paragraph(f"no answer to it can count: {request.damage}", width, "stop", bold=True)
    elif request.irreversible and not card:
        yield Row("", (Line((Span("cannot be undone", "stop", bold=True),), indent=1),))


def _tool(request: Request, width: int) -> Iterator[Row]:
    """The call that waits: every character of it, for it is what an answer allows."""
    name = Span(request.tool or "a tool", "ink", bold=True)
    yield Row("", (Line((Span("would call  ", "soft"), name), indent=1),))
    lines = _exact(request.tool_input or "", width - 4)
    spans = (Line((Span(line, exact=True),), indent=3) for line in lines)
    yield Row("", tuple(spans))


@lru_cache(maxsize=8)
def _exact(text: str, room: int) -> tuple[str, ...]:
    return tuple(piece for line in safe(text).split("\n") for piece in exact_pieces(line, room))


def _answers(
    request: Request, width: int, now_ms: int, keys: Mapping[str, str], card: bool
) -> Iterator[Row]:
    """The answers it takes, each with its key; a letter is a key only in the card."""
    opened = card and not why_closed(request, now_ms)
    confirm = f", then {keys.get('answer.final', 'Y')}" if request.irreversible and opened else ""
    final = f"{final_words(width)}: " if width >= 60 else f"{final_words(width)}, "
    for option in request.options:
        advised = "advised" if option.key == request.recommended else ""
        key = keys.get(f"answer.{option.key}", option.key)
        label = option.label if not option.detail else f"{option.label}: {option.detail}"
        how = f"{final}{key}{confirm}" if width >= 60 else f"{final}{confirm[2:]}"
        right = ", ".join(filter(None, (advised, how if confirm else "")))
        yield _choice(f"option:{option.key}", key, label, right, width, opened)
    if not opened:
        yield from _for_session(request, width, keys, opened)
        return
    if not request.options:
        for word in ("yes", "no"):
            advised = "advised" if request.recommended == word else ""
            right = ", ".join(filter(None, (advised, confirm[2:] if word == "yes" else "")))
            key = keys.get(f"answer.{word}", word[0])
            yield _choice(word, key, word, right, width, opened)
    yield from _for_session(request, width, keys, opened)
    if request.kind in ("question", "document", "gate"):
        key = keys.get("answer.words", "r")
        yield _choice("words", key, "your own words", "", width, opened)


def _for_session(
    request: Request, width: int, keys: Mapping[str, str], is_key: bool
) -> Iterator[Row]:
    """The yes that lasts, and every rule of it: it allows more than the call that waits."""
    if not request.for_session:
        return
    key = keys.get(f"answer.{FOR_SESSION}", FOR_SESSION)
    said = "yes, and till its session ends it does not ask about"
    yield _choice("session", key, said, "", width, is_key)
    for number, rule in enumerate(request.for_session):
        lines = (Line((Span(line, exact=True),), indent=8) for line in _exact(rule, width - 9))
        yield Row(f"rule:{number}", tuple(lines), copy=rule)


def _choice(name: str, key: str, label: str, right: str, width: int, is_key: bool) -> Row:
    text = paragraph(label, width - len(right) - 5, key=name, indent=6)
    letter = Span(f"{key}  ", "ink" if is_key else "soft", bold=is_key)
    first = Line((letter, *text.lines[0].left), (Span(right, "ok"),), indent=3)
    return Row(text.key, (first, *text.lines[1:]), copy=label)


def _facts(request: Request, width: int, now_ms: int) -> Iterator[Row]:
    """Everything else that is known, a label and a value each."""

    def fact(label: str, value: str) -> Row:
        return labelled(label, value, width, origin=request.origin, lives=True)

    yield from (fact(label, value) for label, value in _said(request, now_ms))
    for number, one in enumerate(request.refused):
        words = f"{one.word}, does not count (attempt {one.attempt}): {one.why}"
        yield fact("no answer", words)._replace(key=f"refused:{number}")
    if request.frees:
        then = f", then {', '.join(request.frees_then)}" if request.frees_then else ""
        yield fact("frees", ", ".join(request.frees) + then)
    if asker := _asker(request, now_ms):
        yield fact("asker", asker)
    if request.expires_ms is not None and request.is_open:
        left = age(now_ms, request.expires_ms) if request.expires_ms > now_ms else "over"
        yield fact("expires", f"{left}, {clock_time(request.expires_ms)}")
    if request.evidence:
        yield fact("evidence", request.evidence)
    if request.cwd and request.cwd != ".":
        yield fact("works in", request.cwd)
    if origin := request.origin:
        place = origin.path if origin.line is None else f"{origin.path}:{origin.line}"
        yield fact("asked in", place)
    digest = request.digest.removeprefix("sha256:")[:_DIGITS]
    own_id = request.id.rpartition("/")[2].removeprefix("req_")
    yield fact("bound to", f"request {own_id[:8]}, digest {digest}")


def _said(request: Request, now_ms: int) -> Iterator[tuple[str, str]]:
    """The answer that stands or was taken back, and why nobody answers any more."""
    answer = request.answer
    if answer is not None:
        words = answer.text or said(request) or (answer.option or "").replace("_", " ")
        old = age(answer.at_ms, now_ms)
        by = f"by {person(answer.by)}" if answer.by else ""
        parts = (words, by, f"{old} ago" if old else "", _SIGNED[answer.signature])
        back = "taken back" if request.is_open else ""
        beside = "" if answer.recorded else "on disk only, nobody recorded it"
        yield "answer", ", ".join(filter(None, (*parts, beside, back)))
        if answer.note:
            yield "note", answer.note
    if request.reason:
        yield "because", reason_words(request)


def _asker(request: Request, now_ms: int) -> str:
    """Who asked, and whether they wait; nothing where nobody is named."""
    if not request.asker:
        return ""
    if request.asker_state is None:
        return f"{request.asker}, not connected"
    waits = request.asker_state == "waiting_for_you"
    word = "waits" if waits else AGENTS[request.asker_state].text
    return f"{request.asker}, {word} {age(request.asker_quiet_ms, now_ms)}".rstrip()
