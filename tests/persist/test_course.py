"""What comes after what in a loop, by a clock that nobody waits for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.brake import FREE, QUICK_S, Brake
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.course import Begin, Course, End, Ran, Wait
from ppgp_tui.persist.limits import PHRASES

BAD, GOOD = Ran(1, 10.0), Ran(0, 10.0)
LIMITED = Ran(1, 10.0, last_lines=("out of credits",))
QUICK = Ran(1, 0.1)


class Played:
    """A loop that is played through; every wait and run takes its time."""

    def __init__(self, budget: Budget, *runs: Ran, met_at: int | None = None) -> None:
        self.course, self.clock = Course.of(budget), 0.0
        self.begun: list[int] = []
        self.waits: list[float] = []
        self.end: End | None = None
        left = list(runs)
        while self.end is None:
            step = self.course.before_run(self.clock)
            if isinstance(step, End) or not left:
                self.end = step if isinstance(step, End) else None
                return
            self._run(step, left.pop(0), met_at)

    def _run(self, step: Begin, ran: Ran, met_at: int | None) -> None:
        self.begun.append(step.iteration)
        self.clock += ran.duration_s
        held = "met" if len(self.begun) == met_at else None
        course = self.course.begun(step.iteration)
        self.course, then = course.after_run(ran, held, PHRASES, self.clock)
        if isinstance(then, Wait):
            self.waits.append(then.seconds)
            self.clock += then.seconds
        elif then is not None:
            self.end = then


def test_behaviour_15_two_failures_then_the_condition_is_met() -> None:
    played = Played(Budget(), BAD, BAD, GOOD, met_at=3)
    assert played.begun == [1, 2, 3]
    assert played.end == End(
        "SUCCESS", {"reason": "success_condition matched", "exit_code": 0, "why": "met"}
    )


def test_behaviours_16_and_17_all_runs_used_up_ends_by_budget() -> None:
    for run in (BAD, GOOD):
        played = Played(Budget(max_iterations=4), *[run] * 9)
        assert played.begun == [1, 2, 3, 4]
        assert played.end == End("BUDGET_EXHAUSTED", {"reason": "max_iterations", "iterations": 4})


def test_behaviour_18_the_time_is_looked_at_before_each_run() -> None:
    played = Played(Budget(max_wall_clock_s=3), *[Ran(1, 1.3)] * 9)
    assert played.begun == [1, 2, 3]
    assert played.end == End("BUDGET_EXHAUSTED", {"reason": "wall-clock", "elapsed_s": 3})


def test_behaviours_26_and_31_a_limited_run_is_not_counted() -> None:
    played = Played(Budget(), BAD, *[LIMITED] * 5, BAD, GOOD, met_at=8)
    assert played.begun == [1, 2, 2, 2, 2, 2, 2, 3]
    assert played.course.limited == 5


def test_behaviour_29_waits_grow_and_start_over_after_a_run_that_is_not_limited() -> None:
    played = Played(Budget(max_wall_clock_s=10**6), *[LIMITED] * 8, BAD, LIMITED, LIMITED)
    assert played.waits == [60, 120, 240, 480, 960, 1920, 3600, 3600, 60, 120]


def test_behaviour_30_the_last_wait_is_cut_and_no_run_follows_it() -> None:
    played = Played(Budget(max_wall_clock_s=190), *[LIMITED] * 9)
    assert played.waits == [60, 110]
    assert played.begun == [1, 1]
    assert played.end == End("BUDGET_EXHAUSTED", {"reason": "wall-clock", "elapsed_s": 190})


def test_behaviour_32_both_backoff_budgets_take_effect() -> None:
    budget = Budget(limit_backoff_base_s=5, limit_backoff_max_s=12)
    assert Played(budget, *[LIMITED] * 4).waits == [5, 10, 12, 12]


def test_work_that_is_done_is_done_also_in_a_limited_run() -> None:
    played = Played(Budget(), LIMITED, met_at=1)
    assert played.end is not None
    assert played.end.state == "SUCCESS"


def test_a_limited_last_run_is_tried_again_before_the_runs_are_used_up() -> None:
    assert Played(Budget(max_iterations=1), LIMITED, BAD, BAD).begun == [1, 1]


def test_a_run_that_we_cut_short_met_no_limit() -> None:
    cut = LIMITED._replace(cut="iteration-timeout")
    assert Played(Budget(), cut, BAD).begun == [1, 2]


@pytest.mark.parametrize(("code", "said"), [(126, "cannot be run"), (127, "was not found")])
def test_f7_a_program_that_is_not_there_ends_the_loop_at_once(code: int, said: str) -> None:
    """F7: it used up all iterations in milliseconds."""
    played = Played(Budget(), Ran(code, 0.01), BAD)
    assert played.begun == [1]
    assert played.end is not None
    assert (played.end.state, said in played.end.extra["reason"]) == ("ABANDONED", True)


def test_f7_quick_failures_are_slowed_down_and_then_end_the_loop() -> None:
    played = Played(Budget(quick_failures=8), *[QUICK] * 50)
    assert played.waits == [1, 2, 4, 8]
    assert len(played.begun) == 8
    assert played.end is not None
    assert played.end.extra["reason"] == "8 runs in a row failed within 2 s with exit code 1"


def test_f7_other_exit_codes_slow_down_and_do_not_end_it() -> None:
    codes = [Ran(code, 0.1) for code in (1, 2) * 20]
    played = Played(Budget(max_iterations=12, quick_failures=3), *codes)
    assert played.begun == list(range(1, 13))
    assert played.waits[:7] == [1, 2, 4, 8, 16, 32, 60]


def test_a_slow_failure_or_a_good_run_releases_the_brake() -> None:
    for release in (BAD, Ran(0, 0.1), LIMITED):
        runs = [*[QUICK] * FREE, release, *[QUICK] * FREE]
        waits = Played(Budget(quick_failures=4), *runs).waits
        assert waits == ([60] if release is LIMITED else [])


def test_without_a_brake_nothing_is_slowed_down_or_ended() -> None:
    played = Played(Budget(max_iterations=9, quick_failures=None), *[Ran(127, 0.1)] * 20)
    assert (len(played.begun), played.waits) == (9, [])


def test_a_run_takes_no_longer_than_the_wall_clock_has_left() -> None:
    """F6: a 4 s run under a 1 s budget ran to its end."""
    assert Budget(max_wall_clock_s=100).run_limit_s(60) == 40
    assert Budget(max_wall_clock_s=100, iteration_timeout_s=30).run_limit_s(60) == 30
    assert Budget(max_wall_clock_s=100).run_limit_s(200) == 0


_RUNS = st.lists(
    st.builds(
        Ran,
        st.sampled_from([0, 1, 2, 126, 127, 137]),
        st.floats(0, 50),
        last_lines=st.sampled_from([(), ("out of credits",)]),
    ),
    max_size=30,
)


@given(_RUNS, st.integers(1, 6), st.integers(1, 300))
def test_both_budgets_are_kept_whatever_the_runs_come_to(
    runs: list[Ran], most: int, seconds: int
) -> None:
    """Invariants I3 and I7."""
    played = Played(Budget(most, seconds), *runs)
    assert max(played.begun, default=0) <= most
    assert len(set(played.begun)) <= most
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(played.begun))
    assert sum(played.waits) <= seconds
    assert played.clock <= seconds + max((run.duration_s for run in runs), default=0)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 2 * QUICK_S)), max_size=40))
def test_the_brake_counts_only_quick_failures_in_a_row(runs: list[tuple[int, float]]) -> None:
    brake = Brake(8)
    for exit_code, duration_s in runs:
        brake = brake.after(exit_code, duration_s)
    row = 0
    for exit_code, duration_s in reversed(runs):
        if exit_code == 0 or duration_s >= QUICK_S:
            break
        row += 1
    assert brake.failures == row
    assert (brake.pause_s > 0) == (row > FREE)
