"""What runs on of a loop when its runner and the agent's keeper are killed at once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ppgp_tui.persist.running.leftovers import VARIABLE, end_left, left_of
from tests.persist.running.agents import is_running
from tests.persist.running.test_killed import DEAF, FILES, running
from tests.waiting import until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells environments")


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> str:
    """An id of its own: tests beside this one have loops too."""
    loop_id = os.urandom(6).hex()
    monkeypatch.setenv(VARIABLE, loop_id)
    return loop_id


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


def test_the_agent_dies_with_its_keeper_and_what_it_started_can_be_found_and_ended(
    tmp_path: Path, loop: str
) -> None:
    for name in ("child", "apart"):
        (tmp_path / name).write_text(DEAF.format(f"{name}.pid"))
    script = f"sh child & setsid sh apart & {DEAF.format('agent.pid')}"
    with running(tmp_path, script, *FILES) as (runner, agent, *below):
        keeper = parent_of(agent)
        for number in (signal.SIGSTOP, signal.SIGKILL):
            os.kill(runner, number)
            os.kill(keeper, number)
        until(lambda: not is_running(agent))
        until(lambda: set(below) <= set(left_of(loop)))
        assert end_left(loop, grace_s=0.1) >= len(below)
        until(lambda: not any(map(is_running, below)))


def test_it_may_end_in_order(tmp_path: Path, loop: str) -> None:
    script = f"trap 'echo saved > {tmp_path}/work; exit' TERM; echo; sleep 300 & wait"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE) as left:
        assert left.stdout is not None
        left.stdout.readline()
        assert end_left(loop) >= 1
    assert (tmp_path / "work").read_text() == "saved\n"


def test_nobody_else_s_process_is_taken_for_one(loop: str) -> None:
    environ = {**os.environ, VARIABLE: f"{loop}0", "OTHER": f"{VARIABLE}={loop}"}
    with subprocess.Popen(["sleep", "300"], env=environ) as other:
        assert other.pid not in left_of(loop)
        assert left_of("") == left_of("../..") == []
        other.kill()
