"""Rows are appended whole or not at all, after what others wrote, and never to a closed loop."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.disk.home import Home, find
from ppgp_tui.persist.disk.lock import LockTimeoutError
from ppgp_tui.persist.disk.log import ClosedError, LoopLog
from ppgp_tui.persist.row import encode
from ppgp_tui.persist.states import IllegalTransitionError
from tests.persist.disk import original
from tests.persist.disk.conftest import full_at
from tests.persist.logs import ID, OTHER, log, recorded, row, spawned
from tests.unprivileged import nobody, open_place


def lay(home: Home, data: bytes) -> bytes:
    """Put a log there."""
    home.path.mkdir(parents=True, exist_ok=True)
    home.log.write_bytes(data)
    return data


@contextmanager
def lock_taken(home: Home) -> Iterator[None]:
    """Somebody else writes just now."""
    home.path.mkdir(parents=True, exist_ok=True)
    with home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def test_behaviour_8_one_appended_row_reads_back_as_spawned(home: Home) -> None:
    assert LoopLog(home).append(spawned()) == []
    (loop,) = LoopLog(home).read().loops
    assert (loop.loop_id, loop.state, loop.iteration) == (ID, "SPAWNED", 0)
    assert home.log.read_bytes() == encode(spawned())


def test_behaviour_9_open_loops_leave_out_one_that_succeeded(home: Home) -> None:
    writer = LoopLog(home)
    for one in (spawned(), row("ITERATING", 1), row("SUCCESS", 1), spawned(OTHER)):
        writer.append(one)
    assert [loop.loop_id for loop in writer.read().open] == [OTHER]


def test_behaviour_1_the_ways_of_a_loop_are_legal(home: Home) -> None:
    writer = LoopLog(home)
    ways = ["ITERATING", "ITERATING", "PAUSED", "ITERATING", "BUDGET_EXHAUSTED"]
    writer.append(spawned())
    for number, state in enumerate(ways, 1):
        writer.append(row(state, number))
    assert original.states(home.path) == {ID: "BUDGET_EXHAUSTED"}


@pytest.mark.parametrize("end", ["SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED"])
def test_behaviours_2_and_3_nothing_leaves_a_terminal_state(home: Home, end: str) -> None:
    before = lay(home, log(spawned(), row("ITERATING", 1), row(end, 1)))
    for after in ("ITERATING", end):
        with pytest.raises(ClosedError, match=f"closed already .{end}") as caught:
            LoopLog(home).append(row(after, 2))
        assert caught.value.state == end
    assert home.log.read_bytes() == before


def test_an_illegal_way_writes_nothing(home: Home) -> None:
    before = lay(home, log(spawned()))
    with pytest.raises(IllegalTransitionError, match="SPAWNED → BUDGET_EXHAUSTED"):
        LoopLog(home).append(row("BUDGET_EXHAUSTED", 0))
    with pytest.raises(IllegalTransitionError, match="SPAWNED → SPAWNED"):
        LoopLog(home).append(spawned())
    assert home.log.read_bytes() == before


def test_a_loop_whose_log_is_gone_is_told_so_and_no_row_hangs_in_the_air(home: Home) -> None:
    before = lay(home, log(spawned()))
    with pytest.raises(IllegalTransitionError, match=f"stands no longer in {home.log}"):
        LoopLog(home).append(row("SUCCESS", 4, OTHER))
    assert home.log.read_bytes() == before


def test_behaviour_20_a_loop_is_abandoned_once(home: Home) -> None:
    lay(home, log(spawned(), row("ITERATING", 1)))
    writer = LoopLog(home)
    was, appended = writer.close(ID, "enough", 1_796_083_200_000, {"by": "user:anna"})
    assert (was.state, appended) == ("ITERATING", True)
    again, appended = writer.close(ID, "twice", 1_796_083_200_000)
    assert (again.state, again.reason, appended) == ("ABANDONED", "enough", False)
    last = original.read(home.path)[-1]
    assert (last["from_state"], last["to_state"], last["iteration"]) == (
        "ITERATING",
        "ABANDONED",
        1,
    )
    assert last["extra"] == {"reason": "enough", "by": "user:anna"}
    with pytest.raises(KeyError):
        writer.close(OTHER, "x", 0)


def test_a_loop_in_a_state_of_a_later_program_can_be_given_up(home: Home) -> None:
    lay(home, log(spawned(), row("RESTING", 1)))
    assert LoopLog(home).close(ID, "x", 0)[1]
    with pytest.raises(ClosedError):
        LoopLog(home).append(row("ITERATING", 2))


def test_f11_a_runner_sees_that_somebody_closed_its_loop_and_writes_no_more(home: Home) -> None:
    """F11: the original's runner trusts its own memory and writes ITERATING after ABANDONED."""
    runner, person = LoopLog(home), LoopLog(home)
    runner.append(spawned())
    runner.append(row("ITERATING", 1))
    person.close(ID, "enough", 0)
    before = home.log.read_bytes()
    with pytest.raises(ClosedError):
        runner.append(row("SUCCESS", 1))
    assert home.log.read_bytes() == before


def test_f11_also_a_terminal_row_that_the_original_wrote_ends_our_runner(home: Home) -> None:
    runner = LoopLog(home)
    runner.append(spawned())
    original.append(home.path, ID, 0, "SPAWNED", "ABANDONED", reason="manual abandon")
    with pytest.raises(ClosedError):
        runner.append(row("ITERATING", 1))


def test_f17_a_torn_line_is_put_aside_before_a_row_is_appended(home: Home) -> None:
    """F17: the original glues its row onto the torn line; then nobody can read any loop."""
    whole = log(spawned(), row("ITERATING", 1))
    lay(home, whole + encode(row("ITERATING", 2))[:50])
    (warning,) = LoopLog(home).append(row("ITERATING", 3))
    assert home.log.read_bytes() == whole + encode(row("ITERATING", 3))
    (kept,) = home.torn.iterdir()
    assert kept.read_bytes() == encode(row("ITERATING", 2))[:50]
    assert f"{home.log}: line 3 was cut short: its 50 bytes are now in {kept}" in warning
    assert original.states(home.path) == {ID: "ITERATING"}


def test_f17_what_the_original_does_to_a_torn_line_is_what_we_avoid(home: Home) -> None:
    lay(home, recorded("torn-last-line"))
    original.append(home.path, OTHER, 0, "SPAWNED", "SPAWNED")
    original.append(home.path, OTHER, 1, "SPAWNED", "ITERATING")
    with pytest.raises(original.CorruptError):
        original.read(home.path)
    assert LoopLog(home).read().loop(OTHER) is not None

    lay(home, recorded("torn-last-line"))
    LoopLog(home).append(spawned(OTHER))
    original.append(home.path, OTHER, 1, "SPAWNED", "ITERATING")
    assert original.states(home.path) == {"2c56c276bad7": "ITERATING", OTHER: "ITERATING"}


def test_f17_whole_rows_inside_a_torn_line_stay_in_the_log(home: Home) -> None:
    glued = encode(spawned())[:-1] + encode(row("ITERATING", 1))[:-1] + encode(spawned(OTHER))[:30]
    lay(home, glued)
    LoopLog(home).append(row("ITERATING", 2))
    whole = log(spawned(), row("ITERATING", 1), row("ITERATING", 2))
    assert home.log.read_bytes() == whole
    assert [kept.read_bytes() for kept in home.torn.iterdir()] == [glued]


def test_f18_a_row_without_its_line_end_is_ended_and_not_lost(home: Home) -> None:
    """F18: abandon says that it worked, and both rows are gone for readers."""
    lay(home, log(spawned())[:-1])
    was, appended = LoopLog(home).close(ID, "enough", 0)
    assert (was.state, appended) == ("SPAWNED", True)
    assert original.states(home.path) == {ID: "ABANDONED"}
    assert not home.torn.exists()


@pytest.mark.parametrize("end", [b"\0\0\0\0", b"\n\0\0", b"\n  \r", b"\n\n"])
def test_what_a_crash_leaves_behind_the_last_row_harms_no_other_one(home: Home, end: bytes) -> None:
    lay(home, log(spawned())[:-1] + end)
    LoopLog(home).append(row("ITERATING", 1))
    assert LoopLog(home).read().bad == ()
    assert original.states(home.path) == {ID: "ITERATING"}


def test_f17_a_full_disk_leaves_no_part_of_a_row_and_loses_nothing(home: Home) -> None:
    """F17: a write that a full disk cuts short. Here the part is taken back, and tried again."""
    writer = LoopLog(home)
    writer.append(spawned())
    before = home.log.read_bytes()
    with full_at(len(before) + 40), pytest.raises(OSError, match=str(home.log)) as caught:
        writer.append(row("ITERATING", 1))
    assert caught.value.errno in (errno.EFBIG, errno.ENOSPC)
    assert home.log.read_bytes() == before
    writer.append(row("ITERATING", 1))
    assert original.states(home.path) == {ID: "ITERATING"}


def test_f17_a_row_that_the_original_lost_to_a_full_disk_is_put_aside_by_the_next(
    home: Home,
) -> None:
    LoopLog(home).append(spawned())
    with full_at(home.log.stat().st_size + 40), pytest.raises(OSError, match="File too large"):
        original.append(home.path, ID, 1, "SPAWNED", "ITERATING", elapsed_s=0)
    assert LoopLog(home).read().incomplete_tail
    assert len(LoopLog(home).append(row("ITERATING", 1))) == 1
    assert original.states(home.path) == {ID: "ITERATING"}


def test_behaviour_25_a_held_lock_is_waited_for_and_then_named(home: Home) -> None:
    lay(home, log(spawned()))
    with lock_taken(home), pytest.raises(LockTimeoutError) as caught:
        LoopLog(home, lock_wait_s=0.1).append(row("ITERATING", 1))
    assert str(caught.value) == f"flock timeout after 0.1s on {home.lock}"
    assert str(LockTimeoutError(30.0, home.lock)) == f"flock timeout after 30.0s on {home.lock}"


def test_behaviour_25_reading_does_not_wait_for_the_lock(home: Home) -> None:
    lay(home, log(spawned()))
    with lock_taken(home):
        assert len(LoopLog(home).read().open) == 1


def test_f20_a_row_that_met_a_held_lock_can_be_written_later(home: Home) -> None:
    """F20: the original ends there, and the result of a long run is lost."""
    writer = LoopLog(home, lock_wait_s=0.02)
    writer.append(spawned())
    with lock_taken(home), pytest.raises(LockTimeoutError):
        writer.append(row("ITERATING", 1, exit_code=7))
    writer.append(row("ITERATING", 1, exit_code=7))
    loop = writer.read().loop(ID)
    assert loop is not None
    assert loop.last_extra == {"exit_code": 7}


def test_f22_what_we_make_is_for_its_user_alone(home: Home) -> None:
    """F22: commands, and the keys in them, stood in a file that everybody can read."""
    lay_open = os.umask(0)
    try:
        LoopLog(home).append(spawned())
        with home.log.open("ab") as file:
            file.write(b'{"torn')
        LoopLog(home).append(row("ITERATING", 1))
    finally:
        os.umask(lay_open)
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (home.path, home.torn, home.log, home.lock, *home.torn.iterdir())
    }
    assert [modes.pop("persist"), modes.pop("torn")] == [0o700, 0o700]
    assert set(modes.values()) == {0o600}


def test_behaviour_23_blanks_and_foreign_scripts_in_names_read_back(tmp_path: Path) -> None:
    home = Home(tmp_path / "mit Leerzeichen" / "ø")
    prompt = "/srv/für alle/ PROMPT 漢.md"
    LoopLog(home).append(spawned()._replace(prompt_file=prompt))
    assert home.log.read_bytes().isascii()
    (loop,) = LoopLog(home).read().loops
    assert loop.prompt_file == prompt == original.read(home.path)[0]["prompt_file"]


@pytest.mark.parametrize("case", ["crlf", "row-extra-fields", "no-final-newline", "only-newline"])
def test_behaviour_24_appending_goes_on_after_every_harmless_form(home: Home, case: str) -> None:
    lay(home, recorded(case))
    before = LoopLog(home).read()
    LoopLog(home).append(spawned())
    after = LoopLog(home).read()
    assert after.loops[:-1] == before.loops
    assert (after.loops[-1].loop_id, after.bad) == (ID, ())


def test_a_log_that_is_not_there_says_nothing_and_reading_makes_nothing(home: Home) -> None:
    assert LoopLog(home).read().loops == ()
    assert not home.path.exists()


def test_a_pipe_in_the_place_of_the_log_keeps_nobody_waiting(home: Home) -> None:
    home.path.mkdir(parents=True)
    os.mkfifo(home.log)
    with pytest.raises(OSError, match="not a plain file"):
        LoopLog(home).read()


def test_a_log_that_may_not_be_read_says_so() -> None:
    with open_place() as place:
        home = Home(place)
        lay(home, log(spawned()))
        home.log.chmod(0)
        with nobody(), pytest.raises(PermissionError):
            LoopLog(home).read()


def test_the_home_is_the_one_that_the_original_uses() -> None:
    named = {"BROOMVA_PERSIST_HOME": "/a", "XDG_CONFIG_HOME": "/b", "HOME": "/c"}
    assert find(named).path == Path("/a")
    del named["BROOMVA_PERSIST_HOME"]
    assert find(named).path == Path("/b/broomva/persist")
    del named["XDG_CONFIG_HOME"]
    assert find(named).log == Path("/c/.config/broomva/persist/state.jsonl")


@given(st.binary(max_size=60) | st.integers(0, 400).map(lambda cut: log(spawned(OTHER))[:cut]))
def test_whatever_stands_at_the_end_an_appended_row_is_read_and_nothing_is_lost(
    tmp_path_factory: pytest.TempPathFactory, tail: bytes
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    tail = tail.replace(b"\n", b" ")
    whole = lay(home, log(spawned()) + tail)
    LoopLog(home).append(row("ITERATING", 1))
    after = home.log.read_bytes()
    assert after.endswith(b"\n" + encode(row("ITERATING", 1)))
    assert LoopLog(home).read().bad == ()
    aside = b"".join(kept.read_bytes() for kept in home.torn.glob("*")) if tail else b""
    assert aside == tail or whole.rstrip() in after
