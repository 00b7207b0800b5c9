"""The plan's history at every usual size, as text beside this file.

As in `test_pictures`: `PPGP_GOLDEN=write` writes them; look at the difference first.
"""

from __future__ import annotations

import pytest

from ppgp_tui.ui.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui.picture_history import LOOKED, with_history
from tests.ui.pressing import press
from tests.ui.stand_in import look, seat, text
from tests.ui.views.test_pictures import SIZES, looks_like


def sitting(width: int, height: int, *keys: str, ascii_only: bool = False) -> Seat:
    drawn_with = look(ascii=True, ascii_words=True) if ascii_only else None
    of = seat(with_history(), width, height, VIEWS, drawn_with)
    of.lately.looked = LOOKED
    of.arrange()
    return press(of, *keys)


def lines(of: Seat) -> list[str]:
    return [line.rstrip() for line in text(of)]


SHOWN = {
    "since": ("2", "["),
    "step": ("2", "[", "[", "["),
    "pair": ("2", "=", "[", "[", "["),
    "blame": ("2", "[", "j", "j", "B"),
}


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", SHOWN)
def test_the_history_at_each_size(name: str, width: int, height: int) -> None:
    of = sitting(width, height, *SHOWN[name])
    looks_like(f"history-{name}-{width}x{height}", lines(of))


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("width", "height"), SIZES[:3:2])
def test_the_history_with_ascii_signs(name: str, width: int, height: int) -> None:
    shown = lines(sitting(width, height, *SHOWN[name], ascii_only=True))
    looks_like(f"history-{name}-{width}x{height}-ascii", shown)
    assert all(line.isascii() for line in shown)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_changed_since_the_last_look_in_the_session(width: int, height: int) -> None:
    of = sitting(width, height, *(("G",) if width < 100 else ()))
    looks_like(f"history-session-{width}x{height}", lines(of))
