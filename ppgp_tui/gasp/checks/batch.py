"""The operations of one event, cut down to what the checks ask of them."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import msgspec

from ppgp_tui.gasp.folding import ops

Json = Any


class _Nothing(Enum):
    """A copy of a member of an enumeration is the member itself."""

    ABSENT = 0


ABSENT: Final = _Nothing.ABSENT
"""Stands for a status that is not there."""


class Batch(msgspec.Struct, gc=False):
    """What one `state.ops_applied` does. Indexes are places in its payload, from 0."""

    created: list[tuple[int, str, str, Json]]
    """Index, id, kind and status (or `ABSENT`) of every node that is made."""
    related: list[tuple[int, str, str]]
    """Index, source and kind of every relation that is made."""
    needed: list[tuple[int, str, str]]
    """Index, variant and id of every operation on a node that must be there."""


def read_batch(payload: Json) -> Batch:
    """Return what a payload does. Raises `ops.MalformedOpsError`."""
    batch = _commonest(payload)
    return _from_operations(ops.decode(payload)) if batch is None else batch


def _commonest(payload: Json) -> Batch | None:
    """Read nodes and relations that are made, and updates; None where anything is unusual."""
    if type(payload) is not list:
        return None
    created, related, needed = [], [], []
    try:
        for index, op in enumerate(payload):
            ((variant, body),) = op.items()
            props = body["props"]
            if variant == "CreateNode":
                name, kind = body["id"], body["kind"]
                if type(name) is not str or type(kind) is not str:
                    return None
                created.append((index, name, kind, _status(props)))
            elif variant == "CreateRelation":
                source, rel, target = body["from"], body["rel"], body["to"]
                if type(source) is not str or type(rel) is not str or type(target) is not str:
                    return None
                related.append((index, source, rel))
            elif variant == "UpdateNode":
                name = body["id"]
                if type(name) is not str:
                    return None
                needed.append((index, variant, name))
            else:
                return None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return Batch(created, related, needed)


def _from_operations(operations: list[ops.Op]) -> Batch:
    batch = Batch([], [], [])
    for index, op in enumerate(operations):
        if isinstance(op, ops.CreateNode):
            batch.created.append((index, op.id, op.kind, _status(op.props)))
        elif isinstance(op, ops.CreateRelation):
            batch.related.append((index, op.relation.source, op.relation.rel))
        elif not isinstance(op, ops.DeleteRelation):
            batch.needed.append((index, type(op).__name__, op.id))
    return batch


def _status(props: Json) -> Json:
    return props.get("status", ABSENT) if type(props) is dict else ABSENT
