"""Restart loops in the status line: what the app's lamps say, read at little cost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.cli.status_line import line
from ppgp_tui.persist.disk import home, side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.live import Live, Runner
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.row import Row
from ppgp_tui.session.actions import control
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.process import host_name, start_of
from ppgp_tui.session.status import loops
from ppgp_tui.session.status.loops import _home
from tests.persist.logs import ID, OTHER, log, row, spawned
from tests.session.status.reading import NOW, agrees, said_by_the_status

MINE = Runner(os.getpid(), start_of(os.getpid()), host_name())
GONE = Runner(2**22 + 1, 1, host_name())
NEED = Pause("loop", NOW - 180_000, "the audit could not decide", need="eval_1")


class Ward:
    """A root with a loop of which these things are known."""

    def __init__(self, root: Path, environ: dict[str, str]) -> None:
        self.root, self.environ = root, environ
        self.home = Home(Path(environ["XDG_CONFIG_HOME"]) / "broomva" / "persist")

    def has(self, *more: Row, runner: Runner = MINE, loop_id: str = ID, **extra: Any) -> None:
        self.home.path.mkdir(parents=True, exist_ok=True)
        known = {"cwd": str(self.root), "runner": runner._asdict(), **extra}
        with self.home.log.open("ab") as file:
            file.write(log(spawned(loop_id, **known), row("ITERATING", 1, loop_id), *more))

    def says(self, phase: Any, pause: Pause | None = None) -> None:
        side.write_live(self.home, ID, Live(MINE, phase, NOW - 240_000, 1))
        if pause is not None:
            side.write_pause(self.home, ID, pause)

    def line(self) -> str:
        return line(said_by_the_status(self.root, self.environ), NOW, ascii_only=False)


@pytest.fixture
def ward(root: Path, environ: dict[str, str]) -> Ward:
    return Ward(root, environ)


@pytest.mark.parametrize(
    ("phase", "pause", "said"),
    [
        ("running", None, "▸ loop 4m"),
        ("checking", None, "▸ loop 4m"),
        ("rate_limited", None, ". loop waits 4m"),
        ("paused", Pause("user:anna", NOW), "= loop held 4m"),
        ("paused", NEED, "? 1 for you 3m  ? loop asks 4m"),
    ],
)
def test_the_line_says_what_the_loop_does(
    ward: Ward, phase: str, pause: Pause | None, said: str
) -> None:
    ward.has()
    ward.says(phase, pause)
    agrees(ward.root, ward.environ)
    assert ward.line() == said


def test_one_that_nobody_runs_any_more_is_gone(ward: Ward) -> None:
    ward.has(runner=GONE)
    assert agrees(ward.root, ward.environ)["loop"] == "gone"
    assert ward.line() == "✗ loop gone"


def test_of_several_the_one_that_needs_a_look_most_is_named(ward: Ward) -> None:
    ward.has()
    ward.says("paused", NEED)
    ward.has(loop_id=OTHER)
    assert agrees(ward.root, ward.environ)["loops"] == 2
    assert ward.line() == "? 1 for you 3m  ? 2 loops, one asks"


def test_a_loop_elsewhere_a_closed_one_and_the_originals_are_not_said(ward: Ward) -> None:
    ward.has(row("SUCCESS", 1))
    ward.has(loop_id=OTHER, cwd="/srv/elsewhere")
    with ward.home.log.open("ab") as file:
        file.write(log(spawned("aaaaaaaaaaaa", cwd=str(ward.root))))
    assert agrees(ward.root, ward.environ)["loop"] is None
    assert ward.line() == ""


def test_a_pause_that_only_a_resting_loop_could_see_is_told_as_the_loop_obeys_it(
    ward: Ward,
) -> None:
    ward.has()
    ward.says("paused")
    (ward.root / ".ppgp").mkdir()
    assert control.hold(Engine(ward.root, Actor("user", "anna"))).ok
    app = agrees(ward.root, ward.environ)
    assert (app["run"], app["loop"]) == ("none", "held")
    assert ward.line() == "= loop held 4m"


def test_the_log_is_read_again_only_when_it_changed(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    ward.has()
    ward.says("running")
    agrees(ward.root, ward.environ)
    monkeypatch.setattr(loops, "_open", lambda *_: pytest.fail("the log is as it was"))
    ward.says("paused", Pause("user:anna", NOW))
    assert ward.line() == "= loop held 4m"


@pytest.mark.parametrize("live", ["{", "[1]", '{"phase": 7, "since_ms": "x"}'])
def test_an_odd_last_word_is_none(ward: Ward, live: str) -> None:
    ward.has()
    ward.says("running")
    (ward.home.loop(ID) / "live.json").write_text(live)
    assert said_by_the_status(ward.root, ward.environ)["loop"] == "runs"


@pytest.mark.parametrize(
    "variables",
    [
        {"BROOMVA_PERSIST_HOME": "/srv/loops"},
        {"BROOMVA_PERSIST_HOME": "~/loops", "HOME": "/home/a"},
        {"XDG_CONFIG_HOME": "/srv/config"},
        {"HOME": "/home/a"},
        {},
    ],
)
def test_the_home_is_where_the_loops_have_it(variables: dict[str, str]) -> None:
    assert _home(variables) == str(home.find(variables).path)
