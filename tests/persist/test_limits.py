"""Rate limits are known by the last lines of a failed run (persist reference section 6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.limits import LAST_LINES, PHRASES, is_limited, wait_s

LIMIT = "You've hit your weekly limit"


def limited(exit_code: int | None, *lines: str) -> bool:
    return is_limited(exit_code, lines, PHRASES)


@pytest.mark.parametrize(
    "line",
    [
        LIMIT, "Error: You’ve hit your WEEKLY limit · resets 3pm", "Usage limit reached.",
        "this would exceed your account's rate limit", "out of credits",
        "\x1b[31mYou've hit your \x1b[1mweekly\x1b[0m limit\x1b[0m",
    ],
)  # fmt: skip
def test_behaviour_26_a_failed_run_with_the_phrase_met_a_limit(line: str) -> None:
    assert limited(1, "working", line, "bye")


def test_behaviour_27_only_the_last_twenty_lines_count() -> None:
    after = ["x"] * LAST_LINES
    assert not limited(1, LIMIT, *after)
    assert limited(1, LIMIT, *after[1:])


def test_behaviour_28_a_good_run_that_speaks_of_limits_is_a_good_run() -> None:
    assert not limited(0, LIMIT)


def test_a_phrase_of_nothing_matches_nothing_and_others_can_be_named() -> None:
    assert not is_limited(1, ["anything"], ["", "  "])
    assert is_limited(1, ["Quota EXHAUSTED"], ["quota exhausted"])


def test_behaviour_29_waits_are_doubled_up_to_the_longest() -> None:
    waits = [wait_s(number, 60, 3600, 1e9) for number in range(1, 9)]
    assert waits == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_behaviour_30_the_wait_is_cut_to_what_is_left() -> None:
    assert wait_s(3, 60, 3600, 100) == 100
    assert wait_s(3, 60, 3600, -5) == 0


@given(st.integers(1, 10**9), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(-1e9, 1e9))
def test_no_wait_is_longer_than_the_longest_or_what_is_left(
    number: int, base: int, longest: int, left: float
) -> None:
    wait = wait_s(number, base, longest, left)
    assert 0 <= wait <= max(0.0, min(longest, left))
