"""Answering, and taking an answer back: a person's acts, signed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from ppgp_tui.ppgp.edits import NoSuchSpanError, mark_item, unmark_item
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.actions.goal import note_refused_edit
from ppgp_tui.session.authority import answer_files, request_files
from ppgp_tui.session.authority.answer import Answer, signed_text
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.keys import KeyProblemError, SigningKey
from ppgp_tui.session.authority.pins import UnusablePinsError
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine import goals, requests
from ppgp_tui.session.engine.draft import SYSTEM, Actor, Draft
from ppgp_tui.session.engine.engine import Engine, Scene
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.inbox import Bullet, pending_bullets
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.safefiles import Folder

_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Said:
    """A person's answer: one of the options or their own words, and perhaps a note."""

    option: str | None = None
    text: str | None = None
    note: str | None = None


def answer(
    engine: Engine,
    request_id: str,
    said: Said,
    *,
    key: SigningKey,
    seen_digest: str | None = None,
) -> Result:
    """A person answers. Signed before the lock is taken, checked again inside it.

    `seen_digest` is that of the request as it was painted; another one refuses as `stale`.
    """
    for _ in range(_TRIES):
        try:
            sealed = _sealed(engine, request_id, said, key)
        except (RefusalError, KeyProblemError, UnusablePinsError, DamagedError) as problem:
            code = problem.refused.code if isinstance(problem, RefusalError) else "refused"
            return Result("answer", code, str(problem))
        except OSError as error:
            return Result("answer", "disk", f"{error.filename}: {error.strerror}")
        result = _record(engine, request_id, sealed, seen_digest)
        if result is not None:
            return result
    return Result("answer", "busy", "somebody else keeps answering; read the request again")


@dataclass(frozen=True, slots=True)
class _Sealed:
    """An answer with its signature, for one digest and one attempt."""

    answer: Answer
    request: Json
    bullet: Bullet | None


def _sealed(engine: Engine, request_id: str, said: Said, key: SigningKey) -> _Sealed:
    """Find what is asked and sign the answer to exactly that. No lock is held."""
    bullet, request = _asked(engine, request_id)
    offered = requests.allowed(request["options"], request["kind"])
    if said.option is not None and said.option not in offered:
        text = f"{said.option!r} is not offered; one of {', '.join(offered)}"
        raise RefusalError("refused", text)
    if said.option is None and not (said.text or "").strip():
        raise RefusalError("refused", "an answer is one of the options or a text")
    with Folder.open(engine.root, ".ppgp", "run") as run:
        attempt = answer_files.free_attempt(run, request_id)
    about: Json = {
        "request": request_id,
        "digest": digest(request),
        "attempt": attempt,
        "answered_ms": engine.clock(),
        "option": said.option,
        "text": said.text,
        "note": said.note,
    }
    signed = signed_text(repo=request["repo"], **about)
    made = Answer(
        **about,
        decision=engine.ids("dec"),
        by=f"{engine.actor.kind}:{engine.actor.id}",
        signed=signed,
        signature=key.sign(signed.encode()),
    )
    return _Sealed(made, request, bullet)


def _asked(engine: Engine, request_id: str) -> tuple[Bullet | None, Json]:
    """The bullet, if it is one, and the request object that an answer is signed for."""
    path, document = engine.read_document()
    reading = read_goal(document, path, engine.settings.goal_max_bytes)
    bullet = next((one for one in pending_bullets(reading) if one.id == request_id), None)
    with Folder.open(engine.root, ".ppgp", "run", create=True) as run:
        try:
            return bullet, dict(request_files.read_request(run, request_id).request)
        except FileNotFoundError:
            repo = request_files.repo_id(run)
    if bullet is None:
        raise RefusalError("refused", f"no request {request_id} waits here; `requests` lists them")
    asker = {"actor": f"{SYSTEM[0]}:{SYSTEM[1]}", "cwd": str(engine.root)}
    return bullet, requests.build(
        request_id=request_id,
        repo=repo,
        question=bullet.item.text,
        asker=asker,
        created_ms=engine.clock(),
        kind="document",
        evidence=f"{path}:{bullet.item.line}",
    )


def _record(
    engine: Engine, request_id: str, sealed: _Sealed, seen_digest: str | None
) -> Result | None:
    """Record a sealed answer; None when its attempt number was taken meanwhile."""
    taken: list[bool] = []
    given = sealed.answer

    def act(scene: Scene, draft: Draft) -> Json:
        if sealed.bullet is not None:
            _must_still_stand(scene, sealed.bullet, seen_digest)
            if request_id not in draft.ledger.requests:
                requests.ask(draft, sealed.request, Actor(*SYSTEM))
        entry = requests.still_open(draft, request_id)
        if entry["digest"] != given.digest or seen_digest not in _shown(sealed, entry):
            raise RefusalError("stale", "a changed request: read it again")
        free = answer_files.free_attempt(scene.run, request_id, entry["attempt"])
        if free != given.attempt:
            taken.append(True)
            raise RefusalError("busy", "another answer came first")
        said = {
            name: getattr(given, name)
            for name in ("decision", "attempt", "option", "text", "note", "signed", "signature")
        }
        data = requests.answer(draft, request_id, said)
        if data["status"] == "Approved":
            data |= _confirmed(draft, sealed.request, data["event"])
        return {**data, "signed": given.signature is not None}

    def after(scene: Scene, data: Json) -> list[str]:
        try:
            answer_files.create_answer(scene.run, given)
        except (OSError, DamagedError) as error:
            scene.warnings.append(f"recorded; its file will be written again later: {error}")
        if sealed.bullet is not None and scene.document is not None:
            _mark_bullet(scene, data, sealed)
        return [f".ppgp/run/answers/{request_id}.{given.attempt}.json"]

    word = given.option or "in your own words"
    result = engine.perform("answer", act, after=after, said=f"answered: {word}")
    return None if taken else result


def _confirmed(draft: Draft, request: Json, event: str) -> Json:
    """Do what a confirmed proposal asked for, caused by the decision that confirmed it."""
    if request["kind"] == "goal_proposal":
        return goals.start(draft, request["question"], request=request["id"], cause=event)
    if request["kind"] == "goal_tweak":
        return goals.tweak(draft, request["question"], cause=event)
    return {}


def _shown(sealed: _Sealed, entry: Json) -> tuple[str | None, ...]:
    """Digests the person may have been shown; None for a script that was shown none."""
    shown = sealed.bullet.digest if sealed.bullet else entry["digest"]
    return (None, shown, entry["digest"])


def _must_still_stand(scene: Scene, bullet: Bullet, seen_digest: str | None) -> None:
    now = {one.id: one for one in pending_bullets(scene.reading)}
    if bullet.id not in now or seen_digest not in (None, bullet.digest):
        raise RefusalError("stale", "the document changed: read the request again")


def _mark_bullet(scene: Scene, data: Json, sealed: _Sealed) -> None:
    """Put the outcome before the bullet's words, so that readers take it as decided."""
    option, day = sealed.answer.option, _day(scene.now_ms)
    words = {"yes": f"granted {day}", "no": f"refused {day}"}
    mark = words.get(option or "", f"answered {day}: {_label(sealed)}")
    bullet = next(one for one in pending_bullets(scene.reading) if one.id == data["request"])
    try:
        changed = mark_item(scene.document or b"", bullet.item, mark)
    except NoSuchSpanError as error:
        data["document_refused"] = str(error)
        scene.warnings.append(f"recorded, but the document was not marked: {error}")
        return
    note_refused_edit(scene, data, changed)


def _label(sealed: _Sealed) -> str:
    words = sealed.answer.text or sealed.answer.option or ""
    return " ".join(words.replace("]", ")").split())[:80]


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone().date().isoformat()


def take_back(engine: Engine, request_id: str) -> Result:
    """Take an answer back, possible until somebody received it: the request waits again."""

    def act(scene: Scene, draft: Draft) -> Json:
        entry = draft.ledger.requests.get(request_id)
        if entry is not None and entry["state"] == "answered":
            _revoke(scene.run, entry, engine)
        return requests.take_back(draft, request_id)

    def after(scene: Scene, data: Json) -> list[str]:
        asked = scene.ledger.requests[request_id]["request"]
        if asked["kind"] == "document" and scene.document is not None:
            try:
                note_refused_edit(scene, data, unmark_item(scene.document, asked["question"]))
            except NoSuchSpanError as error:
                scene.warnings.append(f"recorded, but the document keeps its mark: {error}")
        return []

    return engine.perform("take_back", act, after=after, said="taken back; it waits again")


def _revoke(run: Folder, entry: Json, engine: Engine) -> None:
    """Win the race for the one name that ends the attempt, or refuse."""
    by = f"{engine.actor.kind}:{engine.actor.id}"
    try:
        end = answer_files.end_attempt(
            run,
            entry["request"]["id"],
            entry["attempt"],
            "revoked",
            by=by,
            at_ms=engine.clock(),
        )
    except (OSError, DamagedError) as error:
        raise RefusalError("refused", f"cannot tell whether it was delivered: {error}") from None
    if end.outcome == "delivered":
        raise RefusalError("refused", "the answer was delivered already; it cannot be taken back")
