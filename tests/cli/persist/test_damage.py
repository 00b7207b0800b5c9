"""A damaged log: named, repaired by the next row, and never a reason to give up."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.persist.loops import GONE, ID, OTHER, Loops, row, spawned

PIECES = st.lists(
    st.sampled_from(
        [spawned(), row("ITERATING", 1), row("SUCCESS", 1), spawned(OTHER), spawned(OTHER)[:70],
         b"\n", b"\r\n", b"\0\0", b"\xff\n", b"\xef\xbb\xbf", b"[]\n", b"\xe2\x80\xa8\n", b"{"]
    )
    | st.binary(max_size=30),
    max_size=12,
)  # fmt: skip


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


@given(pieces=PIECES)
def test_whatever_the_log_holds_loops_are_listed_in_harmless_words(
    loops: Loops, pieces: list[bytes]
) -> None:
    loops.log(*pieces)
    for words in ("status", "--all"), ("status", "--compat"), ("status", "--json", "--all"):
        said = loops.call(*words)
        assert said.code == 0
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]", said.out + said.err)
    told = json.loads(said.out)
    open_ids = [one["loop_id"] for one in told["open_loops"]]
    assert open_ids == [one["loop_id"] for one in told["loops"] if one["open"]]
    assert open_ids == [loop.loop_id for loop in loops.reading().open]


@given(pieces=PIECES)
def test_whatever_the_log_holds_a_loop_is_closed_for_good_and_no_other_is_touched(
    loops: Loops, pieces: list[bytes]
) -> None:
    loops.log(*pieces, b"\n", spawned("77e1b0c4d2aa"))
    before = {loop.loop_id: loop for loop in loops.reading().loops}
    assert loops.call("abandon", "77e1b0c4d2aa").code == 0
    after = {loop.loop_id: loop for loop in loops.reading().loops}
    closed = after.pop("77e1b0c4d2aa")
    assert not closed.open
    del before["77e1b0c4d2aa"]
    assert {key: (loop.state, loop.rows) for key, loop in after.items()} == {
        key: (loop.state, loop.rows) for key, loop in before.items()
    }


@pytest.mark.parametrize(
    "root", ["/" + "x" * 300, "/a" * 3000, "x" * 5000, "a\0b", "", "/dev/null/x"]
)
def test_a_loop_is_closed_whatever_its_rows_name_as_its_repository(loops: Loops, root: str) -> None:
    loops.log(spawned(runner=GONE, root=root, cwd=root), spawned(OTHER, runner=GONE, root=root))
    assert loops.call("abandon", ID).code == 0
    assert loops.call("doctor", "--close-orphans").code == 0
    assert loops.reading().open == ()


def test_a_link_where_the_doctor_probes_the_home_leads_nowhere(
    loops: Loops, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.write_text("kept")
    loops.home.path.mkdir(mode=0o700)
    (loops.home.path / f".probe-{os.getpid()}").symlink_to(mine)
    assert loops.call("doctor").out == "persist doctor: ok\n"
    assert mine.read_text() == "kept"
    assert list(loops.home.path.iterdir()) == []
