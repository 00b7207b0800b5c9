"""Restart loops for the pictures: one that runs, one that waits, one held, one left alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.live import Live, Runner
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.row import Row, encode, time_text
from ppgp_tui.session.process import host_name

_GONE: Final = 2**22 + 1
"""No process has this number."""
_PRINTED: Final = (
    "reading loops/kill-points/PROMPT.md\n",
    "pytest tests/kill: 41 of 50 points pass\n",
    "next: a batch that ends at its last row\n",
    "editing src/importer/batch.py\n",
)


def _git(commits: int, files: int, insertions: int, deletions: int) -> dict[str, int]:
    return {
        "commits": commits, "files": files, "insertions": insertions, "deletions": deletions,
    }  # fmt: skip


_RUNS: Final = (
    {"exit_code": 1, "duration_s": 410.2, "git": _git(1, 3, 61, 8)},
    {"exit_code": 1, "duration_s": 382.9, "git": _git(0, 0, 0, 0)},
    {"exit_code": 143, "signal": "SIGTERM", "cut": "iteration-timeout", "duration_s": 900.0},
    {"exit_code": 0, "duration_s": 295.0, "git": _git(2, 5, 130, 12)},
    {"exit_code": 1, "duration_s": 344.7, "git": _git(1, 2, 30, 4)},
)
"""How one run after the other ended."""


class Looped:
    """The home while it is filled."""

    def __init__(self, home: Home, root: Path, now_ms: int, alive: int) -> None:
        """`alive` is the number of a process that is there."""
        self._home, self._root, self._now = home, root, now_ms
        self._alive = Runner(alive, None, host_name())
        home.path.mkdir(parents=True)

    def fill(self) -> None:
        """One loop in each state that a person should know."""
        closed = self._loop("cafe00000001", "schema", 180, 3)
        self._row(closed, "SUCCESS", 3, 140, reason="success_condition matched", exit_code=0)
        soak = self._loop("cafe00000002", "nightly-soak", 100, 4)
        self._row(soak, "PAUSED", 4, 12, reason="rate_limited", exit_code=1, duration_s=3.2)
        self._says(soak, "rate_limited", 4, 12, 4_980, until=18, why="usage limit reached")
        points = self._loop("cafe00000003", "kill-points", 90, 5)
        self._says(points, "running", 5, 3, 5_220, output="0005.log")
        output = self._home.loop(points.loop_id) / "output"
        output.mkdir()
        (output / "0005.log").write_text("".join(_PRINTED))
        printed_ns = (self._now - 8_000) * 1_000_000
        os.utime(output / "0005.log", ns=(printed_ns, printed_ns))
        golden = self._loop("cafe00000004", "golden-files", 80, 2)
        self._row(golden, "PAUSED", 2, 9, reason="paused by user:dev", **_RUNS[1])
        self._says(golden, "paused", 2, 9, 3_900)
        asked = Pause("user:dev", self._ago(9), "the staging copy is in use")
        side.write_pause(self._home, golden.loop_id, asked)
        left = self._loop("cafe00000005", "runbook", 70, 2, runner=self._alive._replace(pid=_GONE))
        self._says(left, "running", 2, 40, 1_800, runner=self._alive._replace(pid=_GONE))

    def _loop(
        self, loop_id: str, name: str, began: int, runs: int, runner: Runner | None = None
    ) -> Row:
        """A loop that began so many minutes ago and is at that run."""
        prompt = f"{self._root}/loops/{name}/PROMPT.md"
        first = Row(self._at(began), loop_id, prompt, 0, "SPAWNED", "SPAWNED", {
            "max_iterations": 20, "max_wall_clock_s": 14_400,
            "success_condition": f"line:DONE:loops/{name}/STATUS.md",
            "agent_cmd": "claude -p '{}'", "cwd": str(self._root), "root": str(self._root),
            "runner": (runner or self._alive)._asdict(),
        })  # fmt: skip
        self._write(first)
        step = began / (runs + 1)
        for number in range(1, runs + 1):
            ended: dict[str, Any] = _RUNS[(number - 2) % len(_RUNS)] if number > 1 else {}
            self._row(first, "ITERATING", number, round(began - step * number), **ended)
        return first

    def _row(self, of: Row, to_state: str, iteration: int, minutes: int, **extra: Any) -> None:
        state = "ITERATING" if iteration > 1 else of.to_state
        self._write(
            of._replace(
                ts=self._at(minutes), iteration=iteration, from_state=state, to_state=to_state,
                extra=extra,
            )
        )  # fmt: skip

    def _says(
        self, of: Row, phase: Any, iteration: int, minutes: int, counted_s: float,
        *, until: int | None = None, **said: Any,
    ) -> None:  # fmt: skip
        until_ms = None if until is None else self._now + until * 60_000
        word = Live(
            **{
                "runner": self._alive, "phase": phase, "since_ms": self._ago(minutes),
                "iteration": iteration, "counted_s": counted_s, "until_ms": until_ms, **said,
            }
        )  # fmt: skip
        side.write_live(self._home, of.loop_id, word)

    def _write(self, row: Row) -> None:
        with self._home.log.open("ab") as log:
            log.write(encode(row))

    def _at(self, minutes: int) -> str:
        return time_text(self._ago(minutes))

    def _ago(self, minutes: int) -> int:
        return self._now - minutes * 60_000
