"""Without colours nothing is lost: signs, words and attributes say it all, everywhere."""

from itertools import product

import pytest

from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.theme import find_theme, shipped_folder
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture_history, picture_loops
from tests.ui.pressing import press
from tests.ui.stand_in import look, seat, text

PLACES = (
    "1", "2", "2 t", "2 [", "3", "3 enter", "4", "4 enter", "5", "5 enter", "6", "6 enter",
    "?", ":", ", t", ", q", ",", "'", "o", "2 / check",
)  # fmt: skip
SIZES = ((48, 24), (80, 24), (120, 40), (160, 50))


def at(way: str, width: int, height: int, drawn_with: Look) -> Seat:
    of = seat(picture_history.with_history(), width, height, VIEWS, drawn_with)
    for key in way.split():
        press(of, *(key if key in ("check",) else [key]))
    return of


def grey(*, ascii_signs: bool = False) -> Look:
    theme = find_theme("harbor", shipped_folder()).without_colour()
    return theme.look(ascii=ascii_signs, ascii_words=ascii_signs)


@pytest.mark.parametrize(("way", "size"), product(PLACES, SIZES))
def test_no_colour_reaches_the_screen_and_the_words_are_the_same(
    way: str, size: tuple[int, int]
) -> None:
    of = at(way, *size, grey())
    styles = [part.style for line in screen_lines(of) for part in line if part.style]
    assert not [style for style in styles if style.color or style.bgcolor]
    coloured = text(at(way, *size, look()))
    assert list(map(plain, text(of))) == list(map(plain, coloured))


@pytest.mark.parametrize("size", SIZES)
def test_restart_loops_lose_nothing_either(size: tuple[int, int]) -> None:
    def drawn(with_look: Look) -> Seat:
        return seat(picture_loops.with_loops(), *size, VIEWS, with_look)

    for way in (["6", "j"], ["6", "j", "enter"], ["6", "j", "space"]):
        grey_one, coloured = drawn(grey()), drawn(look())
        for of in (grey_one, coloured):
            press(of, *way)
        styles = [part.style for line in screen_lines(grey_one) for part in line if part.style]
        assert not [style for style in styles if style.color or style.bgcolor]
        assert list(map(plain, text(grey_one))) == list(map(plain, text(coloured)))


def plain(line: str) -> str:
    """A line without what stands for a tint: the scroll bar, and the brackets of cards."""
    return line.translate(str.maketrans("|[]", "   ")).rstrip()


@pytest.mark.parametrize("way", PLACES)
def test_the_cursor_is_seen_by_its_reversed_bar(way: str) -> None:
    of = at(way, 80, 24, grey())
    rows = of.rows
    reversed_parts = [
        part for line in screen_lines(of) for part in line if part.style and part.style.reverse
    ]
    assert reversed_parts or rows is None or rows.index is None


@pytest.mark.parametrize(("way", "size"), product(PLACES, SIZES))
def test_in_ascii_every_character_is_one(way: str, size: tuple[int, int]) -> None:
    of = at(way, *size, grey(ascii_signs=True))
    strange = {char for line in text(of) for char in line if ord(char) > 126}
    assert not strange
