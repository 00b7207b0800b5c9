"""The index of a log: where its lines are, and reading one when it is asked for."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from ppgp_tui.session.log.lines import Lines, LogFile
from ppgp_tui.session.log.tail import LogTail
from tests.session.log.writing import LOG, event, events, replace_by

# The index itself


def test_ids_are_found_newest_first_without_holding_them(tmp_path: Path) -> None:
    lines = Lines()
    for number in range(70_000):
        lines.add(number, b"", f"id{number % 69_999}")
    assert list(lines.find("id0", 70_000)) == [69_999, 0]
    assert list(lines.find("id0", 69_999)) == [0]
    assert list(lines.find("unknown", 70_000)) == []


def test_a_line_that_is_no_longer_there_is_not_made_up(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 3))
    view = tail.look().view
    assert view is not None
    log.write_bytes(event(8))
    gone = view.event(2)
    assert gone.error == "this line is no longer in the file"
    assert view.raw(2) == b""


def test_an_open_log_can_be_read_after_it_was_deleted(tmp_path: Path, log: Path) -> None:
    log.write_bytes(events(1, 3))
    file = LogFile(os.open(log, os.O_RDONLY))
    log.unlink()
    assert file.read(0, 10) == events(1, 3)[:10]


def test_the_real_slices_read_line_for_line(shared_cases: Path, tmp_path: Path) -> None:
    for name in ("head400", "tail400"):
        source = shared_cases / "gasp" / "yoyo" / f"{name}.jsonl"
        (tmp_path / "state").mkdir(exist_ok=True)
        replace_by(tmp_path / LOG, source.read_bytes())
        view = LogTail(tmp_path, LOG, lambda: 0).look().view
        assert view is not None
        assert len(view) == 400
        assert all(view.event(index).error is None for index in range(400))
        assert [view.event(index).line for index in (0, 399)] == [1, 400]
        last = view.event(399)
        assert view.index_of(last.id) == 399


def test_any_line_can_be_read_while_the_log_grows(tail: LogTail, log: Path) -> None:
    log.write_bytes(events(1, 200))
    views = [tail.look().view]
    wrong: list[object] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            view = views[-1]
            assert view is not None
            for at in (0, len(view) // 2, len(view) - 1):
                found = view.event(at)
                if (found.error, found.id) != (None, f"event_{at + 1:032x}"):
                    wrong.append(found)
                if view.index_of(found.id) != at:
                    wrong.append(at)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(201, 1201, 5):
        with log.open("ab") as file:
            file.write(events(number, 5))
        views.append(tail.look().view)
    ended.set()
    reader.join()
    assert wrong == []
    assert len(views[-1] or ()) == 1200
