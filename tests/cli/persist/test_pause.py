"""`persist pause` and `resume`: an order to the runner, and with it the hold of the agents."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.persist.disk import side
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.orders import Pause
from ppgp_tui.session.actions import control
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.journal.lock import locked
from tests.cli.persist.loops import GONE, ID, Loops, row, runner_of, spawned

DEV = Actor("user", "dev")


@pytest.fixture
def root(loops: Loops) -> Path:
    """The loop's repository, with a session; its runner lives."""
    (loops.work / ".ppgp").mkdir()
    loops.log(spawned(runner=runner_of(os.getpid()), root=str(loops.work)), row("ITERATING", 1))
    return loops.work


def hold_of(root: Path) -> Any:
    control_file = root / ".ppgp" / "run" / "control.json"
    return json.loads(control_file.read_bytes())["hold"] if control_file.exists() else None


def test_a_pause_is_an_order_with_who_when_and_why(loops: Loops) -> None:
    loops.log(spawned(runner=runner_of(os.getpid())), row("ITERATING", 1))
    before = loops.home.log.read_bytes()
    assert loops.call("pause", ID, "--reason", "lunch") == (0, f"loop {ID}: pause asked\n", "")
    order = side.read_pause(loops.home, ID)
    assert order is not None
    assert (order.by, order.reason, order.hold) == ("user:dev", "lunch", None)
    assert order.told == "paused by user:dev: lunch"
    assert loops.home.log.read_bytes() == before, "the log says it when the runner rests"
    assert "paused by user:dev: lunch: no further run begins" in loops.call("status").out
    assert loops.call("resume", ID) == (0, f"loop {ID}: resumed\n", "")
    assert side.read_pause(loops.home, ID) is None


def test_what_stands_already_is_left_as_it_is(loops: Loops) -> None:
    loops.log(spawned(runner=runner_of(os.getpid())), row("ITERATING", 1))
    assert loops.call("resume", ID) == (0, f"loop {ID} is not paused; no-op\n", "")
    loops.call("pause", ID, "--reason", "first")
    said = loops.call("pause", ID, "--reason", "second")
    assert said.out == f"loop {ID} is to pause already (paused by user:dev: first); no-op\n"
    order = side.read_pause(loops.home, ID)
    assert order is not None
    assert order.reason == "first"


def test_a_wait_for_a_limit_is_nobodys_pause(loops: Loops) -> None:
    loops.log(spawned(runner=runner_of(os.getpid())), row("PAUSED", 1, reason="rate_limited"))
    said = loops.call("resume", ID)
    assert said.out.startswith(f"loop {ID} waits (rate_limited) and goes on by itself")


def test_a_pause_holds_the_agents_of_the_loops_repository(loops: Loops, root: Path) -> None:
    said = loops.call("pause", ID, "--reason", "lunch")
    assert f"the agents in {root} wait before their next call" in said.err
    assert hold_of(root)["reason"] == "lunch"
    said = loops.call("resume", ID)
    assert f"the agents in {root}: resumed" in said.err
    assert hold_of(root) is None


def test_a_loop_rests_by_its_own_pause_until_its_agents_may_go_on(loops: Loops, root: Path) -> None:
    """Else a runner that looks in between says that it rests for the agents' sake."""
    loops.call("pause", ID, "--reason", "lunch")
    with ThreadPoolExecutor(1) as other, locked(root):
        resuming = other.submit(loops.call, "resume", ID)
        time.sleep(0.3)  # the hold cannot be released meanwhile
        assert side.read_pause(loops.home, ID) is not None
    resuming.result()
    assert (hold_of(root), side.read_pause(loops.home, ID)) == (None, None)


def test_after_the_run_means_that_no_agent_is_held(loops: Loops, root: Path) -> None:
    assert loops.call("pause", ID, "--after-run").err == ""
    assert side.read_pause(loops.home, ID) is not None
    assert hold_of(root) is None


def test_resuming_leaves_a_hold_that_somebody_ordered_before(loops: Loops, root: Path) -> None:
    control.hold(Engine(root, DEV), reason="mine")
    held = hold_of(root)
    loops.call("pause", ID)
    assert hold_of(root) == held
    loops.call("resume", ID)
    assert hold_of(root) == held


def test_resuming_leaves_a_hold_that_somebody_ordered_after(loops: Loops, root: Path) -> None:
    loops.call("pause", ID)
    control.release(Engine(root, DEV))
    control.hold(Engine(root, DEV), reason="later")
    said = loops.call("resume", ID)
    assert "held by a later pause" in said.err
    assert hold_of(root)["reason"] == "later"


def test_a_hold_that_was_released_meanwhile_is_no_matter(loops: Loops, root: Path) -> None:
    loops.call("pause", ID)
    control.release(Engine(root, DEV))
    assert loops.call("resume", ID) == (0, f"loop {ID}: resumed\n", "")


def test_closing_a_paused_loop_lets_the_other_agents_go_on(loops: Loops, root: Path) -> None:
    loops.call("pause", ID)
    gone = spawned(runner=GONE, root=str(root))
    loops.log(gone, row("PAUSED", 1))
    said = loops.call("abandon", ID)
    assert said.out == f"loop {ID}: PAUSED → ABANDONED\n"
    assert f"the agents in {root}: resumed" in said.err
    assert hold_of(root) is None


def test_closing_orphans_lets_the_agents_go_on_that_a_pause_of_them_held(
    loops: Loops, root: Path
) -> None:
    loops.call("pause", ID)
    loops.log(spawned(runner=GONE, root=str(root)), row("PAUSED", 1))
    said = loops.call("doctor", "--close-orphans")
    assert f"the agents in {root}: resumed" in said.out
    assert hold_of(root) is None


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_where_the_runner_is_gone_it_says_what_to_do(loops: Loops, command: str) -> None:
    loops.log(spawned(runner=GONE), row("ITERATING", 1))
    said = loops.call(command, ID)
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        f"persist: the runner of loop {ID} is gone, so there is nothing to {command};"
        f" close it with: ppgp-tui persist abandon {ID} and start a new loop\n"
    )
    assert not loops.home.loop(ID).exists()


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_the_originals_runner_does_not_listen(loops: Loops, command: str) -> None:
    loops.log(spawned(), row("ITERATING", 1))
    said = loops.call(command, ID)
    assert (said.code, said.out) == (1, "")
    assert "was started by the original, whose runner does not listen" in said.err


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_a_closed_loop_is_over(loops: Loops, command: str) -> None:
    loops.log(spawned(runner=GONE), row("SUCCESS", 1))
    said = loops.call(command, ID)
    assert said == (1, "", f"persist: loop {ID} is closed (SUCCESS); start a new loop\n")


def test_on_another_host_the_order_is_given_and_the_doubt_is_said(loops: Loops) -> None:
    far = runner_of(os.getpid())._replace(host="elsewhere")
    loops.log(spawned(runner=far), row("ITERATING", 1))
    said = loops.call("pause", ID)
    assert said.code == 0
    assert "its runner is on elsewhere: whether it still runs cannot be seen" in said.err
    assert side.read_pause(loops.home, ID) is not None


def test_what_is_written_is_for_its_user_alone(loops: Loops) -> None:
    loops.log(spawned(runner=runner_of(os.getpid())), row("ITERATING", 1))
    loops.call("pause", ID, "--reason", "lunch")
    modes = {path.name: path.stat().st_mode & 0o777 for path in loops.home.path.rglob("*")}
    assert modes["pause.json"] == 0o600
    assert modes[ID] == 0o700


def test_a_loop_that_ends_while_its_agents_are_being_held_leaves_no_hold(
    loops: Loops, root: Path
) -> None:
    side.write_live(loops.home, ID, Live(runner_of(os.getpid()), "ended", 0, 1))
    said = loops.call("pause", ID)
    assert f"the agents in {root}: resumed" in said.err
    assert (hold_of(root), side.read_pause(loops.home, ID)) == (None, None)


def test_a_loop_that_rests_for_a_person_goes_on_by_the_same_word(loops: Loops, root: Path) -> None:
    side.write_pause(loops.home, ID, Pause("loop", 0, "the audit could not decide", need="eval_1"))
    said = loops.call("status")
    assert "needs a person: the audit could not decide" in said.out
    assert loops.call("resume", ID).out == f"loop {ID}: resumed\n"
    assert side.read_pause(loops.home, ID) is None
    assert hold_of(root) is None
