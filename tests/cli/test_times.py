"""Durations and moments as people type them."""

from __future__ import annotations

from datetime import datetime

import pytest

from ppgp_tui.cli.times import moment_of, seconds_of, shown

NOON = datetime(2026, 9, 21, 12, 0, 30).astimezone()  # local on purpose
NOW = round(NOON.timestamp() * 1000)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("0", 0),
        ("1.5", 1.5),
        ("90s", 90),
        ("15m", 900),
        ("1h30m", 5400),
        ("3d", 259200),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "-5", "1w", "5m x", "1e9", "m5", "٣s", "nan", "inf"])
def test_what_is_no_duration(text: str) -> None:
    assert seconds_of(text) is None


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("2h", datetime(2026, 9, 21, 14, 0, 30)),
        ("18:00", datetime(2026, 9, 21, 18, 0)),
        ("9:05", datetime(2026, 9, 22, 9, 5)),
        ("2026-09-30", datetime(2026, 9, 30)),
        ("2026-09-30T18:30", datetime(2026, 9, 30, 18, 30)),
    ],
)  # fmt: skip
def test_moments(text: str, then: datetime) -> None:
    assert moment_of(text, NOW) == round(then.timestamp() * 1000)


def test_a_zone_is_kept() -> None:
    assert moment_of("2026-09-30T18:00+00:00", NOW) == 1_790_791_200_000


@pytest.mark.parametrize("text", ["", "soon", "25:00", "90", "2026-13-01", "9999999999d", "12:60"])
def test_what_is_no_moment_says_what_is_wanted(text: str) -> None:
    with pytest.raises(ValueError, match="is no time: a duration"):
        moment_of(text, NOW)


def test_a_moment_nobody_can_show_is_none() -> None:
    assert shown(NOW) == "2026-09-21 12:00"
    assert shown(10**20) == "at no known time"
