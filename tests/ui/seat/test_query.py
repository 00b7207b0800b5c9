"""What is typed after `/`: free words, and filters among them."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.telling.filters import Filter
from ppgp_tui.ui.seat.query import heading_words, query
from ppgp_tui.ui.views.log.event_panes import FILTERS

NOW = 1_790_000_000_000
HOUR = 3_600_000


def test_words_alone_are_looked_for_as_they_were_typed() -> None:
    asked = query("two  blanks: kept ", NOW)
    assert (asked.text, asked.said, asked.wrong) == ("two  blanks: kept ", (), ())
    assert asked.is_text


def test_filters_stand_anywhere_among_the_words() -> None:
    asked = query("soak kind:todo.* test actor:user:dev", NOW)
    assert asked.text == "soak test"
    assert asked.wanted == Filter(kind="todo.*", actor="user:dev*")
    assert heading_words(asked) == 'kind todo.*, actor user:dev, "soak test"'


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("kind:todo", Filter(kind="todo*")),
        ("kind:todo.revised", Filter(kind="todo.revised")),
        ("actor:claude", Filter(actor="claude*")),
        ("actor:*pi", Filter(actor="*pi")),
        ("run:5b20", Filter(run="*5b20*")),
        ("goal:goal_retr?", Filter(goal="goal_retr?")),
    ],
)
def test_a_value_may_be_short(typed: str, wanted: Filter) -> None:
    assert query(typed, NOW).wanted == wanted


@pytest.mark.parametrize(
    ("typed", "since_ms"),
    [
        ("since:2h", NOW - 2 * HOUR),
        ("since:1d12h", NOW - 36 * HOUR),
        ("since:90s", NOW - 90_000),
        ("since:2026-09-21T12:00:00Z", 1_789_992_000_000),
    ],
)
def test_a_moment_is_a_time_ago_or_a_date(typed: str, since_ms: int) -> None:
    assert query(typed, NOW).wanted.since_ms == since_ms


def test_a_clock_time_is_the_last_time_it_was_so_late() -> None:
    found = query("until:18:00", NOW).wanted.until_ms
    assert found is not None
    assert 0 <= NOW - found < 24 * HOUR
    moment = datetime.fromtimestamp(found / 1000)
    assert (moment.hour, moment.minute) == (18, 0)


@pytest.mark.parametrize("typed", ["since:later", "until:25:99", "since:12", "since:99999999999d"])
def test_a_moment_that_is_none_is_said_and_filters_nothing(typed: str) -> None:
    asked = query(typed, NOW)
    assert asked.wanted == Filter()
    assert "wants 2h, 18:00 or 2026-09-30" in asked.wrong[0]


def test_a_slip_of_the_pen_is_said_and_looked_for_as_a_word() -> None:
    asked = query("knd:todo", NOW)
    assert asked.text == "knd:todo"
    assert asked.wrong == ("there is no knd:, did you mean kind:?",)


def test_a_word_with_a_colon_is_a_word() -> None:
    assert query("tests/batch: feat:x https://a.b", NOW).wrong == ()


def test_a_filter_that_is_still_being_typed_filters_nothing() -> None:
    for name in FILTERS:
        assert query(f"{name}:", NOW).wanted == Filter()


@given(st.text(max_size=60) | st.lists(st.sampled_from([f"{name}:" for name in FILTERS])).map(
    " ".join
), st.integers(0, 2**45))  # fmt: skip
def test_nothing_that_can_be_typed_is_too_much(typed: str, now_ms: int) -> None:
    asked = query(typed, now_ms)
    assert asked.typed == typed
    heading_words(asked)
