"""The repositories that are measured."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ppgp_tui.cli.demo.history import History
from ppgp_tui.cli.demo.story import load_story
from ppgp_tui.cli.demo.world import World
from tests.bench import logs

DOCUMENT = "docs/ACTIVE_GOAL.md"
FIRST_CRITERION = b"What a checkpoint holds"
"""Words of the goal document that the first useful paint shows."""


def typical(root: Path, minutes_ago: int = 0) -> Path:
    """A repository in the middle of a goal, as the demo tells it; nobody writes to it any more."""
    story = load_story(1)
    now = time.time_ns() // 1_000_000 - minutes_ago * 60_000
    History(World(root, story, seed=1, opened_ms=now, pid=os.getpid())).tell()
    return root


def huge(root: Path, events: int, tasks: int) -> Path:
    """The same with a log of `events` lines and a plan of `tasks` tasks."""
    typical(root)
    logs.write_log(root / "state/events.jsonl", events)
    logs.write_plan(root / ".ppgp/todo.json", tasks)
    return root


def replace(path: Path, text: str) -> float:
    """Replace a file as editors do; return when it was in place."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)
    return time.perf_counter()
