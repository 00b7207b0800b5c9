"""A session that is followed, and what is written beside it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import SessionSnapshot
from tests.session.log.writing import event
from tests.waiting import until

GOAL = "docs/ACTIVE_GOAL.md"
LOG = "state/events.jsonl"
TODO = ".ppgp/todo.json"


class Live:
    """A session that is followed, and every picture it handed out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.pictures: list[SessionSnapshot] = []
        self.session = LiveSession(root)

    def follow(self) -> Live:
        self.session.open()
        self.session.follow(self.pictures.append)
        self.until(lambda now: now.watching.mode == "live")
        return self

    @property
    def now(self) -> SessionSnapshot:
        return self.session.snapshot

    def until(self, condition: Callable[[SessionSnapshot], object]) -> SessionSnapshot:
        until(lambda: condition(self.now))
        return self.now

    def count_is(self, count: int) -> SessionSnapshot:
        return self.until(lambda now: now.events.value.count == count)


def goal(text: str) -> str:
    return f"## GOAL\n{text}\n"


def plan(revision: int, *keys: str) -> dict[str, Any]:
    tasks = [{"key": key, "subject": key, "status": "pending"} for key in keys]
    return {"schemaVersion": 1, "revision": revision, "tasks": tasks}


def revised(number: int, revision: int, *keys: str) -> bytes:
    payload = {"revision": revision, "state": plan(revision, *keys), "digest": ""}
    return event(number, "todo.revised", payload)


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run(["git", *who, *words], cwd=root, check=True, capture_output=True)
