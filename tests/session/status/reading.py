"""A repository as the status line reads it and as the app does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.status import cache as status_cache
from ppgp_tui.session.status.line import read_status

NOW = 1_790_000_000_000
DOCUMENT = "docs/ACTIVE_GOAL.md"
LOG = "state/events.jsonl"

GOAL = """# ACTIVE_GOAL

## GOAL

One outcome.

## PHASE

EXECUTE

## DEFINITION_OF_DONE

- [x] First thing
- [x] Second thing
- [ ] Third thing

## BLOCKERS

- Type B external asynchronous: waits for the window.
- Type C authority, T2 only: the owner decides.

## HUMAN_AUTHORITY_REQUIRED

- Owner decides: buy it now?
- Owner decides: buy it now?

## VERIFICATION_EVIDENCE

- DoD 1: seen.
"""


def write(root: Path, path: str, data: str | bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    age(file)
    return file


def age(file: Path) -> None:
    """As if the file had been written a while ago, so that it may be remembered."""
    os.utime(file, ns=((NOW - 600_000) * 1_000_000, (NOW - 600_000) * 1_000_000))


def git(root: Path, *words: str) -> None:
    person = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a"}
    when = {"GIT_AUTHOR_DATE": "@1789990000 +0000", "GIT_COMMITTER_DATE": "@1789990000 +0000"}
    subprocess.run(
        ["git", "-C", str(root), *words],
        check=True, capture_output=True,
        env={**os.environ, **person, "GIT_COMMITTER_EMAIL": "a@b", **when},
    )  # fmt: skip


def said_by_the_app(root: Path) -> dict[str, Any]:
    session = LiveSession(root, clock=lambda: NOW)
    try:
        return glance(session.read_all())._asdict()
    finally:
        session.close()


def said_by_the_status(root: Path, environ: dict[str, str]) -> dict[str, Any]:
    said = read_status(str(root), None, environ, NOW)
    assert said.pop("root") == str(root)
    assert said.pop("at_ms") == NOW
    return said


def agrees(root: Path, environ: dict[str, str]) -> dict[str, Any]:
    """Cold, then twice from memory."""
    app = said_by_the_app(root)
    for _ in range(3):
        assert said_by_the_status(root, environ) == app
    return app


def cache_of(root: Path, environ: dict[str, str]) -> Path:
    file = status_cache.place(str(root), environ)
    assert file is not None
    return Path(file)
