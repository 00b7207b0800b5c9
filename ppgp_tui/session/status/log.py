"""What the status line needs of the event log, carried from one call to the next.

Only new bytes are read: the memory says up to which offset the log was read, and proves with the
64 KiB before it that the log still is the one it knew. Values are plain dictionaries, so that they
cost nothing to keep; they say the same as `log.facts` does (a test compares them).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from ppgp_tui.session.log import pauses
from ppgp_tui.session.log import request_book as book
from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.picture.blocked import words
from ppgp_tui.session.status import audit as status_audit
from ppgp_tui.session.status.files import open_inside, read

Json = dict[str, Any]

_PROOF = 64 * 1024
_BLOCK = 1024 * 1024
_DEEPEST = 127
_TELLING = (
    b"authority.", b"decision.", b"blocker.", b"human.interrupted", b"agent.held",
    b'"goal.created"', b'"goal.claimed"', b'"goal.status_changed"', b'"eval.finished"',
)  # fmt: skip
_EARLY_KEPT = 32
_BY_AGENTS = b'"agent"'


def log_memory(root: str, path: str, known: Json | None) -> Json | None:
    """Return what is known of the log after reading what is new; None when none can be read.

    `known` is the memory of the last call, or None. The log is `path`, relative to `root`.
    """
    descriptor = open_inside(root, path)
    if descriptor is None:
        return None
    try:
        memory = known if known and _still_holds(descriptor, known) else _nothing(descriptor)
        _read_on(descriptor, memory)
        return memory
    except OSError:
        return None
    finally:
        os.close(descriptor)


def with_outbox(memory: Json | None, own: str) -> Json:
    """What the log and the outbox in the user's folder `own` say together; `memory` stays."""
    known = memory or said_by_nobody()
    data, _ = read(own, "outbox.jsonl")
    if not data:
        return known
    further: Json = json.loads(json.dumps(known))
    for batch in data.split(b"\n\n")[:-1]:
        for line in batch.split(b"\n"):
            if line and _tells(line, further):
                _take(further, _event(line))
    return further


def _nothing(descriptor: int) -> Json:
    found = os.fstat(descriptor)
    return {
        "file": [found.st_dev, found.st_ino],
        "offset": 0,
        "proof": _proof(descriptor, 0),
        **said_by_nobody(),
    }


def said_by_nobody() -> Json:
    """What is known of a log without a line."""
    return {
        "last_ms": None,
        "book": book.nothing(),
        "pauses": pauses.nothing(),
        "blockers": {},
        "cleared_early": [],
        "audit": status_audit.nothing(),
    }


def _still_holds(descriptor: int, known: Json) -> bool:
    """Whether the log is the file that was read, and what was read still stands before its end."""
    found = os.fstat(descriptor)
    same_file = [found.st_dev, found.st_ino] == known["file"] and found.st_size >= known["offset"]
    return same_file and bool(_proof(descriptor, known["offset"]) == known["proof"])


def _proof(descriptor: int, offset: int) -> str:
    begin = max(0, offset - _PROOF)
    return hashlib.sha256(os.pread(descriptor, offset - begin, begin)).hexdigest()


def _read_on(descriptor: int, memory: Json) -> None:
    before = memory["offset"]
    last = b""
    for block in _whole_lines(descriptor, before):
        memory["offset"] += len(block)
        if _tells(block, memory):
            for line in block.split(b"\n"):
                if _tells(line, memory):
                    _take(memory, _event(line))
        last = _last_line(block) or last
    if last:
        memory["last_ms"] = _time(_event(last))
    if memory["offset"] != before:
        memory["proof"] = _proof(descriptor, memory["offset"])


def _tells(data: bytes, memory: Json) -> bool:
    """Whether `data` may hold an event of concern; while a pause stands those of all agents are."""
    if memory["pauses"]["hold"] is not None and _BY_AGENTS in data:
        return True
    return any(word in data for word in _TELLING)


def _whole_lines(descriptor: int, offset: int) -> Iterator[bytes]:
    """The bytes from `offset` to the last newline, in blocks that end with one."""
    rest = b""
    while chunk := os.pread(descriptor, _BLOCK, offset):
        offset += len(chunk)
        end = chunk.rfind(b"\n") + 1
        if end:
            yield rest + chunk[:end]
            rest = chunk[end:]
        else:
            rest += chunk


def _last_line(block: bytes) -> bytes:
    """The last line of `block` that is not blank; empty when all are."""
    end = len(block)
    while end > 0:
        begin = block.rfind(b"\n", 0, end - 1) + 1
        line = block[begin : end - 1]
        if line[:1] == b"{" or not _blank(line):
            return line
        end = begin
    return b""


def _blank(line: bytes) -> bool:
    if not line:
        return True
    from ppgp_tui.gasp.envelope import is_blank

    return is_blank(line)


def _event(line: bytes) -> Json:
    """The envelope's members of one line; whatever is odd about it is left to the real reader."""
    if line.count(b"[") + line.count(b"{") <= _DEEPEST:
        try:
            value = json.loads(line.decode(), parse_constant=_odd)
        except ValueError:
            value = None
        if isinstance(value, dict) and _time(value) is not None:
            return value
    from ppgp_tui.gasp.envelope import read_line

    said = read_line(line)
    return {
        "kind": said.kind,
        "ts_ms": said.ts_ms,
        "actor": {"id": said.actor_id, "kind": said.actor_kind},
        "payload": said.payload,
    }


def _odd(word: str) -> None:
    raise ValueError(word)


def _time(event: Json) -> int | None:
    value = whole(event.get("ts_ms"))
    return value if value is not None and -(2**63) <= value < 2**63 else None


def _take(memory: Json, event: Json) -> None:
    kind, ts_ms = text(event.get("kind")), _time(event)
    said = event.get("actor")
    actor: Json = said if isinstance(said, dict) else {}
    paused = memory["pauses"]["hold"] is not None and actor.get("kind") == "agent"
    if paused and pauses.is_deed(kind):
        pauses.count(memory["pauses"], text(actor.get("id")), ts_ms)
    handler = _HANDLERS.get(kind)
    payload = event.get("payload")
    if isinstance(payload, dict) and kind in status_audit.KINDS:
        status_audit.take(memory["audit"], kind, payload)
    if handler is not None and isinstance(payload, dict):
        handler(memory, kind, text(actor.get("id")), ts_ms, payload)


def _requested(memory: Json, _: str, actor: str, ts_ms: int | None, payload: Json) -> None:
    if not isinstance(payload.get("id"), str):
        return
    asked = payload.get("request")
    asked = asked if isinstance(asked, dict) else {}
    asker = asked.get("asker")
    session = text(asker.get("session")) if isinstance(asker, dict) else ""
    details = {
        "created_ms": whole(asked.get("created_ms")) or ts_ms,
        "expires_ms": whole(asked.get("expires_ms")),
        "frees": len(texts(asked.get("frees"))),
        "asker": session or actor or None,
    }
    book.ask(memory["book"], payload["id"], details, ts_ms)


def _decided(memory: Json, _: str, __: str, ts_ms: int | None, payload: Json) -> None:
    book.decide(memory["book"], payload, None, ts_ms)


def _in_book(change: Callable[[Json, Json, int | None], None]) -> _Handler:
    return lambda memory, _, __, ts_ms, payload: change(memory["book"], payload, ts_ms)


def _paused(memory: Json, kind: str, actor: str, ts_ms: int | None, payload: Json) -> None:
    pauses.take(memory["pauses"], kind, actor, ts_ms, payload)


def _raised(memory: Json, _: str, __: str, ___: int | None, payload: Json) -> None:
    if text(payload.get("id")) in memory["cleared_early"]:
        memory["cleared_early"].remove(text(payload.get("id")))
        return
    klass = text(payload.get("class"))
    stop = [klass if klass in _CLASSES else None, words(text(payload.get("text")))]
    memory["blockers"][text(payload.get("id"))] = stop


def _cleared(memory: Json, _: str, __: str, ___: int | None, payload: Json) -> None:
    blocker = text(payload.get("id"))
    if memory["blockers"].pop(blocker, None) is None:
        memory["cleared_early"] = [*memory["cleared_early"], blocker][-_EARLY_KEPT:]


_Handler = Callable[[Json, str, str, int | None, Json], None]
_CLASSES = ("A", "B", "C", "D")

_HANDLERS: dict[str, _Handler] = {
    "authority.requested": _requested,
    "authority.delivered": _in_book(book.deliver),
    "authority.consumed": _in_book(book.consume),
    "authority.withdrawn": _in_book(book.withdraw),
    "decision.created": _decided,
    "decision.status_changed": _in_book(book.change),
    "blocker.raised": _raised,
    "blocker.cleared": _cleared,
    pauses.ASKED: _paused,
    pauses.HELD: _paused,
}
