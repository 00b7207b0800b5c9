"""What is said of a loop in a few words."""

from __future__ import annotations

import pytest

from ppgp_tui.session.picture.audit_state import Audit, Verdict
from ppgp_tui.session.picture.loop import Loop, LoopRunner, RunnerState
from ppgp_tui.session.picture.loop_verdict import with_verdict
from ppgp_tui.session.picture.loops import Loops
from ppgp_tui.ui.plain.loops import loop_sentence
from ppgp_tui.ui.views.agents.loop_words import (
    doing,
    loop_word,
    run_of,
    runner_words,
    state_age,
    why_closed,
)
from tests.ui import picture_loops as loops
from tests.ui.picture import NOW


@pytest.mark.parametrize(
    ("left_ms", "said"),
    [
        (179_000, "again in 2m"), (60_000, "again in 1m"), (59_100, "again in 1m"),
        (1_900, "again in 2s"), (1, "again in 1s"), (0, "waits"), (-5_000, "waits"),
    ],
)  # fmt: skip
def test_a_wait_counts_down_to_its_end_and_never_says_none_is_left(left_ms: int, said: str) -> None:
    waits = loops.slowed()._replace(until_ms=NOW + left_ms)
    assert loop_word(waits, NOW).text == said


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("rate_limited", "a rate limit was met"),
        ("quick_failure", "runs fail at once"),
        ("a word of its own", "a word of its own"),
    ],
)
def test_what_a_wait_is_for_is_said_in_words(kind: str, said: str) -> None:
    assert doing(loops.slowed()._replace(why=kind), "X") == (said, "soft")


@pytest.mark.parametrize(
    ("reason", "why", "said"),
    [
        ("success_condition matched", "STATUS line 3", "its condition holds: STATUS line 3"),
        ("success_condition matched", "", "its condition holds"),
        ("max_iterations", "", "all its runs are over"),
        ("wall-clock", "", "its time is over"),
        ("the staging copy\nis gone", "", "the staging copy is gone"),
        (None, "", ""),
    ],
)
def test_why_a_loop_is_closed_is_said_in_words(reason: str | None, why: str, said: str) -> None:
    closed = loops.closed()[0]._replace(reason=reason, why=why)
    assert why_closed(closed) == said


@pytest.mark.parametrize(
    ("loop", "since"),
    [
        (loops.slowed()._replace(until_ms=NOW + 7_000), ""),
        (loops.limited(), ""),
        (loops.limited()._replace(until_ms=NOW - 1), "22m"),
        (loops.slowed()._replace(until_ms=None), "20s"),
        (loops.running(), "2m"),
        (loops.paused()._replace(until_ms=NOW + 7_000), "6m"),
        (loops.limited()._replace(runner=loops.GONE), "22m"),
    ],
)  # fmt: skip
def test_beside_the_time_when_a_wait_ends_no_other_time_is_said(loop: Loop, since: str) -> None:
    assert state_age(loop, NOW) == since


@pytest.mark.parametrize(
    ("state", "is_open", "said"),
    [
        ("alive", True, "process 4711 here, alive"),
        ("gone", True, "process 4711 here, gone"),
        ("gone", False, "process 4711 here, ended"),
        ("alive", False, "process 4711 here, ending"),
        ("elsewhere", False, "process 4711 on attic, not to be seen from here"),
        ("not recorded", False, "not recorded"),
    ],
)
def test_of_every_runner_it_is_said_whether_it_still_runs(
    state: RunnerState, said: str, *, is_open: bool
) -> None:
    loop = loops.running()._replace(runner=LoopRunner(state, 4711, "attic"), open=is_open)
    assert runner_words(loop) == said


def test_a_loop_that_was_only_tried_is_called_so() -> None:
    tried = loops.closed()[2]._replace(reason="dry run", rows=1, iteration=0)
    assert (loop_word(tried, NOW).text, run_of(tried)) == ("dry run", "no run")
    began = tried._replace(rows=2)
    assert loop_word(began, NOW).text == "abandoned", "a person may give that reason"


# The verdict


def seen(state: str | None, word: str = "approved", *, stale: bool | None = False) -> Loop:
    loop = loops.running()._replace(condition="goal-verified", goal="goal_1", holds=None)
    verdict = Verdict("eval_1", word)  # type: ignore[arg-type]
    audit = Audit(state=state, stale=stale, verdicts=(verdict,))  # type: ignore[arg-type]
    (told,) = with_verdict(Loops((loop,)), audit, ("goal_1", "docs/ACTIVE_GOAL.md")).seen
    return told


@pytest.mark.parametrize(
    ("state", "holds", "why"),
    [
        (None, False, "nobody has claimed the goal"),
        ("claimed", False, "the goal is claimed, its audit comes after the run"),
        ("verified", True, "verdict eval_1 approved"),
        ("unsure", False, "the audit could not decide: only a person can"),
        ("rejected", False, "the audit rejected the claim"),
        ("stale", False, "something moved since the verdict"),
    ],
)
def test_whether_the_goal_is_verified_is_known_from_its_verdict(
    state: str | None, holds: bool, why: str
) -> None:
    told = seen(state)
    assert (told.holds, told.holds_why) == (holds, why)


def test_a_verdict_of_which_nobody_knows_yet_whether_it_fits_is_not_told_as_one() -> None:
    assert seen("verified", stale=None).holds is None


def test_the_verdict_on_another_goal_says_nothing_of_a_loop() -> None:
    loop = loops.running()._replace(condition="goal-verified", goal="goal_2", holds=None)
    (told,) = with_verdict(Loops((loop,)), Audit(state="verified", stale=False), ("goal_1",)).seen
    assert told == loop


def test_what_a_loop_needs_of_a_person_is_said_first() -> None:
    asking = loops.asking()
    assert loop_word(asking, NOW).text == "needs you"
    assert doing(asking, "X") == (
        "the audit could not decide: Survives kill -9: no command shows it", "needs",
    )  # fmt: skip
    assert loop_sentence(asking, NOW) == (
        "Restart loop kill-points, run 5 of 20: it needs you, the audit could not decide: Survives"
        f" kill -9: no command shows it; ppgp-tui persist resume {asking.id} lets it go on without"
        " that."
    )
