"""Events added to the fixture repository, and notes of the checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.gasp.checks.agent_repository import AgentRepository, as_line, event
from tests.gasp.checks.said import Said

Check = Callable[..., Said]
NO_SNAPSHOTS = "note: no snapshots/ — skipped seed check"
VERIFIED = "note: identity hash verified against identity bytes"


def add(repo: AgentRepository, number: int, kind: str, payload: Any, cause: str | None = "event_03",
        **more: Any) -> None:  # fmt: skip
    repo.append(as_line(event(number, kind, payload, cause, **more)) + b"\n")


def ops(repo: AgentRepository, number: int, *payload: Any, cause: str | None = "event_03") -> None:
    add(repo, number, "state.ops_applied", list(payload), cause)


def node(name: str, kind: str = "goal", props: Any = None) -> dict[str, Any]:
    return {"CreateNode": {"id": name, "kind": kind, "props": {} if props is None else props}}


def link(rel: str) -> dict[str, Any]:
    return {"CreateRelation": {"from": "a b", "rel": rel, "to": "c", "props": None}}
