"""Budgets of whole processes: the start of the app and the status line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.bench import logs, repositories
from tests.bench.result import Result, in_turns
from tests.bench.terminal import Terminal

PROGRAM = str(Path(sys.executable).with_name("ppgp-tui"))


def start(place: Path) -> Iterator[Result]:
    """From the start of the process to the first useful paint."""
    root = repositories.typical(place / "start" / "importer")

    def ours() -> float:
        with Terminal([PROGRAM, str(root)]) as terminal:
            return 1000 * (terminal.until(repositories.FIRST_CRITERION) - terminal.started)

    def floor() -> float:
        with Terminal([sys.executable, "-m", "tests.bench.bare", "start"]) as terminal:
            return 1000 * (terminal.until(b"bare and painted") - terminal.started)

    yield Result("start to first useful paint", "ms", *in_turns(ours, floor), budget=1.5)


def status(place: Path) -> Iterator[Result]:
    """The status line: nothing new, new lines in the log, a new document, no cache at all."""
    root = repositories.typical(place / "status" / "importer")
    environ = {**os.environ, "XDG_STATE_HOME": str(place / "status" / "state")}
    document, log = root / repositories.DOCUMENT, root / "state/events.jsonl"
    words = [PROGRAM, "status", str(root)]

    def run(command: list[str]) -> float:
        begun = time.perf_counter()
        subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
        return 1000 * (time.perf_counter() - begun)

    def floor() -> float:
        return run([sys.executable, "-c", "pass"])

    def grown() -> float:
        with log.open("ab") as file:
            file.write("".join(map(logs.tool_call, range(20))).encode())
        return run(words)

    def edited() -> float:
        repositories.replace(document, document.read_text("utf-8") + "\n")
        return run(words)

    def cold() -> float:
        for cache in (place / "status" / "state").rglob("status.json"):
            cache.unlink()
        return run(words)

    time.sleep(0.5)
    run(words)
    for what, ours, budget in (
        ("status, nothing new", lambda: run(words), 4),
        ("status, 20 new events", grown, 4),
        ("status, document changed", edited, None),
        ("status, no cache", cold, None),
    ):
        yield Result(what, "ms", *in_turns(ours, floor, 11), budget=budget)
