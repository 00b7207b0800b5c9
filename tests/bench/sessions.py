"""Budgets of the list of all sessions: its start and its idling with fifty repositories."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ppgp_tui.session.files.places import root_key
from ppgp_tui.session.sessions.known import note_root
from tests.bench import repositories
from tests.bench.app import _cpu
from tests.bench.commands import PROGRAM
from tests.bench.result import Result, in_turns
from tests.bench.terminal import Terminal

ROOTS = 50
FIRST = b"ALL SESSIONS"
ALL = f"{ROOTS} sessions".encode()
MINUTES_AGO = 120
"""So long ago everything happened: no age in seconds is painted."""


def sessions(place: Path) -> Iterator[Result]:
    """The list over fifty repositories: painted, complete, and watched while nothing happens."""
    folder = place / "sessions"
    environ = _fifty(folder)

    def ours(wanted: bytes) -> float:
        with Terminal([PROGRAM, "--all"], environ=environ) as terminal:
            return 1000 * (terminal.until(wanted) - terminal.started)

    def floor() -> float:
        with Terminal([sys.executable, "-m", "tests.bench.bare", "start"]) as terminal:
            return 1000 * (terminal.until(b"bare and painted") - terminal.started)

    ours(ALL)
    first = in_turns(lambda: ours(FIRST), floor)
    yield Result(f"--all, {ROOTS} repositories, start to first paint", "ms", *first, budget=1.7)
    whole = in_turns(lambda: ours(ALL), floor)
    yield Result(f"--all, start to all {ROOTS} in the list", "ms", *whole, budget=None)
    yield Result(
        f"idle, the list of {ROOTS} repositories", "% of a core", *_idling(environ),
        budget=1.0, how="difference",
    )  # fmt: skip


def _fifty(folder: Path) -> dict[str, str]:
    """Fifty repositories that were opened before; the environment of their user."""
    first = repositories.typical(folder / "src" / "repository-00", MINUTES_AGO)
    environ = {name: str(folder / name) for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    state = Path(environ["XDG_STATE_HOME"]) / "ppgp-tui" / "roots"
    for at in range(ROOTS):
        root = first.with_name(f"repository-{at:02}")
        if at:
            shutil.copytree(first, root, symlinks=True)
        note_root(root, state / root_key(root))
    return {**os.environ, **environ, "PPGP_ROOT": str(first)}


def _idling(
    environ: dict[str, str], turns: int = 5, seconds: float = 6
) -> tuple[list[float], list[float]]:
    with (
        Terminal([PROGRAM, "--all"], environ=environ) as app,
        Terminal([sys.executable, "-m", "tests.bench.bare", "start"]) as bare,
    ):
        app.until(ALL)
        bare.until(b"bare and painted")
        app.listen(12)
        mine, least = [], []
        for _ in range(turns):
            begun, before = time.perf_counter(), (_cpu(app.pid), _cpu(bare.pid))
            app.listen(seconds)
            took = time.perf_counter() - begun
            mine.append(100 * (_cpu(app.pid) - before[0]) / took)
            least.append(100 * (_cpu(bare.pid) - before[1]) / took)
    return mine, least
