"""`persist abandon`: the loop is closed, its runner ends, and only a person may do it."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ppgp_tui.persist.disk import log as logs
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.orders import Pause
from ppgp_tui.session.process import is_alive
from tests.cli.acting import AGENT
from tests.cli.persist.loops import GONE, ID, OTHER, Loops, row, runner_of, spawned
from tests.waiting import PATIENCE_S, until


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A process that does nothing for a minute."""
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def test_a_loop_nobody_knows_is_not_found(loops: Loops) -> None:
    assert loops.call("abandon", ID) == (1, "", f"persist: loop {ID} not found\n")
    loops.log(spawned(OTHER))
    assert loops.call("abandon", ID) == (1, "", f"persist: loop {ID} not found\n")


def test_the_second_time_there_is_nothing_to_do(loops: Loops) -> None:
    loops.log(spawned())
    assert loops.call("abandon", ID) == (0, f"loop {ID}: SPAWNED → ABANDONED\n", "")
    before = loops.home.log.read_bytes()
    said = loops.call("abandon", ID)
    assert said == (0, f"persist: loop {ID} already terminal (ABANDONED); no-op\n", "")
    assert loops.home.log.read_bytes() == before


def test_the_row_has_the_last_iteration_the_prompt_and_the_reason(loops: Loops) -> None:
    loops.log(spawned(), row("ITERATING", 7))
    loops.call("abandon", ID, "--reason", "no, “enough”\nsaid I")
    loop = loops.reading().loops[0]
    assert (loop.state, loop.iteration, loop.prompt_file, loop.reason) == (
        "ABANDONED", 7, "/srv/loops/api/PROMPT.md", "no, “enough”\nsaid I",
    )  # fmt: skip
    loops.log(spawned())
    loops.call("abandon", ID)
    assert loops.reading().loops[0].reason == "manual abandon"


def test_a_loop_that_was_killed_in_a_run_can_be_closed(loops: Loops) -> None:
    loops.log(spawned(runner=GONE), row("ITERATING", 3))
    said = loops.call("abandon", ID)
    assert said.out == f"loop {ID}: ITERATING → ABANDONED\n"
    assert said.err == f"persist: its runner (process {GONE.pid}) was gone already\n"


def test_what_a_killed_runner_left_of_a_run_goes_with_its_loop(loops: Loops) -> None:
    """The copy of its prompt and a person's pause: a runner that ends takes both away."""
    loops.log(spawned(runner=GONE), row("ITERATING", 3))
    side.write_pause(loops.home, ID, Pause("user:dev", 0))
    folder = loops.home.loop(ID)
    (folder / side.PROMPT_COPY).write_text("go on\n")
    loops.call("abandon", ID)
    assert list(folder.iterdir()) == []


def test_a_process_that_a_row_only_says_to_be_a_runner_is_not_ended(
    loops: Loops, sleeper: subprocess.Popen[bytes]
) -> None:
    """Whoever can write into the log can name any process; a runner looks at the log by itself."""
    loops.log(spawned(runner=runner_of(sleeper.pid)), row("ITERATING", 1))
    said = loops.call("abandon", ID)
    assert said.code == 0
    assert f"(process {sleeper.pid}) sees that within a second and ends" in said.err
    with pytest.raises(subprocess.TimeoutExpired):
        sleeper.wait(0.5)


def test_a_process_that_only_has_its_number_is_left_alone(
    loops: Loops, sleeper: subprocess.Popen[bytes]
) -> None:
    stranger = runner_of(sleeper.pid)._replace(started=1)
    loops.log(spawned(runner=stranger), row("ITERATING", 1))
    assert "was gone already" in loops.call("abandon", ID).err
    assert sleeper.poll() is None


def test_a_runner_of_another_host_is_not_signalled_here(
    loops: Loops, sleeper: subprocess.Popen[bytes]
) -> None:
    far = runner_of(sleeper.pid)._replace(host="elsewhere")
    loops.log(spawned(runner=far), row("ITERATING", 1))
    assert "its runner is on elsewhere; it ends when it sees the closed loop" in (
        loops.call("abandon", ID).err
    )
    assert sleeper.poll() is None


def test_that_the_originals_runner_cannot_be_told_is_said(loops: Loops) -> None:
    loops.log(spawned(), row("ITERATING", 1))
    err = loops.call("abandon", ID).err
    assert "its runner cannot be stopped from here: it is the original's" in err


def test_the_first_digits_are_enough(loops: Loops) -> None:
    loops.log(spawned(), spawned("77e1b0c4d2aa"))
    assert loops.call("abandon", "77e1").out == "loop 77e1b0c4d2aa: SPAWNED → ABANDONED\n"
    assert [loop.state for loop in loops.reading().loops] == ["SPAWNED", "ABANDONED"]


@pytest.mark.parametrize("odd", ["../../etc", "no id", "0BADC0FFEE12", "0badc0ffee12\n"])
def test_also_a_loop_with_an_odd_id_can_be_closed_and_nothing_is_looked_for(
    loops: Loops, odd: str
) -> None:
    loops.log(spawned(odd, runner=GONE))
    for command in ("pause", "resume"):
        assert loops.call(command, odd).code == 1
    assert loops.call("abandon", odd).code == 0
    assert not loops.reading().loops[0].open
    assert {path.name for path in loops.home.path.iterdir()} == {"state.jsonl", "state.lock"}


@pytest.mark.parametrize("command", ["abandon", "pause", "resume"])
def test_an_agents_shell_may_not(
    loops: Loops, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.log(spawned(runner=GONE), row("ITERATING", 1))
    before = loops.home.log.read_bytes()
    for name, value in AGENT.items():
        monkeypatch.setenv(name, value)
    said = loops.call(command, ID)
    assert (said.code, said.out) == (1, "")
    assert "this shell belongs to an agent; only a person may do this" in said.err
    assert loops.home.log.read_bytes() == before
    assert not loops.home.loop(ID).exists()


def test_a_held_lock_is_waited_for_and_then_said(
    loops: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.log(spawned())
    monkeypatch.setitem(logs.LoopLog.__init__.__kwdefaults__, "lock_wait_s", 0.1)
    with loops.home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = loops.call("abandon", ID)
    assert said == (1, "", f"persist: flock timeout after 0.1s on {loops.home.lock}\n")
    assert loops.reading().loops[0].open


def test_a_runner_of_the_program_itself_ends_its_loop(loops: Loops) -> None:
    """Once with a real runner and a real agent: both are gone, and the log says one end."""
    (loops.work / "PROMPT.md").write_text("go\n")
    call = "import sys; from ppgp_tui.cli.entry import main; main()"
    runner = subprocess.Popen(
        [
            sys.executable, "-c", call, "persist", "iterate", "PROMPT.md",
            "--agent-cmd", "sh -c 'echo $$ > pid; exec sleep 60'",
        ],
        cwd=loops.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        agent = until(lambda: (loops.work / "pid").read_text().strip())
        (loop,) = loops.reading().loops
        said = loops.call("abandon", loop.loop_id, "--reason", "enough")
        assert "sees that within a second" in said.err
        out, err = runner.communicate(timeout=PATIENCE_S)
    finally:
        runner.kill()
        runner.wait()
    assert runner.returncode == 1
    assert f"loop {loop.loop_id} ABANDONED: enough".encode() in out + err
    (closed,) = loops.reading().loops
    assert (closed.state, closed.reason, closed.late_rows) == ("ABANDONED", "enough", 0)
    until(lambda: not is_alive(int(agent)))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells environments")
def test_what_the_agent_of_a_killed_runner_left_running_is_named_and_ended(loops: Loops) -> None:
    loop_id = os.urandom(6).hex()
    loops.log(spawned(loop=loop_id, runner=GONE))
    with subprocess.Popen(["sleep", "300"], env={"PPGP_LOOP": loop_id}) as left:
        assert f"what its agent started runs on (process {left.pid})" in loops.call("status").out
        said = loops.call("abandon", loop_id)
        assert left.wait() == -signal.SIGTERM
    assert "persist: ended what its agent had left running: 1 process" in said.err
