"""The frozen moment every made-up picture is seen at, and where its files lie."""

from __future__ import annotations

from pathlib import Path

NOW = 1_790_000_000_000
"""The frozen moment every picture is seen at."""
SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000
ROOT = Path("/home/dev/importer")
GOAL_PATH = "docs/ACTIVE_GOAL.md"
LOG_PATH = "state/events.jsonl"
PLAN_PATH = ".ppgp/todo.json"


def clock() -> int:
    """The frozen clock."""
    return NOW


def ago(**parts: int) -> int:
    """The moment that lies `hours`, `minutes`, `seconds` before now."""
    return NOW - (
        parts.get("hours", 0) * HOUR
        + parts.get("minutes", 0) * MINUTE
        + parts.get("seconds", 0) * SECOND
    )
