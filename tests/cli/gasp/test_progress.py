"""Whoever waits for a long log sees how far it is read; nobody else sees anything."""

from __future__ import annotations

import io

import pytest

from ppgp_tui.cli.gasp import reading


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    passed = [0.0]
    monkeypatch.setattr(reading.time, "monotonic", lambda: passed[0])
    return passed


def test_a_log_read_within_a_second_says_nothing(
    monkeypatch: pytest.MonkeyPatch, seconds: list[float]
) -> None:
    monkeypatch.setattr("sys.stderr", terminal := _Terminal())
    tell = reading.progress()
    seconds[0] = 0.9
    tell(0.5)
    tell(1.0)
    assert terminal.getvalue() == ""


def test_a_longer_one_says_how_far_and_leaves_the_line_empty(
    monkeypatch: pytest.MonkeyPatch, seconds: list[float]
) -> None:
    monkeypatch.setattr("sys.stderr", terminal := _Terminal())
    tell = reading.progress()
    seconds[0] = 1.5
    tell(0.4)
    assert terminal.getvalue().strip("\r ") == "reading the log 40%"
    tell(1.0)
    assert terminal.getvalue().split("\r")[-2].strip() == ""


def test_a_pipe_gets_nothing(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    monkeypatch.setattr("sys.stderr", pipe := io.StringIO())
    tell = reading.progress()
    seconds[0] = 9.0
    tell(0.4)
    tell(1.0)
    assert pipe.getvalue() == ""
