"""Closed loops are kept small; whoever asks for one is told what its rows said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist import shelf as module
from ppgp_tui.persist.reading import LogReader, Reading, read
from ppgp_tui.persist.row import Row, encode
from ppgp_tui.persist.states import TERMINAL
from tests.persist.logs import log, row, spawned

STATES = ["ITERATING", "PAUSED", "RESTING", *sorted(TERMINAL)]


@pytest.fixture(autouse=True, scope="module")
def few_together() -> Iterator[None]:
    """So that also short logs have compressed groups and a rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_TOGETHER", 3)
        yield


@st.composite
def _rows(draw: st.DrawFn) -> Row:
    loop_id = f"{draw(st.integers(0, 11)):012x}"
    if draw(st.integers(0, 3)) == 0:
        places: list[dict[str, object]] = [{}, {"cwd": "/srv"}, {"cwd": 7, "root": "/srv/a"}]
        extra = draw(st.sampled_from(places))
        return spawned(loop_id, **extra)
    number, state = draw(st.integers(0, 99)), draw(st.sampled_from(STATES))
    return row(state, number, loop_id, reason=f"the {number}th", exit_code=number % 3)


LOGS = st.lists(_rows(), max_size=60)


@given(LOGS)
def test_what_a_loop_says_does_not_hang_on_the_others(rows: list[Row]) -> None:
    found = read(log(*rows))
    for loop in found.loops:
        own = [one for one in rows if one.loop_id == loop.loop_id]
        (alone,) = read(log(*own)).loops
        assert loop._replace(line=0, number=0) == alone._replace(line=0)
        assert found.loop(loop.loop_id) == loop


@given(LOGS, st.text("0123456789ab", max_size=12))
def test_loops_are_found_by_how_their_ids_begin(rows: list[Row], digits: str) -> None:
    found = read(log(*rows))
    fits = [loop for loop in found.loops if loop.loop_id.startswith(digits)]
    assert found.beginning(digits) == fits


@given(LOGS)
def test_loops_stand_in_the_order_of_their_first_rows_and_late_ones_too(rows: list[Row]) -> None:
    found = read(log(*rows))
    ids = list(dict.fromkeys(one.loop_id for one in rows))
    assert [loop.loop_id for loop in found.loops] == ids
    assert [loop.number for loop in found.loops] == list(range(len(ids)))
    assert list(found.open) == [loop for loop in found.loops if loop.open]
    assert list(found.late) == [loop.loop_id for loop in found.loops if loop.late_rows]


@given(LOGS, st.integers(0, 60), st.booleans())
def test_a_log_that_goes_on_reads_as_from_its_beginning(
    rows: list[Row], cut: int, kept: bool
) -> None:
    reader = LogReader()
    reader.feed(log(*rows[:cut]))
    before, told = reader.reading(), repr(read(log(*rows[:cut])).loops)
    if kept:
        reader = LogReader.unpack(reader.pack())
    reader.feed(log(*rows[cut:]))
    assert _all(reader.reading()) == _all(read(log(*rows)))
    assert repr(before.loops) == told, "an earlier reading stays as it was"


@given(LOGS.filter(bool))
def test_a_last_row_without_its_end_says_the_same_as_with_it(rows: list[Row]) -> None:
    data = log(*rows)
    reader = LogReader()
    reader.feed(data[:-1])
    assert _all(reader.reading()) == _all(read(data))
    reader.forget_rest()
    assert _all(reader.reading()) == _all(read(log(*rows[:-1]))), "it may become another one"


@given(LOGS)
def test_of_a_closed_loop_there_is_at_hand_when_it_ended_and_where_it_ran(rows: list[Row]) -> None:
    found = read(log(*rows))
    short = [
        (one.loop_id, one.number, one.ended, found.shelf.places[one.place])
        for one in found.shelf.closed
    ]
    assert sorted(short, key=lambda one: one[1]) == [
        (loop.loop_id, loop.number, loop.last_ts, module.place_of(loop))
        for loop in found.loops
        if not loop.open
    ]


def test_a_closed_loop_takes_a_tenth_of_its_rows() -> None:
    def size(count: int) -> int:
        rows = [encode(one) for number in range(count) for one in _life(f"{number:012x}")]
        reader = LogReader()
        reader.feed(b"".join(rows))
        return len(reader.pack())

    rows = sum(len(encode(one)) for one in _life("0" * 12))
    assert (size(300) - size(60)) / 240 < rows / 10


def _life(loop_id: str) -> Iterator[Row]:
    yield spawned(loop_id, cwd="/srv/loops", root="/srv/loops")
    for number in range(1, 21):
        yield row("ITERATING", number, loop_id, exit_code=1, duration_s=61.25)
    yield row("ABANDONED", 20, loop_id, reason="enough", exit_code=1, duration_s=61.25)


def _all(found: Reading) -> object:
    return repr(found.loops), repr(found.open), found.late, found.good_rows
