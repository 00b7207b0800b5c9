"""What the calls of a session say about a pause, however the file grew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.picture.handshake import Calls, Hold
from ppgp_tui.session.sources import calls as calls_module
from ppgp_tui.session.sources.calls import CallsSince

SINCE = 1_790_000_000_000
HOLD = Hold("hold_1", SINCE, 12)


def line(ago_s: float, what: str, knew: int, decision: str = "go", call: str = "id1") -> str:
    return f"{SINCE + int(ago_s * 1000)} {what} {knew} {decision} {call} - Bash\n"


def read(path: Path, since: CallsSince) -> Calls:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return since.read(descriptor)
    finally:
        os.close(descriptor)


def said(tmp_path: Path, *lines: str, hold: Hold = HOLD) -> Calls:
    path = tmp_path / "calls"
    path.write_text("".join(lines))
    return read(path, CallsSince(hold))


def test_nothing_is_said_by_an_empty_file(tmp_path: Path) -> None:
    assert said(tmp_path) == Calls()


def test_a_call_let_through_by_a_hook_that_had_read_the_order_counts(tmp_path: Path) -> None:
    now = said(tmp_path, line(1, "pre", 12), line(2, "post", 12), line(3, "pre", 13, call="id2"))
    assert (now.first_ms, now.passed, now.passed_ms) == (SINCE + 1000, 2, SINCE + 1000)


def test_a_call_whose_hook_had_read_an_older_order_does_not(tmp_path: Path) -> None:
    now = said(tmp_path, line(1, "pre", 11))
    assert now == Calls(earlier_ms=SINCE + 1000)


def test_generations_that_begin_again_do_not_bring_old_calls_back(tmp_path: Path) -> None:
    now = said(tmp_path, line(-60, "pre", 99), line(-59, "post", 99))
    assert now == Calls(freed_ms=SINCE - 59_000)


def test_the_end_of_an_earlier_call_is_seen_and_frees(tmp_path: Path) -> None:
    now = said(tmp_path, line(-5, "pre", 11), line(4, "post", 12))
    assert now == Calls(first_ms=SINCE + 4000, freed_ms=SINCE + 4000)


def test_the_newest_of_the_earlier_calls_that_still_run_is_known(tmp_path: Path) -> None:
    earlier = [line(-9, "pre", 11, call="a"), line(-5, "pre", 11, call="b")]
    assert said(tmp_path, *earlier).earlier_ms == SINCE - 5000
    assert said(tmp_path, *earlier, line(1, "fail", 12, call="b")).earlier_ms == SINCE - 9000


def test_a_held_call_counts_only_when_it_ran(tmp_path: Path) -> None:
    waits = line(1, "pre", 12, "held")
    assert said(tmp_path, waits).passed == 0
    assert said(tmp_path, waits, line(2, "fail", 12)).passed == 0
    assert said(tmp_path, waits, line(2, "pre", 12, "deny")).passed == 0
    assert said(tmp_path, waits, line(2, "post", 12)).passed == 1


def test_calls_without_an_id_are_told_apart_by_subagent_and_tool(tmp_path: Path) -> None:
    now = said(
        tmp_path,
        f"{SINCE - 2} pre 11 go - - Bash\n",
        f"{SINCE - 1} pre 11 go - sub1 Bash\n",
        f"{SINCE + 5} post 12 go - sub1 Bash\n",
    )
    assert (now.earlier_ms, now.freed_ms) == (SINCE - 2, SINCE + 5)


@pytest.mark.parametrize(
    "odd",
    ["\n", "x\n", "1 2 3\n", "x pre 12 go a - T\n", "5 pre x go a - T\n", "5 pre 12 go a - T",
     f"{'9' * 5000} pre 12 go a - T\n", "\x00\xff\n", "²5 pre 12 go a - T\n"],
)  # fmt: skip
def test_odd_lines_say_nothing(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "calls"
    path.write_bytes(odd.encode("latin-1", "replace"))
    assert read(path, CallsSince(HOLD)) == Calls()


def test_without_a_time_of_the_pause_the_generation_decides(tmp_path: Path) -> None:
    hold = Hold("hold_1", None, 12)
    now = said(tmp_path, line(-5, "pre", 11), line(-4, "pre", 12, call="b"), hold=hold)
    assert (now.passed, now.earlier_ms) == (1, SINCE - 5000)


def test_a_file_that_was_trimmed_is_read_anew(tmp_path: Path) -> None:
    path, since = tmp_path / "calls", CallsSince(HOLD)
    path.write_text(line(-9, "pre", 11) + line(-8, "post", 11) + line(1, "pre", 12))
    assert read(path, since).passed == 1
    path.write_text(line(2, "pre", 12))
    assert read(path, since).passed == 1
    path.with_name("new").write_text(line(2, "pre", 12) * 3)
    path.with_name("new").rename(path)
    assert read(path, since).passed == 3


def test_of_a_long_file_little_more_than_since_the_pause_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = "".join(line(-5000 + at / 100, "pre", 11, call=f"c{at}") for at in range(40_000))
    path = tmp_path / "calls"
    path.write_text(old + line(1, "pre", 12))
    taken: list[int] = []
    real = os.pread
    monkeypatch.setattr(os, "pread", lambda *where: taken.append(len(data := real(*where))) or data)
    since = CallsSince(HOLD)
    assert read(path, since).passed == 1
    assert sum(taken) < 6 * calls_module.BLOCK < path.stat().st_size
    taken.clear()
    with path.open("a") as file:
        file.write(line(2, "post", 12))
    read(path, since)
    assert sum(taken) == len(line(2, "post", 12))


lines = st.lists(
    st.builds(
        line,
        st.floats(-100, 100),
        st.sampled_from(["pre", "post", "fail", "odd"]),
        st.integers(10, 13),
        st.sampled_from(["go", "held", "deny"]),
        st.sampled_from(["a", "b", "-"]),
    ),
    max_size=30,
)


@given(written=lines, cuts=st.lists(st.integers(0, 2000), max_size=4))
def test_read_in_pieces_it_says_what_it_says_whole(
    tmp_path: Path, written: list[str], cuts: list[int]
) -> None:
    data, path, since = "".join(written).encode(), tmp_path / "calls", CallsSince(HOLD)
    path.write_bytes(b"")
    for end in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        with path.open("ab") as file:
            file.write(data[path.stat().st_size : end])
        now = read(path, since)
    assert now == said(tmp_path, *written)


@given(before=lines, after=lines)
def test_calls_from_before_the_pause_never_add_to_the_count(
    tmp_path: Path, before: list[str], after: list[str]
) -> None:
    earlier = [one for one in before if int(one.split(" ")[0]) < SINCE]
    told = [one for one in after if int(one.split(" ")[0]) >= SINCE]
    assert said(tmp_path, *earlier, *told).passed <= said(tmp_path, *told).passed


def test_a_call_refused_after_it_waited_never_ran(tmp_path: Path) -> None:
    refused = line(1, "pre", 12, "held"), line(2, "pre", 12, "deny")
    assert said(tmp_path, *refused, line(3, "post", 12)).passed == 0
