"""`ppgp-tui requests`: what needs a person, and one question whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.session.actions.recorded import Recorded
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.ledger import Json
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.model import Request


@click.command("requests")
@click.argument("request_id", metavar="[ID]", required=False)
@click.option("--all", "everything", is_flag=True, help="Closed ones as well.")
@acts(example="ppgp-tui requests 5c0b")
def requests(engine: Engine, request_id: str | None, everything: bool) -> Result:
    """Print the questions that need you, or one of them whole.

    With ID, or its first digits: all that bears on it, and every answer, also those that do not
    count, with the reason.
    """
    from ppgp_tui.cli.asked import all_requests, find
    from ppgp_tui.session.actions.recorded import recorded_if_any

    seen = recorded_if_any(engine)
    found = all_requests(engine, seen, closed=everything or request_id is not None)
    if request_id is not None:
        return _whole(engine, seen, find(found, request_id))
    shown = [one for one in found if everything or one.state in ("waiting", "answered", "expired")]
    lines = [_line(one, engine.clock()) for one in shown]
    data = {"requests": [_json(one) for one in shown]}
    return seen.result("requests", "\n".join(lines) or "nothing needs you", data)


def _whole(engine: Engine, seen: Recorded, request: Request) -> Result:
    answers = _answers(engine, seen, request)
    lines = [*_card(request, engine.clock()), *_answer_lines(answers)]
    data = {"request": _json(request), "answers": answers}
    return seen.result("requests", "\n".join(lines), data)


def _line(request: Request, now_ms: int) -> str:
    from ppgp_tui.cli.choices import choices_of
    from ppgp_tui.session.text import one_line
    from ppgp_tui.ui.looks.ages import age

    choices = "/".join(choices_of(request))
    state = request.state.replace("_", " ")
    waits = " ".join(filter(None, (state, age(request.created_ms, now_ms))))
    words = (request.id[:12], waits, request.klass, request.question, f"[{choices}]")
    return "  ".join(one_line(word) for word in words if word)


def _card(request: Request, now_ms: int) -> Iterator[str]:
    """The question with everything that bears on it."""
    from ppgp_tui.cli.choices import choices_of
    from ppgp_tui.cli.times import shown
    from ppgp_tui.session.text import one_line, safe
    from ppgp_tui.ui.looks.ages import age

    yield safe(request.question)
    yield ""
    for option in request.options:
        advised = "  (recommended)" if option.key == request.recommended else ""
        yield f"{one_line(option.key)}  {one_line(option.label)}{advised}"
    if not request.options:
        advised = f"  (recommended: {request.recommended})" if request.recommended else ""
        yield one_line(f"{' or '.join(choices_of(request))}{advised}")
    expires = shown(request.expires_ms) if request.expires_ms else None
    origin = request.origin
    place = f"{origin.path}:{origin.line}" if origin and origin.line else None
    members = {
        "Id": request.id,
        "State": " ".join(
            filter(None, (request.state.replace("_", " "), age(request.created_ms, now_ms)))
        ),
        "Class": request.klass,
        "Irreversible": "yes" if request.irreversible else None,
        "Scope": request.scope,
        "Frees": ", ".join(request.frees),
        "Asked by": request.asker,
        "Tool": request.tool,
        "Input": request.tool_input,
        "For the session": "\n  ".join(request.for_session),
        "Expires": expires,
        "Why": request.why,
        "Evidence": request.evidence,
        "From": place,
    }
    for name, value in members.items():
        if value:
            yield f"{name}: {safe(value)}"


def _answers(engine: Engine, seen: Recorded, request: Request) -> list[Json]:
    """Every attempt on disk, judged as the one who waits would judge it."""
    import os

    from ppgp_tui.cli.asked import whole_of
    from ppgp_tui.session.authority.examine import examine
    from ppgp_tui.session.authority.pins import Pins
    from ppgp_tui.session.authority.verdict import Accepted
    from ppgp_tui.session.files.places import data_folder
    from ppgp_tui.session.files.safe import Folder

    entry = seen.ledger.requests.get(request.id)
    asked = whole_of(engine, entry) if entry else {}
    if "repo" not in asked:
        return []
    pins = Pins(data_folder(), engine.root, os.environ)
    try:
        with Folder.open(engine.root, ".ppgp", "run") as run:
            found = examine(run, asked, pins.check)
    except FileNotFoundError:
        return []
    answers = []
    for one in found:
        about: dict[str, Any] = {"attempt": one.attempt, "counts": False}
        if isinstance(one.verdict, Accepted):
            answer = one.verdict.answer
            about |= {"counts": True, "signed": one.verdict.signed, "by": answer.by}
            about |= {"option": answer.option, "text": answer.text, "note": answer.note}
        else:
            about |= {"shown": one.verdict.shown, "why": one.verdict.why}
        about["ended"] = one.end.outcome if one.end else None
        answers.append(about)
    return answers


def _answer_lines(answers: list[Json]) -> Iterator[str]:
    from ppgp_tui.session.text import one_line

    for one in answers:
        if one["counts"]:
            said = one["option"] or one["text"]
            note = f", note: {one['note']}" if one["note"] else ""
            signed = "" if one["signed"] else ", unsigned"
            ended = f", {one['ended']}" if one["ended"] else ""
            yield one_line(f"Answer {one['attempt']}: {said} by {one['by']}{signed}{ended}{note}")
        else:
            yield one_line(f"Answer {one['attempt']} does not count, {one['shown']}: {one['why']}")


def _json(request: Request) -> Json:
    from ppgp_tui.session.picture.json_view import request_json

    return request_json(request)
