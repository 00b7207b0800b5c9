"""`persist iterate` as a process, where a process matters: signals, terminals, two at once."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.persist.disk.home import HOME_VARIABLE
from ppgp_tui.session.process import is_alive
from tests.cli.persist.loops import Loops
from tests.waiting import PATIENCE_S, until

PERSIST = (
    sys.executable, "-c",
    "import sys; from ppgp_tui.cli.persist.group import main; sys.exit(main(sys.argv[1:]))",
)  # fmt: skip
PATIENT = (
    sys.executable, "-c",
    "import sys; from ppgp_tui.persist.running.process import run_agent;"
    " run_agent.__kwdefaults__['grace_s'] = 600.0;"
    " from ppgp_tui.cli.persist.group import main; sys.exit(main(sys.argv[1:]))",
)  # fmt: skip
"""The same, with all the time there is for an agent that was told to end."""
SLEEPER = "sleep 600 & echo $! $$ >> pids; wait"
"""An agent with a grandchild; its first line names both."""
STUBBORN = "trap '' TERM; echo $$ >> pids; while :; do sleep 1; done"


class Runners:
    """Runners that this test starts, all gone at its end."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self._begun: list[subprocess.Popen[bytes]] = []
        (loops.work / "PROMPT.md").write_text("go on\n")

    def begin(
        self,
        script: str,
        *options: str,
        prompt: str = "PROMPT.md",
        program: tuple[str, ...] = PERSIST,
        **more: Any,
    ) -> subprocess.Popen[bytes]:
        (self.loops.work / "agent.sh").write_text(script + "\n")
        words = ["iterate", prompt, "--agent-cmd", "sh ./agent.sh {}", *options]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        begun = subprocess.Popen([*program, *words], cwd=self.loops.work, **{**pipes, **more})
        self._begun.append(begun)
        return begun

    def pids(self) -> list[int]:
        """The agent's processes, once they are there."""
        path = self.loops.work / "pids"
        text = until(path.read_text)
        return [int(pid) for pid in text.split()]

    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.loops.home.log.read_text().splitlines()]

    def end(self) -> None:
        for begun in self._begun:
            with suppress(ProcessLookupError):
                begun.kill()
            begun.wait()
            for pipe in (begun.stdout, begun.stderr):
                if pipe is not None:
                    pipe.close()
        path = self.loops.work / "pids"
        for pid in path.read_text().split() if path.exists() else ():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@pytest.fixture
def runners(loops: Loops) -> Iterator[Runners]:
    runners = Runners(loops)
    yield runners
    runners.end()


def all_gone(pids: list[int]) -> bool:
    return not any(is_alive(pid) for pid in pids)


def test_f9_ctrl_c_in_a_terminal_closes_the_loop_and_ends_the_agent(runners: Runners) -> None:
    ours, theirs = pty.openpty()
    try:
        runner = runners.begin(
            SLEEPER, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            preexec_fn=lambda: os.close(os.open(os.ttyname(theirs), os.O_RDWR)),
        )  # fmt: skip
        pids = runners.pids()
        os.write(ours, b"\x03")
        assert runner.wait(PATIENCE_S) == 130
        shown = os.read(ours, 65_536).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    until(lambda: all_gone(pids))
    assert "ABANDONED: interrupted by SIGINT" in shown
    assert "Traceback" not in shown
    last = runners.rows()[-1]
    assert (last["to_state"], last["extra"]["reason"]) == ("ABANDONED", "interrupted by SIGINT")
    assert last["extra"]["signal"] == "SIGTERM"


def test_f9_a_terminal_that_is_closed_closes_the_loop_and_ends_the_agent(
    runners: Runners,
) -> None:
    ours, theirs = pty.openpty()
    runner = runners.begin(
        SLEEPER, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(theirs), os.O_RDWR)),
    )  # fmt: skip
    os.close(theirs)
    pids = runners.pids()
    os.close(ours)
    assert runner.wait(PATIENCE_S) == 129
    until(lambda: all_gone(pids))
    assert runners.rows()[-1]["extra"]["reason"] == "interrupted by SIGHUP"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_f9_term_and_hup_close_the_loop_and_end_agent_and_grandchild(
    runners: Runners, number: signal.Signals, code: int
) -> None:
    runner = runners.begin(SLEEPER)
    pids = runners.pids()
    runner.send_signal(number)
    assert runner.wait(PATIENCE_S) == code
    until(lambda: all_gone(pids))
    assert runners.rows()[-1]["extra"]["reason"] == f"interrupted by {number.name}"


def test_f9_when_the_runner_is_killed_its_agent_ends_and_the_loop_is_an_orphan(
    runners: Runners,
) -> None:
    runner = runners.begin(SLEEPER)
    pids = runners.pids()
    runner.kill()
    runner.wait(PATIENCE_S)
    until(lambda: all_gone(pids))
    assert [row["to_state"] for row in runners.rows()] == ["SPAWNED", "ITERATING"]
    assert "gone" in runners.loops.call("status").out


def test_a_second_signal_kills_an_agent_that_does_not_hear_the_first(runners: Runners) -> None:
    runner = runners.begin(STUBBORN, program=PATIENT)
    pids = runners.pids()
    runner.send_signal(signal.SIGINT)
    folder = next(one for one in (runners.loops.home.path / "loops").iterdir() if one.is_dir())
    live = folder / "live.json"
    until(lambda: json.loads(live.read_text())["phase"] == "stopping")
    runner.send_signal(signal.SIGINT)
    assert runner.wait(PATIENCE_S) == 130
    until(lambda: all_gone(pids))
    assert runners.rows()[-1]["extra"]["signal"] == "SIGKILL"


def test_f11_abandon_stops_a_live_runner_and_its_agent(runners: Runners) -> None:
    runner = runners.begin(SLEEPER)
    pids = runners.pids()
    loop_id = runners.rows()[0]["loop_id"]
    said = runners.loops.call("abandon", loop_id, "--reason", "changed my mind")
    assert said.code == 0
    assert runner.wait(PATIENCE_S) == 1
    until(lambda: all_gone(pids))
    assert [row["to_state"] for row in runners.rows()] == ["SPAWNED", "ITERATING", "ABANDONED"]
    assert runner.stderr is not None
    assert f"persist: loop {loop_id} ABANDONED: changed my mind" in runner.stderr.read().decode()


def test_f11_abandon_stops_a_runner_too_that_rests_in_its_terminal(runners: Runners) -> None:
    runner = runners.begin(SLEEPER)
    pids = runners.pids()
    runner.send_signal(signal.SIGSTOP)
    assert runners.loops.call("abandon", runners.rows()[0]["loop_id"]).code == 0
    assert runner.wait(PATIENCE_S) == 1
    until(lambda: all_gone(pids))


def test_behaviour_19_two_loops_at_once_write_15_whole_lines(runners: Runners) -> None:
    (runners.loops.work / "other.md").write_text("go on\n")
    script = "echo x >> runs-$PPGP_LOOP; [ $(wc -l < runs-$PPGP_LOOP) -lt 6 ] || touch DONE"
    good = runners.begin(script, "--success-condition", "file-exists:DONE")
    short = runners.begin(script, "--max-iterations", "5", prompt="other.md")
    assert (good.wait(PATIENCE_S), short.wait(PATIENCE_S)) == (0, 5)
    rows = runners.rows()
    assert len(rows) == 15
    ends = sorted(
        row["to_state"] for row in rows if row["to_state"] not in ("SPAWNED", "ITERATING")
    )
    assert ends == ["BUDGET_EXHAUSTED", "SUCCESS"]


def test_f23_of_two_that_start_at_once_on_one_prompt_file_one_is_refused(runners: Runners) -> None:
    both = [runners.begin(SLEEPER) for _ in range(2)]
    until(lambda: any(one.poll() is not None for one in both))
    (refused,) = (one for one in both if one.poll() is not None)
    assert refused.poll() == 1
    assert refused.stderr is not None
    assert b"runs on this prompt file already" in refused.stderr.read()
    assert len({row["loop_id"] for row in runners.rows()}) == 1


def test_rate_limits_once_for_real_with_seconds(runners: Runners) -> None:
    began = time.monotonic()
    runner = runners.begin(
        "echo x >> runs; [ $(wc -l < runs) -lt 3 ] || exit 0; echo 'Usage limit reached'; exit 1",
        "--success-condition", "exit-code-0",
        "--limit-backoff-base", "1", "--limit-backoff-max", "1",
    )  # fmt: skip
    assert runner.wait(PATIENCE_S) == 0
    assert time.monotonic() - began >= 2
    rows = runners.rows()
    assert [row["to_state"] for row in rows] == [
        "SPAWNED", "ITERATING", "PAUSED", "ITERATING", "PAUSED", "ITERATING", "SUCCESS",
    ]  # fmt: skip
    assert [row["iteration"] for row in rows] == [0, 1, 1, 1, 1, 1, 1]
    assert [row["extra"]["wait_s"] for row in rows if row["to_state"] == "PAUSED"] == [1, 1]


def test_the_agent_s_output_is_passed_on_in_order_after_our_own_lines(runners: Runners) -> None:
    runner = runners.begin(
        "printf 'out é \\377\\n'; echo err >&2; exit 3", "-v", "--max-iterations", "2"
    )
    out, err = runner.communicate(timeout=PATIENCE_S)
    lines = out.split(b"\n")
    assert [line[:8] for line in lines] == [
        b"", b"=== pers", b"  spawni", b"out \xc3\xa9 \xff", b"", b"=== pers", b"  spawni",
        b"out \xc3\xa9 \xff", b"persist:", b"",
    ]  # fmt: skip
    assert err == b"err\nerr\n"
    (kept, _) = sorted(runners.loops.home.path.glob("loops/*/output/*.log"))
    assert sorted(kept.read_bytes().splitlines()) == [b"err", b"out \xc3\xa9 \xff"]


def test_a_reader_that_goes_away_ends_no_loop(runners: Runners) -> None:
    runner = runners.begin(
        "echo x >> runs; echo many words; [ $(wc -l < runs) -ge 3 ]",
        "--success-condition", "exit-code-0",
    )  # fmt: skip
    assert runner.stdout is not None
    runner.stdout.close()
    assert runner.wait(PATIENCE_S) == 0
    assert runners.rows()[-1]["to_state"] == "SUCCESS"


def test_the_agent_s_home_of_loops_is_that_of_the_runner(runners: Runners, tmp_path: Path) -> None:
    away = tmp_path / "elsewhere"
    runner = runners.begin(
        f"echo ${HOME_VARIABLE}", "--max-iterations", "1",
        env={**os.environ, HOME_VARIABLE: str(away)},
    )  # fmt: skip
    out, _ = runner.communicate(timeout=PATIENCE_S)
    assert out.splitlines()[0] == str(away).encode()


def test_a_home_that_is_named_from_here_is_named_for_the_agent_from_everywhere(
    runners: Runners,
) -> None:
    runner = runners.begin(
        f"cd /; echo ${HOME_VARIABLE}", "--max-iterations", "1",
        env={**os.environ, HOME_VARIABLE: "nearby"},
    )  # fmt: skip
    out, _ = runner.communicate(timeout=PATIENCE_S)
    assert out.splitlines()[0] == str(runners.loops.work / "nearby").encode()
    assert (runners.loops.work / "nearby" / "state.jsonl").exists()
