"""The faults of the original, as far as a scripted agent shows them (persist reference section 9).

F1 to F5 stand in `test_runner_prompt`, F15 in `test_runner_condition`, F9, F11 and F20 in
`test_runner_outside`, those that need a process in `test_runner_agents`.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.surroundings import Surroundings
from tests.persist.running.scene import HOST, ID, OTHER, THIRD, Run, Scene

# F6, F7: runs that hang, runs that fail at once


def test_f6_a_hung_agent_is_ended_by_its_own_limit_and_the_loop_goes_on(scene: Scene) -> None:
    budget = Budget(3, 600, iteration_timeout_s=20)
    assert scene.run(Run(0, 9_999), Run(0), condition_text="exit-code-0", budget=budget) == 0
    first = scene.rows()[2]["extra"]
    assert (first["cut"], first["signal"], first["exit_code"]) == (
        "iteration-timeout", "SIGTERM", 143,
    )  # fmt: skip
    assert first["duration_s"] == pytest.approx(20, abs=0.2)
    assert scene.words.noted == [f"persist: loop {ID}: run 1 was ended after its 20 s"]
    assert scene.told()[-1] == ("SUCCESS", 2)


def test_f6_no_run_goes_on_past_the_wall_clock(scene: Scene) -> None:
    budget = Budget(9, 30, iteration_timeout_s=20)
    assert scene.run(Run(0, 9_999), budget=budget) == 5
    assert scene.clock.ms == pytest.approx(30_000, abs=200)
    assert (scene.last()["reason"], scene.last()["cut"]) == ("wall-clock", "wall-clock")


@pytest.mark.parametrize("exit_code", [126, 127])
def test_f7_a_program_that_is_not_there_ends_the_loop_at_once(scene: Scene, exit_code: int) -> None:
    assert scene.run(Run(exit_code, 0.01)) == 1
    assert len(scene.agent.started) == 1
    assert f"(exit {exit_code})" in scene.last()["reason"]


def test_an_agent_that_cannot_be_started_just_now_is_tried_again(scene: Scene) -> None:
    assert scene.run(Run(75, 0.01), Run(0), condition_text="exit-code-0") == 0


def test_f7_a_program_that_is_not_there_is_refused_at_the_start(scene: Scene) -> None:
    assert scene.run(command="no-such-agent {}") == 1
    assert scene.rows() == []
    assert "no-such-agent was not found" in scene.words.noted[0]


def test_f7_a_file_that_is_no_program_is_refused_and_not_said_to_be_missing(scene: Scene) -> None:
    (scene.cwd / "notes").write_text("no program")
    assert scene.run(command="./notes {}") == 1
    assert "./notes cannot be run" in scene.words.noted[0]
    assert scene.run(command="'' {}") == 1
    assert "program '' was not found" in scene.words.noted[0]


def test_f7_failures_at_once_are_slowed_down_and_then_stopped(scene: Scene) -> None:
    assert scene.run(Run(3, 0.0), budget=Budget(50, 14_400)) == 1
    assert [one.at_s for one in scene.agent.started] == [0, 0, 0, 0, 1, 3, 7, 15]
    assert scene.last()["reason"] == "8 runs in a row failed within 2 s with exit code 3"


def test_f7_with_compat_they_use_the_budget_up(scene: Scene) -> None:
    budget = Budget(50, 600, quick_failures=None)
    assert scene.run(Run(127, 0.0), budget=budget, compat=True, command="no-such-agent") == 5
    assert len(scene.agent.started) == 50
    assert scene.clock.ms == 0


# F8, F10, F12, F14: what is told and kept


def test_f8_the_agent_is_told_its_loop_its_run_and_what_is_left(scene: Scene) -> None:
    scene.run(Run(1), Run(0), condition_text="exit-code-0")
    environ = scene.agent.started[1].environ
    assert environ["PPGP_LOOP"] == ID
    assert environ["PPGP_ITERATION"] == "2"
    assert environ["PPGP_BUDGET_LEFT"] == "3/590"
    assert environ["BROOMVA_PERSIST_HOME"] == str(scene.home.path)
    assert environ["A"] == "b"


def test_f10_the_first_row_says_who_runs_the_loop(scene: Scene) -> None:
    scene.run(Run(0), condition_text="exit-code-0")
    extra = scene.rows()[0]["extra"]
    assert extra["runner"] == {"pid": 4242, "started": 77, "host": HOST}
    assert list(extra)[:4] == [
        "max_iterations", "max_wall_clock_s", "success_condition", "agent_cmd",
    ]  # fmt: skip
    assert extra["cwd"] == str(scene.cwd)


def test_f14_a_dry_run_leaves_no_open_loop_and_with_compat_it_does(scene: Scene) -> None:
    scene.run(dry_run=True)
    assert scene.told() == [("ABANDONED", 0)]
    assert scene.last()["reason"] == "dry run"
    scene.run(dry_run=True, compat=True, loop_id=OTHER)
    assert [row["to_state"] for row in scene.rows(OTHER)] == ["SPAWNED"]


def test_a_dry_run_warns_of_what_a_run_would_be_refused_for(scene: Scene) -> None:
    (scene.cwd / "DONE").touch()
    code = scene.run(dry_run=True, command="no-such-agent", condition_text="file-exists:DONE")
    assert code == 0
    assert len(scene.words.noted) == 2


# F16: every row after a run says how it went


def test_f16_exit_code_signal_and_duration_stand_on_each_row_after_a_run(scene: Scene) -> None:
    scene.run(Run(3, 4.5), Run(0, 2.25), condition_text="exit-code-0")
    after = [row["extra"] for row in scene.rows() if "exit_code" in row["extra"]]
    assert [(one["exit_code"], one["signal"], one["duration_s"]) for one in after] == [
        (3, None, 4.5), (0, None, 2.25),
    ]  # fmt: skip
    assert len(scene.rows()) == 4


# F23: one loop on one prompt file


@pytest.mark.parametrize("lead", [Path.symlink_to, Path.hardlink_to])
def test_f23_a_second_loop_on_the_same_prompt_file_is_refused(
    scene: Scene, lead: Callable[[Path, Path], None]
) -> None:
    codes: list[int] = []

    def second() -> None:
        kept = scene.agent, scene.words
        other = scene.cwd / "again.md"
        lead(other, scene.prompt)
        scene.run(dry_run=True, loop_id=THIRD)
        assert "runs on this prompt file already" in scene.words.noted[0]
        codes.append(scene.run(Run(0), prompt="again.md", loop_id=OTHER))
        assert f"loop {ID} runs on this prompt file already (pid 4242)" in scene.words.noted[0]
        assert f"ppgp-tui persist abandon {ID}" in scene.words.noted[0]
        scene.agent, scene.words = kept

    assert scene.run(Run(0, does=second), condition_text="exit-code-0") == 0
    assert codes == [1]
    assert scene.rows(OTHER) == []
    assert [row["to_state"] for row in scene.rows(THIRD)] == ["ABANDONED"]


def test_f23_two_that_start_at_the_same_moment_look_one_after_the_other(scene: Scene) -> None:
    class Watched(LoopLog):
        """Looked at only by whoever may start."""

        def read(self) -> Reading:
            if not self.looked:
                self.looked = True
                path = scene.home.path / "loops" / "starting.lock"
                with path.open() as lock, pytest.raises(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return super().read()

        looked = False

    scene.log = watched = Watched(scene.home)
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert watched.looked


def test_f23_a_loop_whose_runner_is_gone_is_only_a_warning(scene: Scene) -> None:
    def orphan() -> None:
        scene.alive = set()
        kept = scene.agent
        assert scene.run(Run(0), condition_text="exit-code-0", loop_id=OTHER) == 0
        assert "its runner is gone" in scene.words.noted[0]
        scene.agent = kept

    scene.run(Run(0, does=orphan), condition_text="exit-code-0")
    assert scene.rows(OTHER)[-1]["to_state"] == "SUCCESS"


@pytest.mark.parametrize(("goal", "code"), [("g-1", 1), (None, 0)])
def test_a_second_loop_in_the_same_work_tree_is_refused_only_to_a_goal(
    scene: Scene, goal: str | None, code: int
) -> None:
    (scene.cwd / "other.md").write_text("go on")
    codes = []

    def second() -> None:
        kept = scene.agent
        codes.append(
            scene.run(Run(0), condition_text="exit-code-0", prompt="other.md", loop_id=OTHER,
                      surroundings=Surroundings(root="/r", goal=goal))
        )  # fmt: skip
        assert "runs in this work tree already" in scene.words.noted[0]
        scene.agent = kept

    scene.run(Run(0, does=second), condition_text="exit-code-0",
              surroundings=Surroundings(root="/r"))  # fmt: skip
    assert codes == [code]


def test_a_prompt_elsewhere_is_nobody_s_business(scene: Scene) -> None:
    (scene.cwd / "other.md").write_text("go on")

    def second() -> None:
        kept = scene.agent
        scene.run(Run(0), condition_text="exit-code-0", prompt="other.md", loop_id=OTHER)
        assert scene.words.noted == []
        scene.agent = kept

    scene.run(Run(0, does=second), condition_text="exit-code-0")
    assert scene.rows(OTHER)[-1]["to_state"] == "SUCCESS"
