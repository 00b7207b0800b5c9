"""What the doctor finds in a log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ppgp_tui.session.doctor.finding import Finding, examine
from ppgp_tui.session.doctor.gasp import gasp

LOG = "state/events.jsonl"
DAY_S = 86_400


def event(event_id: str, ts_ms: int = 1_790_000_000_000, **members: Any) -> str:
    value = {
        "id": event_id, "schema_version": 1, "ts_ms": ts_ms, "actor": {"kind": "user", "id": "d"},
        "kind": "session.started", "payload": {}, "causation_id": None, "correlation_id": None,
    }  # fmt: skip
    return json.dumps(value | members, separators=(",", ":")) + "\n"


def found(root: Path, words: str) -> Finding:
    """The one finding that says this."""
    (report,) = examine(root, [("gasp", gasp)])
    fits = [one for one in report.findings if words in one.text]
    assert len(fits) == 1, [one.text for one in report.findings]
    if fits[0].state != "ok":
        assert fits[0].why
        assert fits[0].mend
    return fits[0]


def wrong(root: Path) -> list[str]:
    (report,) = examine(root, [("gasp", gasp)])
    return [one.text for one in report.findings if one.needs_attention]
