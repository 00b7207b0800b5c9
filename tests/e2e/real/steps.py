"""What the scripted model has its agent do in more than one test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from tests.e2e.acting import PROGRAM
from tests.e2e.real.dialects import Call, Turn


def plan(revision: int, first: str, second: str) -> str:
    """The command that writes the plan anew, on top of that revision."""
    tasks = [
        {"key": "T1", "subject": "Do T1", "status": first},
        {"key": "T2", "subject": "Do T2", "status": second},
    ]
    call = json.dumps({"baseRevision": revision, "tasks": tasks})
    return f"echo '{call}' | {PROGRAM} todo set"


def working(shell: Callable[[str], Call]) -> Iterator[Turn]:
    """One step in each turn, and something new at the end of it, without end."""
    step = 0
    while True:
        step += 1
        yield Turn("", (shell(f"git commit --allow-empty -qm 'Step {step}'"),))
        yield Turn(f"Step {step} is done.")


def talking() -> Iterator[Turn]:
    """Something new in each turn and nothing done, without end."""
    step = 0
    while True:
        step += 1
        yield Turn(f"I have thought about step {step}.")
