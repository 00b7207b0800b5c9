"""Requests for a person's authority as the log tells them (`authority.*` and decision events).

Reading only: what is damaged is shown as far as it goes, and no signature is verified here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.log import request_book as book
from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.model import Answer, Option, Origin, Request

_DAMAGE = "its digest is not that of its text"


class Asked(NamedTuple):
    """A request as it was recorded: for people, and whole, for checking answers to it."""

    request: Request
    whole: Mapping[str, Any]


class RequestLog:
    """Every request of the log, gathered event by event."""

    def __init__(self) -> None:
        self._book = book.nothing()

    def copied(self) -> RequestLog:
        """The same, to go on by itself."""
        other = RequestLog()
        other._book = book.copied(self._book)
        return other

    def ask(
        self, payload: dict[str, Any], actor: str, ts_ms: int | None, origin: Origin
    ) -> Request | None:
        """Take in `authority.requested`; None when it names no id."""
        request = recorded_request(payload, actor, ts_ms, origin)
        if request is None:
            return None
        said = payload.get("request")
        asked = Asked(request, said if isinstance(said, dict) else {})
        book.ask(self._book, request.id, asked, ts_ms)
        return request

    def take(self, kind: str, payload: dict[str, Any], actor: str, ts_ms: int | None) -> None:
        """Take in what became of a request."""
        if kind == "decision.created":
            book.decide(self._book, payload, _answer(payload, actor, ts_ms), ts_ms)
        else:
            _MOVES[kind](self._book, payload, ts_ms)

    def now(self) -> tuple[Request, ...]:
        """Open ones, and the newest of those that are closed; oldest first."""
        return tuple(_stands(entry) for entry in self._book["requests"].values())

    def whole(self) -> Mapping[str, Mapping[str, Any]]:
        """The open ones as they were recorded, by id."""
        return {
            key: entry["asked"].whole
            for key, entry in self._book["requests"].items()
            if entry["state"] in book.OPEN
        }


_MOVES: dict[str, Callable[[book.Json, dict[str, Any], int | None], None]] = {
    "authority.delivered": book.deliver,
    "authority.consumed": book.consume,
    "authority.withdrawn": book.withdraw,
    "decision.status_changed": book.change,
}


def recorded_request(payload: Any, actor: str, ts_ms: int | None, origin: Origin) -> Request | None:
    """The request within the payload of `authority.requested`; None when it names no id."""
    if not isinstance(payload, dict) or not isinstance(payload.get("id"), str):
        return None
    said = payload.get("request")
    asked: dict[str, Any] = said if isinstance(said, dict) else {}
    named, real = text(payload.get("digest")), _digest(asked)
    request = shown_request(payload["id"], asked, named or real, origin)
    return request._replace(
        asker=request.asker or actor or None,
        created_ms=request.created_ms or ts_ms,
        damage=_DAMAGE if "question" in asked and named not in ("", real) else "",
    )


def shown_request(
    request_id: str, asked: Mapping[str, Any], digest_named: str, origin: Origin
) -> Request:
    """A waiting request as a person is shown it; odd members are left out."""
    asker, tool = asked.get("asker"), asked.get("tool")
    asker = asker if isinstance(asker, dict) else {}
    tool = tool if isinstance(tool, dict) else {}
    return Request(
        id=request_id,
        state="waiting",
        digest=digest_named,
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
        asker=text(asker.get("session")) or None,
        created_ms=whole(asked.get("created_ms")),
        expires_ms=whole(asked.get("expires_ms")),
        origin=origin,
        asker_pid=whole(asker.get("pid")),
        asker_pid_start=whole(asker.get("pid_start")),
        cwd=text(asker.get("cwd")) or None,
        tool=text(tool.get("name")) or None,
        tool_input=_as_text(tool["input"]) if "input" in tool else None,
        for_session=tuple(texts(tool.get("session"))),
    )


def task_key(node: str) -> str:
    """The key of a task from its node id `todo:KEY`; any other id as it is."""
    return node.removeprefix("todo:")


def _stands(entry: book.Json) -> Request:
    """The request with what became of it."""
    request: Request = entry["asked"].request
    answer = entry["answer"]
    if entry["state"] == "waiting" and answer is None:
        return request
    return request._replace(
        state=entry["state"],
        state_ms=entry["state_ms"],
        reason=entry["reason"] if entry["state"] == "withdrawn" else "",
        answer=answer["said"]._replace(attempt=answer["attempt"]) if answer else None,
    )


def _answer(payload: dict[str, Any], actor: str, ts_ms: int | None) -> Answer:
    metadata = payload.get("metadata")
    said: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
    return Answer(
        decision=text(payload.get("id")),
        attempt=0,
        by=actor,
        at_ms=ts_ms,
        option=text(said.get("option")) or None,
        text=text(said.get("text")) or None,
        note=text(said.get("note")) or None,
        signature="unchecked" if text(said.get("signature")) else "unsigned",
    )


def _options(value: Any) -> tuple[Option, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        Option(text(item.get("key")), text(item.get("label")), text(item.get("detail")) or None)
        for item in value
        if isinstance(item, dict) and text(item.get("key"))
    )


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _digest(asked: dict[str, Any]) -> str:
    try:
        return digest(asked)
    except UnserialisableError:
        return ""
