"""Lines of the demo's event log, written as an engine would write them.

Every event has a cause that is a line above it, every entity has its paired operations, ids come
from the seed. Envelope and pairs: GASP reference sections 4, 5 and 8.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SYSTEM = ("system", "ppgp-tui")


class Ids:
    """Ids that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(f"ids {seed}")

    def new(self, prefix: str) -> str:
        """Return `PREFIX_` and 32 hex digits."""
        return f"{prefix}_{self._chance.getrandbits(128):032x}"


class Journal:
    """The log file; lines collect until `flush` appends them with one write."""

    def __init__(self, path: Path, ids: Ids) -> None:
        self._path = path
        self._ids = ids
        self._lines: list[bytes] = []

    def event(
        self,
        ts_ms: int,
        actor: tuple[str, str],
        kind: str,
        payload: Json,
        *,
        cause: str | None,
        about: str | None,
        pair: Sequence[Json] = (),
    ) -> str:
        """Add one event and, where it has one, its pair; return the event's id.

        Args:
            ts_ms: When it happened.
            actor: Kind and id of who did it.
            kind: Event kind.
            payload: Its payload.
            cause: Id of an event that is already in the log; None only for a root.
            about: The correlation id.
            pair: Graph operations that this event stands for.
        """
        event = self._envelope(ts_ms, actor, kind, payload, cause, about)
        if pair:
            self.pair(ts_ms, event, pair, about)
        return event

    def pair(self, ts_ms: int, event: str, operations: Sequence[Json], about: str | None) -> None:
        """Add the operations of `event`, for the one kind whose pair does not follow at once."""
        self._envelope(ts_ms, SYSTEM, "state.ops_applied", list(operations), event, about)

    def flush(self) -> None:
        """Append what has collected."""
        if not self._lines:
            return
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(handle, b"".join(self._lines))
        finally:
            os.close(handle)
        self._lines.clear()

    def _envelope(
        self,
        ts_ms: int,
        actor: tuple[str, str],
        kind: str,
        payload: Any,
        cause: str | None,
        about: str | None,
    ) -> str:
        event = self._ids.new("event")
        envelope = {
            "id": event,
            "schema_version": 1,
            "ts_ms": ts_ms,
            "actor": {"kind": actor[0], "id": actor[1]},
            "kind": kind,
            "payload": _sorted(payload),
            "causation_id": cause,
            "correlation_id": about,
        }
        text = json.dumps(envelope, separators=(",", ":"), ensure_ascii=False)
        self._lines.append(text.encode() + b"\n")
        return event


def create(node: str, kind: str, props: Json) -> Json:
    """The operation that makes a node."""
    return {"CreateNode": {"id": node, "kind": kind, "props": props}}


def update(node: str, props: Json) -> Json:
    """The operation that merges props into a node."""
    return {"UpdateNode": {"id": node, "props": props}}


def relate(source: str, rel: str, target: str) -> Json:
    """The operation that draws a relation."""
    return {"CreateRelation": {"from": source, "rel": rel, "to": target, "props": {}}}


def unrelate(source: str, rel: str, target: str) -> Json:
    """The operation that removes a relation."""
    return {"DeleteRelation": {"from": source, "rel": rel, "to": target}}


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sorted(item) for item in value]
    return value
