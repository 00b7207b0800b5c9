"""Event lines for tests, as a foreign writer would write them, and what is read of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ppgp_tui.session.log.tail import LogRead

LOG = "state/events.jsonl"


def event(number: int, kind: str = "tool.called", payload: Any = None, **members: Any) -> bytes:
    """One line, with its newline."""
    said = {
        "id": f"event_{number:032x}",
        "schema_version": 1,
        "ts_ms": 1_790_000_000_000 + number * 1000,
        "actor": {"kind": "agent", "id": "demo"},
        "kind": kind,
        "payload": {"number": number} if payload is None else payload,
        "causation_id": None,
        "correlation_id": None,
        **members,
    }
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def events(first: int, count: int) -> bytes:
    return b"".join(event(number) for number in range(first, first + count))


def ids(read: LogRead) -> list[int]:
    view = read.view
    assert view is not None
    return [int(view.event(index).id.removeprefix("event_"), 16) for index in range(len(view))]


def replace_by(path: Path, data: bytes) -> None:
    new = path.with_name("new")
    new.write_bytes(data)
    new.replace(path)
