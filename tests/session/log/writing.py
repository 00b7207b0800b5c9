"""Event lines for tests, as a foreign writer would write them."""

from __future__ import annotations

import json
from typing import Any


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
