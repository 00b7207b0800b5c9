"""A damaged log: named, repaired by the next row, and never a reason to give up."""

from __future__ import annotations

from tests.cli.persist.loops import ID, OTHER, Loops, spawned


def test_without_a_last_line_end_no_row_is_lost(loops: Loops) -> None:
    loops.log(spawned(OTHER), spawned()[:-1])
    assert loops.call("abandon", ID).code == 0
    reading = loops.reading()
    assert [loop.state for loop in reading.loops] == ["SPAWNED", "ABANDONED"]
    assert reading.bad_count == 0


def test_a_torn_line_poisons_nothing(loops: Loops) -> None:
    loops.log(spawned(), spawned(OTHER)[:60])
    assert loops.call("abandon", ID).code == 0
    reading = loops.reading()
    assert [loop.state for loop in reading.loops] == ["ABANDONED"]
    assert (reading.bad_count, reading.incomplete_tail) == (0, False)
