"""A lineage as JSON, schema `ppgp-tui/gasp-lineage/1`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ppgp_tui.gasp.tracing.lineage import Branch, Lineage
from ppgp_tui.gasp.tracing.things import Thing

Line = Callable[[int], int]
"""Gives the line number of an event."""


def lineage_json(lineage: Lineage, line_of: Line) -> dict[str, Any]:
    """Return the lineage; members `up` and `down` are trees with the thing itself at the root."""
    return {
        "schema": "ppgp-tui/gasp-lineage/1",
        "asked": lineage.asked,
        "change_of": lineage.is_change_of or None,
        "up": _branch(lineage.up, line_of),
        "down": _branch(lineage.down, line_of),
        "unlinked": [
            {"id": one.id, "reason": one.reason, "line": line_of(one.event)}
            for one in lineage.unlinked
        ],
    }


def _branch(branch: Branch, line_of: Line) -> dict[str, Any]:
    return {
        **thing_json(branch.thing, line_of),
        "ways": [
            {
                "how": way.how,
                "name": way.name or None,
                "line": None if way.event is None else line_of(way.event),
            }
            for way in branch.ways
        ],
        "shown_above": branch.shown_above,
        "artifacts": [one._asdict() for one in branch.artifacts],
        "more": branch.more,
        "more_is_at_least": branch.too_many,
        "hops": [_branch(one, line_of) for one in branch.branches],
    }


def thing_json(thing: Thing, line_of: Line) -> dict[str, Any]:
    """An entity or an event."""
    return {
        "id": thing.id,
        "type": "event" if thing.is_event else "node",
        "kind": thing.kind,
        "title": thing.title,
        "status": thing.status or None,
        "line": line_of(thing.event),
        "ts_ms": thing.ts_ms,
        "actor": thing.actor,
        "notes": list(thing.notes),
    }
