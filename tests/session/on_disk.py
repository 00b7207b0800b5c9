"""Files that programs write among the requests and answers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ppgp_tui.session.canonical import canonical, new_id
from ppgp_tui.session.engine.requests import build
from tests.session.place import Place

REQUESTS, ANSWERS = ".ppgp/run/requests", ".ppgp/run/answers"


def on_disk(
    place: Place, folder: str, name: str, said: dict[str, Any], seconds: float = 60
) -> Path:
    """A file that some program wrote a while ago."""
    path = place.root / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(canonical(said) + b"\n")
    then = place.clock() * 1_000_000 - int(seconds * 1e9)
    os.utime(path, ns=(then, then))
    return path


def a_request(**about: Any) -> dict[str, Any]:
    return build(
        **{
            "request_id": new_id("req"), "repo": "0123456789abcdef" * 2, "question": "Drop it?",
            "asker": {"actor": "agent:claude-0f3a", "session": "claude-0f3a", "cwd": "/here"},
            "created_ms": 1_790_000_000_000, **about,
        }
    )  # fmt: skip
