"""Following a log that somebody else reads: new lines only, all of them, each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.log import feed as feed_module
from ppgp_tui.session.log.feed import Feed, MovedError
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.log.view import LogView
from tests.session.log.writing import event, events

LOG = "events.jsonl"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / LOG


@pytest.fixture
def tail(tmp_path: Path) -> LogTail:
    return LogTail(tmp_path, LOG, lambda: 5_000, settle_s=0)


def view_of(tail: LogTail) -> LogView:
    view = tail.look().view
    assert view is not None
    return view


def handed(feed: Feed, view: LogView) -> list[bytes]:
    return [line for block in feed.blocks(view) for line in block.lines]


def add(log: Path, data: bytes) -> None:
    with log.open("ab") as file:
        file.write(data)


def test_every_line_is_handed_over_once(tail: LogTail, log: Path) -> None:
    feed = Feed()
    log.write_bytes(events(1, 3))
    assert handed(feed, view_of(tail)) == events(1, 3).split(b"\n")[:-1]
    assert handed(feed, view_of(tail)) == []
    add(log, event(4))
    assert handed(feed, view_of(tail)) == [event(4)[:-1]]


def test_blank_lines_come_with_the_event_behind_them_and_are_numbered(
    tail: LogTail, log: Path
) -> None:
    feed = Feed()
    log.write_bytes(b"\n" + event(1) + b"\n \n")
    (block,) = feed.blocks(view_of(tail))
    assert (block.first, block.lines, block.end) == (1, [b"", event(1)[:-1]], 1 + len(event(1)))
    add(log, event(2))
    (block,) = feed.blocks(view_of(tail))
    assert (block.first, block.lines) == (3, [b"", b" ", event(2)[:-1]])
    assert feed.index == 2


def test_a_log_that_was_read_anew_comes_anew(tail: LogTail, log: Path) -> None:
    feed = Feed()
    log.write_bytes(events(1, 3))
    handed(feed, view_of(tail))
    log.write_bytes(events(7, 2))
    view = view_of(tail)
    assert feed.is_anew(view)
    assert not feed.is_anew(view)
    assert handed(feed, view) == events(7, 2).split(b"\n")[:-1]


def test_bytes_that_are_no_longer_those_that_were_read_are_not_handed_over(
    tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 3))
    view = view_of(tail)
    log.write_bytes(events(4, 3))
    with pytest.raises(MovedError):
        handed(Feed(), view)


@settings(max_examples=60)
@given(
    pieces=st.lists(
        st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), min_size=1, max_size=20
    ),
    block=st.integers(1, 60),
    cuts=st.sets(st.integers(0, 20)),
)
def test_whatever_the_lines_and_the_looks_all_lines_up_to_the_last_event_arrive(
    tmp_path: Path, pieces: list[bytes], block: int, cuts: set[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed_module, "BLOCK", block)
        log = tmp_path / LOG
        log.write_bytes(b"")
        tail, feed, arrived = LogTail(tmp_path, LOG, lambda: 0, settle_s=0), Feed(), []
        for at, piece in enumerate(pieces):
            add(log, piece + b"\n")
            if at in cuts:
                arrived += handed(feed, view_of(tail))
        view = view_of(tail)
        arrived += handed(feed, view)
        assert feed.index == len(view)
        assert arrived == pieces[: len(arrived)]
        assert all(not piece.strip() for piece in pieces[len(arrived) :])
