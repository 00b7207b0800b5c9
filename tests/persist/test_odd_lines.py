"""Lines that were made to trouble a reader: the same for every reader, and soon over."""

from __future__ import annotations

import time

import pytest

from ppgp_tui.persist.reading import Reading, read
from ppgp_tui.persist.row import DEEPEST, encode
from tests.persist.logs import ID, OTHER, PROMPT, log, row, spawned


def read_from(frames: int, data: bytes) -> Reading:
    """Read where so many calls are under way already."""
    return read(data) if frames == 0 else read_from(frames - 1, data)


def nested(levels: int) -> bytes:
    """A row with a value nested so deep, itself the first level."""
    inside = levels - 1
    return log(row("ITERATING", 1))[:-2] + b',"a":' + b"[" * inside + b"]" * inside + b"}\n"


@pytest.mark.parametrize("levels", [DEEPEST - 1, DEEPEST, DEEPEST + 1, 450, 500, 900, 950, 990])
def test_how_deep_a_row_may_be_nested_is_the_same_for_every_reader(levels: int) -> None:
    data = log(spawned()) + nested(levels) + log(spawned(OTHER))
    near, far = read(data), read_from(400, data)
    assert near.loops == far.loops
    assert [bad.line for bad in near.bad] == [bad.line for bad in far.bad]
    assert (near.bad_count == 0) == (levels <= DEEPEST)
    loop = near.loop(ID)
    assert loop is not None
    assert loop.state == ("ITERATING" if levels <= DEEPEST else "SPAWNED")


def test_brackets_in_a_text_are_no_nesting() -> None:
    data = log(spawned(agent_cmd='agent "[' + "[{" * 1000 + '\\"'))
    assert read(data).bad_count == 0


@pytest.mark.parametrize(
    "piece",
    [b'{"ts":[1,2,', b'{"ts":{', b'{"ts":"', b'{"ts":"\\"', b'{"ts":[' + b"1," * 100],
    ids=["lists", "objects", "texts", "quotes", "long lists"],
)
def test_a_long_line_of_beginnings_without_an_end_is_soon_read(piece: bytes) -> None:
    line = piece * (600_000 // len(piece))
    began = time.process_time()
    found = read(log(spawned()) + line + log(row("ITERATING", 1)) + log(spawned(OTHER)))
    assert time.process_time() - began < 5
    assert [loop.loop_id for loop in found.loops] == [ID, OTHER]
    assert [bad.line for bad in found.bad] == [2]


@pytest.mark.parametrize("before", [b'"iteration":', b'"n":'])
def test_a_number_of_more_digits_than_can_be_read_takes_nothing_else_away(before: bytes) -> None:
    end = log(row("ABANDONED", 7, reason="enough", n=7))
    loop = read(log(spawned()) + end.replace(before + b"7", before + b"9" * 5000)).loop(ID)
    assert loop is not None
    assert (loop.state, loop.reason, loop.rows) == ("ABANDONED", "enough", 2)
    assert loop.prompt_file == PROMPT


# What only looks like a row


INSIDE = encode(row("SUCCESS", 7, OTHER)).decode().rstrip()
BEGUN = encode(row("PAUSED", 1)).decode().partition("{}")[0]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f'{BEGUN}{{"seen":{INSIDE},"why":"torn he', id="in a row that was torn"),
        pytest.param(f'{BEGUN}{{"seen":[{INSIDE}, {INSIDE}],"t', id="in a list of it"),
        pytest.param(f"[{INSIDE},{INSIDE}]", id="in a list"),
        pytest.param(f'{{"loop":{INSIDE}}}', id="in what is no row"),
    ],
)
def test_a_value_that_looks_like_a_row_is_none(line: str) -> None:
    """The original reads none of it; a whole row that was glued to another one counts."""
    found = read(log(spawned()) + line.encode() + b"\n")
    assert [(loop.loop_id, loop.state) for loop in found.loops] == [(ID, "SPAWNED")]
    assert [(bad.line, bad.salvaged) for bad in found.bad] == [(2, 0)]


def test_a_row_that_was_glued_to_one_that_was_torn_anywhere_counts() -> None:
    torn = encode(row("PAUSED", 1, reason="rate_limited", seen=[1, {"a": 2}])).decode().rstrip()
    for end in range(len(torn)):
        found = read(log(spawned()) + f"{torn[:end]}{INSIDE}\n".encode())
        assert [loop.loop_id for loop in found.loops] == [ID, OTHER], torn[:end]
