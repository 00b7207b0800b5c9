"""The typed graph that a log folds into (GASP reference section 6).

One fold owns a graph and changes it; everybody else only reads it. A large log folds into hundreds
of thousands of nodes, so their properties are packed (`props`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ppgp_tui.gasp.folding.props import Packed, pack, unpack, updated

Json = Any


class Node(Struct, gc=False):
    """One entity."""

    id: str
    kind: str
    packed: Packed
    """The properties."""
    stale: bool = False
    tombstoned: bool = False
    attached: Sequence[Packed] = ()
    """The artifacts, each packed."""

    def update(self, packed: Packed) -> None:
        """Merge packed properties into the node's."""
        self.packed = updated(self.packed, packed)

    def bury(self, reason: str) -> None:
        """Mark as a tombstone."""
        self.tombstoned = True
        self.update(pack({"tombstone_reason": reason}))

    def age(self, reason: str) -> None:
        """Mark as stale."""
        self.stale = True
        self.update(pack({"stale_reason": reason}))

    def attach(self, packed: Packed) -> None:
        """Append a packed artifact."""
        if isinstance(self.attached, list):
            self.attached.append(packed)
        else:
            self.attached = [packed]

    @property
    def props(self) -> Json:
        """The properties: any JSON value, for all but odd logs an object. Not to be changed."""
        return unpack(self.packed)

    @property
    def artifacts(self) -> list[Json]:
        """ArtifactRefs in the order they were attached, each an object with all five members."""
        return [unpack(artifact) for artifact in self.attached]

    def prop(self, name: str) -> Json:
        """The value of that property, None when there is none."""
        props = self.props
        return props.get(name) if isinstance(props, dict) else None

    def as_json(self) -> dict[str, Json]:
        """The node as a snapshot holds it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "props": self.props,
            "stale": self.stale,
            "tombstoned": self.tombstoned,
            "artifacts": self.artifacts,
        }


class Relation(Struct, gc=False):
    """One directed link. Its ends need not exist; equal relations may stand more than once."""

    source: str
    rel: str
    target: str
    packed: Packed
    """The properties."""

    @property
    def props(self) -> Json:
        """The properties: any JSON value. Not to be changed."""
        return unpack(self.packed)

    def as_json(self) -> dict[str, Json]:
        """The relation as a snapshot holds it."""
        return {"from": self.source, "rel": self.rel, "to": self.target, "props": self.props}


class Graph:
    """Nodes by id, relations in the order they were made, and how many operations were applied."""

    __slots__ = ("_indexed", "_kept", "_made", "_places", "_removed", "nodes", "relate", "version")

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.version = 0
        self._made: list[Relation | None] = []  # None: removed
        self._removed = 0
        self._kept: tuple[int, int, list[Relation]] = (0, 0, [])  # for so many made and removed
        self._places: dict[tuple[str, str, str], list[int]] = {}
        self._indexed = 0  # how many of those made are in _places
        self.relate = self._made.append
        """Appends a relation."""

    @property
    def relations(self) -> list[Relation]:
        """The relations in the order they were made. Not to be changed, nor kept over a change."""
        if not self._removed:
            return self._made  # type: ignore[return-value]  # no None is in it
        made, removed, kept = self._kept
        if (made, removed) != (len(self._made), self._removed):
            kept = [relation for relation in self._made if relation is not None]
            self._kept = (len(self._made), self._removed, kept)
        return kept

    def unrelate(self, source: str, rel: str, target: str) -> None:
        """Remove every relation with these three words; there may be none."""
        # Most logs remove little, so places are looked up only when a removal comes.
        for place in range(self._indexed, len(self._made)):
            if (relation := self._made[place]) is not None:
                words = (relation.source, relation.rel, relation.target)
                self._places.setdefault(words, []).append(place)
        self._indexed = len(self._made)
        for place in self._places.pop((source, rel, target), ()):
            self._made[place] = None
            self._removed += 1
        if 2 * self._removed > len(self._made):
            self._made[:] = [relation for relation in self._made if relation is not None]
            self._removed = self._indexed = 0
            self._kept = (0, 0, [])
            self._places = {}

    def as_json(self) -> dict[str, Json]:
        """The graph as a snapshot holds it."""
        return {
            "nodes": {key: node.as_json() for key, node in self.nodes.items()},
            "relations": [relation.as_json() for relation in self.relations],
            "version": self.version,
        }
