"""How long the runs that are left may take, in round numbers that are not short of the truth."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.views.agents.loop_words import estimate
from tests.ui.picture import NOW
from tests.ui.picture_loops import running


@pytest.mark.parametrize(
    ("each_s", "left", "said"),
    [
        (6, 9, "about 54s for 9 runs"),
        (6, 14, "about 1m for 14 runs"),
        (6, 17, "about 2m for 17 runs"),
        (354, 20, "about 1h58 for 20 runs"),
    ],
)
def test_a_time_is_rounded_to_the_nearest_minute(each_s: int, left: int, said: str) -> None:
    loop = running()
    runs = tuple(run._replace(duration_s=float(each_s)) for run in loop.runs if not run.limited)
    of = loop._replace(runs=runs, iteration=1, max_iterations=left)
    assert estimate(of, NOW).startswith(f"{said}, the median run took")
