"""Graph changes in words, where no other event tells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.telling.phrases import text

_TOLD: Final = 3
"""How many changes of one event are told; the others are counted."""


def change_words(payload: Any, names: Mapping[str, str]) -> str:
    """Return the operations of one `state.ops_applied` as a sentence."""
    try:
        batch = ops.decode(payload)
    except ops.MalformedOpsError as error:
        return f"graph changes that cannot be read: {error.detail}"
    told = [_words(op, names) for op in batch[:_TOLD]]
    if len(batch) > _TOLD:
        told.append(f"{len(batch) - _TOLD} more changes")
    return "; ".join(told) or "no graph changes"


def called(node: str, names: Mapping[str, str]) -> str:
    """What a node is called: its title in quotes, else its id."""
    if node.startswith("todo:"):
        return node.removeprefix("todo:")
    title = names.get(node)
    return f"‘{title}’" if title else node


def _words(op: ops.Op, names: Mapping[str, str]) -> str:
    if isinstance(op, ops.CreateRelation):
        link = op.relation
        relation = link.rel.replace("_", " ")
        return f"{called(link.source, names)} {relation} {called(link.target, names)}"
    if isinstance(op, ops.DeleteRelation):
        relation = op.rel.replace("_", " ")
        return f"{called(op.source, names)} no longer {relation} {called(op.target, names)}"
    node = called(op.id, names)
    if isinstance(op, ops.CreateNode):
        return f"{op.kind} {node} added"
    if isinstance(op, ops.UpdateNode):
        props = op.props if isinstance(op.props, dict) else {}
        status = text(props, "status")
        changed = f"status {status}" if status else ", ".join(props)
        return f"{node} changed: {changed}" if changed else f"{node} changed"
    if isinstance(op, ops.TombstoneNode):
        return f"{node} tombstoned: {op.reason}"
    if isinstance(op, ops.MarkStale):
        return f"{node} marked stale: {op.reason}"
    return f"{node} got {text(op.artifact, 'kind')} {text(op.artifact, 'uri')}"
