"""The original and we write one log at once: no line is torn or lost, the states are right."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import ClosedError, LoopLog
from ppgp_tui.persist.disk.mend import mend
from ppgp_tui.persist.row import encode
from tests.persist.disk import original, ours
from tests.persist.logs import ID, row, spawned
from tests.waiting import PATIENCE_S, until

THEIRS, OURS = ("a1a0", "a2a0", "a3a0", "a4a0"), ("b1b0", "b2b0", "b3b0", "b4b0")
LOOPS, RUNS = 4, 3
HERE = Path(__file__).parents[3]


def _start(program: str, home: Home, loops: int, *names: str) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", f"tests.persist.disk.{program}", str(home.path)]
    return subprocess.Popen([*words, str(loops), str(RUNS), *names], cwd=HERE)


def test_four_writers_of_each_tear_and_lose_no_line(home: Home) -> None:
    """Behaviours 8 and 19, invariant I6, with the rows and the lock of both programs."""
    both = [_start("ours", home, LOOPS, *OURS), _start("original", home, LOOPS, *THEIRS)]
    assert [one.wait(PATIENCE_S) for one in both] == [0, 0]

    lines = home.log.read_bytes().split(b"\n")
    assert lines.pop() == b""
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 8 * LOOPS * (RUNS + 2)
    for name in (*OURS, *THEIRS):
        for loop_id in original.ids(name, LOOPS):
            mine = [row for row in rows if row["loop_id"] == loop_id]
            assert [row["iteration"] for row in mine] == [0, *range(1, RUNS + 1), RUNS]
            ways = [(row["from_state"], row["to_state"]) for row in mine]
            assert all(left[1] == right[0] or left == right for left, right in pairwise(ways))

    found = LoopLog(home).read()
    assert (found.open, found.bad, found.incomplete_tail) == ((), (), False)
    meant = {loop_id: "SUCCESS" for name in OURS for loop_id in original.ids(name, LOOPS)}
    meant |= {loop: "BUDGET_EXHAUSTED" for name in THEIRS for loop in original.ids(name, LOOPS)}
    assert {loop.loop_id: loop.state for loop in found.loops} == meant
    assert original.states(home.path) == meant


def test_a_writer_that_is_killed_leaves_rows_that_both_programs_read(home: Home) -> None:
    """`kill -9` in the midst of appending, twice; then others write on."""
    for name in ("c1c0", "c2c0"):
        child = _start("ours", home, 10_000, name)
        _wait_for_rows(home, name, 12)
        child.kill()
        child.wait(PATIENCE_S)
    original.run(home.path, "d1d000000000", RUNS)
    LoopLog(home).append(spawned())
    found = LoopLog(home).read()
    assert (found.bad, found.incomplete_tail) == ((), False)
    assert [loop.loop_id for loop in found.open][-1] == ID
    for name in ("c1c0", "c2c0"):
        written = [loop for loop in found.loops if loop.loop_id.startswith(name)]
        assert [loop.loop_id for loop in written] == original.ids(name, len(written))
        assert {loop.state for loop in written[:-1]} == {"SUCCESS"}
    assert original.states(home.path)[ID] == "SPAWNED"


def test_f11_the_original_writes_on_after_our_abandon_and_the_loop_stays_closed(home: Home) -> None:
    """F11: its runner trusts its own memory; readers let the first terminal row win."""
    log = LoopLog(home)
    original.append(home.path, ID, 0, "SPAWNED", "SPAWNED", max_iterations=5)
    original.append(home.path, ID, 1, "SPAWNED", "ITERATING", elapsed_s=0)
    assert log.close(ID, "enough", 0)[1]
    original.append(home.path, ID, 2, "ITERATING", "ITERATING", elapsed_s=9)
    original.append(home.path, ID, 2, "ITERATING", "SUCCESS", reason="x", exit_code=0)
    for reading in (log.read(), LoopLog(home).read()):
        loop = reading.loop(ID)
        assert loop is not None
        assert (loop.state, loop.reason, loop.late_rows) == ("ABANDONED", "enough", 2)
        assert reading.open == ()


def _wait_for_rows(home: Home, name: str, count: int) -> None:
    words = f'"loop_id":"{name}'.encode()
    until(lambda: home.log.read_bytes().count(words) > count)


def test_the_two_writers_write_the_same_first_row_but_for_what_they_know(home: Home) -> None:
    original.run(home.path, ID, 1)
    theirs = home.log.read_bytes().split(b"\n")[1]
    home.log.unlink()
    ours.run(LoopLog(home), ID, 1)
    assert home.log.read_bytes().split(b"\n")[1] == theirs.replace(b"/srv/", b"/srv/loops/")


_STEPS = st.lists(
    st.sampled_from(["we", "the original", "we close", "a part", "no line end", "we mend"]),
    max_size=14,
)


@given(_STEPS)
def test_in_whatever_order_both_write_and_fail_no_whole_row_is_lost(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    """F17, F18: parts of lines and missing line ends, by whomever, cost no whole row."""
    home = Home(tmp_path_factory.mktemp("home"))
    reader, writer = LoopLog(home), LoopLog(home)
    original.append(home.path, ID, 0, "SPAWNED", "SPAWNED", max_iterations=5)
    whole, is_closed = 1, False
    for step in [*steps, "we mend"]:
        match step:
            case "we" | "we close" if is_closed:
                with pytest.raises(ClosedError):
                    writer.append(row("ITERATING", 1))
            case "we":
                writer.append(row("ITERATING", 1))
                whole += 1
            case "we close":
                is_closed = writer.close(ID, "enough", 0)[1]
                whole += 1
            case "the original":
                original.append(home.path, ID, 1, "ITERATING", "ITERATING", elapsed_s=0)
                whole += 1
            case "a part":
                with home.log.open("ab") as file:
                    file.write(encode(row("SUCCESS", 1))[:60])
            case "no line end":
                home.log.write_bytes(home.log.read_bytes().removesuffix(b"\n"))
            case "we mend":
                mend(home)
        loop = reader.read().loop(ID)
        assert loop is not None
        assert loop.state == "ABANDONED" or not is_closed
    assert loop.rows + loop.late_rows == whole
    assert len(original.read(home.path)) == whole
