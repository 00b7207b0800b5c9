"""Requests for a person's authority as the log tells them (`authority.*` events).

Reading only: what is damaged is left out, nothing is verified here.
"""

from __future__ import annotations

from typing import Any

from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.model import Option, Origin, Request


def recorded_request(payload: Any, actor: str, ts_ms: int | None, origin: Origin) -> Request | None:
    """The request within the payload of `authority.requested`; None when it names no id."""
    if not isinstance(payload, dict) or not isinstance(payload.get("id"), str):
        return None
    said = payload.get("request")
    asked: dict[str, Any] = said if isinstance(said, dict) else {}
    asker = asked.get("asker")
    session = asker.get("session") if isinstance(asker, dict) else None
    return Request(
        id=payload["id"],
        state="waiting",
        digest=text(payload.get("digest")) or _digest(asked),
        kind=text(asked.get("kind")) or "question",
        klass=text(asked.get("class")),
        question=text(asked.get("question")),
        scope=text(asked.get("scope")),
        why=text(asked.get("why")) or None,
        evidence=text(asked.get("evidence")) or None,
        options=_options(asked.get("options")),
        recommended=text(asked.get("recommended")) or None,
        irreversible=asked.get("irreversible") is True,
        frees=tuple(task_key(node) for node in texts(asked.get("frees"))),
        asker=text(session) or actor or None,
        created_ms=whole(asked.get("created_ms")) or ts_ms,
        expires_ms=whole(asked.get("expires_ms")),
        origin=origin,
    )


def task_key(node: str) -> str:
    """The key of a task from its node id `todo:KEY`; any other id as it is."""
    return node.removeprefix("todo:")


def _options(value: Any) -> tuple[Option, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        Option(text(item.get("key")), text(item.get("label")), text(item.get("detail")) or None)
        for item in value
        if isinstance(item, dict) and text(item.get("key"))
    )


def _digest(asked: dict[str, Any]) -> str:
    try:
        return digest(asked)
    except UnserialisableError:
        return ""
