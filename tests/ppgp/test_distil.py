"""What of a goal document outlives its goal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ppgp.distil import lasting
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading

DOCUMENT = b"""\
## GOAL
Ship it

## INVARIANTS
- No order is sent twice.
- No order is lost.

## FROZEN_DECISIONS

## BLOCKERS
None.

## REMAINING
- The second exchange.

## HUMAN_AUTHORITY_REQUIRED
- Owner: publish 0.2.0.

## VERIFICATION_EVIDENCE
- DoD 1: seen.
"""


def reading(data: bytes | None) -> GoalReading:
    return read_goal(data, "docs/ACTIVE_GOAL.md")


def test_each_field_goes_where_its_facts_belong_and_temporary_ones_nowhere() -> None:
    found = [(one.role, one.field, one.items, one.line) for one in lasting(reading(DOCUMENT))]
    assert found == [
        ("CONSTITUTION", "INVARIANTS", 2, 4),
        ("CONSTITUTION", "HUMAN_AUTHORITY_REQUIRED", 1, 16),
        ("ROADMAP", "REMAINING", 1, 13),
    ]


def test_without_a_document_nothing_outlives_it() -> None:
    assert lasting(reading(None)) == ()


@given(st.binary(max_size=400))
def test_whatever_stands_there_it_names_lines_of_the_document(data: bytes) -> None:
    lines = data.count(b"\n") + 1
    for one in lasting(reading(b"## INVARIANTS\n" + data)):
        assert 1 <= one.line <= lines + 1
        assert one.items >= 0
