"""The loops' log is read as it is meant: the first terminal row wins, damage is never fatal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.loop import AFTER_END, OUTCOMES
from ppgp_tui.persist.reading import LogReader, Reading, read
from ppgp_tui.persist.states import TERMINAL
from tests.persist.logs import EXPECTED, ID, OTHER, log, recorded, row, spawned

SALVAGED_OPEN = {"torn-then-appended": ["35531460af1e"]}
"""A reader may take whole rows out of a bad line; ours does, and a loop more is seen there."""


@pytest.mark.parametrize("case", EXPECTED)
def test_every_recorded_log_is_read_as_it_is_meant(case: str) -> None:
    expected, found = EXPECTED[case], read(recorded(case))
    also = SALVAGED_OPEN.get(case, [])
    assert found.good_rows == expected["good_rows"]
    assert [bad.line for bad in found.bad] == expected["bad_lines"]
    assert found.bad_count == len(expected["bad_lines"])
    assert found.incomplete_tail == expected["incomplete_tail"]
    still_open = [loop.loop_id for loop in found.open if loop.loop_id not in also]
    assert still_open == expected["open_in_order"]
    for meant in expected["loops"]:
        loop = found.loop(meant["loop_id"])
        assert loop is not None
        assert {name: getattr(loop, name) for name in meant} == meant


def test_a_log_of_five_thousand_rows_is_read_to_the_last_loop() -> None:
    expected, found = EXPECTED["big-log"], read(recorded("big-log"))
    states = [loop.state for loop in found.loops]
    assert len(states) == expected["loop_count"]
    assert {state: states.count(state) for state in set(states)} == expected["by_state"]
    assert max(loop.iteration for loop in found.loops) == expected["max_iteration"]


def test_whole_rows_in_a_damaged_line_count_and_the_line_is_named() -> None:
    found = read(recorded("lost-abandon"))
    loop = found.loop("43d7c6cb2b5c")
    assert loop is not None
    assert (loop.state, loop.rows, loop.reason) == ("ABANDONED", 2, "manual abandon")
    assert [(bad.line, bad.salvaged) for bad in found.bad] == [(6, 2)]


def test_a_damaged_line_says_where_it_begins() -> None:
    good = log(spawned())
    found = read(good + b"no row\n" + good.replace(ID.encode(), OTHER.encode()))
    assert [(bad.line, bad.offset) for bad in found.bad] == [(2, len(good))]
    assert [loop.loop_id for loop in found.loops] == [ID, OTHER]


def test_f11_rows_after_the_first_terminal_one_neither_reopen_a_loop_nor_change_it() -> None:
    """F11: the runner of an abandoned loop wrote on, even SUCCESS."""
    rows = [spawned(), row("ITERATING", 1), row("ABANDONED", 1, reason="enough")]
    late = [row("ITERATING", 2), row("SUCCESS", 2, reason="x", exit_code=0)]
    loop = read(log(*rows, *late)).loop(ID)
    assert loop is not None
    assert (loop.state, loop.iteration, loop.reason, loop.rows, loop.late_rows) == (
        "ABANDONED", 1, "enough", 3, 2,
    )  # fmt: skip


def test_f17_a_torn_line_hides_no_row_but_the_one_that_was_torn() -> None:
    """F17: after a torn line the original reads nothing any more."""
    torn = log(row("ITERATING", 1))[:70]
    found = read(log(spawned()) + torn + log(spawned(OTHER)) + log(row("ITERATING", 1, OTHER)))
    assert [(loop.loop_id, loop.state) for loop in found.loops] == [
        (ID, "SPAWNED"), (OTHER, "ITERATING"),
    ]  # fmt: skip
    assert [bad.line for bad in found.bad] == [2]


@pytest.mark.parametrize(
    ("odd", "counts"),
    [
        (b'["SPAWNED"]', False),
        (b'{"to_state":"SUCCESS"}', False),
        (b'{"loop_id":7,"to_state":"SUCCESS"}', False),
        (b"null", False),
        (b"\xff\xfe", False),
        (b"\xef\xbb\xbf{}", False),
        (b'{"loop_id":"x","to_state":"RESTING"}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","extra":{"reason":"a\xe2\x80\xa8b"}}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","extra":{"reason":"\xff"}}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","extra":{"reason":"\\ud800"}}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","extra":{"n":NaN,"m":1e999}}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","iteration":"3","extra":[]}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS","iteration":123456789012345678901234}', True),
        (b'{"loop_id":"x","to_state":"SUCCESS"}\0\0\0', True),
    ],
)
def test_f19_an_odd_line_stops_no_reading(odd: bytes, *, counts: bool) -> None:
    """F19: an unknown state, no id, a list, a byte that is no UTF-8, U+2028 stop the original."""
    found = read(log(spawned()) + odd + b"\n" + log(row("ITERATING", 1)))
    assert (found.bad_count == 0) == counts
    assert (found.loop("x") is not None) == counts
    loop = found.loop(ID)
    assert loop is not None
    assert (loop.state, loop.line) == ("ITERATING", 3)


def test_a_halved_character_is_replaced_so_that_it_can_be_shown() -> None:
    line = b'{"loop_id":"x","to_state":"SUCCESS","extra":{"reason":"a\\ud800b"}}\n'
    (loop,) = read(line).loops
    assert loop.reason == "a?b"


def test_a_last_row_without_its_line_end_counts_and_is_counted_once() -> None:
    reader = LogReader()
    reader.feed(log(spawned(), row("ITERATING", 1))[:-1])
    assert _states(reader.reading()) == ["ITERATING"]
    assert not reader.reading().incomplete_tail
    reader.feed(b"\n")
    assert _states(reader.reading()) == ["ITERATING"]
    assert reader.reading().good_rows == 2


def test_whole_rows_in_a_torn_last_line_count_before_somebody_ends_it() -> None:
    glued = log(spawned())[:-1] + log(row("ITERATING", 1))[:-1] + log(spawned(OTHER))[:30]
    found = read(glued)
    assert _states(found) == ["ITERATING"]
    assert (found.good_rows, found.incomplete_tail) == (0, True)


def test_what_a_run_came_to_is_told_by_the_row_after_it() -> None:
    rows = [
        spawned(), row("ITERATING", 1), row("ITERATING", 2, exit_code=1, duration_s=3.25),
        row("PAUSED", 2, reason="rate_limited", exit_code=1, duration_s=1.0),
        row("ITERATING", 2), row("PAUSED", 2, reason="paused by user:me"),
        row("ITERATING", 3, exit_code=143, signal="SIGTERM", duration_s=9.0, cut="wall-clock"),
        row("SUCCESS", 3, reason="success_condition matched", exit_code=0, duration_s=2.0,
            git={"commits": 2, "files": 3, "insertions": 5, "deletions": 1}),
    ]  # fmt: skip
    loop = read(log(*rows)).loop(ID)
    assert loop is not None
    assert [(one.iteration, one.exit_code, one.limited) for one in loop.outcomes] == [
        (1, 1, False), (2, 1, True), (2, 143, False), (3, 0, False),
    ]  # fmt: skip
    assert (loop.pauses, loop.limited) == (2, 1)
    assert loop.outcomes[2].cut == "wall-clock"
    changes = loop.outcomes[3].changes
    assert changes is not None
    assert (changes.commits, changes.files, changes.insertions, changes.deletions) == (2, 3, 5, 1)


def test_of_a_long_loop_the_last_runs_are_remembered_and_fewer_when_it_is_over() -> None:
    runs = [row("ITERATING", number, exit_code=number % 7) for number in range(2, 200)]
    rows = [spawned(), row("ITERATING", 1), *runs]
    (going,) = read(log(*rows)).loops
    (over,) = read(log(*rows, row("ABANDONED", 199, reason="x"))).loops
    assert [one.iteration for one in going.outcomes] == list(range(199 - OUTCOMES, 199))
    assert over.outcomes == going.outcomes[-AFTER_END:]


def test_the_last_row_is_kept_as_it_is_written_with_keys_that_nobody_knows() -> None:
    line = log(row("ITERATING", 1))[:-2] + b',"further":[1]}'
    (loop,) = read(log(spawned()) + line + b"\r\n").loops
    assert loop.last_line == line


# What must hold for every log.

_IDS = st.sampled_from(["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"])
_STATES = st.sampled_from(["SPAWNED", "ITERATING", "PAUSED", *sorted(TERMINAL), "RESTING"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
_KNOWN = st.dictionaries(
    st.sampled_from(["max_iterations", "exit_code", "reason", "duration_s", "git", "x"]), _JSON
)


@st.composite
def _lines(draw: st.DrawFn) -> bytes:
    value: dict[str, Any] = {
        "loop_id": draw(_IDS), "to_state": draw(_STATES),
        "iteration": draw(st.integers(-3, 9) | _JSON), "ts": draw(st.just("t") | _JSON),
        "prompt_file": draw(st.text(max_size=3) | _JSON), "extra": draw(_KNOWN | _JSON),
    }  # fmt: skip
    return json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


_ANY_LINE = st.one_of(
    _lines(),
    st.binary(max_size=20),
    st.builds(lambda a, b: a[: len(a) // 2] + b, _lines(), _lines()),
)
_LOGS = st.lists(_ANY_LINE, max_size=12).map(b"\n".join)


@given(_LOGS, st.lists(st.integers(0, 400), max_size=8))
def test_fed_in_any_pieces_a_log_reads_the_same(data: bytes, cuts: list[int]) -> None:
    reader, at = LogReader(), 0
    for cut in sorted({min(cut, len(data)) for cut in cuts} | {len(data)}):
        reader.feed(data[at:cut])
        reader.reading()  # asking in between changes nothing
        at = cut
    assert _all(reader.reading()) == _all(read(data))


@given(_LOGS, _LOGS)
def test_a_kept_reader_goes_on_as_the_one_that_it_was_made_of(first: bytes, then: bytes) -> None:
    reader = LogReader()
    reader.feed(first)
    again = LogReader.unpack(reader.pack())
    again.feed(reader.rest)
    for one in (reader, again):
        one.feed(then)
    assert _all(again.reading()) == _all(reader.reading())
    assert repr(again.reading().open) == repr(reader.reading().open)
    assert repr(again.reading().late) == repr(reader.reading().late)


@given(st.binary(max_size=300))
def test_no_bytes_at_all_stop_a_reading(data: bytes) -> None:
    found = read(data)
    assert found.good_rows + found.bad_count <= data.count(b"\n") + 1


@given(st.lists(_lines(), max_size=12))
def test_a_loop_is_in_the_state_of_its_first_terminal_row(lines: list[bytes]) -> None:
    first: dict[str, str] = {}
    for line in lines:
        value = json.loads(line)
        if first.get(value["loop_id"]) not in TERMINAL:
            first[value["loop_id"]] = value["to_state"]
    found = read(b"\n".join(lines))
    assert {loop.loop_id: loop.state for loop in found.loops} == first


@given(st.lists(_lines(), max_size=8))
def test_every_good_row_is_counted_once(lines: list[bytes]) -> None:
    found = read(b"\n".join(lines))
    assert sum(loop.rows + loop.late_rows for loop in found.loops) == len(lines)


@given(st.binary(max_size=80))
def test_what_no_reader_packed_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a kept reader"):
        LogReader.unpack(data)


def _all(found: Reading) -> tuple[object, ...]:
    # By its text, because a number that is none is not equal to itself.
    return repr(found.loops), found.good_rows, found.bad, found.bad_count, found.incomplete_tail


def _states(found: Reading) -> list[str]:
    return [loop.state for loop in found.loops]
