"""The lowest line of a narrow pane: what is needed most stands there, and help and health stay."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.views import VIEWS
from tests.ui import picture_history
from tests.ui.pressing import press
from tests.ui.stand_in import seat, text


def lowest(keys: str, width: int = 48, **more: object) -> str:
    shown = picture_history.with_history()
    return text(press(seat(shown, width, 24, VIEWS, **more), *keys.split()))[-1]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("1", " Y advised, for good  p pause  ? help  !2  live "),
        ("2", " [ diff  Enter read  z zoom    ? help  !2  live "),
        ("2 j j j j j j j", " [ diff  Enter answer  z zoom  ? help  !2  live "),
        ("2 [", " [ ] diff  = compare  B blame  ? help  !2  live "),
        ("3", " Y advised, for good  p pause  ? help  !2  live "),
        ("4", " Enter read  p pause  / find   ? help  !2  live "),
        ("6", " Enter read  I loop  p pause   ? help  !2  live "),
    ],
)
def test_at_48_columns_three_keys_stand_beside_a_finding(keys: str, line: str) -> None:
    assert lowest(keys) == line


def test_from_60_columns_on_words_are_whole() -> None:
    assert lowest("2", 80).startswith(" [ revisions  Enter read  z zoom")
    assert "2 findings" in lowest("2", 80)


def test_a_key_of_ones_own_that_takes_more_room_drops_the_least_needed() -> None:
    assert len(lowest("2", 40)) == 40
    assert lowest("2", 40).startswith(" [ diff  Enter read")
