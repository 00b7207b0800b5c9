"""A row is written as the original writes it; rows and states go where they may."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.row import Row, bare, decode, encode, head, salvage, time_ms, time_text
from ppgp_tui.persist.states import TERMINAL, IllegalTransitionError, check, is_open, may_go
from tests.persist.logs import EXPECTED, log, recorded, row, spawned

STATES = ("SPAWNED", "ITERATING", "PAUSED", *sorted(TERMINAL))


def test_every_row_of_the_original_is_written_again_to_the_letter() -> None:
    seen = 0
    for case in ("success-exit-code", "unicode-prompt", "budget-wall-clock", "two-in-parallel"):
        for line in recorded(case).splitlines(keepends=True):
            found = decode(bare(line))
            assert found is not None
            assert encode(found) == line
            seen += 1
    assert seen > 20


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


@given(st.builds(Row, _TEXT, _TEXT, _TEXT, st.integers(0, 10**6), _TEXT, _TEXT,
                 st.dictionaries(_TEXT, _TEXT | st.integers(-9, 9) | st.none())))  # fmt: skip
def test_a_row_reads_back_as_it_was_written_and_is_one_line_of_ascii(one: Row) -> None:
    line = encode(one)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == one
    assert list(json.loads(line)) == list(Row._fields)


@given(st.binary(max_size=80))
def test_head_and_whole_row_agree_on_what_a_row_is(line: bytes) -> None:
    found, whole = head(line), decode(line)
    assert (found is None) == (whole is None)


@given(st.lists(st.sampled_from([spawned(), row("ITERATING", 3), row("PAUSED", 1)]), max_size=4),
       st.binary(max_size=10))  # fmt: skip
def test_whole_rows_are_found_in_whatever_they_are_glued_to(rows: list[Row], glue: bytes) -> None:
    glue = glue.translate(None, b'{"[,')  # which would make values of them
    line = glue.join([b"x", *(encode(one)[:-1] for one in rows), b"y"])
    assert [decode(found) for found in salvage(line)] == rows


def test_a_moment_is_written_in_utc_and_whole_seconds() -> None:
    assert time_text(1_796_083_200_999) == "2026-12-01T00:00:00+00:00"
    assert time_ms("2026-12-01T00:00:00+00:00") == 1_796_083_200_000
    assert time_ms("2026-12-01T02:00:00+02:00") == 1_796_083_200_000
    assert time_ms("yesterday") is None


def test_every_recorded_time_is_a_moment() -> None:
    for case in EXPECTED:
        for line in recorded(case).split(b"\n")[:3]:
            found = decode(bare(line))
            assert found is None or time_ms(found.ts) is not None


# The states and the ways between them: persist reference section 4.


def test_behaviour_1_the_legal_ways() -> None:
    legal = {
        ("SPAWNED", "ITERATING"), ("SPAWNED", "ABANDONED"), ("ITERATING", "ITERATING"),
        ("ITERATING", "PAUSED"), ("ITERATING", "SUCCESS"), ("ITERATING", "BUDGET_EXHAUSTED"),
        ("ITERATING", "ABANDONED"), ("PAUSED", "ITERATING"), ("PAUSED", "ABANDONED"),
        ("PAUSED", "BUDGET_EXHAUSTED"),
    }  # fmt: skip
    assert {(a, b) for a in STATES for b in STATES if may_go(a, b)} == legal


def test_behaviour_2_leaving_success_is_refused_with_the_originals_words() -> None:
    with pytest.raises(IllegalTransitionError) as caught:
        check("SUCCESS", "ITERATING")
    assert str(caught.value) == "Illegal loop state transition: SUCCESS → ITERATING"


def test_behaviour_3_exactly_three_states_are_terminal() -> None:
    assert {state for state in STATES if not is_open(state)} == TERMINAL
    assert len(TERMINAL) == 3
    assert is_open("RESTING")


def test_a_state_that_nobody_knows_can_only_be_given_up() -> None:
    assert [state for state in STATES if may_go("RESTING", state)] == ["ABANDONED"]


def test_a_log_is_the_rows_one_after_the_other() -> None:
    assert log(spawned(), row("ITERATING", 1)) == encode(spawned()) + encode(row("ITERATING", 1))
