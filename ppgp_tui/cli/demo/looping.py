"""The demo's restart loop: `persist iterate` itself, on the prompt and the agent of the story.

Its home is in the demo's place, beside the repository. A person may start loops there too, from the
app; all of them end with the demo.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home

FOLDER: Final = "loops/fuzz-parser"
OVER: Final = "the demo is over"
_PROGRAM: Final = (sys.executable, "-c", "from ppgp_tui.cli.entry import main; main()")
_STEP_S: Final = 1.6
"""How long one step of a run takes; a run has three or four."""
_LIMIT_S: Final = 12
"""How long the loop waits after its rate limit."""
_END_S: Final = 8.0
"""Longer than a runner takes to end an agent that does not want to."""


def home_of(root: Path) -> Home:
    """Where the loops of the demo with that repository are kept."""
    return Home(root.parent / "persist")


def start(root: Path, speed: float) -> subprocess.Popen[bytes]:
    """Start the loop in the repository, `speed` times faster than told. Raises OSError."""
    told = {HOME_VARIABLE: str(home_of(root).path), "DEMO_STEP_S": f"{_STEP_S / speed:.3f}"}
    others = {name: value for name, value in os.environ.items() if name[:5] != "PPGP_"}
    wait = str(max(1, round(_LIMIT_S / speed)))
    return subprocess.Popen(
        [
            *_PROGRAM, "persist", "iterate", f"{FOLDER}/PROMPT.md",
            "--agent-cmd", f"sh {FOLDER}/agent.sh {{}}",
            "--success-condition", f"line:DONE:{FOLDER}/STATUS",
            "--max-iterations", "12", "--max-wall-clock", "3600", "--iteration-timeout", "120",
            "--limit-backoff-base", wait, "--limit-backoff-max", wait,
        ],
        cwd=root, env={**others, **told},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def end(root: Path) -> None:
    """Close every loop of the demo and wait for the runners, which end their agents first."""
    home = home_of(root)
    if not home.log.exists():
        return
    # Imported here: the app is on the screen before anybody leaves it.
    from ppgp_tui.persist.disk.lock import LockTimeoutError
    from ppgp_tui.persist.disk.log import LoopLog
    from ppgp_tui.session.actions import loops
    from ppgp_tui.session.engine.draft import Actor

    demo = Actor("system", "ppgp-tui")
    running = LoopLog(home).read().open
    for loop in running:
        with suppress(OSError, LockTimeoutError):
            loops.abandon(home, loop.loop_id, demo, OVER, time.time_ns() // 1_000_000)
    until = time.monotonic() + _END_S
    while any(map(loops.is_run, running)) and time.monotonic() < until:
        time.sleep(0.02)
