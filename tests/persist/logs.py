"""Recorded logs with what they mean, and rows for logs that nobody recorded."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from ppgp_tui.persist.row import Row, encode

DATA = Path(__file__).parents[1] / "data" / "persist"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "expected.json").read_text("utf-8"))

ID = "0123456789ab"
OTHER = "fedcba987654"
TIME = "2026-11-30T02:00:00+00:00"
PROMPT = "/srv/loops/PROMPT.md"
SPAWNED_EXTRA = {
    "max_iterations": 10,
    "max_wall_clock_s": 60,
    "success_condition": "exit-code-0",
    "agent_cmd": "claude -p '{}'",
}


def recorded(case: str) -> bytes:
    """The log of a recorded case."""
    plain = DATA / case / "state.jsonl"
    if plain.exists():
        return plain.read_bytes()
    return gzip.decompress((DATA / case / "state.jsonl.gz").read_bytes())


def spawned(loop_id: str = ID, **extra: object) -> Row:
    """The first row of a loop."""
    return Row(TIME, loop_id, PROMPT, 0, "SPAWNED", "SPAWNED", {**SPAWNED_EXTRA, **extra})


def row(to_state: str, iteration: int, loop_id: str = ID, **extra: object) -> Row:
    """A row after it; the state before is the one that is there most often."""
    before = "SPAWNED" if to_state == "ITERATING" and iteration == 1 else "ITERATING"
    return Row(TIME, loop_id, PROMPT, iteration, before, to_state, extra)


def log(*rows: Row) -> bytes:
    """The rows as a file holds them."""
    return b"".join(map(encode, rows))
