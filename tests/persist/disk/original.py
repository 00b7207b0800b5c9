"""The original as a neighbour on the same log, built from what is known of it.

It appends under the lock without looking at what stands before its row, believes its own memory,
and reads with little patience. Run as `python original.py HOME LOOPS RUNS NAME...`: one process
for each name, which writes that many closed loops.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TERMINAL = ("SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED")


class CorruptError(Exception):
    """What the original ends with 99 for, for every loop of the user."""


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """The lock, tried every 50 ms for 30 s."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "state.lock").open("a") as lock:
        until = time.monotonic() + 30
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise TimeoutError from None
                time.sleep(0.05)
        yield


def append(home: Path, loop_id: str, iteration: int, before: str, after: str, **extra: Any) -> None:
    """Write one row behind whatever stands there."""
    row = {
        "ts": "2026-11-30T02:00:00+00:00", "loop_id": loop_id, "prompt_file": "/srv/PROMPT.md",
        "iteration": iteration, "from_state": before, "to_state": after, "extra": extra,
    }  # fmt: skip
    with locked(home), (home / "state.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps(row, separators=(",", ":")) + "\n")
        log.flush()
        os.fsync(log.fileno())


def read(home: Path) -> list[dict[str, Any]]:
    """The rows; only a bad last line is forgiven."""
    rows = []
    lines = (home / "state.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except ValueError:
            if number < len(lines):
                raise CorruptError(f"Mid-file JSON corruption at line {number}") from None
    return rows


def states(home: Path) -> dict[str, str]:
    """The state of each loop: the last row is believed."""
    return {row["loop_id"]: row["to_state"] for row in read(home)}


def run(home: Path, loop_id: str, runs: int) -> None:
    """A loop to its end, by its own memory alone."""
    append(home, loop_id, 0, "SPAWNED", "SPAWNED", max_iterations=runs, max_wall_clock_s=60,
           success_condition="", agent_cmd="true")  # fmt: skip
    before = "SPAWNED"
    for number in range(1, runs + 1):
        append(home, loop_id, number, before, "ITERATING", elapsed_s=0)
        before = "ITERATING"
    append(
        home, loop_id, runs, before, "BUDGET_EXHAUSTED", reason="max_iterations", iterations=runs
    )


def ids(name: str, count: int) -> list[str]:
    """The ids of the loops that the process of that name writes."""
    return [f"{name}{number:08x}" for number in range(count)]


def main(words: list[str]) -> int:
    """Fork a process for each name and wait for them."""
    home, loops, runs, names = Path(words[0]), int(words[1]), int(words[2]), words[3:]
    children = []
    for name in names:
        child = os.fork()
        if not child:
            for loop_id in ids(name, loops):
                run(home, loop_id, runs)
            os._exit(0)
        children.append(child)
    return max(os.waitpid(child, 0)[1] for child in children)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
