"""Ctrl-Z: the agent rests while its runner is stopped, and goes on with it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ppgp_tui
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")

RUNNER = """
import os
from pathlib import Path
from ppgp_tui.persist.command import Call
from ppgp_tui.persist.running.process import run_agent
from ppgp_tui.persist.running.signals import Interrupts
with Interrupts() as interrupts:
    def on_start(pid):
        interrupts.agent_pid = pid
        Path("agent.pid").write_text(str(pid))
    run_agent(
        Call(("sleep", "300")), cwd=Path.cwd(), environ=os.environ, pty=False, output=None,
        on_out=lambda data: None, on_err=lambda data: None, on_start=on_start,
        stop=lambda: interrupts.name, grace_s=0.1,
    )
"""


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_agent_rests_with_its_runner(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(Path(ppgp_tui.__file__).parents[1])}
    # In a group of its own but in our session, as a shell with jobs starts it.
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER], cwd=tmp_path, env=environ, process_group=0
    )
    try:
        until(lambda: (tmp_path / "agent.pid").exists() and (tmp_path / "agent.pid").read_text())
        agent = int((tmp_path / "agent.pid").read_text())
        for _ in range(2):
            runner.send_signal(signal.SIGTSTP)
            until(lambda: (state(runner.pid), state(agent)) == ("T", "T"))
            runner.send_signal(signal.SIGCONT)
            until(lambda: (state(runner.pid), state(agent)) == ("S", "S"))
        runner.send_signal(signal.SIGINT)
        runner.wait(PATIENCE_S)
    finally:
        runner.kill()
        runner.wait()
