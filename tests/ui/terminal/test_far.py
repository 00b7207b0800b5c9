"""Over a network a changing picture is painted less often, unless a person says how often."""

import pytest

from ppgp_tui.ui.app.launch import paint_every_s


@pytest.mark.parametrize(
    ("fps", "far", "seconds"),
    [(None, False, 0.1), (None, True, 0.25), (10, True, 0.1), (4, False, 0.25), (60, False, 0.1)],
)
def test_how_often_a_changing_picture_is_painted(
    fps: int | None, far: bool, seconds: float
) -> None:
    assert paint_every_s(fps, far=far) == seconds
