"""Logs for tests: real ones read in, made-up ones written line by line."""

import json
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.gasp.envelope import Envelope, is_blank
from ppgp_tui.gasp.event_reader import event_reader
from ppgp_tui.gasp.tracing.log_index import LogIndex
from ppgp_tui.gasp.tracing.things import Things

_FILES = json.loads((Path(__file__).parent.parent / "data/gasp/fixture.json").read_text())
FIXTURE: bytes = _FILES["state/events.jsonl"].encode()
YOYO = Path(__file__).parents[3] / "shared/cases/gasp/yoyo"


class Log:
    """A log whole in memory."""

    def __init__(self, data: bytes) -> None:
        read = event_reader()
        self.lines = [line for line in data.split(b"\n") if not is_blank(line)]
        self.events: list[Envelope] = [read(line) for line in self.lines]
        self.index = LogIndex()
        for event in self.events:
            self.index.take(event)
        self.things = Things(self.index, self.events.__getitem__)


def real(name: str) -> Path:
    """A slice of a real log; skips the test where it is not at hand."""
    path = YOYO / name
    if not path.exists():
        pytest.skip("the slices of a real log are not on this machine")
    return path


def event(name: str, kind: str, payload: Any = None, **members: Any) -> dict[str, Any]:
    """One event; `cause` and `run` are its causation and correlation."""
    return {
        "id": name,
        "schema_version": 1,
        "ts_ms": members.get("ts_ms", 1_790_000_000_000),
        "actor": members.get("actor", {"kind": "agent", "id": "evolve"}),
        "kind": kind,
        "payload": {} if payload is None else payload,
        "causation_id": members.get("cause"),
        "correlation_id": members.get("run"),
    }


def ops(name: str, *operations: dict[str, Any], **members: Any) -> dict[str, Any]:
    """One event of graph changes."""
    return event(name, "state.ops_applied", list(operations), **members)


def node(name: str, kind: str, **props: Any) -> dict[str, Any]:
    """The operation that makes a node."""
    return {"CreateNode": {"id": name, "kind": kind, "props": props}}


def link(source: str, relation: str, target: str) -> dict[str, Any]:
    """The operation that links two nodes."""
    return {"CreateRelation": {"from": source, "rel": relation, "to": target, "props": {}}}


def log(*events: dict[str, Any]) -> Log:
    """A log of these events."""
    return Log(b"".join(json.dumps(one).encode() + b"\n" for one in events))
