"""A person's pause of a loop, and a hold of its repository."""

from __future__ import annotations

import pytest

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.surroundings import Surroundings
from tests.persist.running.scene import ID, LIMIT, Run, Scene

MORNING = Pause("user:anna", 0, "look at it first")
LIMITED = Run(1, 0.0, [LIMIT])


def pause(scene: Scene) -> None:
    side.write_pause(scene.home, ID, MORNING)


def resume(scene: Scene) -> None:
    side.clear_pause(scene.home, ID)


def live(scene: Scene) -> Live:
    found = side.read_live(scene.home, ID)
    assert found is not None
    return found


# A person's pause


def test_a_pause_is_obeyed_between_two_runs_and_the_clock_stands(scene: Scene) -> None:
    scene.clock.at(5, lambda: pause(scene))
    scene.clock.at(1_000, lambda: resume(scene))
    assert scene.run(Run(1), budget=Budget(2, 25)) == 5
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("PAUSED", 1), ("ITERATING", 2), ("BUDGET_EXHAUSTED", 2),
    ]  # fmt: skip
    paused, resumed = scene.rows()[2]["extra"], scene.rows()[3]["extra"]
    assert paused["reason"] == "paused by user:anna: look at it first"
    assert paused["by"] == "user:anna"
    assert paused["exit_code"] == 1
    assert resumed["elapsed_s"] == 10
    assert resumed["paused_s"] == pytest.approx(990, abs=0.5)
    assert resumed["pause_reason"] == paused["reason"]
    assert "exit_code" not in resumed
    assert scene.last()["reason"] == "max_iterations"


def test_while_it_rests_everybody_can_read_why_and_what_ends_it(scene: Scene) -> None:
    seen: list[Live] = []
    scene.clock.at(5, lambda: pause(scene))
    scene.clock.at(50, lambda: seen.append(live(scene)))
    scene.clock.at(60, lambda: resume(scene))
    scene.run(Run(1), budget=Budget(2, 100))
    assert (seen[0].phase, seen[0].iteration, seen[0].counted_s) == ("paused", 1, 10.0)
    assert seen[0].why == "paused by user:anna: look at it first"
    assert any(f"ppgp-tui persist resume {ID}" in line for line in scene.words.noted)


def test_a_pause_before_the_first_run_leaves_the_loop_spawned(scene: Scene) -> None:
    pause(scene)
    scene.clock.at(30, lambda: resume(scene))
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert scene.told() == [("SPAWNED", 0), ("ITERATING", 1), ("SUCCESS", 1)]
    assert scene.rows()[1]["extra"]["paused_s"] == 30
    assert scene.agent.started[0].at_s == 30


def test_a_pause_during_a_wait_for_a_limit_stays_one_pause(scene: Scene) -> None:
    scene.clock.at(10, lambda: pause(scene))
    scene.clock.at(200, lambda: resume(scene))
    assert scene.run(LIMITED, Run(0), condition_text="exit-code-0", budget=Budget(9, 100)) == 0
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("PAUSED", 1), ("ITERATING", 1), ("SUCCESS", 1),
    ]  # fmt: skip
    again = scene.rows()[3]["extra"]
    assert again["paused_s"] == pytest.approx(190, abs=0.5)
    assert again["pause_reason"] == MORNING.told
    assert again["elapsed_s"] == 10


def test_a_pause_of_the_last_run_is_no_pause_any_more(scene: Scene) -> None:
    scene.clock.at(15, lambda: pause(scene))
    assert scene.run(Run(1), budget=Budget(2, 100)) == 5
    assert scene.told()[-1] == ("BUDGET_EXHAUSTED", 2)
    assert side.read_pause(scene.home, ID) is None


def test_while_the_repository_is_held_no_run_begins_and_none_is_cut(scene: Scene) -> None:
    hold: list[str] = []
    scene.clock.at(2, lambda: hold.append("a person holds the agents here"))
    scene.clock.at(500, hold.clear)
    around = Surroundings(held=lambda: hold[0] if hold else None)
    code = scene.run(
        Run(1, 508.0), Run(1, 4), budget=Budget(2, 30, iteration_timeout_s=20),
        surroundings=around,
    )  # fmt: skip
    assert code == 5
    first, second = scene.rows()[2]["extra"], scene.rows()[3]["extra"]
    assert (first["exit_code"], first["duration_s"]) == (1, 508.0)
    assert "cut" not in first
    assert second["exit_code"] == 1
    assert first["paused_s"] == pytest.approx(498, abs=0.3)
    assert first["pause_reason"] == "a person holds the agents here"
    assert scene.last()["reason"] == "max_iterations"


def test_a_hold_between_two_runs_is_a_pause_without_an_order(scene: Scene) -> None:
    hold: list[str] = []
    scene.clock.at(9.95, lambda: hold.append("a person holds the agents here"))
    scene.clock.at(100, hold.clear)
    scene.run(Run(1), budget=Budget(2, 100), surroundings=Surroundings(
        held=lambda: hold[0] if hold else None))  # fmt: skip
    assert scene.rows()[2]["to_state"] == "PAUSED"
    assert scene.rows()[2]["extra"]["reason"] == "a person holds the agents here"
    assert scene.agent.started[1].at_s == pytest.approx(100, abs=0.3)


def test_a_pause_after_quick_failures_begins_at_once(scene: Scene) -> None:
    scene.clock.at(0.5, lambda: pause(scene))
    scene.clock.at(100, lambda: resume(scene))
    scene.run(Run(1, 0.0), budget=Budget(5, 600))
    assert scene.told()[4:7] == [("ITERATING", 4), ("PAUSED", 4), ("ITERATING", 5)]
    assert scene.rows()[6]["extra"]["paused_s"] == pytest.approx(99.5, abs=0.5)
    assert scene.rows()[6]["extra"]["elapsed_s"] == 0


def test_a_pause_is_told_at_once_also_while_a_limit_is_waited_for(scene: Scene) -> None:
    seen: list[Live] = []
    scene.clock.at(10, lambda: pause(scene))
    scene.clock.at(20, lambda: seen.append(live(scene)))
    scene.clock.at(30, lambda: resume(scene))
    scene.clock.at(40, lambda: seen.append(live(scene)))
    scene.run(LIMITED, Run(0), condition_text="exit-code-0")
    assert [(one.phase, one.why) for one in seen] == [
        ("paused", MORNING.told), ("rate_limited", "rate_limited"),
    ]  # fmt: skip
    assert seen[1].counted_s == pytest.approx(10, abs=0.5)


def test_while_a_run_is_held_nobody_can_say_when_it_ends(scene: Scene) -> None:
    seen: list[Live] = []
    hold: list[str] = []
    scene.clock.at(2, lambda: hold.append("a person holds the agents here"))
    scene.clock.at(5, lambda: seen.append(live(scene)))
    scene.clock.at(10, hold.clear)
    scene.clock.at(12, lambda: seen.append(live(scene)))
    scene.run(Run(1, 20), budget=Budget(1, 60), surroundings=Surroundings(
        held=lambda: hold[0] if hold else None))  # fmt: skip
    assert [(one.phase, one.why, one.until_ms is None) for one in seen] == [
        ("running", "held", True), ("running", "", False),
    ]  # fmt: skip
    assert seen[1].until_ms == pytest.approx(scene.clock.now_ms() - 20_000 + 68_000, abs=300)
