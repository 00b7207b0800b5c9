"""What is said of a loop in a few words."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.views.loop_words import loop_word, why_closed
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
