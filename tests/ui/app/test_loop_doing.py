"""Deeds on restart loops: what the log, the orders and the processes say afterwards."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.cli import loop_start
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.live import Runner
from ppgp_tui.persist.loop import Loop
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.process import host_name, start_of
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.app import loop_doing
from ppgp_tui.ui.app.crew import Crew
from tests.persist.logs import ID, log, row, spawned
from tests.waiting import until

KIM = Actor("user", "kim")
GONE = Runner(2**22 + 1, 1, host_name())


class Place:
    """A home with one loop."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder, Home(folder / "home")
        self.home.path.mkdir()
        self.crew = Crew()

    def begin(self, runner: Runner | None, **said: str) -> Place:
        extra = {"runner": runner._asdict(), **said} if runner else said
        self.home.log.write_bytes(log(spawned(**extra), row("ITERATING", 1)))
        return self

    def do(self, deed: deeds.OfLoop) -> Result:
        return loop_doing.do(self.root, deed, self.crew, KIM)

    @property
    def loop(self) -> Loop:
        loop = LoopLog(self.home).read().loop(ID)
        assert loop is not None
        return loop


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    monkeypatch.setenv(HOME_VARIABLE, str(made.home.path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return made


@pytest.fixture
def runner() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for a loop's runner."""
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()


def of(process: subprocess.Popen[bytes]) -> Runner:
    return Runner(process.pid, start_of(process.pid), host_name())


def is_held(root: Path) -> bool:
    """Whether the agents of that repository are."""
    ordered: object = json.loads((root / ".ppgp/run/control.json").read_bytes())["hold"]
    return ordered is not None


def test_a_pause_is_ordered_in_the_persons_name_and_taken_back(
    place: Place, runner: subprocess.Popen[bytes]
) -> None:
    place.begin(of(runner))
    assert place.do(deeds.PauseLoop(ID)).code == "done"
    ordered = side.read_pause(place.home, ID)
    assert ordered is not None
    assert ordered.by == "user:kim"
    assert place.do(deeds.PauseLoop(ID)).code == "unchanged"
    assert place.do(deeds.ResumeLoop(ID)).code == "done"
    assert side.read_pause(place.home, ID) is None


def test_abandoning_closes_the_loop_and_says_what_becomes_of_its_runner(
    place: Place, runner: subprocess.Popen[bytes]
) -> None:
    place.begin(of(runner))
    result = place.do(deeds.AbandonLoop(ID, "not needed"))
    assert (place.loop.state, place.loop.reason) == ("ABANDONED", "not needed")
    assert f"process {runner.pid}) sees that within a second" in result.message
    again = place.do(deeds.AbandonLoop(ID, "again"))
    assert (again.code, place.loop.late_rows) == ("unchanged", 0)


def test_an_orphan_is_closed_and_a_loop_that_runs_is_not(
    place: Place, runner: subprocess.Popen[bytes]
) -> None:
    place.begin(of(runner))
    assert place.do(deeds.CloseOrphan(ID)).code == "refused"
    assert place.loop.open
    place.begin(GONE)
    assert place.do(deeds.CloseOrphan(ID)).code == "done"
    assert (place.loop.state, place.loop.reason) == ("ABANDONED", "runner gone")


@pytest.mark.parametrize("ends", ["it is abandoned", "its runner was killed and it is closed"])
def test_the_end_of_a_paused_loop_lets_the_agents_go_on_that_its_pause_held(
    place: Place, runner: subprocess.Popen[bytes], ends: str
) -> None:
    (place.root / ".ppgp").mkdir()
    place.begin(of(runner), root=str(place.root))
    assert place.do(deeds.PauseLoop(ID)).code == "done"
    assert is_held(place.root)
    if ends == "it is abandoned":
        result = place.do(deeds.AbandonLoop(ID, "not needed"))
    else:
        runner.kill()
        runner.wait()
        result = place.do(deeds.CloseOrphan(ID))
    assert result.code == "done"
    assert "resumed" in result.message
    assert not is_held(place.root)


MISSING = "f" * 12


@pytest.mark.parametrize(
    "deed",
    [deeds.PauseLoop(MISSING), deeds.CloseOrphan(MISSING), deeds.AbandonLoop(MISSING, "x")],
)
def test_a_loop_that_is_not_there_is_said_not_to_be(place: Place, deed: deeds.OfLoop) -> None:
    result = place.begin(None).do(deed)
    assert (result.code, result.message) == ("refused", f"loop {MISSING} not found")


def test_a_home_that_cannot_be_written_is_said_and_nothing_is_lost(place: Place) -> None:
    place.begin(GONE)
    place.home.lock.unlink(missing_ok=True)
    place.home.lock.mkdir()
    before = place.home.log.read_bytes()
    result = place.do(deeds.AbandonLoop(ID, "x"))
    assert (result.code, place.home.log.read_bytes()) == ("disk", before)
    assert str(place.home.lock) in result.message


def test_without_somebody_who_starts_processes_the_command_is_named(place: Place) -> None:
    result = place.do(deeds.StartLoop(("--", "PROMPT.md")))
    assert result.code == "refused"
    assert "ppgp-tui persist iterate" in result.message


# --- starting -----------------------------------------------------------------------------------


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def ours(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr("ppgp_tui.agents.connect.steps.own_program", lambda: [str(path)])


def test_outside_tmux_it_runs_in_a_session_of_its_own_and_its_output_is_kept(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_start, "LOOK_S", 0.05)
    script = 'echo "$$ $*"; ps -o sid= -p $$; pwd; exec sleep 30'
    ours(monkeypatch, program(place.root, "ours", script))
    result = loop_start.start_loop(place.root, ("--", "PROMPT.md"), {"PATH": os.environ["PATH"]})
    assert result.code == "done", result.message
    (output,) = (place.root / "state").rglob("*.txt")
    until(lambda: output.read_text().count("\n") == 3)
    said, session, folder = output.read_text().splitlines()
    pid, _, words = said.partition(" ")
    try:
        assert words == "persist iterate -- PROMPT.md"
        assert (session.strip(), folder) == (pid, str(place.root))
        assert f"process {pid}" in result.message
        assert str(output) in result.message
        assert stat.S_IMODE(output.stat().st_mode) == 0o600
    finally:
        os.kill(int(pid), signal.SIGKILL)


def test_what_it_refuses_at_once_is_told(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    ours(monkeypatch, program(place.root, "ours", "echo persist: no such prompt >&2; exit 3"))
    result = loop_start.start_loop(place.root, ("--", "P"), {"PATH": os.environ["PATH"]})
    assert (result.code, result.message) == ("refused", "persist: no such prompt")


def test_inside_tmux_it_gets_a_window_named_after_its_prompt(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_folder = place.root / "bin"
    bin_folder.mkdir()
    program(bin_folder, "tmux", f'for word; do printf "%s\\n" "$word"; done > {place.root}/called')
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    ours(monkeypatch, Path("/opt/ppgp-tui"))
    environ = {"TMUX": "/tmp/t,1,0", "PATH": "/usr/bin", "SECRET": "s"}
    options = ("--agent-cmd=claude -p '{}'", "--", "loops/night soak/PROMPT.md")
    result = loop_start.start_loop(place.root, options, environ)
    assert result.message == "the loop runs in the tmux window loop-night-soak"
    called = (place.root / "called").read_text().splitlines()
    where = ["-n", "loop-night-soak", "-c", str(place.root), "-ePATH=/usr/bin"]
    assert called[:7] == ["new-window", "-d", *where]
    assert called[-6:] == ["/opt/ppgp-tui", "persist", "iterate", *options]
    assert "SECRET" not in " ".join(called)


def test_without_a_tmux_that_answers_nothing_is_said_to_run(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(place.root))
    result = loop_start.start_loop(place.root, ("--", "P"), {"TMUX": "x"})
    assert result.code == "refused"
    assert "could not be started" in result.message
