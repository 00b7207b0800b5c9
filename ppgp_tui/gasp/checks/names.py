"""The seven checks by name, and the log they are about."""

from __future__ import annotations

from typing import Final

LOG: Final = "state/events.jsonl"

NAMES: Final = (
    "envelope round-trip",
    "replay",
    "vocabulary",
    "append-only in git",
    "causation integrity",
    "restore",
    "domain↔ops consistency",
)
"""The checks 1 to 7."""
