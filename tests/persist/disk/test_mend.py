"""Mending: the original reads the log again, no row is lost, and no byte either."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.disk.archive import archive
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.lock import LockTimeoutError
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.disk.mend import Mended, mend
from ppgp_tui.persist.reading import Reading, read
from tests.persist.disk import original
from tests.persist.disk.conftest import full_at
from tests.persist.logs import EXPECTED, OTHER, log, recorded, row, spawned


def lay(home: Home, data: bytes) -> bytes:
    home.path.mkdir(parents=True, exist_ok=True)
    home.log.write_bytes(data)
    return data


def told(found: Reading) -> list[object]:
    return [loop._replace(line=0, last_line=b"") for loop in found.loops]


@pytest.mark.parametrize("case", EXPECTED)
def test_f17_and_f19_after_mending_the_original_reads_every_recorded_log(
    home: Home, case: str
) -> None:
    """F17, F19: one damaged or odd line stops every read of the original."""
    before = read(lay(home, recorded(case)))
    done = mend(home)
    after = LoopLog(home).read()
    assert told(after) == told(before)
    assert (after.bad, after.incomplete_tail) == ((), False)
    assert {bad.line for bad in before.bad} <= set(done.lines)
    assert original.states(home.path).keys() == {loop.loop_id for loop in before.loops}
    assert mend(home) == Mended()


def test_a_log_without_damage_is_left_as_it_is(home: Home) -> None:
    data = lay(home, recorded("two-in-parallel"))
    inode = home.log.stat().st_ino
    assert mend(home) == Mended()
    assert (home.log.read_bytes(), home.log.stat().st_ino) == (data, inode)
    assert not home.torn.exists()


def test_rows_inside_a_damaged_line_stay_in_their_place(home: Home) -> None:
    glued = log(spawned())[:-1] + log(row("ITERATING", 1))
    lay(home, b"no row\n" + glued + log(spawned(OTHER)))
    done = mend(home)
    assert home.log.read_bytes() == log(spawned(), row("ITERATING", 1), spawned(OTHER))
    assert (done.lines, done.rows) == ((1, 2), 2)
    assert done.kept is not None
    assert done.kept.read_bytes() == b"no row\n" + glued


@pytest.mark.parametrize("digits", [b"9" * 5000, b"-" + b"9" * 5000])
def test_a_row_with_a_number_that_stops_usual_readers_keeps_what_rows_say(
    home: Home, digits: bytes
) -> None:
    odd = log(spawned())[:-2] + b',"n":' + digits + b"}\n"
    before = read(lay(home, odd + log(spawned(OTHER))))
    done = mend(home)
    assert done.kept is not None
    assert done.kept.read_bytes() == odd
    assert home.log.read_bytes() == log(spawned(), spawned(OTHER))
    assert told(LoopLog(home).read()) == told(before)


def test_the_permissions_stay_and_what_is_put_aside_is_private(home: Home) -> None:
    lay(home, b"no row\n" + log(spawned()))
    home.log.chmod(0o640)
    done = mend(home)
    assert stat.S_IMODE(home.log.stat().st_mode) == 0o640
    assert done.kept is not None
    assert stat.S_IMODE(done.kept.stat().st_mode) == 0o600
    assert sorted(path.name for path in home.path.iterdir()) == [
        "state.jsonl", "state.lock", "torn",
    ]  # fmt: skip


def test_a_log_behind_a_link_is_mended_where_it_is(home: Home, tmp_path: Path) -> None:
    lay(home, b"no row\n" + log(spawned()))
    home.log.rename(tmp_path / "elsewhere.jsonl")
    home.log.symlink_to(tmp_path / "elsewhere.jsonl")
    mend(home)
    assert home.log.is_symlink()
    assert home.log.read_bytes() == log(spawned())


def test_a_link_in_the_place_of_torn_is_not_followed(home: Home, tmp_path: Path) -> None:
    data = lay(home, log(spawned()) + b"no row\n")
    home.torn.symlink_to(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="a link, which could lead elsewhere"):
        mend(home)
    assert (sorted(tmp_path.iterdir()), home.log.read_bytes()) == (before, data)


def test_a_writer_that_read_the_damaged_log_goes_on_in_the_mended_one(home: Home) -> None:
    lay(home, b"no row\n" + log(spawned()))
    writer = LoopLog(home)
    assert writer.read().bad_count == 1
    mend(home)
    writer.append(row("ITERATING", 1))
    assert home.log.read_bytes() == log(spawned(), row("ITERATING", 1))


def test_nothing_is_mended_while_somebody_else_writes(home: Home) -> None:
    data = lay(home, b"no row\n")
    with home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(LockTimeoutError):
            mend(home, lock_wait_s=0.02)
    assert home.log.read_bytes() == data


def test_on_a_full_disk_the_log_stays_as_it_was(home: Home) -> None:
    data = lay(home, b"no row\n" + log(spawned()))
    with full_at(100), pytest.raises(OSError, match="File too large"):
        mend(home)
    assert home.log.read_bytes() == data
    assert not list(home.path.glob("*.new"))


def test_on_a_full_disk_nothing_half_done_is_left_behind(home: Home) -> None:
    data = lay(home, b"no row\n" * 99 + log(spawned()))
    with full_at(100), pytest.raises(OSError, match="File too large") as error:
        mend(home)
    assert str(error.value.filename).startswith(str(home.torn))
    assert home.log.read_bytes() == data
    assert list(home.torn.iterdir()) == []


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_what_lies_where_a_new_file_is_made_is_not_written_to(
    home: Home, tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    lay(home, b"no row\n" + log(spawned()))
    home.torn.mkdir()
    mine = tmp_path / "mine"
    mine.write_text("kept")
    for planted in ("state.jsonl.new", "torn/torn.new"):
        link(home.path / planted, mine)
    mend(home)
    assert mine.read_text() == "kept"
    assert home.log.read_bytes() == log(spawned())


@pytest.mark.parametrize("deed", [mend, lambda home: archive(home, 0)], ids=["mend", "archive"])
def test_a_pipe_in_the_place_of_the_log_keeps_nobody_waiting(
    home: Home, deed: Callable[[Home], object]
) -> None:
    home.path.mkdir(parents=True)
    os.mkfifo(home.log)
    with pytest.raises(OSError, match="not a plain file"):
        deed(home)


def test_a_home_without_a_log_has_nothing_to_mend(home: Home) -> None:
    assert mend(home) == Mended()


@given(
    st.lists(
        st.binary(max_size=20)
        | st.just(log(spawned())[:-1])
        | st.just(log(row("ITERATING", 1, OTHER))[:60])
        | st.just(b"\xef\xbb\xbf" + log(spawned(OTHER)))
        | st.just(b'{"loop_id":"x","to_state":"y","extra":{"reason":"\xe2\x80\xa8\xff\\ud800"}}\0')
    ).map(b"\n".join)
)
def test_mending_changes_no_reading_and_leaves_no_damage(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    home = Home(tmp_path_factory.mktemp("home"))
    before = read(lay(home, data))
    mend(home)
    after = LoopLog(home).read()
    assert (after.bad, after.incomplete_tail) == ((), False)
    states = {loop.loop_id: loop.state for loop in after.loops}
    assert {loop.loop_id: states[loop.loop_id] for loop in before.loops} == {
        loop.loop_id: loop.state for loop in before.loops
    }
    original.read(home.path)
