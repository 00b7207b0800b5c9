"""In which order sessions are listed, and what they are called."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.sessions.row import SessionRow, names, ordered
from tests.session.sessions.repositories import row


def test_what_needs_a_person_is_on_top_the_oldest_request_first() -> None:
    late = row("/src/late", needs=3, needs_oldest_ms=2_000)
    early = row("/src/early", needs=1, needs_oldest_ms=1_000)
    unknown = row("/src/unknown", needs=1)
    works = row("/src/works", run="working")
    assert ordered([works, unknown, late, early]) == (early, late, unknown, works)


def test_then_what_works_waits_is_held_is_idle_and_where_nothing_is() -> None:
    states = ["violated", "working", "waiting_for_you", "held", "idle", "none"]
    rows = [row(f"/src/{state}", run=state) for state in states]
    assert ordered(reversed(rows)) == tuple(rows)


@pytest.mark.parametrize("run", ["not_seen", "pause_asked", "seen", "frozen", "stopping"])
def test_every_way_to_be_paused_counts_as_held(run: str) -> None:
    assert row(run=run).group == "held"


def test_what_cannot_be_read_stands_below_the_idle_and_keeps_its_last_picture() -> None:
    lost = row("/src/lost", needs=2)._replace(problem="it is gone")
    assert lost.group == "unread"
    assert ordered([lost, row("/src/b", run="idle"), row("/src/c")])[1] is lost


def test_a_session_that_was_never_looked_at_comes_last() -> None:
    new = SessionRow("k", "/src/a", "named")
    assert ordered([new, row("/src/b", run="idle")])[-1] is new


def test_of_two_that_stand_alike_the_one_that_moved_last_is_first() -> None:
    old, new = row("/src/a", last_event_ms=1), row("/src/b", last_event_ms=2)
    assert ordered([old, new]) == (new, old)


def test_sessions_called_alike_are_told_apart_by_the_folder_above() -> None:
    rows = [row("/work/importer"), row("/play/importer"), row("/work/docs")]
    assert names(rows) == ("work/importer", "play/importer", "docs")


runs = st.sampled_from(["violated", "working", "waiting_for_you", "held", "quiet", "idle", "none"])
rows = st.builds(
    lambda path, run, needs, oldest, problem: row(
        f"/src/{path}", run=run, needs=needs, needs_oldest_ms=oldest
    )._replace(problem=problem),
    st.integers(0, 9), runs, st.integers(0, 2), st.none() | st.integers(0, 9),
    st.sampled_from(["", "gone"]),
)  # fmt: skip


@given(st.lists(rows, max_size=8))
def test_the_order_is_one_whatever_the_order_of_finding(found: list[SessionRow]) -> None:
    assert Counter(ordered(found)) == Counter(found)
    assert [one.group for one in ordered(found)] == [one.group for one in ordered(found[::-1])]
    needing = [one.group == "needs_you" for one in ordered(found)]
    assert needing == sorted(needing, reverse=True)
