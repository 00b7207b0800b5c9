"""An event as the checks see it."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec

Json = Any

MEMBERS: Final = (
    "id", "schema_version", "ts_ms", "actor", "kind", "payload", "causation_id", "correlation_id",
)  # fmt: skip
"""The eight members of an envelope in the protocol's order."""


class Actor(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """Who caused an event."""

    kind: str
    id: str


class Event(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One sound line. Members as in GASP reference section 4."""

    id: str
    schema_version: Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
    ts_ms: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    actor: Actor
    kind: str
    payload: Json
    causation_id: str | None
    correlation_id: str | None
