"""One batch in the making: events with their causes, correlations and paired operations.

The causation rule D, the pairs and the order inside a batch are those of the event table in the
README ("What is recorded"); GASP reference section 8 has the rules they satisfy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.version import __version__


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: kind `user`, `agent`, `tool` or `system`, and an id without its kind."""

    kind: str
    id: str

    def __str__(self) -> str:
        """As in `user:dev`."""
        return f"{self.kind}:{self.id}"

    def as_json(self) -> Json:
        """The envelope's `actor`."""
        return {"kind": self.kind, "id": self.id}


SYSTEM: Final = Actor("system", "ppgp-tui")


@dataclass
class Draft:
    """Collects the events of one batch; the ledger follows, so later events see earlier ones."""

    ledger: Ledger
    """The fold; the draft changes it."""
    actor: Actor
    now_ms: int
    new_id: Callable[[str], str]
    citable: Callable[[str], bool] = lambda _: True
    """Whether an event is a line of the log (or waits for it): only such a one can be a cause."""
    events: list[Json] = field(default_factory=list)

    def record(
        self,
        kind: str,
        payload: Json,
        *,
        cause: str | None = None,
        correlation: str | None = None,
        actor: Actor | None = None,
        ops: Sequence[Json] = (),
    ) -> str:
        """Append one event, and its pair when `ops` are given; return the event's id.

        `cause` is the antecedent. Without one, or where Git took it out of the log, the default D
        is used; where nothing can be the cause, the batch begins with `session.started`. Only
        `goal.created` stands without a cause, and `run.started` where there is none.
        """
        if cause is None or not self._is_citable(cause):
            cause = self._default_cause(kind)
        correlation = correlation or self.ledger.correlation(self.actor.id)
        event_id = self._append(kind, payload, cause, correlation, actor or self.actor)
        if ops:
            self.pair(event_id, ops, correlation)
        return event_id

    def pair(self, event_id: str, ops: Sequence[Json], correlation: str | None = None) -> None:
        """Append the `state.ops_applied` that belongs to `event_id`."""
        correlation = correlation or self.ledger.correlation(self.actor.id)
        self._append("state.ops_applied", list(ops), event_id, correlation, SYSTEM)

    def _default_cause(self, kind: str) -> str | None:
        if kind == "goal.created":
            return None
        candidates = self.ledger.causes(self.actor.id, inside_run=kind != "run.started")
        found = next(filter(self._is_citable, candidates), None)
        if found is None and kind != "run.started":
            payload = {"id": self.new_id("sess"), "tool": "ppgp-tui", "version": __version__}
            found = self._append("session.started", payload, None, None, SYSTEM)
        return found

    def _is_citable(self, event_id: str) -> bool:
        return any(event["id"] == event_id for event in self.events) or self.citable(event_id)

    def _append(
        self, kind: str, payload: Any, cause: str | None, correlation: str | None, actor: Actor
    ) -> str:
        event = {
            "id": self.new_id("event"),
            "schema_version": 1,
            "ts_ms": self.now_ms,
            "actor": actor.as_json(),
            "kind": kind,
            "payload": payload,
            "causation_id": cause,
            "correlation_id": correlation,
        }
        self.events.append(event)
        self.ledger.apply(event)
        return str(event["id"])


def create(node_id: str, kind: str, props: Json) -> Json:
    """The operation that makes a node."""
    return {"CreateNode": {"id": node_id, "kind": kind, "props": props}}


def update(node_id: str, props: Json) -> Json:
    """The operation that merges `props` into a node."""
    return {"UpdateNode": {"id": node_id, "props": props}}


def tombstone(node_id: str, reason: str) -> Json:
    """The operation that buries a node."""
    return {"TombstoneNode": {"id": node_id, "reason": reason}}


def relate(source: str, relation: str, target: str) -> Json:
    """The operation that draws a relation."""
    return {"CreateRelation": {"from": source, "props": {}, "rel": relation, "to": target}}


def unrelate(source: str, relation: str, target: str) -> Json:
    """The operation that removes a relation."""
    return {"DeleteRelation": {"from": source, "rel": relation, "to": target}}
