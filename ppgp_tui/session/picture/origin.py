"""Where a value was read."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was read."""

    path: str
    """Relative to the root where possible."""
    line: int | None = None
    offset: int | None = None
    seen_ms: int = field(default=0, compare=False)
    """When it was read; two origins are equal when they are the same place."""
    commit: str = ""
    """The commit in which the file says so; empty: the file as it lies there."""
