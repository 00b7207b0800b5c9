"""What comes after what: persist reference sections 2, 4 and 6, behaviours 4 to 32."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ppgp_tui.persist.budget import Budget
from tests.persist.running.scene import ID, LIMIT, Run, Scene

LIMITED = Run(1, 0.0, [LIMIT])


def waits(scene: Scene) -> list[float]:
    return [row["extra"]["wait_s"] for row in scene.rows() if row["to_state"] == "PAUSED"]


def numbers(scene: Scene) -> list[int]:
    return [row["iteration"] for row in scene.rows() if row["to_state"] == "ITERATING"]


def test_behaviour_4_and_15_two_failures_then_a_zero_is_success_at_run_3(scene: Scene) -> None:
    code = scene.run(Run(1), Run(1), Run(0), condition_text="exit-code-0")
    assert code == 0
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("ITERATING", 2), ("ITERATING", 3), ("SUCCESS", 3),
    ]  # fmt: skip
    assert scene.words.said == [f"persist: loop {ID} SUCCESS at iteration 3"]
    assert scene.last()["reason"] == "success_condition matched"
    assert scene.last()["exit_code"] == 0


def test_behaviour_5_a_file_that_is_made_is_success_though_the_agent_failed(scene: Scene) -> None:
    make = Run(1, does=lambda: (scene.cwd / "DONE").touch())
    assert scene.run(Run(0), make, condition_text="file-exists:DONE") == 0
    assert scene.told()[-1] == ("SUCCESS", 2)
    assert scene.last()["why"] == "DONE exists"


def test_behaviours_6_and_7_a_word_in_a_file_that_was_not_there_at_first(scene: Scene) -> None:
    status = scene.cwd / "STATUS"
    code = scene.run(
        Run(0),
        Run(0, does=lambda: status.write_text("RUNNING\n")),
        Run(0, does=lambda: status.write_text("all\nDONE\n")),
        condition_text="grep:DONE:STATUS",
    )
    assert code == 0
    assert scene.told()[-1] == ("SUCCESS", 3)
    assert scene.last()["why"] == "STATUS line 2"


def test_behaviour_10_a_dry_run_is_one_row_and_starts_nothing(scene: Scene) -> None:
    assert scene.run(dry_run=True, command="claude -p '{}'") == 0
    assert scene.words.said == [
        f"loop_id={ID} (dry-run; no agent spawned)",
        "  prompt: PROMPT.md",
        "  budget: max_iter=4 wall=600s",
        "  agent_cmd: claude -p '{}'",
        "  success_condition: none",
    ]
    assert scene.agent.started == []
    (row,) = scene.rows()
    assert row["extra"]["max_iterations"] == 4


def test_behaviour_11_a_missing_prompt_is_3_and_nothing_is_written(scene: Scene) -> None:
    assert scene.run(prompt="nope.md") == 3
    assert scene.words.noted == ["persist: prompt file not found: nope.md"]
    assert not scene.home.path.exists()


def test_behaviour_16_four_failing_runs_of_four(scene: Scene) -> None:
    assert scene.run(Run(1), condition_text="exit-code-0") == 5
    assert scene.told()[-1] == ("BUDGET_EXHAUSTED", 4)
    assert scene.last()["reason"] == "max_iterations"
    assert scene.last()["iterations"] == 4
    assert scene.words.said == [f"persist: max_iterations (4) reached; loop {ID} terminated"]


def test_behaviour_17_without_a_condition_good_runs_use_the_budget_up(scene: Scene) -> None:
    assert scene.run(Run(0)) == 5
    assert len(scene.agent.started) == 4


def test_behaviour_18_three_runs_of_1_3_s_fit_into_3_s_and_the_third_is_cut(scene: Scene) -> None:
    assert scene.run(Run(0, 1.3), budget=Budget(20, 3)) == 5
    assert numbers(scene) == [1, 2, 3]
    assert scene.last()["reason"] == "wall-clock"
    assert scene.last()["cut"] == "wall-clock"
    assert scene.words.said == [f"persist: wall-clock budget exhausted (3s); loop {ID} terminated"]


def test_verbose_says_which_run_begins_in_the_words_of_the_original(scene: Scene) -> None:
    scene.run(Run(0, 7.0), budget=Budget(2, 600), verbose=True)
    assert scene.words.said[:6] == [
        "",
        f"=== persist loop {ID} — iteration 1/2 (elapsed 0s) ===",
        "  spawning: sh ./agent.sh {}",
        "",
        f"=== persist loop {ID} — iteration 2/2 (elapsed 7s) ===",
        "  spawning: sh ./agent.sh {}",
    ]


# Rate limits (section 6)


def test_behaviours_26_and_31_limited_runs_are_paused_and_not_counted(scene: Scene) -> None:
    code = scene.run(Run(1), LIMITED, LIMITED, Run(0), condition_text="exit-code-0")
    assert code == 0
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("ITERATING", 2), ("PAUSED", 2), ("ITERATING", 2),
        ("PAUSED", 2), ("ITERATING", 2), ("SUCCESS", 2),
    ]  # fmt: skip
    paused = scene.rows()[3]["extra"]
    assert (paused["reason"], paused["wait_s"], paused["exit_code"]) == ("rate_limited", 60, 1)
    assert any("2 runs met a rate limit" in line for line in scene.words.noted)


def test_behaviour_27_a_phrase_21_lines_before_the_end_is_a_normal_failure(scene: Scene) -> None:
    far = Run(1, says=[LIMIT, *(f"line {number}" for number in range(20))])
    near = Run(1, 10, [LIMIT, *(f"line {number}" for number in range(19))])
    assert scene.run(far, near, Run(0), condition_text="exit-code-0") == 0
    assert scene.told()[2:] == [
        ("ITERATING", 2), ("PAUSED", 2), ("ITERATING", 2), ("SUCCESS", 2),
    ]  # fmt: skip


def test_behaviour_28_a_good_run_may_speak_of_limits(scene: Scene) -> None:
    scene.run(Run(0, 10, [LIMIT]))
    assert waits(scene) == []
    assert numbers(scene) == [1, 2, 3, 4]


def test_behaviour_29_waits_are_doubled_up_to_an_hour_and_start_over(scene: Scene) -> None:
    code = scene.run(*[LIMITED] * 8, Run(1), LIMITED, Run(0),
                     condition_text="exit-code-0", budget=Budget(9, 100_000))  # fmt: skip
    assert code == 0
    assert waits(scene) == [60, 120, 240, 480, 960, 1920, 3600, 3600, 60]
    began = [started.at_s for started in scene.agent.started]
    assert [later - sooner for sooner, later in pairwise(began)] == [
        60, 120, 240, 480, 960, 1920, 3600, 3600, 10, 60,
    ]  # fmt: skip


def test_behaviour_30_the_last_wait_is_cut_and_no_further_run_begins(scene: Scene) -> None:
    assert scene.run(LIMITED, budget=Budget(9, 100)) == 5
    assert waits(scene) == [60, 40]
    assert len(scene.agent.started) == 2
    assert scene.rows()[-1]["from_state"] == "PAUSED"
    assert scene.last() == {"reason": "wall-clock", "elapsed_s": 100}
    assert any("its time is used up in 40 s" in line for line in scene.words.noted)


def test_behaviour_32_both_ends_of_the_backoff_can_be_set(scene: Scene) -> None:
    budget = Budget(9, 60, limit_backoff_base_s=3, limit_backoff_max_s=7)
    scene.run(*[LIMITED] * 4, Run(0), condition_text="exit-code-0", budget=budget)
    assert waits(scene) == [3, 6, 7, 7]


def test_the_last_run_that_counts_may_meet_limits_and_is_tried_again(scene: Scene) -> None:
    code = scene.run(LIMITED, Run(0), condition_text="exit-code-0", budget=Budget(1, 600))
    assert code == 0
    assert numbers(scene) == [1, 1]


def test_work_that_is_done_is_done_though_the_run_met_a_limit(scene: Scene) -> None:
    done = Run(1, 1, [LIMIT], does=lambda: (scene.cwd / "DONE").touch())
    assert scene.run(done, condition_text="file-exists:DONE") == 0
    assert waits(scene) == []


def test_other_phrases_can_be_named(scene: Scene) -> None:
    scene.run(Run(1, 1, ["Come back TOMORROW"]), Run(0), condition_text="exit-code-0",
              phrases=("come back tomorrow",))  # fmt: skip
    assert waits(scene) == [60]


@given(
    ran=some.lists(some.tuples(some.booleans(), some.integers(0, 5_000)), min_size=1, max_size=12),
    wall=some.integers(1, 60),
    base=some.integers(1, 20),
)
def test_whatever_an_agent_does_both_budgets_are_kept(
    ran: list[tuple[bool, int]], wall: int, base: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    scene = Scene(tmp_path_factory.mktemp("loop"))
    runs = [Run(1, ms / 1000, [LIMIT] if limited else []) for limited, ms in ran]
    runs.append(Run(1, 3.0))
    assert scene.run(*runs, budget=Budget(5, wall, None, base, 20)) == 5
    assert scene.clock.ms < wall * 1000 + 100  # a run is looked at ten times a second
    assert all(started.at_s < wall for started in scene.agent.started)
    assert numbers(scene) == sorted(numbers(scene))
    if scene.last()["reason"] == "wall-clock":
        assert scene.clock.ms >= wall * 1000
    else:
        assert numbers(scene)[-1] == 5
