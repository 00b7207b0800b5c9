"""The list of all sessions at every usual size, whole screens as text beside this file."""

from __future__ import annotations

import pytest

from tests.ui.all_sessions import every, list_seat
from tests.ui.pressing import press
from tests.ui.stand_in import look, text
from tests.ui.views.test_pictures import SIZES, looks_like


def picture_of(lines: list[str]) -> list[str]:
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_list_at_each_size(width: int, height: int) -> None:
    looks_like(f"sessions-{width}x{height}", picture_of(text(list_seat(width, height))))


@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[2]])
def test_the_list_with_ascii_signs(width: int, height: int) -> None:
    drawn = text(list_seat(width, height, drawn_with=look(ascii=True, ascii_words=True)))
    looks_like(f"sessions-{width}x{height}-ascii", picture_of(drawn))
    assert all(line.isascii() for line in drawn)


@pytest.mark.parametrize(("width", "height"), SIZES[:3])
def test_the_request_under_the_cursor(width: int, height: int) -> None:
    of = press(list_seat(width, height), "tab", "j")
    looks_like(f"sessions-asked-{width}x{height}", picture_of(text(of)))


def test_an_opened_request_says_which_session_it_is_of() -> None:
    of = press(list_seat(48, 24), "tab", "enter")
    looks_like("sessions-card-48x24", picture_of(text(of)))


def test_no_session_at_all() -> None:
    looks_like("sessions-none-48x24", picture_of(text(list_seat(48, 24, every(())))))
