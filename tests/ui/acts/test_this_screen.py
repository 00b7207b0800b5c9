"""A person makes the screen theirs: themes looked at first, clock, motion, quiet hours."""

from datetime import datetime

import pytest

from ppgp_tui.ui.acts import quiet
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.picture_time import ago
from tests.ui.pressing import press, type_in, whole
from tests.ui.stand_in import seat, text, told

HOUR = 3_600_000


# --- themes -----------------------------------------------------------------------------------


def test_moving_over_the_themes_shows_each_and_esc_brings_the_old_one_back() -> None:
    of = press(seat(), ",", "t")
    assert "Themes" in whole(of)
    assert told(of).theme == "harbor"
    press(of, "j")
    assert told(of).theme == "paper"
    press(of, "k")
    assert told(of).theme == "harbor"
    press(of, "j", "esc")
    assert told(of).theme == "harbor"
    assert of.manner.theme_before == ""
    assert of.sheet is None


def test_enter_keeps_the_theme_under_the_cursor() -> None:
    of = press(seat(), ",", "t", "j", "enter")
    assert told(of).theme == "paper"
    assert of.toast == "theme paper"
    assert of.manner.theme_before == ""


def test_a_theme_found_in_the_palette_is_shown_and_esc_brings_the_old_one_back() -> None:
    of = type_in(press(seat(), ":"), "theme paper")
    assert told(of).theme == "paper"
    press(of, "esc")
    assert told(of).theme == "harbor"
    of = type_in(press(seat(), ":"), "theme paper")
    press(of, *["backspace"] * 11)
    assert told(of).theme == "harbor"


def test_while_a_theme_is_looked_at_the_body_keeps_its_colours() -> None:
    of = press(seat(views=VIEWS, height=40), ",", "t")
    assert colours(of) == colours(press(of, "esc"))
    of = press(of, "?")
    assert len(colours(of)) < len(colours(press(of, "esc")))


def colours(of: Seat) -> set[str]:
    """The colours of the lowest body lines, which no sheet covers."""
    lines = screen_lines(of)[-8:-1]
    styles = (segment.style for line in lines for segment in line)
    return {style.color.name for style in styles if style and style.color}


# --- ages or times ------------------------------------------------------------------------------


def test_the_right_edge_says_how_long_ago_or_at_what_time() -> None:
    of = press(seat(views=VIEWS, height=40), "2")
    task = next(task for task in of.snapshot.plan.value.tasks if task.changed_ms)
    assert task.changed_ms is not None
    clock = datetime.fromtimestamp(task.changed_ms / 1000).strftime("%H:%M")
    assert clock not in whole(of)
    press(of, ",", "c")
    assert clock in whole(of)
    assert of.toast == "times of day"
    assert clock not in whole(press(of, ",", "c"))


@pytest.mark.parametrize("width", [48, 80, 120, 160])
def test_times_stand_in_one_column_as_ages_do(width: int) -> None:
    of = press(seat(views=VIEWS, width=width, height=40), "4", "v", ",", "c")
    rows = [line for line in text(of) if "Read src" in line or "pytest" in line]
    assert rows
    clock = datetime.fromtimestamp(ago(seconds=31) / 1000).strftime("%H:%M")
    ends = {line.index(clock) for line in text(of)[4:-1] if clock in line[: width // 2 + 24]}
    assert len(ends) <= 2


@pytest.mark.parametrize(
    ("at_ms", "said"),
    [
        (datetime(2026, 9, 21, 14, 2).timestamp(), "14:02"),
        (datetime(2026, 9, 20, 14, 2).timestamp(), "Sep20"),
        (datetime(2026, 3, 9, 14, 2).timestamp(), "Mar 9"),
        (datetime(2025, 9, 20, 14, 2).timestamp(), "2025"),
    ],
)
def test_a_time_of_another_day_is_its_date(at_ms: float, said: str) -> None:
    now = datetime(2026, 9, 21, 18, 0).timestamp()
    assert ages.time_of(int(at_ms * 1000), int(now * 1000)) == said
    assert len(said) <= 5


def test_a_time_no_calendar_holds_is_left_out() -> None:
    assert ages.time_of(10**20, picture.NOW) == ""


# --- density, motion ------------------------------------------------------------------------------


def test_density_goes_round_and_changes_the_session() -> None:
    of = seat(views=VIEWS, width=120, height=40)
    normal = text(of)
    roomy = text(press(of, ",", "d"))
    compact = text(press(of, ",", "d"))
    assert normal != roomy != compact != normal
    assert compact.count(" " * 120) > 0
    press(of, ",", "d")
    of.toast = ""
    assert text(of) == normal


def test_motion_is_reduced_and_full_again() -> None:
    of = press(seat(), ",", "m")
    assert (of.manner.motion, of.toast) == ("reduced", "reduced motion")
    assert press(of, ",", "m").manner.motion == "full"


# --- do not disturb -------------------------------------------------------------------------------


def test_it_is_quiet_for_half_an_hour_or_an_hour_or_until_a_typed_time() -> None:
    of = press(seat(), ",", "q")
    assert "Do not disturb until" in whole(of)
    press(of, "enter")
    assert of.manner.quiet_until_ms == picture.NOW + HOUR // 2
    press(of, ",", "q", "down", "down", "enter")
    assert of.manner.quiet_until_ms == picture.NOW + HOUR
    press(type_in(press(of, ",", "q"), "2h"), "enter")
    assert of.manner.quiet_until_ms == picture.NOW + 2 * HOUR


def test_the_footer_says_until_when_and_nothing_once_it_is_over() -> None:
    now = [picture.NOW]
    of = press(seat(clock=lambda: now[0]), ",", "q", "enter")
    until = quiet.said(picture.NOW + HOUR // 2, picture.NOW)
    assert f"quiet until {until}" in text(of)[-1]
    now[0] += HOUR
    assert "quiet" not in text(of)[-1]


def test_it_can_be_ended_before() -> None:
    of = press(seat(), ",", "q", "enter", ",", "q")
    assert "call me again" in whole(of)
    press(of, "enter")
    assert of.manner.quiet_until_ms == 0
    assert of.toast == "you are called again"


def test_words_that_are_no_time_say_what_is_wanted_and_enter_does_nothing() -> None:
    of = type_in(press(seat(), ",", "q"), "soon")
    assert "type 18:00, or how long: 45m, 1h30m" in whole(of)
    press(of, "enter")
    assert of.sheet is not None
    assert press(of, "esc").manner.quiet_until_ms == 0


@pytest.mark.parametrize(
    ("typed", "hours"),
    [("18:30", 0.5), ("18.30", 0.5), ("17:30", 23.5), ("18:00", 24), ("45m", 0.75), ("1h30m", 1.5)],
)
def test_a_typed_time_is_the_next_such_time_or_counted_from_now(typed: str, hours: float) -> None:
    now = int(datetime(2026, 9, 21, 18, 0).timestamp() * 1000)
    assert quiet.until(typed, now) == now + hours * HOUR


@pytest.mark.parametrize("typed", ["", "24:00", "18:60", "h", "0m", "99d", "18", "٣m", "1h 30m"])
def test_anything_else_is_no_time(typed: str) -> None:
    assert quiet.until(typed, picture.NOW) is None


def test_words_that_are_no_time_say_which_words_are() -> None:
    of = type_in(press(seat(views=VIEWS), ",", "q"), "soon")
    press(of, "enter")
    assert of.toast == "this is no time: type one such as 18:00, or how long: 45m, 1h30m"
