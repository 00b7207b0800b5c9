"""The runner is killed: its agent ends, and all that the agent started (fault F9)."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import ppgp_tui
from tests.persist.running.agents import is_running
from tests.waiting import until

RUNNER = """
import os, sys
from pathlib import Path
from ppgp_tui.persist.command import Call
from ppgp_tui.persist.running.process import run_agent
run_agent(
    Call(("sh", "-c", sys.argv[1])), cwd=Path.cwd(), environ=os.environ, pty=sys.argv[2] == "pty",
    output=None, on_out=lambda data: os.write(1, data) and None, on_err=lambda data: None,
    on_start=lambda pid: None, stop=lambda: None, grace_s=0.1,
)
"""
DEAF = "trap '' TERM INT HUP; echo $$ > {}; while :; do sleep 0.02; done"


@contextmanager
def running(folder: Path, script: str, *files: str, pty: bool = False) -> Iterator[list[int]]:
    """A runner with this agent, from when all these files hold a number; first comes its own."""
    environ = {**os.environ, "PYTHONPATH": str(Path(ppgp_tui.__file__).parents[1])}
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER, script, "pty" if pty else "pipes"], cwd=folder, env=environ,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        until(lambda: all((folder / one).exists() and (folder / one).read_text() for one in files))
        yield [runner.pid, *(int((folder / one).read_text()) for one in files)]
    finally:
        runner.kill()
        runner.wait()


@pytest.fixture
def script(tmp_path: Path) -> str:
    """An agent with a child in its group, one in a session of its own, and none that obeys."""
    for name in ("child", "apart"):
        (tmp_path / name).write_text(DEAF.format(f"{name}.pid"))
    apart = "setsid sh apart" if sys.platform == "linux" else "sh apart"
    return f"sh child & {apart} & {DEAF.format('agent.pid')}"


FILES = ("agent.pid", "child.pid", "apart.pid")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_nothing_is_left_when_the_runner_ends_by(
    tmp_path: Path, script: str, number: signal.Signals
) -> None:
    with running(tmp_path, script, *FILES) as (runner, *below):
        assert all(map(is_running, below))
        os.kill(runner, number)
        until(lambda: not any(map(is_running, below)))


def test_nothing_is_left_when_its_whole_group_is_killed(tmp_path: Path, script: str) -> None:
    with running(tmp_path, script, *FILES) as (runner, *below):
        os.killpg(runner, signal.SIGKILL)
        until(lambda: not any(map(is_running, below)))


@pytest.mark.terminal
def test_nothing_is_left_that_had_a_terminal(tmp_path: Path, script: str) -> None:
    with running(tmp_path, script, *FILES, pty=True) as (runner, *below):
        os.kill(runner, signal.SIGKILL)
        until(lambda: not any(map(is_running, below)))


def test_an_agent_that_was_stopped_ends_too(tmp_path: Path) -> None:
    with running(tmp_path, "echo $$ > agent.pid; exec sleep 300", "agent.pid") as (runner, agent):
        os.kill(agent, signal.SIGSTOP)
        os.kill(runner, signal.SIGKILL)
        until(lambda: not is_running(agent))


def test_it_may_still_end_in_order(tmp_path: Path) -> None:
    script = "trap 'echo saved > work; exit' TERM; echo $$ > agent.pid; sleep 300 & wait"
    with running(tmp_path, script, "agent.pid") as (runner, agent):
        os.kill(runner, signal.SIGKILL)
        until(lambda: not is_running(agent))
        assert (tmp_path / "work").read_text() == "saved\n"
