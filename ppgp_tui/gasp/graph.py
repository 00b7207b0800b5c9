"""The typed graph that a log folds into (GASP reference section 6).

Plain and mutable: one fold owns a graph, and everybody else only reads it.
"""

from __future__ import annotations

from typing import Any

Json = Any


class Node:
    """One entity. `props` is any JSON value; for all but odd logs it is an object."""

    __slots__ = ("artifacts", "id", "kind", "props", "stale", "tombstoned")

    def __init__(self, id: str, kind: str, props: Json) -> None:  # noqa: A002 - the field's name
        self.id = id
        self.kind = kind
        self.props = props
        self.stale = False
        self.tombstoned = False
        self.artifacts: tuple[Json, ...] = ()

    def prop(self, name: str) -> Json:
        """The value of that property, None when there is none."""
        return self.props.get(name) if isinstance(self.props, dict) else None

    def as_json(self) -> dict[str, Json]:
        """The node as a snapshot holds it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "props": self.props,
            "stale": self.stale,
            "tombstoned": self.tombstoned,
            "artifacts": list(self.artifacts),
        }


class Relation:
    """One directed link. Its ends need not exist; equal relations may stand more than once."""

    __slots__ = ("props", "rel", "source", "target")

    def __init__(self, source: str, rel: str, target: str, props: Json) -> None:
        self.source = source
        self.rel = rel
        self.target = target
        self.props = props

    def as_json(self) -> dict[str, Json]:
        """The relation as a snapshot holds it."""
        return {"from": self.source, "rel": self.rel, "to": self.target, "props": self.props}


class Graph:
    """Nodes by id, relations in the order they were made, and how many operations were applied."""

    __slots__ = ("nodes", "relations", "version")

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.relations: list[Relation] = []
        self.version = 0

    def as_json(self) -> dict[str, Json]:
        """The graph as a snapshot holds it."""
        return {
            "nodes": {key: node.as_json() for key, node in self.nodes.items()},
            "relations": [relation.as_json() for relation in self.relations],
            "version": self.version,
        }
