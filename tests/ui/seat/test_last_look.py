"""What counts as a look at the plan, and what the next one is compared with."""

from __future__ import annotations

import pytest

from ppgp_tui.session.plan_history.seen import Looked
from ppgp_tui.ui.seat.last_look import AWAY_MS, LOOK_MS, LastLook
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.picture_history import LOOKED, with_history
from tests.ui.pressing import press
from tests.ui.stand_in import seat
from tests.waiting import until


class Person:
    """Somebody before a screen, second by second."""

    def __init__(
        self, remembered: Looked | None = LOOKED, width: int = 80, height: int = 24
    ) -> None:
        self.now = picture.NOW
        self.kept: list[Looked] = []
        self.seat: Seat = seat(with_history(), width, height, VIEWS, clock=lambda: self.now)
        self.look = LastLook(lambda: remembered, self.kept.append)
        until(lambda: self.look._news)

    def wait(self, ms: int, *, in_focus: bool = True) -> Person:
        for _ in range(0, ms, 1000):
            if self.look.note(self.seat, in_focus):
                self.seat.arrange()
            self.now += 1000
        return self

    def press(self, *keys: str) -> Person:
        press(self.seat, *keys)
        return self


def test_what_is_remembered_is_what_changes_are_told_from() -> None:
    person = Person().wait(1000)

    assert person.seat.lately.looked == LOOKED


def test_the_plan_on_the_screen_for_a_while_is_looked_at() -> None:
    person = Person().press("2").wait(LOOK_MS + 2000)

    assert [look.number for look in person.kept] == [14]
    assert person.kept[0].digest == f"{14:016x}"


def test_a_glance_does_not_count() -> None:
    assert Person().press("2").wait(LOOK_MS - 1000).press("3").wait(10_000).kept == []


@pytest.mark.parametrize("view", ["3", "4", "5", "6"])
def test_other_views_do_not_count(view: str) -> None:
    assert Person().press(view).wait(60_000).kept == []


def test_a_terminal_out_of_focus_does_not_count() -> None:
    assert Person().press("2").wait(60_000, in_focus=False).kept == []


def test_what_changed_counts_in_the_sessions_view_too_where_it_is_on_the_screen() -> None:
    wide = Person(width=120, height=40).wait(10_000)
    narrow = Person(width=48, height=24).wait(10_000)

    assert [look.number for look in wide.kept] == [14]
    assert narrow.kept == []


def test_while_one_looks_the_comparison_stays() -> None:
    person = Person().press("2").wait(120_000)

    assert person.seat.lately.looked == LOOKED


def test_after_some_time_away_the_next_look_is_told_what_changed_since_this_one() -> None:
    person = Person().press("2").wait(10_000).press("5").wait(AWAY_MS + 2000).press("2").wait(2000)

    looked = person.seat.lately.looked
    assert looked is not None
    assert looked.number == 14


def test_a_short_glance_elsewhere_ends_no_look() -> None:
    person = Person().press("2").wait(10_000).press("5").wait(5_000).press("2").wait(5_000)

    assert person.seat.lately.looked == LOOKED


def test_without_anything_remembered_nothing_is_said_to_be_new_until_one_comes_back() -> None:
    person = Person(None).press("2").wait(10_000)
    assert person.seat.lately.looked is None

    person.press("5").wait(AWAY_MS + 2000).press("2").wait(2000)
    assert person.seat.lately.looked is not None


def test_a_look_that_lasts_is_written_down_once_a_minute_at_most() -> None:
    person = Person().press("2").wait(150_000)

    assert 2 <= len(person.kept) <= 3
