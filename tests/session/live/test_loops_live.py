"""Restart loops while they go on: what is written beside the log reaches the picture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.persist.live import Live as Word
from ppgp_tui.persist.live import Runner
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.process import host_name, start_of
from tests.persist.logs import ID, log, row, spawned
from tests.session.live.living import Live


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return Home(tmp_path / "home")


def one(now: SessionSnapshot) -> Loop | None:
    return now.loops.value.loop(ID)


def runner_of(pid: int) -> Runner:
    return Runner(pid, start_of(pid), host_name())


def test_before_the_first_paint_the_log_is_not_read(live: Live, home: Home) -> None:
    home.path.mkdir()
    home.log.write_bytes(log(spawned(cwd=str(live.root))))
    assert live.session.open().loops.value.seen == ()
    assert live.session.read_all().loops.value.seen != ()


def test_a_loop_is_followed_from_its_first_row_to_its_end(live: Live, home: Home) -> None:
    live.follow()
    assert live.now.loops.value.seen == ()
    home.path.mkdir()
    me = runner_of(os.getpid())
    home.log.write_bytes(log(spawned(cwd=str(live.root), runner=me._asdict())))
    live.until(one)
    side.write_live(home, ID, Word(me, "running", 5, 1, output="0001.log"))
    live.until(lambda now: one(now) and one(now).phase == "running")  # type: ignore[union-attr]
    output = home.loop(ID) / "output"
    output.mkdir()
    (output / "0001.log").write_bytes(b"hello\n")
    live.until(lambda now: one(now) and one(now).output)  # type: ignore[union-attr]
    with home.log.open("ab") as file:
        file.write(log(row("SUCCESS", 1, exit_code=0)))
    done = one(live.until(lambda now: one(now) and not one(now).open))  # type: ignore[union-attr]
    assert done is not None
    assert [run.exit_code for run in done.runs] == [0]


def test_a_runner_that_is_killed_is_missed(live: Live, home: Home) -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    try:
        home.path.mkdir()
        own = runner_of(process.pid)._asdict()
        home.log.write_bytes(log(spawned(cwd=str(live.root), runner=own)))
        live.follow()
        live.until(lambda now: one(now) and one(now).runner.state == "alive")  # type: ignore[union-attr]
    finally:
        process.kill()
        process.communicate()
    live.until(lambda now: one(now) and one(now).orphan)  # type: ignore[union-attr]
