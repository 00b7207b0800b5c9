"""Answering permission prompts: asked by a waiting hook on disk, recorded only with their answer.

They can be answered where there is no log too; then nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.authority import answer_files, request_files
from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.canonical import digest, is_id
from ppgp_tui.session.engine import requests
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.process import is_alive

KIND = "permission"


def permission(run: Folder, request_id: str) -> Json | None:
    """The permission that is asked under this id by somebody who still waits; None for none.

    Raises `RefusalError` for one that nobody waits for any more.
    """
    if not is_id(request_id, "req"):
        return None
    try:
        request = request_files.read_request(run, request_id).request
        repo = request_files.known_repo_id(run)
    except (OSError, DamagedError):
        return None
    if request["kind"] != KIND:
        return None
    asker = request["asker"]
    if not is_alive(asker.get("pid", 0), asker.get("pid_start")):
        raise RefusalError("refused", "nobody waits for this permission any more")
    if request["repo"] != repo:
        raise RefusalError("refused", "this permission was asked in another repository")
    return request


def asker(request: Json) -> Actor:
    """Whoever asks for the permission."""
    return Actor("agent", request["asker"].get("session") or "unknown")


def answer_unrecorded(
    engine: Engine,
    request_id: str,
    option: str | None,
    text: str | None,
    seen_digest: str | None,
    seal: Callable[[Json, int], Answer],
) -> Result | None:
    """Answer a permission where there is no log; None where no such permission is asked.

    `seal` signs, while no lock is held.
    """
    if not _is_asked(engine, request_id):
        return None
    try:
        persons_only(engine)
        with engine.journal.lock() as run:
            request, attempt = _open(run, request_id, seen_digest)
        requests.must_fit(request, option, text)
        sealed = seal(request, attempt)
        with engine.journal.lock() as run:
            if _open(run, request_id, sealed.digest)[1] != attempt:
                raise RefusalError("busy", "another answer came first; read the request again")
            answer_files.create_answer(run, sealed)
    except RefusalError as refusal:
        return Result("answer", refusal.refused.code, refusal.refused.message)
    except OSError as error:
        return Result("answer", "disk", f"not answered: {error.filename}: {error.strerror}")
    status = "Rejected" if option in requests.REFUSING else "Approved"
    return Result(
        "answer",
        "done",
        f"answered: {option}{'' if sealed.signature else ', unsigned'}",
        created=(f".ppgp/run/{answer_files.FOLDER}/{request_id}.{attempt}.json",),
        warnings=("there is no log here: nothing was recorded",),
        data={
            "request": request_id,
            "decision": sealed.decision,
            "status": status,
            "signed": sealed.signature is not None,
        },
    )


def _is_asked(engine: Engine, request_id: str) -> bool:
    try:
        with Folder.open(engine.root, ".ppgp", "run") as run:
            return permission(run, request_id) is not None
    except RefusalError:
        return True  # why not, is said under the lock
    except OSError:
        return False


def _open(run: Folder, request_id: str, seen_digest: str | None) -> tuple[Json, int]:
    """The permission if it can be answered now, and the number of the attempt."""
    request = permission(run, request_id)
    if request is None:
        raise RefusalError("refused", f"no permission {request_id} is asked here")
    if seen_digest not in (None, digest(request)):
        raise RefusalError("stale", "a changed request: read it again")
    try:
        with suppress(FileNotFoundError):
            for attempt in answer_files.attempts(run, request_id):
                end = answer_files.read_end(run, request_id, attempt)
                if end is None or end.outcome == "delivered":
                    raise RefusalError("refused", "already answered")
        return request, answer_files.free_attempt(run, request_id)
    except DamagedError as error:
        raise RefusalError("refused", f"nowhere to put the answer: {error}") from None
