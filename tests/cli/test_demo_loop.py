"""The demo's restart loop: a real one, in a home of its own, and gone with the demo."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.cli.demo.command import run_demo
from ppgp_tui.cli.demo.looping import OVER
from ppgp_tui.cli.loop_start import start_loop
from tests.cli.acting import OF_AGENTS
from tests.cli.test_demo_process import agent_pid, alive
from tests.waiting import until

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user has a home of loops; nobody may write there."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setenv("BROOMVA_PERSIST_HOME", str(tmp_path / "users"))
    for name in (*OF_AGENTS, "TMUX"):
        monkeypatch.delenv(name, raising=False)


def rows(root: Path) -> list[Json]:
    log = root.parent / "persist/state.jsonl"
    whole = log.read_bytes().rpartition(b"\n")[0] if log.exists() else b""
    return [json.loads(line) for line in whole.splitlines()]


def runners(root: Path) -> list[int]:
    """The processes that run the loops of the demo."""
    return [row["extra"]["runner"]["pid"] for row in rows(root) if row["from_state"] == "SPAWNED"
            and "runner" in row["extra"]]  # fmt: skip


def test_it_fails_waits_for_a_limit_and_is_done_before_the_goal_is_claimed(tmp_path: Path) -> None:
    said: list[str] = []

    def show(root: Path) -> int:
        assert until(lambda: rows(root)[-1:] and rows(root)[-1]["to_state"] == "SUCCESS")
        return 0

    run_demo(show, speed=100, seed=1, keep=True, say=said.append)
    root = Path(said[-1].removeprefix("kept "))
    told = rows(root)
    assert {row["prompt_file"] for row in told} == {f"{root}/loops/fuzz-parser/PROMPT.md"}
    codes = [row["extra"]["exit_code"] for row in told if "exit_code" in row["extra"]]
    assert codes == [0, 0, 1, 0, 1, 0, 0, 0, 0]
    (limit,) = [row for row in told if row["to_state"] == "PAUSED"]
    assert limit["extra"]["reason"] == "rate_limited"
    assert told[-1]["iteration"] == 8
    assert (root / "loops/fuzz-parser/STATUS").read_text() == "DONE\n"
    assert not (tmp_path / "users").exists()
    assert os.environ["BROOMVA_PERSIST_HOME"] == str(tmp_path / "users")


def test_loops_end_with_the_demo_its_own_and_those_that_the_person_started() -> None:
    said: list[str] = []
    pids: list[int] = []

    def show(root: Path) -> int:
        (root / "MORE.md").write_text("Go on.\n")
        assert start_loop(root, ("--agent-cmd=sleep 60", "--prompt-via=stdin", "--", "MORE.md")).ok
        assert until(lambda: sum(row["to_state"] == "ITERATING" for row in rows(root)) >= 2)
        pids.extend(runners(root))
        assert len(pids) == 2
        assert all(map(alive, pids))
        return 0

    run_demo(show, speed=0.2, seed=1, keep=True, say=said.append)
    assert until(lambda: not any(map(alive, pids)))
    closed = {row["loop_id"]: row for row in rows(Path(said[-1].removeprefix("kept ")))}
    assert [row["to_state"] for row in closed.values()] == ["ABANDONED", "ABANDONED"]
    assert OVER in [row["extra"]["reason"] for row in closed.values()]


@pytest.mark.parametrize("whom", ["the demo", "its agent"])
def test_no_loop_outlives_a_demo_that_is_killed(tmp_path: Path, whom: str) -> None:
    script = (
        "from pathlib import Path\n"
        "from ppgp_tui.cli.demo.command import run_demo\n"
        "def show(root):\n"
        "    print(root, flush=True)\n"
        "    return len(input())\n"
        "run_demo(show, speed=0.2, seed=1, keep=False, say=lambda _: None)\n"
    )
    demo = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    )  # fmt: skip
    assert demo.stdout is not None
    root = Path(demo.stdout.readline().strip())
    assert until(lambda: rows(root)[-1:] and rows(root)[-1]["to_state"] == "ITERATING")
    (runner,) = runners(root)
    os.kill(demo.pid if whom == "the demo" else agent_pid(root), signal.SIGKILL)
    demo.communicate("\n")
    assert until(lambda: not alive(runner))
    assert until(lambda: list((tmp_path / "tmp").iterdir()) == [])
