"""Answering, and taking an answer back: a person's acts, signed.

What is answered is what the log says was asked; a file beside it that says something else is
nothing to go by.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from ppgp_tui.ppgp.edits import NoSuchSpanError, mark_item, unmark_item
from ppgp_tui.session.actions import permissions
from ppgp_tui.session.actions.asking import repo_id
from ppgp_tui.session.actions.documents import bullet_in, edit_recorded, read_again
from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.actions.proposals import confirmed
from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority import answer_files
from ppgp_tui.session.authority.answer import Answer, signed_text
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.keys import KeyProblemError, SigningKey
from ppgp_tui.session.authority.pins import UnusablePinsError
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.engine import requests
from ppgp_tui.session.engine.draft import SYSTEM, Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.picture.inbox import Bullet
from ppgp_tui.session.text import one_line

_TRIES: Final = 3
_LABEL_MOST: Final = 80


@dataclass(frozen=True, slots=True)
class Said:
    """A person's answer: one of the options or their own words, and perhaps a note."""

    option: str | None = None
    text: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a person is about to answer, as it stood under the lock."""

    request: Json
    bullet: Bullet | None
    """The entry of the goal document, if it is one."""
    attempt: int


def answer(
    engine: Engine,
    request_id: str,
    said: Said,
    *,
    key: SigningKey,
    seen_digest: str | None = None,
) -> Result:
    """A person answers. Signed while no lock is held, checked again inside it.

    `seen_digest` is that of the request as it was painted; another one refuses as `stale`.
    """

    def seal(request: Json, attempt: int) -> Answer:
        return _sealed(engine, _Asked(request, None, attempt), said, key)

    for _ in range(_TRIES):
        asked = _look(engine, request_id, said, seen_digest)
        if isinstance(asked, Result) and asked.code != "not_initialised":
            return asked
        try:
            if isinstance(asked, Result):
                unrecorded = permissions.answer_unrecorded(
                    engine, request_id, said.option, said.text, seen_digest, seal
                )
                return unrecorded or asked
            sealed = _sealed(engine, asked, said, key)
        except (KeyProblemError, UnusablePinsError) as problem:
            return Result("answer", "refused", f"not answered: {problem}")
        except (DamagedError, UnserialisableError) as problem:
            return Result("answer", "refused", f"this is no answer: {problem}")
        except OSError as error:
            return Result("answer", "disk", f"not answered: {error.filename}: {error.strerror}")
        result = _record(engine, asked, sealed)
        if result is not None:
            return result
    return Result("answer", "busy", "somebody else keeps answering; read the request again")


def _look(engine: Engine, request_id: str, said: Said, seen_digest: str | None) -> _Asked | Result:
    """Find what is asked, if it can be answered so, before anybody is asked for a passphrase."""
    found: list[_Asked] = []

    def act(scene: Scene, draft: Draft) -> Json:
        persons_only(engine)
        bullet = bullet_in(scene.document.reading, request_id)
        recorded = draft.ledger.requests.get(request_id)
        if bullet is not None and (recorded is None or recorded["state"] == "withdrawn"):
            request, shown = _document_request(scene, bullet), (bullet.digest,)
        elif recorded is None and (asked := permissions.permission(scene.run, request_id)):
            request, shown = asked, (digest(asked),)
        else:
            entry = requests.still_open(draft, request_id)
            request = entry["request"]
            shown = (entry["digest"], *((bullet.digest,) if bullet else ()))
        if seen_digest is not None and seen_digest not in shown:
            raise RefusalError("stale", "a changed request: read it again")
        requests.must_fit(request, said.option, said.text)
        after = recorded["attempt"] if recorded else 0
        found.append(_Asked(request, bullet, _free_attempt(scene.run, request_id, after)))
        return {}

    looked = engine.look("answer", act)
    return found[0] if looked.ok else looked


def _document_request(scene: Scene, bullet: Bullet) -> Json:
    """A pending entry of the document as a request. Its id is that of its whole text."""
    return requests.build(
        request_id=bullet.id,
        repo=repo_id(scene.run),
        question=requests.shortened(bullet.item.text, requests.QUESTION_MOST),
        asker={"actor": str(SYSTEM), "cwd": "."},
        created_ms=scene.now_ms,
        kind="document",
        evidence=f"{scene.document.path}:{bullet.item.line}",
    )


def _free_attempt(run: Folder, request_id: str, after: int) -> int:
    try:
        return answer_files.free_attempt(run, request_id, after)
    except (DamagedError, OSError) as error:
        raise RefusalError("refused", f"nowhere to put the answer: {error}") from None


def _sealed(engine: Engine, asked: _Asked, said: Said, key: SigningKey) -> Answer:
    """Sign the answer to exactly this request. May ask the person; no lock is held."""
    about: Json = {
        "request": asked.request["id"],
        "digest": digest(asked.request),
        "attempt": asked.attempt,
        "answered_ms": engine.clock(),
        "option": said.option,
        "text": said.text,
        "note": said.note,
    }
    signed = signed_text(repo=asked.request["repo"], **about)
    made = Answer(
        **about,
        decision=engine.ids("dec"),
        by=str(engine.actor),
        signed=signed,
        signature=key.sign(signed.encode()),
    )
    answers.parse(answers.write(made))  # what a waiter would not read is refused here
    return made


def _record(engine: Engine, asked: _Asked, given: Answer) -> Result | None:
    """Record a sealed answer; None when its attempt number was taken meanwhile."""
    taken: list[bool] = []
    request_id = given.request

    def act(scene: Scene, draft: Draft) -> Json:
        if asked.bullet is not None:
            if bullet_in(scene.document.reading, request_id) is None:
                raise RefusalError("stale", "the document changed: read the request again")
            recorded = draft.ledger.requests.get(request_id)
            if recorded is None or recorded["state"] == "withdrawn":
                requests.ask(draft, asked.request, SYSTEM)
        elif asked.request["kind"] == permissions.KIND and request_id not in draft.ledger.requests:
            if permissions.permission(scene.run, request_id) is None:
                raise RefusalError("stale", "this permission is no longer asked")
            requests.ask(draft, asked.request, permissions.asker(asked.request))
        entry = requests.still_open(draft, request_id, given.digest)
        if _free_attempt(scene.run, request_id, entry["attempt"]) != given.attempt:
            taken.append(True)
            raise RefusalError("busy", "another answer came first")
        said = {
            name: getattr(given, name)
            for name in ("decision", "attempt", "option", "text", "note", "signed", "signature")
        }
        data = requests.answer(draft, request_id, said)
        if data["status"] == "Approved":
            data |= confirmed(draft, asked.request, data["event"])
        return {**data, "signed": given.signature is not None}

    def after(scene: Scene, data: Json) -> list[str]:
        if asked.bullet is not None:
            _mark(scene, data, given)
        return [f".ppgp/run/{answer_files.FOLDER}/{request_id}.{given.attempt}.json"]

    word = given.option or "in your own words"
    unsigned = "" if given.signature else ", unsigned"
    result = engine.perform(
        "answer", act, after=after, said=f"answered: {word}{unsigned}", is_deed=False
    )
    return None if taken else result


def _mark(scene: Scene, data: Json, given: Answer) -> None:
    """Put the outcome before the words of the entry, so that readers take it as decided."""
    path, words = scene.document.path, {"yes": "granted", "no": "refused"}
    day = datetime.fromtimestamp(scene.now_ms / 1000, UTC).astimezone().date().isoformat()
    mark = f"{words[given.option]} {day}" if given.option else f"answered {day}: {_label(given)}"

    def edit(known: bytes) -> bytes:
        bullet = bullet_in(read_again(scene, known), given.request)
        if bullet is None:
            raise NoSuchSpanError(f"{path} no longer asks this")
        return mark_item(known, path, bullet.item, mark)

    edit_recorded(scene, data, edit)


def _label(given: Answer) -> str:
    """The person's words as a label that cannot end the mark or begin a comment."""
    return one_line(given.text or "").translate(_HARMLESS)[:_LABEL_MOST].strip()


_HARMLESS: Final = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "|": "/", "`": "'"})


def take_back(engine: Engine, request_id: str) -> Result:
    """Take an answer back, possible until somebody received it: the request waits again."""

    def act(scene: Scene, draft: Draft) -> Json:
        persons_only(engine)
        _revoke(scene.run, requests.can_be_taken_back(draft.ledger, request_id), engine)
        return requests.take_back(draft, request_id)

    def after(scene: Scene, data: Json) -> list[str]:
        if scene.ledger.requests[request_id]["request"]["kind"] == "document":
            path = scene.document.path
            edit_recorded(
                scene,
                data,
                lambda known: unmark_item(
                    known, path, lambda reading: bullet_in(reading, request_id) is not None
                ),
            )
        return []

    return engine.perform(
        "take_back", act, after=after, said="taken back; it waits again", is_deed=False
    )


def _revoke(run: Folder, entry: Json, engine: Engine) -> None:
    """Win the race for the one name that ends the attempt, or refuse."""
    request_id, attempt = entry["request"]["id"], entry["attempt"]
    try:
        end = answer_files.end_attempt(
            run, request_id, attempt, "revoked", by=str(engine.actor), at_ms=engine.clock()
        )
    except (OSError, DamagedError) as error:
        raise RefusalError("refused", f"cannot tell whether it was delivered: {error}") from None
    if end.outcome == "delivered":
        raise RefusalError("refused", "the answer was delivered already; it cannot be taken back")
