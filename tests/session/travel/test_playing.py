"""A past session is played as it was recorded, faster when asked, and no gap takes long."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.log.view import LogView
from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.session.travel.pace import LONGEST_MS, Pace
from ppgp_tui.session.travel.traveller import Traveller
from tests.session.travel.logs import BEGUN, lay, line, live, view_of
from tests.waiting import until


def log(root: Path, *seconds: float | None) -> LogView:
    lines = [
        line(at, "x.y", {}, ts_ms=None if when is None else BEGUN + int(when * 1000))
        for at, when in enumerate(seconds)
    ]
    return view_of(live(lay(root, lines)))


def test_events_come_in_the_time_they_took(tmp_path: Path) -> None:
    view = log(tmp_path / "root", 0, 0.5, 0.9, 1.5)
    pace = Pace(1)
    assert pace.ahead(view, 0, BEGUN, 400) == (0, 400, 500, None)
    assert pace.ahead(view, 0, BEGUN, 900) == (2, 0, 600, None)
    assert pace.ahead(view, 2, BEGUN + 900, 700) == (3, 100, None, None)


def test_twice_as_fast_takes_half_the_time(tmp_path: Path) -> None:
    view = log(tmp_path / "root", 0, 0.5, 0.9, 1.5)
    assert Pace(2).ahead(view, 0, BEGUN, 250) == (1, 0, 200, None)


def test_a_long_gap_is_shortened_and_that_is_said(tmp_path: Path) -> None:
    view = log(tmp_path / "root", 0, 7200, 7201)
    assert Pace(1).ahead(view, 0, BEGUN, LONGEST_MS) == (1, 0, 1000, 7_200_000)
    assert Pace(1).ahead(view, 0, BEGUN, 999) == (0, 999, 1000, None)


def test_events_without_a_time_or_with_one_that_goes_back_follow_at_once(tmp_path: Path) -> None:
    view = log(tmp_path / "root", 10, None, 5, 5.2)
    assert Pace(1).ahead(view, 0, BEGUN + 10_000, 0) == (2, 0, 200, None)


@pytest.mark.parametrize("speed", [50.0, 100_000.0])
def test_playing_reaches_the_last_event_in_order_and_stops_there(
    tmp_path: Path, speed: float
) -> None:
    now = live(lay(tmp_path / "root", [line(at, "x.y", {}) for at in range(40)]))
    seen: list[Moment] = []
    traveller = Traveller(lambda: now, lambda made: seen.append(made.moment or Moment(-1, 0)))
    traveller.play(0, BEGUN, speed)
    until(lambda: seen and seen[-1].is_last and traveller._pace is None)
    places = [moment.at for moment in seen]
    assert places == sorted(places)
    unasked = [moment.at for moment in seen if moment.document is None]
    assert len(unasked) <= 1
    traveller.close()


def test_playing_ends_where_somebody_stops_it(tmp_path: Path) -> None:
    now = live(lay(tmp_path / "root", [line(at, "x.y", {}) for at in range(2000)]))
    seen: list[Moment] = []
    traveller = Traveller(lambda: now, lambda made: seen.append(made.moment or Moment(-1, 0)))
    traveller.play(0, BEGUN, 20)
    until(lambda: len(seen) > 2)
    traveller.stop()
    until(lambda: traveller._pace is None)
    assert not seen[-1].is_last
    traveller.close()
