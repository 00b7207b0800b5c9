"""`get_answer`: what became of a request, and the answer once it is there and counts.

An answer is judged as a waiter judges it: against the request as it was asked, and by the user's
pinned keys. That the log tells of an answer is not enough, for agents could write there too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.actions import asking
from ppgp_tui.session.actions.recorded import Recorded, recorded
from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.answer_files import End, end_attempt
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.examine import judge_file
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.request_files import (
    checked_request,
    known_repo_id,
    read_request,
)
from ppgp_tui.session.authority.restore import recorded_answer
from ppgp_tui.session.authority.verdict import Accepted, Rejected, judge
from ppgp_tui.session.canonical import UnserialisableError, canonical, is_id
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.picture.inbox import pending_bullets

ACTION: Final = "get_answer"
NOT_A_NO: Final = "That is no answer: take it neither for a yes nor for a no."
_OF_PROPOSAL: Final = {
    "yes": "The proposal is confirmed; get_session shows the Goal.",
    "no": "The proposal is declined: go on as before, propose again only when asked to.",
}


def get_answer(engine: Engine, request_id: str, asked: str | None) -> Result:
    """Tell the state of a request: `waiting`, `answered`, `expired` or `withdrawn`.

    The first call that is told an answer delivers it: from then on it cannot be taken back. `asked`
    is the digest this process remembers of what it asked, None for somebody else's request. Raises
    `RefusalError` for a request that is none.
    """
    if not is_id(request_id, "req"):
        raise RefusalError("refused", "a request's id is req_ and 32 hex digits")
    seen = recorded(engine)
    entry = seen.ledger.requests.get(request_id)
    if entry is None:
        return _not_recorded(engine, seen, request_id)
    if asked not in (None, entry["digest"]):
        raise RefusalError("refused", "the recorded request is not the one that was asked here")
    kind = entry["request"]["kind"]
    if kind == "permission":
        text = "a permission is answered to the very call that waits for it"
        raise RefusalError("refused", text)
    about: Json = {"request": request_id, "kind": kind}
    if entry["state"] == "withdrawn":
        text = f"The request was withdrawn ({entry.get('reason', '')}). {NOT_A_NO}"
        return seen.result(ACTION, text, {**about, "state": "withdrawn"})
    if entry["state"] == "waiting":
        return _unanswered(engine, seen, entry["request"], about)
    return _answered(engine, seen, entry, about)


def _not_recorded(engine: Engine, seen: Recorded, request_id: str) -> Result:
    """A decision owed according to the document is recorded when it is answered."""
    document = engine.read_document()
    if any(bullet.id == request_id for bullet in pending_bullets(document.reading)):
        data = {"request": request_id, "kind": "document", "state": "waiting"}
        text = f"Still waiting: nobody has decided it in {document.path}."
        return seen.result(ACTION, text, data)
    raise RefusalError("refused", f"no request {request_id} is recorded here")


def _unanswered(engine: Engine, seen: Recorded, request: Json, about: Json) -> Result:
    expires_ms = request.get("expires_ms")
    if expires_ms is not None:
        about = {**about, "expires_ms": expires_ms}
        if engine.clock() > expires_ms:
            text = f"The request expired and nobody answered it. {NOT_A_NO}"
            return seen.result(ACTION, text, {**about, "state": "expired"})
    text = "Still waiting for a person. Go on with what does not depend on it and ask again later."
    return seen.result(ACTION, text, {**about, "state": "waiting"})


@dataclass(frozen=True, slots=True)
class _Told:
    """A good answer to `request`, and how its attempt ended: with this very call, or before."""

    request: Json
    accepted: Accepted
    end: End | None


def _answered(engine: Engine, seen: Recorded, entry: Json, about: Json) -> Result:
    told = _take(engine, entry, str(about["request"]))
    if isinstance(told, str) and entry["state"] != "answered":
        raise RefusalError("refused", f"the answer was told before and not kept whole: {told}")
    if isinstance(told, str):
        text = "Still waiting for a person: the answer that is recorded does not count."
        return seen.result(ACTION, text, {**about, "state": "waiting"}, told)
    before = told.end is None or not told.end.mine
    data = {**about, **_said(told.accepted.answer, told.request), "signed": told.accepted.signed}
    data |= {"state": "answered", "delivered_before": before}
    if entry["state"] != "answered":
        return seen.result(ACTION, _words(data), data)
    receipt = asking.deliver(engine, str(about["request"]))
    if receipt.ok:
        return replace(receipt, action=ACTION, message=_words(data), data=data)
    text = f"delivered, but that is not recorded yet: {receipt.message}"
    return seen.result(ACTION, _words(data), data, *receipt.warnings, text)


def _take(engine: Engine, entry: Json, request_id: str) -> _Told | str:
    """The recorded answer, delivered, or why it is none."""
    try:
        # The folder may be gone with a `git clean`; handing an answer over is an act and needs it.
        with Folder.open(engine.root, ".ppgp", "run", create=True) as run:
            request = _request(run, entry, request_id)
            verdict = _verdict(run, entry, request, Pins(data_folder(), engine.root))
            if isinstance(verdict, Rejected):
                return f"{verdict.shown}: {verdict.why}"
            if entry["state"] != "answered":
                return _Told(request, verdict, None)
            end = end_attempt(
                run,
                request_id,
                entry["attempt"],
                "delivered",
                by=str(engine.actor),
                at_ms=engine.clock(),
            )
    except DamagedError as error:
        return f"what belongs to it is damaged: {error}"
    except OSError as error:
        name = Path(error.filename or "").name
        return f"{name}: {(error.strerror or 'cannot be used').lower()}"
    if end.outcome == "revoked":
        return "it was taken back"
    return _Told(request, verdict, end)


def _request(run: Folder, entry: Json, request_id: str) -> Json:
    """The whole request as it was asked; of a closed one the ledger keeps the digest alone."""
    if "question" in entry["request"]:
        data = canonical(entry["request"])
        found = checked_request(data, request_id)
    else:
        found = read_request(run, request_id)
    if found.digest != entry["digest"]:
        raise DamagedError("not the request that was recorded")
    return found.request


def _verdict(run: Folder, entry: Json, request: Json, pins: Pins) -> Accepted | Rejected:
    """Judge the answer on disk; where `.ppgp/run` lost it, the copy in the log."""
    attempt = entry["attempt"]
    if known_repo_id(run) not in (None, request["repo"]):
        return Rejected("other_repository", "the request was asked in another repository")
    try:
        return judge_file(run, request, attempt, pins.check)
    except FileNotFoundError:
        pass
    try:
        data = answers.write(recorded_answer(entry))
    except (KeyError, TypeError, DamagedError, UnserialisableError):
        return Rejected("damaged", "the log does not hold it whole")
    return judge(request, attempt, data, pins.check)


def _said(answer: Answer, request: Json) -> Json:
    labels = {option["key"]: option["label"] for option in request["options"]}
    said: dict[str, Any] = {
        "option": answer.option,
        "label": labels.get(answer.option or ""),
        "text": answer.text,
        "note": answer.note,
        "decision": answer.decision,
        "attempt": answer.attempt,
        "answered_ms": answer.answered_ms,
    }
    return {name: value for name, value in said.items() if value is not None}


def _words(data: Json) -> str:
    label = f" ({data['label']})" if "label" in data else ""
    lines = [f"Answered: {data['option']}{label}." if "option" in data else "Answered in words."]
    lines += [f"Text: {data['text']}"] if "text" in data else []
    lines += [f"Note: {data['note']}"] if "note" in data else []
    if data["kind"] in ("goal_proposal", "goal_tweak") and data.get("option") in _OF_PROPOSAL:
        lines.append(_OF_PROPOSAL[data["option"]])
    if not data["signed"]:
        lines.append("It is unsigned: no key is pinned and ssh-keygen is not installed.")
    if data["delivered_before"]:
        lines.append("It was told before; this is the same answer.")
    return "\n".join(lines)
