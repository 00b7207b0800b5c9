"""A long log costs its new bytes, whoever reads it next; another file in its place is noticed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ppgp_tui.persist.disk import checkpoint
from ppgp_tui.persist.disk import log as module
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.disk.mark import mark
from ppgp_tui.persist.reading import LogReader, Reading, read
from ppgp_tui.persist.row import encode
from tests.persist.logs import ID, OTHER, log, recorded, row, spawned

LOOKED_AT = 64 * 1024
"""Bytes before the place where reading goes on that have to be the same."""


def told(found: Reading) -> object:
    return found.loops, found.good_rows, found.bad, found.bad_count, found.incomplete_tail


@pytest.fixture
def long(home: Home) -> Home:
    """A home with a log of 1 MB."""
    home.path.mkdir(parents=True)
    home.log.write_bytes(recorded("big-log"))
    return home


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a checkpoint is written, here also for a log of this length."""
    monkeypatch.setattr(module, "WORTH_KEEPING", 500_000)
    return tmp_path / "state" / "loops.checkpoint"


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch, log: Path) -> Iterator[list[int]]:
    """The bytes of the log that are read meanwhile."""
    sizes: list[int] = []
    really = os.pread
    inode = log.stat().st_ino

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        data = really(descriptor, size, offset)
        if os.fstat(descriptor).st_ino == inode:
            sizes.append(len(data))
        return data

    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", pread)
        yield sizes


def append(home: Home, data: bytes) -> None:
    with home.log.open("ab") as file:
        file.write(data)


def test_one_appended_row_costs_no_second_reading(
    long: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = LoopLog(long)
    reader.read()
    append(long, log(spawned()))
    with counted(monkeypatch, long.log) as sizes:
        found = reader.read()
    assert told(found) == told(read(long.log.read_bytes()))
    assert sum(sizes) < 3 * LOOKED_AT
    with counted(monkeypatch, long.log) as sizes:
        assert reader.read() is found
    assert sizes == []


def test_with_a_checkpoint_the_next_process_reads_the_new_bytes_alone(
    long: Home, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LoopLog(long, checkpoint=kept).read()
    append(long, log(spawned()))
    with counted(monkeypatch, long.log) as sizes:
        found = LoopLog(long, checkpoint=kept).read()
    assert sum(sizes) < 4 * LOOKED_AT
    assert told(found) == told(read(long.log.read_bytes()))
    assert [loop.loop_id for loop in found.open][-1] == ID


def test_late_rows_of_a_loop_in_a_checkpoint_are_counted(long: Home, kept: Path) -> None:
    first = LoopLog(long, checkpoint=kept).read()
    closed = next(loop for loop in first.loops if not loop.open)
    append(long, log(row("ITERATING", 9, closed.loop_id)))
    again = LoopLog(long, checkpoint=kept).read().loop(closed.loop_id)
    assert again == closed._replace(late_rows=closed.late_rows + 1)


def test_a_checkpoint_is_for_its_user_alone_and_leaves_nothing_else(long: Home, kept: Path) -> None:
    before = sorted(long.path.iterdir())
    LoopLog(long, checkpoint=kept).read()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert list(kept.parent.iterdir()) == [kept]
    assert sorted(long.path.iterdir()) == before


def test_a_short_log_needs_no_checkpoint_and_without_a_path_none_is_written(
    home: Home, tmp_path: Path
) -> None:
    LoopLog(home).append(spawned())
    LoopLog(home, checkpoint=tmp_path / "checkpoint").read()
    assert not (tmp_path / "checkpoint").exists()


def test_a_place_that_takes_no_checkpoint_disturbs_no_reading(long: Home, kept: Path) -> None:
    kept.parent.write_text("a file where a folder should be")
    found = LoopLog(long, checkpoint=kept).read()
    assert told(found) == told(read(long.log.read_bytes()))


@pytest.mark.parametrize("how", ["cut", "bit", "empty", "folder"])
def test_a_checkpoint_that_is_not_whole_is_as_none(long: Home, kept: Path, how: str) -> None:
    LoopLog(long, checkpoint=kept).read()
    data = kept.read_bytes()
    middle = len(data) // 2
    match how:
        case "cut":
            kept.write_bytes(data[:middle])
        case "bit":
            kept.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        case "empty":
            kept.write_bytes(b"")
        case "folder":
            kept.unlink()
            kept.mkdir()
    found = LoopLog(long, checkpoint=kept).read()
    assert told(found) == told(read(long.log.read_bytes()))


def test_a_pipe_in_the_place_of_a_checkpoint_keeps_nobody_waiting(long: Home, kept: Path) -> None:
    kept.parent.mkdir()
    os.mkfifo(kept)
    assert told(LoopLog(long, checkpoint=kept).read()) == told(read(recorded("big-log")))


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_what_lies_where_a_checkpoint_is_made_is_not_written_to(
    long: Home, kept: Path, tmp_path: Path, link: Callable[[Path, Path], None]
) -> None:
    kept.parent.mkdir()
    mine = tmp_path / "mine"
    mine.write_text("kept")
    link(kept.with_name(f"{kept.name}.{os.getpid()}.new"), mine)
    LoopLog(long, checkpoint=kept).read()
    assert mine.read_text() == "kept"
    assert kept.is_file()


def test_a_checkpoint_of_another_version_is_not_believed(
    long: Home, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = LogReader()
    other.feed(long.log.read_bytes().replace(b"SUCCESS", b"RESTING"))
    with long.log.open("rb") as file, monkeypatch.context() as patch:
        patch.setattr(checkpoint, "_MADE_BY", "ppgp-tui 0.0.1 1")
        checkpoint.store(kept, mark(file.fileno(), other.ended), other)
    found = LoopLog(long, checkpoint=kept).read()
    assert told(found) == told(read(long.log.read_bytes()))


# The file is another one than before: each reader, old or new, begins anew.


def shrunk(home: Home) -> None:
    home.log.write_bytes(log(spawned()))


def replaced(home: Home) -> None:
    fresh = home.path / "fresh"
    fresh.write_bytes(recorded("big-log").replace(b"SUCCESS", b"RESTING"))
    fresh.replace(home.log)


def replaced_but_for_its_end(home: Home) -> None:
    fresh = home.path / "fresh"
    fresh.write_bytes(recorded("big-log").replace(b"SUCCESS", b"RESTING", 3))
    fresh.replace(home.log)


def rewritten(home: Home) -> None:
    """In place, longer, and other bytes before the place where reading would go on."""
    data = recorded("big-log")
    home.log.write_bytes(data[:-300] + log(spawned()) + data[-300:])


def removed(home: Home) -> None:
    home.log.unlink()


@pytest.mark.parametrize("change", [shrunk, replaced, replaced_but_for_its_end, rewritten, removed])
def test_another_file_in_its_place_is_read_from_its_beginning(
    long: Home, kept: Path, change: object
) -> None:
    reader = LoopLog(long, checkpoint=kept)
    reader.read()
    assert callable(change)
    change(long)
    now = read(long.log.read_bytes()) if long.log.exists() else Reading()
    assert told(reader.read()) == told(now)
    assert told(LoopLog(long, checkpoint=kept).read()) == told(now)


def test_a_torn_line_that_another_writer_put_aside_is_forgotten(home: Home) -> None:
    reader, writer = LoopLog(home), LoopLog(home)
    writer.append(spawned())
    append(home, encode(spawned(OTHER))[:80])
    assert reader.read().incomplete_tail
    writer.append(row("ITERATING", 1))
    found = reader.read()
    assert (found.incomplete_tail, found.bad, found.good_rows) == (False, (), 2)


def test_an_earlier_reading_stays_as_it_was(home: Home) -> None:
    reader = LoopLog(home)
    reader.append(spawned())
    before = reader.read()
    reader.append(row("ITERATING", 1))
    after = reader.read()
    assert [before.loops[0].state, after.loops[0].state] == ["SPAWNED", "ITERATING"]
