"""The typed graph that a log folds into (GASP reference section 6).

Plain and mutable: one fold owns a graph and changes it; everybody else only reads it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

Json = Any


class Node(Struct, gc=False):
    """One entity. `props` is any JSON value; for all but odd logs it is an object."""

    id: str
    kind: str
    props: Json
    stale: bool = False
    tombstoned: bool = False
    artifacts: tuple[Json, ...] = ()
    """ArtifactRefs in the order they were attached, each an object with all five members."""

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


class Relation(Struct, gc=False, rename={"source": "from", "target": "to"}):
    """One directed link. Its ends need not exist; equal relations may stand more than once."""

    source: str
    rel: str
    target: str
    props: Json

    def as_json(self) -> dict[str, Json]:
        """The relation as a snapshot holds it."""
        return {"from": self.source, "rel": self.rel, "to": self.target, "props": self.props}


class Graph:
    """Nodes by id, relations in the order they were made, and how many operations were applied."""

    __slots__ = ("_by_words", "_kept", "_made", "_removed", "nodes", "version")

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.version = 0
        self._made: list[Relation | None] = []  # None: removed
        self._removed = 0
        self._kept: list[Relation] | None = None  # `relations`, until the next change
        self._by_words: dict[tuple[str, str, str], list[int]] | None = None

    @property
    def relations(self) -> list[Relation]:
        """The relations in the order they were made. Not to be changed, nor kept over a change."""
        if not self._removed:
            return self._made  # type: ignore[return-value]  # nothing was removed
        if self._kept is None:
            self._kept = [relation for relation in self._made if relation is not None]
        return self._kept

    def relate(self, relation: Relation) -> None:
        """Append a relation."""
        if self._by_words is not None:
            words = (relation.source, relation.rel, relation.target)
            self._by_words.setdefault(words, []).append(len(self._made))
        self._made.append(relation)
        self._kept = None

    def unrelate(self, source: str, rel: str, target: str) -> None:
        """Remove every relation with these three words; there may be none."""
        # Most logs remove nothing, so places are indexed only from the first removal on.
        if self._by_words is None:
            self._by_words = {}
            for place, relation in enumerate(self._made):
                if relation is not None:
                    words = (relation.source, relation.rel, relation.target)
                    self._by_words.setdefault(words, []).append(place)
        for place in self._by_words.pop((source, rel, target), ()):
            self._made[place] = None
            self._removed += 1
            self._kept = None
        if self._removed > len(self._made) // 2:
            self._made = [relation for relation in self._made if relation is not None]
            self._removed, self._kept, self._by_words = 0, None, None

    def as_json(self) -> dict[str, Json]:
        """The graph as a snapshot holds it."""
        return {
            "nodes": {key: node.as_json() for key, node in self.nodes.items()},
            "relations": [relation.as_json() for relation in self.relations],
            "version": self.version,
        }
