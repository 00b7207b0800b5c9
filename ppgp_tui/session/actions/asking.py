"""Asking a person, and what becomes of a question besides its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ppgp_tui.session.authority import request_files
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.engine import projections, requests
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.process import start_of


@dataclass(frozen=True, slots=True)
class Question:
    """What an asker wants decided; bounds as in the README's "Requests and answers"."""

    text: str
    kind: str = "question"
    klass: str = "C"
    scope: str = ""
    why: str | None = None
    evidence: str | None = None
    options: tuple[str, ...] = ()
    recommended: str | None = None
    irreversible: bool = False
    frees: tuple[str, ...] = ()
    """Keys of tasks that wait for this."""
    expires_ms: int | None = None
    tool: Json | None = None
    """The call that waits for this: `{name, input}`."""


def ask(engine: Engine, question: Question, *, pid: int | None = None) -> Result:
    """Ask a person. Returns at once with `{request, digest}`; the answer comes later."""
    return ask_about(engine, lambda _: question, action="ask", pid=pid)


def ask_about(
    engine: Engine,
    question: Callable[[Draft], Question],
    *,
    action: str,
    pid: int | None = None,
) -> Result:
    """Ask what `question` makes of the state under the lock, unless it raises `RefusalError`."""
    asked: list[Json] = []

    def act(scene: Scene, draft: Draft) -> Json:
        request = _request(engine, scene, question(draft), pid)
        asked.append(request)
        return requests.ask(draft, request)

    def after(_: Scene, __: Json) -> list[str]:
        return [f".ppgp/run/{request_files.FOLDER}/{request['id']}.json" for request in asked]

    return engine.perform(action, act, after=after, said=lambda data: f"asked {data['request']}")


def withdraw(engine: Engine, request_id: str, reason: str = "asker") -> Result:
    """Stop asking."""
    return engine.perform(
        "withdraw",
        lambda _, draft: requests.withdraw(draft, request_id, reason),
        said=f"withdrew {request_id}",
        is_deed=False,
    )


def deliver(engine: Engine, request_id: str) -> Result:
    """Record that the waiter has the answer."""
    return engine.perform(
        "deliver",
        lambda _, draft: requests.deliver(draft, request_id, str(engine.actor)),
        said="delivered",
        is_deed=False,
    )


def restore_files(engine: Engine) -> Result:
    """Write the files of open requests and their answers again where they are gone.

    Nothing is recorded: what is written is what the log says.
    """
    written: list[str] = []

    def act(scene: Scene, _: Draft) -> Json:
        try:
            written.extend(projections.write_requests(scene.run, scene.ledger))
        except (OSError, DamagedError) as error:
            text = f"the requests could not be written again: {projections.said(error)}"
            raise RefusalError("disk", text) from None
        return {}

    result = engine.look("restore_files", act)
    if not written:
        return result
    noun = "file" if len(written) == 1 else "files"
    return replace(
        result,
        code="done",
        message=f"{len(written)} {noun} of requests were gone; written again from the log",
        created=tuple(f".ppgp/run/{name}" for name in written),
    )


def _request(engine: Engine, scene: Scene, asked: Question, pid: int | None) -> Json:
    """The request object, one that its readers will accept."""
    request = requests.build(
        request_id=engine.ids("req"),
        repo=repo_id(scene.run),
        question=asked.text,
        asker=_asker(engine, pid),
        created_ms=scene.now_ms,
        kind=asked.kind,
        klass=asked.klass,
        scope=asked.scope,
        why=asked.why,
        evidence=asked.evidence,
        options=asked.options,
        recommended=asked.recommended,
        irreversible=asked.irreversible,
        frees=[key if key.startswith("todo:") else f"todo:{key}" for key in asked.frees],
        tool=asked.tool,
        expires_ms=asked.expires_ms,
    )
    try:
        request_files.checked_request(canonical(request), request["id"])
    except DamagedError as error:
        raise RefusalError("refused", f"this cannot be asked: {error}") from None
    return request


def _asker(engine: Engine, pid: int | None) -> Json:
    asker: Json = {"actor": str(engine.actor), "cwd": _here()}
    if engine.actor.kind == "agent":
        asker["session"] = engine.actor.id
    if pid is not None:
        asker["pid"] = pid
        if (started := start_of(pid)) is not None:
            asker["pid_start"] = started
    return asker


def repo_id(run: Folder) -> str:
    """The name of the repository. Raises `RefusalError` where its file is damaged."""
    try:
        return request_files.repo_id(run)
    except DamagedError as error:
        raise RefusalError("refused", str(error)) from None
    except OSError as error:
        text = f".ppgp/run/{request_files.REPO_ID} cannot be used: {error.strerror}"
        raise RefusalError("refused", text) from None


def _here() -> str:
    """The working directory as text, also where its bytes are no UTF-8; empty if it is gone."""
    try:
        return str(Path.cwd()).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
