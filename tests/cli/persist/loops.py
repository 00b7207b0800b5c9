"""Loops of one user: their log, what runners leave beside it, and `persist` in this process."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from ppgp_tui.cli.persist.group import main
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.live import Live, Runner
from ppgp_tui.persist.reading import Reading, read
from ppgp_tui.persist.row import time_text
from ppgp_tui.session.process import host_name, start_of
from tests.cli.running import Said

ID = "0badc0ffee12"
OTHER = "0badc0ffee34"
NOW = 1_790_000_000_000
GONE = Runner(2**22 + 1, 1, host_name())
"""No process has this number."""


def runner_of(pid: int) -> Runner:
    return Runner(pid, start_of(pid), host_name())


def row(
    to: str,
    iteration: int = 0,
    *,
    loop: str = ID,
    before: str = "ITERATING",
    prompt: str = "/srv/loops/api/PROMPT.md",
    at_ms: int = NOW,
    **extra: Any,
) -> bytes:
    """A row as the original writes it."""
    return json.dumps(
        {
            "ts": time_text(at_ms), "loop_id": loop, "prompt_file": prompt,
            "iteration": iteration, "from_state": before, "to_state": to, "extra": extra,
        },
        separators=(",", ":"),
    ).encode() + b"\n"  # fmt: skip


def spawned(loop: str = ID, *, runner: Runner | None = None, **extra: Any) -> bytes:
    """A first row: of the original, or with the `runner` of ours."""
    budget = {
        "max_iterations": 50, "max_wall_clock_s": 14_400, "success_condition": "exit-code-0",
        "agent_cmd": "claude -p '{}'",
    }  # fmt: skip
    ours = {"runner": runner._asdict(), "program": "ppgp-tui 0"} if runner else {}
    return row("SPAWNED", loop=loop, before="SPAWNED", **{**budget, **ours, **extra})


class Loops:
    def __init__(self, home: Path, work: Path) -> None:
        self.home = Home(home)
        self.work = work

    def log(self, *rows: bytes) -> None:
        """Make this the log."""
        self.home.path.mkdir(mode=0o700, exist_ok=True)
        self.home.log.write_bytes(b"".join(rows))
        self.home.log.chmod(0o600)

    def reading(self) -> Reading:
        return read(self.home.log.read_bytes())

    def live(self, phase: Any, runner: Runner, *, loop: str = ID, **more: Any) -> None:
        told = Live(runner, phase, **{"since_ms": NOW, "iteration": 1, **more})
        side.write_live(self.home, loop, told)

    def call(self, *words: object) -> Said:
        """`persist WORDS`."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = main([str(word) for word in words])
            except SystemExit as ended:
                code = int(ended.code or 0)
        return Said(code, out.getvalue(), err.getvalue())

    def json(self, *words: object) -> Any:
        said = self.call("status", "--json", *words)
        assert said.code == 0
        return json.loads(said.out)

    def tidy(self, text: str) -> str:
        """Without what differs from run to run: ids, times, the home."""
        text = text.replace(str(self.home.path), "$BROOMVA_PERSIST_HOME")
        text = re.sub(r"\b[0-9a-f]{12}\b", "<loop-id>", text)
        return re.sub(r"\d{4}-\d\d-\d\dT[\d:]{8}\+00:00", "<ts>", text).strip()
