"""An agent repository as a value: what stands where the checks look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Unreadable(NamedTuple):
    """Something is there and could not be read."""

    why: str


class AgentRepository(NamedTuple):
    """The files of an agent repository that the checks read (GASP reference section 2)."""

    log: bytes | Unreadable
    """UTF-8. `why` names the path, as the protocol's checker does."""
    manifest: bytes | Unreadable | None
    """`AGENT.md`; None when there is no such file."""
    identity: Mapping[str, bytes] | Unreadable | None
    """The files by path; None when there is no identity at all."""
    snapshots: Mapping[str, bytes | Unreadable | None] | Unreadable | None
    """`graph.json` by the name of the folder it is in (None: no such file); None: no folder."""
    packs: Mapping[str, bytes | Unreadable] | Unreadable
    """The files `*.json` of `.agent/packs` by name."""
