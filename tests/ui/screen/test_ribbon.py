"""The ribbon: a session in 20 to 39 columns, where it is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from ppgp_tui.session.model import Control, Handshake, Part, SessionSnapshot
from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.journey import Journey
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.desk import Person
from tests.ui.pressing import press
from tests.ui.stand_in import look, seat, text, told
from tests.ui.views.test_pictures import looks_like

FULL = picture.full()


def ribbon(
    width: int, height: int, snapshot: SessionSnapshot = FULL, drawn_with: Look | None = None
) -> Seat:
    of = seat(snapshot, 80, height, VIEWS, drawn_with)
    of.ribbon = True
    of.resize(width, height)
    return of


def lines(of: Seat) -> list[str]:
    return [line.rstrip() for line in text(of)]


@pytest.mark.parametrize(("width", "height"), [(20, 23), (28, 24), (39, 24)])
def test_pictures(width: int, height: int) -> None:
    looks_like(f"ribbon-{width}x{height}", lines(ribbon(width, height)))


def test_a_picture_with_ascii_signs() -> None:
    shown = lines(ribbon(20, 23, drawn_with=look(ascii=True)))
    looks_like("ribbon-20x23-ascii", shown)
    assert all(line.isascii() for line in shown)


def test_a_picture_of_an_empty_repository() -> None:
    looks_like("ribbon-20x16-empty", lines(ribbon(20, 16, picture.empty())))


@pytest.mark.parametrize(
    ("width", "height", "is_ribbon"),
    [(19, 24, False), (20, 24, True), (39, 24, True), (40, 24, False), (28, 11, False),
     (28, 12, True)],
)  # fmt: skip
def test_it_is_drawn_from_20_to_39_columns_and_from_12_rows_on(
    width: int, height: int, is_ribbon: bool
) -> None:
    assert ribbon(width, height).is_ribbon is is_ribbon


def test_nobody_who_did_not_ask_gets_one() -> None:
    of = seat(FULL, 28, 24, VIEWS)
    assert not of.is_ribbon
    assert text(of)[0].startswith(" ? 2 for you")


@pytest.mark.parametrize("width", range(20, 40))
@pytest.mark.parametrize("shown", [FULL, picture.empty()], ids=["full", "empty"])
def test_every_line_is_exactly_as_wide_as_the_ribbon(width: int, shown: SessionSnapshot) -> None:
    of = ribbon(width, 18, shown)
    assert [cell_len(line) for line in text(of)] == [width] * 18


def test_what_needs_a_person_fills_its_line() -> None:
    needs = screen_lines(ribbon(20, 23))[2]
    filled = "".join(one.text for one in needs if one.style and one.style.reverse)
    assert filled == " ? 2 for you 6m   "


def test_held_agents_fill_theirs_and_say_that_nothing_happened_since() -> None:
    order = Control(
        3, "hold_1", picture.ago(minutes=4),
        handshake=(Handshake("claude-5f1e", "held", picture.ago(minutes=4)),),
    )  # fmt: skip
    quiet = replace(FULL, control=Part(order), agents=Part(FULL.agents.value[:1]))
    run = screen_lines(ribbon(20, 23, quiet))[3]
    filled = "".join(one.text for one in run if one.style and one.style.reverse)
    assert filled == " = held 4m, 0 new "


def test_requests_are_answered_as_on_the_screen() -> None:
    of = Person(*picture.requests(), width=80, height=24)
    of.seat.ribbon = True
    of.seat.resize(24, 40)
    of.press("j", "enter").look().press("y")
    (deed,) = of.answers
    assert deed.request == picture.requests()[1].id


def test_agents_are_paused_from_it() -> None:
    of = ribbon(20, 23)
    of.acting.painted.note_order(FULL.control.value, picture.NOW - 1_000)
    assert told(press(of, "p")).deeds


@pytest.mark.parametrize("key", ["2", "6", "l", "v"])
def test_what_needs_a_view_says_that_there_is_none(key: str) -> None:
    of = press(ribbon(20, 23), key)
    assert of.is_ribbon
    assert of.current == 0
    assert "needs 40 columns" in of.toast


def test_a_ribbon_of_the_past_says_so_in_a_band_and_end_leads_back() -> None:
    of = seat(FULL, 80, 24, VIEWS)
    of.ribbon, of.journey = True, Journey()
    of.snapshot = replace(FULL, moment=Moment(1, 9), at_ms=picture.ago(minutes=14))
    of.resize(24, 24)
    past = screen_lines(of)[1]
    filled = "".join(one.text for one in past if one.style and one.style.reverse)
    assert filled.rstrip() == " 14m ago  End now"
    action = next(one for one in of.keymap.actions if one.id == "travel.now")
    assert not action.refuses(of.place())


def test_a_wide_screen_comes_back_to_the_view_that_was_left() -> None:
    of = press(seat(FULL, 80, 24, VIEWS), "4")
    of.ribbon = True
    of.resize(24, 24)
    assert text(of)[-1].startswith(" ? help")
    of.resize(80, 24)
    assert of.current == 3


def test_the_cursor_stays_on_its_request_through_it() -> None:
    of = press(ribbon(20, 23), "j")
    under = of.row
    of.resize(30, 30)
    assert of.row == under


def test_help_says_nothing_that_does_not_act() -> None:
    shown = "\n".join(lines(press(ribbon(38, 60), "?")))
    assert "pause" in shown
    assert "1-6" not in shown
