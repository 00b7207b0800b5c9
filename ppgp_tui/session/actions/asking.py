"""Asking a person, and what becomes of a question besides its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ppgp_tui.session.authority import request_files
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.restore import restore
from ppgp_tui.session.engine import requests
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine, Scene
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.process import start_of
from ppgp_tui.session.safefiles import Folder


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


def ask(engine: Engine, question: Question, *, pid: int | None = None) -> Result:
    """Ask a person. Returns at once with `{request, digest}`; the answer comes later."""
    return ask_if(engine, question, lambda _: None, action="ask", pid=pid)


def ask_if(
    engine: Engine,
    question: Question,
    allowed: Callable[[Draft], None],
    *,
    action: str,
    pid: int | None = None,
) -> Result:
    """Ask unless `allowed` raises `RefusalError` under the lock."""

    def act(scene: Scene, draft: Draft) -> Json:
        allowed(draft)
        request = requests.build(
            request_id=engine.ids("req"),
            repo=_repo_id(scene.run),
            question=question.text,
            asker=_asker(engine, pid),
            created_ms=scene.now_ms,
            kind=question.kind,
            klass=question.klass,
            scope=question.scope,
            why=question.why,
            evidence=question.evidence,
            options=question.options,
            recommended=question.recommended,
            irreversible=question.irreversible,
            frees=[key if key.startswith("todo:") else f"todo:{key}" for key in question.frees],
            expires_ms=question.expires_ms,
        )
        return {**requests.ask(draft, request), "object": request}

    def after(scene: Scene, data: Json) -> list[str]:
        request = data.pop("object")
        try:
            request_files.create_request(scene.run, request)
        except (OSError, DamagedError) as error:
            scene.warnings.append(f"recorded, but the request's file could not be made: {error}")
            return []
        return [f".ppgp/run/requests/{request['id']}.json"]

    return engine.perform(action, act, after=after, said=lambda data: f"asked {data['request']}")


def withdraw(engine: Engine, request_id: str, reason: str = "asker") -> Result:
    """Stop asking."""
    return engine.perform(
        "withdraw",
        lambda _, draft: requests.withdraw(draft, request_id, reason),
        said=f"withdrew {request_id}",
    )


def deliver(engine: Engine, request_id: str) -> Result:
    """Record that the waiter has the answer."""
    to = f"{engine.actor.kind}:{engine.actor.id}"
    return engine.perform(
        "deliver", lambda _, draft: requests.deliver(draft, request_id, to), said="delivered"
    )


def restore_files(engine: Engine) -> Result:
    """Write requests and answers again that `.ppgp/run` lost; the log has them."""

    def after(scene: Scene, _: Json) -> list[str]:
        try:
            return restore(scene.run, scene.ledger.requests)
        except (OSError, DamagedError) as error:
            scene.warnings.append(f"requests could not be written again: {error}")
            return []

    return engine.perform("restore_files", lambda _scene, _draft: {}, after=after, said="restored")


def _repo_id(run: Folder) -> str:
    try:
        return request_files.repo_id(run)
    except DamagedError as error:
        raise RefusalError("refused", f".ppgp/run/repo-id: {error}") from None


def _asker(engine: Engine, pid: int | None) -> Json:
    asker: Json = {"actor": f"{engine.actor.kind}:{engine.actor.id}", "cwd": str(Path.cwd())}
    if engine.actor.kind == "agent":
        asker["session"] = engine.actor.id
    if pid is not None:
        asker["pid"] = pid
        if (started := start_of(pid)) is not None:
            asker["pid_start"] = started
    return asker
