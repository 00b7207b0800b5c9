"""The operations of one `state.ops_applied` event (GASP reference section 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ppgp_tui.gasp.folding.graph import Relation
from ppgp_tui.gasp.folding.props import pack
from ppgp_tui.gasp.records import (
    Member,
    MismatchError,
    Record,
    anything,
    found,
    maybe,
    text,
)

Json = Any


class MalformedOpsError(ValueError):
    """A payload is no list of operations; the message is the reference's detail text."""

    @property
    def detail(self) -> str:
        """What is wrong, in the reference's words."""
        return str(self)


class CreateNode(Struct, gc=False):
    """Insert the node, or replace it."""

    id: str
    kind: str
    props: Json


class UpdateNode(Struct, gc=False):
    """Merge `props` into the node's."""

    id: str
    props: Json


class TombstoneNode(Struct, gc=False):
    """Bury the node; it stays in the graph."""

    id: str
    reason: str


class CreateRelation(Struct, gc=False):
    """Append a relation; its ends need not exist."""

    relation: Relation


class DeleteRelation(Struct, gc=False):
    """Remove all relations with these three words."""

    source: str
    rel: str
    target: str


class MarkStale(Struct, gc=False):
    """Mark the node as stale."""

    id: str
    reason: str


class AttachArtifact(Struct, gc=False):
    """Append the artifact to the node's; `artifact` has all five members of an ArtifactRef."""

    id: str
    artifact: dict[str, Json]


Op = (
    CreateNode
    | UpdateNode
    | TombstoneNode
    | CreateRelation
    | DeleteRelation
    | MarkStale
    | AttachArtifact
)

_ID = Member("id", text)
_REASON = Member("reason", text)
_PROPS = Member("props", anything)
_ENDS = (Member("from", text), Member("rel", text), Member("to", text))

_artifact = Record(
    "ArtifactRef",
    Member("kind", text),
    Member("uri", text),
    Member("hash", maybe(text), optional=True),
    Member("summary", maybe(text), optional=True),
    Member("metadata", anything),
)


def artifact_ref(value: Json) -> dict[str, Json]:
    """Return an ArtifactRef's five members, absent `hash` and `summary` null.

    Raises `MismatchError`.
    """
    return _artifact(value)


_VARIANTS: dict[str, tuple[Record, Callable[..., Op]]] = {
    "CreateNode": (Record("CreateNode", _ID, Member("kind", text), _PROPS), CreateNode),
    "UpdateNode": (Record("UpdateNode", _ID, _PROPS), UpdateNode),
    "TombstoneNode": (Record("TombstoneNode", _ID, _REASON), TombstoneNode),
    "CreateRelation": (
        Record("CreateRelation", *_ENDS, _PROPS),
        lambda source, rel, target, props: CreateRelation(
            Relation(source, rel, target, pack(props))
        ),
    ),
    "DeleteRelation": (Record("DeleteRelation", *_ENDS), DeleteRelation),
    "MarkStale": (Record("MarkStale", _ID, _REASON), MarkStale),
    "AttachArtifact": (
        Record("AttachArtifact", _ID, Member("artifact", artifact_ref)),
        AttachArtifact,
    ),
}


def decode(payload: Json) -> list[Op]:
    """Return the operations of a `state.ops_applied` payload, in their order.

    Unknown members of a body are left out. Raises `MalformedOpsError` where one operation is none:
    the whole payload is malformed then.
    """
    if not isinstance(payload, list):
        raise MalformedOpsError(f"invalid type: {found(payload)}, expected a sequence")
    return [_decode_op(item) for item in payload]


def _decode_op(item: Json) -> Op:
    if isinstance(item, str):
        _variant(item)
        raise MalformedOpsError("invalid type: unit variant, expected struct variant")
    if not isinstance(item, dict):
        raise MalformedOpsError(f"invalid type: {found(item)}, expected string or map")
    if len(item) != 1:
        raise MalformedOpsError("invalid value: map, expected map with a single key")
    ((name, body),) = item.items()
    record, make = _variant(name)
    if not isinstance(body, dict):
        raise MalformedOpsError(f"invalid type: {found(body)}, expected struct variant")
    try:
        return make(*record.from_object(body).values())
    except MismatchError as mismatch:
        raise MalformedOpsError(str(mismatch)) from mismatch


def _variant(name: str) -> tuple[Record, Callable[..., Op]]:
    known = _VARIANTS.get(name)
    if known is None:
        names = ", ".join(f"`{variant}`" for variant in _VARIANTS)
        raise MalformedOpsError(f"unknown variant `{name}`, expected one of {names}")
    return known
