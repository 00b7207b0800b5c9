"""A request in sentences: all of it, for a person answers what was said to them and no more."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.model import Request
from ppgp_tui.session.text import one_line, sentence
from ppgp_tui.ui.plain.ages import counted, lasted
from ppgp_tui.ui.seat.answers import FOR_SESSION

_PROPOSED = {"goal_proposal": "Proposed goal", "goal_tweak": "Proposed objective"}
_CLASSES = {"A": "solvable", "B": "external", "C": "authority", "D": "dependency"}


def whole(request: Request, now_ms: int) -> str:
    """Everything that bears on the answer, in one line: what the digest of the request covers."""
    return " ".join(one_line(part) for part in _parts(request, now_ms))


def _parts(request: Request, now_ms: int) -> Iterator[str]:
    proposed = _PROPOSED.get(request.kind)
    yield sentence(f"{proposed}: {request.question}" if proposed else request.question)
    yield from _about(request, now_ms)
    if request.damage:
        yield f"No answer to it can count: {sentence(request.damage)}"
    if request.why:
        yield sentence(request.why)
    if request.tool or request.tool_input is not None:
        yield f"It would call {request.tool or 'a tool'} with {request.tool_input or 'nothing'}."
    if request.for_session:
        rules = " and ".join(request.for_session)
        yield f"{FOR_SESSION}: yes, and till its session ends it does not ask about {rules}."
    for option in request.options:
        detail = f": {option.detail}" if option.detail else ""
        advised = ", advised" if option.key == request.recommended else ""
        yield f"{option.key}: {option.label}{detail}{advised}."
    if request.irreversible:
        yield "It cannot be undone."
    if request.frees:
        then = f", then {', '.join(request.frees_then)}" if request.frees_then else ""
        yield f"Frees {counted(len(request.frees), 'task')}: {', '.join(request.frees)}{then}."
    if request.evidence:
        yield f"Evidence: {sentence(', '.join(request.evidence.split(chr(10))))}"
    for one in request.refused:
        yield f"An answer does not count, {one.word}: {sentence(one.why)}"


def _about(request: Request, now_ms: int) -> Iterator[str]:
    """Its class, what it is about, who asked, since when and until when."""
    scope = f", {request.scope}" if request.scope else ""
    if request.klass:
        meaning = f" {_CLASSES[request.klass]}" if request.klass in _CLASSES else ""
        yield f"Class {request.klass}{meaning}{scope}."
    elif request.scope:
        yield sentence(request.scope)
    asked = lasted(request.created_ms, now_ms)
    by = f" by {request.asker}" if request.asker else ""
    if by or asked:
        yield f"Asked{by}{f', {asked} ago' if asked else ''}."
    if request.cwd and request.cwd != ".":
        yield f"It works in {sentence(request.cwd)}"
    if request.expires_ms is not None and request.expires_ms > now_ms:
        yield f"It expires in {lasted(now_ms, request.expires_ms)}."
