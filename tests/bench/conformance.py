"""Budgets of `gasp check`: all seven checks beside `git show`, the log's own beside decoding it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.repo import read_repository
from tests.bench import agent_logs
from tests.bench.commands import PROGRAM
from tests.bench.result import Result, in_turns

COMMITS = 460
BYTES = 4_200_000
ROUNDS = 5


def check(place: Path) -> Iterator[Result]:
    """A repository of hundreds of commits and a log of four megabytes."""
    root = agent_logs.repository(place / "check" / "agent", COMMITS, BYTES)
    listed = _git(root, "rev-list", "--reverse", "HEAD", "--", agent_logs.LOG)
    commits = listed.decode().split()
    assert len(commits) >= 450
    assert (root / agent_logs.LOG).stat().st_size >= 4_000_000

    def whole() -> None:
        subprocess.run([PROGRAM, "gasp", "check", str(root)], check=True, capture_output=True)

    def shows() -> None:
        for commit in commits:
            _git(root, "show", f"{commit}:./{agent_logs.LOG}")

    ours, floor = in_turns(_timed(whole), _timed(shows), ROUNDS)
    yield Result(f"gasp check, {len(commits)} commits", "ms", ours, floor, budget=0.35)

    repository = read_repository(str(root))
    log = repository.log
    assert isinstance(log, bytes)
    lines = log.split(b"\n")[:-1]
    decode = msgspec.json.Decoder().decode

    def of_the_log() -> None:
        checks = LogChecks()
        checks.feed(log)
        assert all(result.passed for result in checks.results(repository))

    def decoding() -> None:
        for line in lines:
            decode(line)

    # Time of this process alone: both only calculate, and whatever else runs is not theirs.
    clock = time.process_time
    ours, floor = in_turns(_timed(of_the_log, clock), _timed(decoding, clock), 3 * ROUNDS)
    yield Result(f"checks of the log, {len(lines)} lines", "ms", ours, floor, budget=4)


def _timed(
    act: Callable[[], None], clock: Callable[[], float] = time.perf_counter
) -> Callable[[], float]:
    def measure() -> float:
        begun = clock()
        act()
        return 1000 * (clock() - begun)

    return measure


def _git(root: Path, *words: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(root), *words], check=True, capture_output=True, env={**os.environ}
    ).stdout
