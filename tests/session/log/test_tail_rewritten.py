"""Noticing that a log was not only appended to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.log import tail as tail_module
from ppgp_tui.session.log.tail import LogTail
from tests.session.log.writing import LOG, event, events, ids, replace_by

# Broken promises


def test_a_changed_earlier_line_is_reported_although_the_file_grew(
    tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 5))
    tail.look()
    log.write_bytes(events(1, 2) + event(33) + events(4, 4))
    read = tail.look()
    assert ids(read) == [1, 2, 33, 4, 5, 6, 7]
    assert read.rewritten is not None
    assert (read.rewritten.line, read.rewritten.lost_lines) == (3, 1)


def test_a_changed_line_of_the_same_length_is_reported(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 5))
    tail.look()
    before = log.stat()
    with log.open("r+b") as file:
        file.seek(len(events(1, 3)) + 10)
        file.write(b"X")
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    read = tail.look()
    assert read.rewritten is not None
    assert (read.rewritten.line, read.rewritten.lost_lines) == (4, 1)


def test_a_shorter_file_is_reported_with_the_first_missing_line(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 5))
    tail.look()
    os.truncate(log, len(events(1, 3)))
    read = tail.look()
    assert ids(read) == [1, 2, 3]
    assert read.rewritten is not None
    assert (read.rewritten.line, read.rewritten.lost_lines) == (4, 2)


@pytest.mark.parametrize("looked", [False, True], ids=["unseen", "seen"])
def test_a_blank_end_that_gave_way_to_an_event_is_read_anew(
    tail: LogTail, log: Path, looked: bool
) -> None:
    log.write_bytes(event(1) + b"\n")
    tail.look()
    log.write_bytes(event(1))
    if looked:
        tail.look()
    log.write_bytes(events(1, 2))
    read = tail.look()
    assert (ids(read), read.damaged) == ([1, 2], None)


def test_the_line_of_a_broken_promise_counts_blank_lines(tail: LogTail, log: Path) -> None:
    log.write_bytes(b"\n\n" + events(1, 3))
    tail.look()
    log.write_bytes(b"\n\n" + event(1))
    rewritten = tail.look().rewritten
    assert rewritten is not None
    assert rewritten.line == 4


def test_a_lost_line_end_is_noticed(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    tail.look()
    data = bytearray(events(1, 3))
    data[len(events(1, 2)) - 1] = ord(" ")
    log.write_bytes(bytes(data) + event(4))
    rewritten = tail.look().rewritten
    assert rewritten is not None
    assert rewritten.line == 2


def test_a_replaced_file_that_begins_the_same_is_no_broken_promise(
    tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 3))
    tail.look()
    replace_by(log, events(1, 5))
    read = tail.look()
    assert ids(read) == [1, 2, 3, 4, 5]
    assert read.rewritten is None


def test_a_replaced_file_that_differs_is_a_broken_promise(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    tail.look()
    replace_by(log, event(1) + events(7, 5))
    read = tail.look()
    assert ids(read) == [1, 7, 8, 9, 10, 11]
    assert read.rewritten is not None
    assert (read.rewritten.line, read.rewritten.lost_lines) == (2, 2)


def test_a_deleted_log_keeps_the_picture_and_says_since_when(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    tail.look()
    log.unlink()
    read = tail.look()
    assert (read.state, read.code, read.stale_since_ms) == ("absent", "log-gone", 5_000)
    assert ids(read) == [1, 2, 3]
    log.write_bytes(events(1, 4))
    read = tail.look()
    assert (read.state, read.code, read.stale_since_ms) == ("found", "", None)
    assert ids(read) == [1, 2, 3, 4]
    assert read.rewritten is None


def test_a_log_made_anew_with_other_lines_has_lost_the_old_ones(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    tail.look()
    log.unlink()
    tail.look()
    log.write_bytes(event(9))
    rewritten = tail.look().rewritten
    assert rewritten is not None
    assert (rewritten.line, rewritten.lost_lines) == (1, 3)


def test_lines_that_come_back_take_the_report_back(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 6))
    tail.look()
    replace_by(log, events(1, 2) + events(20, 2))
    assert tail.look().rewritten is not None
    replace_by(log, events(1, 6))
    read = tail.look()
    assert ids(read) == [1, 2, 3, 4, 5, 6]
    assert read.rewritten is None


def test_a_shortened_log_gets_a_moment_to_be_whole_again(tmp_path: Path, log: Path) -> None:
    tail = LogTail(tmp_path, LOG, lambda: 0, settle_s=1000)
    log.write_bytes(events(1, 5))
    assert ids(tail.look()) == [1, 2, 3, 4, 5]
    log.write_bytes(b"")
    read = tail.look()
    assert ids(read) == [1, 2, 3, 4, 5]
    assert (read.settled, read.rewritten) == (False, None)
    log.write_bytes(events(1, 6))
    read = tail.look()
    assert ids(read) == [1, 2, 3, 4, 5, 6]
    assert (read.settled, read.rewritten) == (True, None)


def test_an_unreadable_log_keeps_the_picture(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 2))
    tail.look()
    log.unlink()
    log.mkdir()
    read = tail.look()
    assert (read.state, read.code) == ("unread", "not-a-file")
    assert ids(read) == [1, 2]


def test_a_line_longer_than_anybody_can_hold_ends_the_reading_with_a_reason(
    tail: LogTail, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail_module, "LONGEST", 100_000)
    log.write_bytes(event(1) + b"x" * 600_000 + b"\n" + event(3))
    read = tail.look()
    assert (read.state, read.code) == ("unread", "line-too-long")
    assert "line 2" in read.why
    assert ids(read) == [1]
