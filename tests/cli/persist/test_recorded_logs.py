"""What `status --json` says of every recorded log."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.persist.loops import Loops
from tests.persist.logs import EXPECTED, recorded


def ours(loops: Loops, name: str) -> dict[str, Any]:
    loops.log(recorded(name))
    return loops.json("--all")


def rows_of(log: bytes) -> list[dict[str, Any]]:
    """The plain rows of a log, read without our code."""
    found = []
    for line in log.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            value = json.loads(line.decode("utf-8", "replace"))
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("loop_id"), str):
            found.append(value)
    return found


@pytest.mark.parametrize("name", EXPECTED)
def test_all_loops_are_told_as_expected(loops: Loops, name: str) -> None:
    expected, said = EXPECTED[name], ours(loops, name)
    told = {loop["loop_id"]: loop for loop in said["loops"]}
    salvaged = {one["loop_id"] for one in expected.get("salvageable_rows", ())}
    for loop in expected["loops"]:
        if loop["loop_id"] not in salvaged:
            assert loop.items() <= told.pop(loop["loop_id"]).items()
    if name != "big-log":
        assert set(told) == salvaged
    assert said["good_rows"] == expected["good_rows"]
    assert said["bad_lines"] == expected["bad_lines"]
    assert said["incomplete_tail"] == expected["incomplete_tail"]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_open_loops_are_listed_with_their_whole_last_rows(loops: Loops, name: str) -> None:
    expected = EXPECTED[name]
    loops.log(recorded(name))
    said = loops.json()
    salvaged = {
        one["loop_id"] for one in expected.get("salvageable_rows", ())
        if one["to_state"] == "SPAWNED" and name == "torn-then-appended"
    }  # fmt: skip
    ids = [row["loop_id"] for row in said["open_loops"]]
    assert [one for one in ids if one not in salvaged] == expected["open_in_order"]
    assert set(ids) <= {*expected["open_in_order"], *salvaged}
    rows = rows_of(recorded(name))
    for one in said["open_loops"]:
        if one["loop_id"] not in salvaged:
            assert one == [row for row in rows if row["loop_id"] == one["loop_id"]][-1]
    damaged = bool(expected["bad_lines"]) or expected["incomplete_tail"]
    assert set(said) == {"open_loops"} | ({"bad_lines", "incomplete_tail"} if damaged else set())


@pytest.mark.parametrize("name", [name for name, one in EXPECTED.items() if one["bad_lines"]])
def test_a_damaged_line_is_named_with_file_and_line(loops: Loops, name: str) -> None:
    loops.log(recorded(name))
    said = loops.call("status")
    assert said.code == 0
    for line in EXPECTED[name]["bad_lines"]:
        assert f"persist: {loops.home.log} line {line}: not a row" in said.err


def test_the_big_log_is_counted_as_expected(loops: Loops) -> None:
    expected, said = EXPECTED["big-log"], ours(loops, "big-log")
    by_state: dict[str, int] = {}
    for loop in said["loops"]:
        by_state[loop["state"]] = by_state.get(loop["state"], 0) + 1
    assert len(said["loops"]) == expected["loop_count"]
    assert by_state == expected["by_state"]
    assert max(loop["iteration"] for loop in said["loops"]) == expected["max_iteration"]
