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

from ppgp_tui.session.members import text, texts, whole
from ppgp_tui.session.status_files import open_inside

Json = dict[str, Any]

_PROOF = 64 * 1024
_BLOCK = 1024 * 1024
_CLOSED_KEPT = 50
_DECIDED_KEPT = 10_000
_OPEN = ("waiting", "answered", "delivered")
_DEEPEST = 127


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


def _nothing(descriptor: int) -> Json:
    found = os.fstat(descriptor)
    return {
        "file": [found.st_dev, found.st_ino],
        "offset": 0,
        "proof": _proof(descriptor, 0),
        "last_ms": None,
        "requests": {},
        "decided": {},
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
        if b"authority." in block or b"decision." in block:
            for line in block.split(b"\n"):
                if b"authority." in line or b"decision." in line:
                    _take(memory, _event(line))
        last = _last_line(block) or last
    if last:
        memory["last_ms"] = _time(_event(last))
    if memory["offset"] != before:
        memory["proof"] = _proof(descriptor, memory["offset"])


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
        "actor": {"id": said.actor_id},
        "payload": said.payload,
    }


def _odd(word: str) -> None:
    raise ValueError(word)


def _time(event: Json) -> int | None:
    value = whole(event.get("ts_ms"))
    return value if value is not None and -(2**63) <= value < 2**63 else None


def _take(memory: Json, event: Json) -> None:
    handler = _HANDLERS.get(text(event.get("kind")))
    payload = event.get("payload")
    if handler is not None and isinstance(payload, dict):
        handler(memory, event, payload)


def _requested(memory: Json, event: Json, payload: Json) -> None:
    if not isinstance(payload.get("id"), str):
        return
    asked = payload.get("request")
    asked = asked if isinstance(asked, dict) else {}
    asker, actor = asked.get("asker"), event.get("actor")
    session = text(asker.get("session")) if isinstance(asker, dict) else ""
    memory["requests"][payload["id"]] = {
        "state": "waiting",
        "created_ms": whole(asked.get("created_ms")) or _time(event),
        "expires_ms": whole(asked.get("expires_ms")),
        "frees": len(texts(asked.get("frees"))),
        "asker": session or (text(actor.get("id")) if isinstance(actor, dict) else "") or None,
    }


def _moved_to(state: str) -> Callable[[Json, Json, Json], None]:
    return lambda memory, _, payload: _move(memory, text(payload.get("id")), state)


def _decided(memory: Json, _: Json, payload: Json) -> None:
    metadata = payload.get("metadata")
    request = text(metadata.get("request")) if isinstance(metadata, dict) else ""
    if request in memory["requests"]:
        decided = memory["decided"]
        decided[text(payload.get("id"))] = request
        if len(decided) > _DECIDED_KEPT:
            del decided[next(iter(decided))]
        _move(memory, request, "answered")


def _taken_back(memory: Json, _: Json, payload: Json) -> None:
    if payload.get("status") == "Superseded":
        decision = text(payload.get("decision_id"))
        _move(memory, memory["decided"].get(decision, ""), "waiting")


def _move(memory: Json, request: str, state: str) -> None:
    requests = memory["requests"]
    if request not in requests:
        return
    requests[request]["state"] = state
    closed = [key for key, known in requests.items() if known["state"] not in _OPEN]
    for old in closed[:-_CLOSED_KEPT]:
        del requests[old]


_HANDLERS: dict[str, Callable[[Json, Json, Json], None]] = {
    "authority.requested": _requested,
    "authority.delivered": _moved_to("delivered"),
    "authority.consumed": _moved_to("acted_on"),
    "authority.withdrawn": _moved_to("withdrawn"),
    "decision.created": _decided,
    "decision.status_changed": _taken_back,
}
