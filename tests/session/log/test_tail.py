"""Following an append-only log, and noticing when it was not only appended to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ppgp_tui.gasp.envelope import is_blank
from ppgp_tui.session.log import tail as tail_module
from ppgp_tui.session.log.tail import LogRead, LogTail
from tests.session.log.writing import LOG, event, events, ids, replace_by

# What is read


def test_a_log_of_blank_lines_that_is_replaced_is_read_from_its_beginning(
    tail: LogTail, log: Path
) -> None:
    log.write_bytes(b"  \n\n")
    tail.look()
    replace_by(log, event(7) + event(8))
    assert ids(tail.look()) == [7, 8]
    assert tail.look().rewritten is None


def test_without_a_log_nothing_is_claimed(tail: LogTail) -> None:
    read = tail.look()
    assert (read.state, read.view, read.code) == ("absent", None, "")


def test_lines_that_are_no_events_are_kept_and_the_first_is_named(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 1) + b"\n<<<<<<< HEAD\n" + events(2, 1) + b'{"id":"x"}\n\xff\x00\n')
    read = tail.look()
    assert read.damaged is not None
    assert (read.damaged.line, read.damaged.lines) == (3, 3)
    assert len(read.view or ()) == 5


def test_a_sound_log_has_no_damaged_lines_however_it_is_decoded(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 10_000))
    assert tail.look().damaged is None


def test_lines_appended_are_read_and_only_those(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    assert ids(tail.look()) == [1, 2, 3]
    with log.open("ab") as file:
        file.write(events(4, 2))
    assert ids(tail.look()) == [1, 2, 3, 4, 5]


def test_an_event_knows_its_index_line_and_offset(tail: LogTail, log: Path) -> None:
    log.write_bytes(b"\n" + event(1) + b"  \n\t\r\n" + event(2))
    view = tail.look().view
    assert view is not None
    assert [(e.index, e.line, e.offset) for e in map(view.event, range(2))] == [
        (0, 2, 1),
        (1, 5, 1 + len(event(1)) + 6),
    ]
    assert view.raw(1) + b"\n" == event(2)


def test_a_carriage_return_belongs_to_the_line_end(tail: LogTail, log: Path) -> None:
    log.write_bytes(event(1).replace(b"\n", b"\r\n"))
    read = tail.look()
    assert ids(read) == [1]
    assert read.view is not None
    assert not read.view.raw(0).endswith(b"\r")


def test_an_unfinished_last_line_is_in_flight_until_its_newline_comes(
    tail: LogTail, log: Path
) -> None:
    whole = event(2)
    log.write_bytes(event(1) + whole[:20])
    read = tail.look()
    assert ids(read) == [1]
    assert read.torn is not None
    assert (read.torn.offset, read.torn.bytes, read.torn.since_ms) == (len(event(1)), 20, 5_000)
    with log.open("ab") as file:
        file.write(whole[20:])
    read = tail.look()
    assert ids(read) == [1, 2]
    assert (read.torn, read.rewritten) == (None, None)


def test_a_torn_tail_that_is_cut_off_again_is_no_broken_promise(tail: LogTail, log: Path) -> None:
    log.write_bytes(event(1) + b'{"id":"ev')
    tail.look()
    log.write_bytes(event(1))
    read = tail.look()
    assert (read.torn, read.rewritten) == (None, None)
    with log.open("ab") as file:
        file.write(event(2))
    assert ids(tail.look()) == [1, 2]


def test_the_same_unfinished_line_keeps_its_since(tmp_path: Path, log: Path) -> None:
    times = iter(range(1000, 9000, 1000))
    tail = LogTail(tmp_path, LOG, lambda: next(times), settle_s=0)
    log.write_bytes(b'{"id"')
    first = tail.look().torn
    with log.open("ab") as file:
        file.write(b':"x"')
    second = tail.look().torn
    assert first is not None
    assert second is not None
    assert second.bytes > first.bytes
    assert second.since_ms == first.since_ms


def test_damaged_and_foreign_lines_are_kept_in_their_place(tail: LogTail, log: Path) -> None:
    log.write_bytes(event(1) + b"{broken\n" + event(2, kind="weather.changed") + b"\xff\xfe\n")
    view = tail.look().view
    assert view is not None
    found = [view.event(index) for index in range(4)]
    assert [e.line for e in found] == [1, 2, 3, 4]
    assert found[1].error
    assert (found[2].kind, found[2].error) == ("weather.changed", None)
    assert found[3].error


@settings(max_examples=60)
@given(
    pieces=st.lists(
        st.sampled_from(
            [event(1), event(2), b"\n", b" \n", b"{}\n", b"x\r\n", b"\xe2\x80\xa8\n", b"t"]
        ),
        max_size=12,
    ),
    cuts=st.lists(st.integers(0, 2000), max_size=6),
)
def test_any_split_of_the_bytes_gives_the_lines_of_reading_at_once(
    tmp_path: Path, pieces: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(pieces)
    (tmp_path / "state").mkdir(exist_ok=True)
    path = tmp_path / LOG
    path.unlink(missing_ok=True)
    path.touch()
    bits = LogTail(tmp_path, LOG, lambda: 0, settle_s=0)
    at = 0
    for cut in [*sorted(cuts), len(data)]:
        with path.open("ab") as file:
            file.write(data[at:cut])
        at = max(at, min(cut, len(data)))
        in_bits = bits.look()
    once = LogTail(tmp_path, LOG, lambda: 0, settle_s=0).look()
    assert _shape(in_bits) == _shape(once)
    assert in_bits.rewritten is None
    lines = [line for line in data.split(b"\n")[:-1] if not is_blank(line)]
    assert [line.removesuffix(b"\r") for line in lines] == _shape(once)[0]


def _shape(read: LogRead) -> tuple[object, ...]:
    view = read.view
    assert view is not None
    raws = [view.raw(index) for index in range(len(view))]
    lines = [view.event(index).line for index in range(len(view))]
    return raws, lines, read.bytes, read.torn


# Long logs


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes count as a long log."""
    monkeypatch.setattr(tail_module, "GLIMPSE", 1_000)
    monkeypatch.setattr(tail_module, "SHORT", 2_000)
    monkeypatch.setattr(tail_module, "PROOF", 8_000)
    monkeypatch.setattr(tail_module, "_FAST_FROM", 2_000)


def test_the_first_look_at_a_long_log_shows_its_last_lines_without_numbers(
    short_limits: None, tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 500))
    read = tail.glimpse()
    assert read.state == "reading"
    assert read.progress == 0.0
    assert ids(read)[-3:] == [498, 499, 500]
    assert read.view is not None
    assert {read.view.event(index).line for index in range(len(read.view))} == {0}
    read = tail.look()
    assert read.state == "found"
    assert ids(read) == list(range(1, 501))
    assert read.view is not None
    assert read.view.event(499).line == 500


def test_a_change_deep_in_a_long_log_is_found_while_proving(
    short_limits: None, tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 500))
    tail.look()
    with log.open("r+b") as file:
        file.seek(len(events(1, 249)) + 10)
        file.write(b"X")
        file.seek(0, os.SEEK_END)
        file.write(event(501))
    assert tail.look().rewritten is None
    while tail.proving and tail.prove():
        pass
    rewritten = tail.look().rewritten
    assert rewritten is not None
    assert (rewritten.line, rewritten.lost_lines) == (250, 1)


def test_proving_ends_once_everything_was_looked_at_again(
    short_limits: None, tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 500))
    tail.look()
    with log.open("ab") as file:
        file.write(event(501))
    tail.look()
    looks = 0
    while tail.proving:
        assert tail.prove()
        looks += 1
    assert looks > 1


@pytest.fixture
def every_block_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tail_module, "BLOCK", 4_000)
    monkeypatch.setattr(tail_module, "PICTURE_S", 0)


def test_while_a_long_log_is_read_its_end_is_shown(
    short_limits: None, every_block_is_a_picture: None, tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 500))
    pictures: list[LogRead] = []
    tail.look(pictures.append)
    assert len(pictures) > 10
    assert {ids(picture)[-1] for picture in pictures} == {500}
    progress = [picture.progress or 0 for picture in pictures]
    assert progress == sorted(progress)
    assert progress[-1] == 1


def test_while_much_is_appended_the_older_lines_stay_in_sight(
    short_limits: None, every_block_is_a_picture: None, tail: LogTail, log: Path
) -> None:
    log.write_bytes(events(1, 10))
    tail.look()
    with log.open("ab") as file:
        file.write(events(11, 490))
    pictures: list[LogRead] = []
    tail.look(pictures.append)
    assert len(pictures) > 10
    for picture in pictures:
        assert picture.state == "found"
        assert picture.view is not None
        assert picture.view.event(0).id == f"event_{1:032x}"


def test_reading_can_be_stopped_and_goes_on_at_the_next_look(
    short_limits: None, tail: LogTail, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail_module, "BLOCK", 4_000)
    log.write_bytes(events(1, 500))
    tail.look(stopped=lambda: True)
    assert ids(tail.look()) == list(range(1, 501))


# Any sequence of writes


class LogLife(RuleBasedStateMachine):
    """Whatever happens to the file, the lines read are its lines and breaks are told apart."""

    def __init__(self) -> None:
        super().__init__()
        self.next = 1

    @initialize(count=st.integers(0, 4))
    def begin(self, count: int) -> None:
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        self.path = root / LOG
        self.path.parent.mkdir()
        self.lines = [event(self._number()) for _ in range(count)]
        self.path.write_bytes(b"".join(self.lines))
        self.tail = LogTail(root, LOG, lambda: 0, settle_s=0)
        self.tail.look()
        self.broken = False

    def _number(self) -> int:
        self.next += 1
        return self.next

    @rule(count=st.integers(1, 3))
    def append(self, count: int) -> None:
        new = [event(self._number()) for _ in range(count)]
        with self.path.open("ab") as file:
            file.write(b"".join(new))
        self.lines += new

    @rule(in_place=st.booleans())
    def write_the_same_again(self, in_place: bool) -> None:
        self._write(in_place)

    @rule(count=st.integers(1, 3), in_place=st.booleans())
    def lose_the_last(self, count: int, in_place: bool) -> None:
        if len(self.lines) < count:
            return
        self.lines = self.lines[:-count]
        self.broken = True
        self._write(in_place)

    @rule(at=st.integers(0, 5), in_place=st.booleans(), grow=st.booleans())
    def change_one(self, at: int, in_place: bool, grow: bool) -> None:
        if at >= len(self.lines):
            return
        self.lines[at] = event(self._number())
        if grow:
            self.lines.append(event(self._number()))
        self.broken = True
        self._write(in_place)

    def _write(self, in_place: bool) -> None:
        data = b"".join(self.lines)
        if in_place:
            self.path.write_bytes(data)
        else:
            replace_by(self.path, data)

    @invariant()
    def reads_what_is_there(self) -> None:
        read = self.tail.look()
        assert read.view is not None
        assert [read.view.raw(at) + b"\n" for at in range(len(read.view))] == self.lines
        assert (read.rewritten is not None) == self.broken

    def teardown(self) -> None:
        self.folder.cleanup()


LogLife.TestCase.settings = settings(max_examples=40, stateful_step_count=12)
TestLogLife = LogLife.TestCase
