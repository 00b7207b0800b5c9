"""The demo's process: it begins when the app opens, ends when it closes, and leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from ppgp_tui.cli.demo.command import DemoError, run_demo
from ppgp_tui.session.files.places import data_folder, root_folder, state_folder
from ppgp_tui.ui.terminal.crash import record
from tests.cli import legal
from tests.waiting import until


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))


def at_once(root: Path) -> int:
    """An app that is closed as soon as it is open."""
    return 0


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def agent_pid(root: Path) -> int:
    entry = next((root / ".ppgp/run/agents").glob("claude-*.json"))
    return int(json.loads(entry.read_text())["pid"])


def test_it_shows_a_filled_repository_while_the_agent_works_and_removes_both_afterwards() -> None:
    seen: dict[str, object] = {}

    def show(root: Path) -> int:
        log = root / "state/events.jsonl"
        seen["root"], seen["pid"] = root, agent_pid(root)
        first = log.stat().st_size
        assert alive(agent_pid(root))
        assert until(lambda: log.stat().st_size > first)
        assert legal.faults(log.read_bytes()) == []
        return 7

    said: list[str] = []
    assert run_demo(show, speed=50, seed=1, keep=False, say=said.append) == 7
    assert said == []
    assert not alive(int(str(seen["pid"])))
    assert not Path(str(seen["root"])).parent.exists()


def test_keep_leaves_the_repository_and_says_where() -> None:
    said: list[str] = []
    run_demo(at_once, speed=50, seed=1, keep=True, say=said.append)
    (line,) = said
    root = Path(line.removeprefix("kept "))
    assert (root / "docs/ACTIVE_GOAL.md").is_file()
    assert not alive(agent_pid(root))


def test_a_crash_of_the_app_still_ends_the_agent_and_removes_the_repository() -> None:
    pids: list[int] = []

    def show(root: Path) -> int:
        pids.append(agent_pid(root))
        pids.append(0)
        raise RuntimeError("the app fell over")

    with pytest.raises(RuntimeError, match="fell over"):
        run_demo(show, speed=50, seed=1, keep=False, say=print)
    assert not alive(pids[0])


def test_the_trace_of_a_crash_is_kept() -> None:
    traces: list[Path] = []

    def show(root: Path) -> int:
        traces.append(record(ValueError("a mistake"), root_folder(root)))
        return 1

    said: list[str] = []
    assert run_demo(show, speed=1, seed=1, keep=False, say=said.append) == 1
    assert "a mistake" in traces[0].read_text()
    assert said == [f"kept {traces[0].parents[4] / 'importer'}"]


def test_the_story_ends_at_rest_and_the_agent_stays_until_the_app_closes() -> None:
    def show(root: Path) -> int:
        entries = (root / ".ppgp/run/agents").glob("claude*.json")
        entry = next(entries)
        assert until(lambda: '"state":"idle"' in entry.read_text())
        assert alive(agent_pid(root))
        return 0

    assert run_demo(show, speed=500, seed=1, keep=False, say=print) == 0


def test_every_agent_is_a_process_of_its_own_and_all_end_with_the_demo() -> None:
    pids: list[int] = []

    def show(root: Path) -> int:
        entries = (root / ".ppgp/run/agents").glob("*.json")
        pids.extend(int(json.loads(entry.read_text())["pid"]) for entry in entries)
        assert all(map(alive, pids))
        return 0

    run_demo(show, speed=1, seed=1, keep=False, say=print)
    assert len(set(pids)) == len(pids) == 2
    assert until(lambda: not any(map(alive, pids)))


def test_an_agent_that_dies_is_reported_when_the_app_closes() -> None:
    said: list[str] = []

    def show(root: Path) -> int:
        pid = agent_pid(root)
        os.kill(pid, signal.SIGKILL)
        assert until(lambda: not alive(pid))
        return 0

    run_demo(show, speed=1, seed=1, keep=False, say=said.append)
    assert said == ["the demo's agent had ended: it said nothing"]


def test_a_question_that_still_waits_ends_with_the_agents_however_they_end() -> None:
    children: list[int] = []

    def show(root: Path) -> int:
        pid = agent_pid(root)
        told = Path(f"/proc/{pid}/task/{pid}/children")
        if not told.exists():
            pytest.skip("the system does not tell a process's children")
        assert until(lambda: waiting_for_answers(told) != [])
        children.extend(waiting_for_answers(told))
        if len(children) == 1:
            os.kill(pid, signal.SIGKILL)
        return 0

    for _ in range(2):
        run_demo(show, speed=10, seed=1, keep=False, say=lambda _: None)
    assert len(children) == 2
    assert until(lambda: not any(map(alive, children)))


def waiting_for_answers(told: Path) -> list[int]:
    """Processes below the agents that ask a person."""
    found = []
    for pid in map(int, told.read_text().split()):
        with suppress(OSError):  # it has ended meanwhile
            if b"\0ask\0" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
    return found


def test_the_users_own_data_and_state_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    def show(root: Path) -> int:
        assert data_folder().is_relative_to(root.parent)
        assert state_folder().is_relative_to(root.parent)
        log = root / "state/events.jsonl"
        first = log.stat().st_size
        assert until(lambda: log.stat().st_size > first)
        return 0

    run_demo(show, speed=50, seed=1, keep=False, say=print)
    assert data_folder() == tmp_path / "data/ppgp-tui"
    assert state_folder() == tmp_path / "home/.local/state/ppgp-tui"
    assert sorted(tmp_path.iterdir()) == [tmp_path / "tmp"]


def test_an_agent_that_cannot_begin_is_an_error_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(DemoError, match="did not start"):
        run_demo(at_once, speed=1, seed=1, keep=False, say=print)


def test_killing_the_demo_itself_leaves_no_agent_and_no_folder(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from ppgp_tui.cli.demo.command import run_demo\n"
        "def show(root):\n"
        "    print(root, flush=True)\n"
        "    time.sleep(600)\n"
        "run_demo(show, speed=1, seed=1, keep=False, say=print)\n"
    )
    place = tmp_path / "elsewhere"
    place.mkdir()
    demo = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(place)},
    )  # fmt: skip
    assert demo.stdout is not None
    root = Path(demo.stdout.readline().strip())
    pid = agent_pid(root)
    demo.kill()
    demo.wait()
    demo.stdout.close()
    assert until(lambda: not alive(pid))
    assert until(lambda: list(place.iterdir()) == [])
