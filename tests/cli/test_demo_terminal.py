"""The demo in a real terminal: filled at once, gone without a trace."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.bench.terminal import Terminal
from tests.cli.running import PROGRAM
from tests.waiting import until

pytestmark = pytest.mark.terminal


def test_it_opens_filled_moves_by_itself_and_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    words = [str(PROGRAM), "demo", "--speed", "30", "--ascii"]
    with Terminal(words, size=(80, 24), environ={"TMPDIR": str(place)}) as terminal:
        terminal.until(b"Make the importer resumable")
        terminal.until(b"HARDEN")
        assert len(list(place.iterdir())) == 1
        terminal.send(b"q")
        assert terminal.exit_code() == 0
    assert list(place.iterdir()) == []


def test_sigterm_ends_it_cleanly_too(tmp_path: Path) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    with Terminal([str(PROGRAM), "demo"], environ={"TMPDIR": str(place)}) as terminal:
        terminal.until(b"Make the importer resumable")
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.exit_code() == 128 + signal.SIGTERM
    until(lambda: not list(place.iterdir()))
