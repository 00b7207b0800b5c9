"""The bench judges medians, by the kind of budget."""

from __future__ import annotations

import pytest

from tests.bench.result import Result, in_turns, table


@pytest.mark.parametrize(
    ("how", "ours", "budget", "value", "over"),
    [
        ("ratio", [3.0, 3.0, 90.0], 1.5, 1.5, False),
        ("ratio", [3.1, 3.2, 3.3], 1.5, 1.6, True),
        ("difference", [2.4, 2.5, 9.0], 0.5, 0.5, False),
        ("difference", [2.6, 2.6, 2.6], 0.5, 0.6, True),
        ("alone", [151.0], 150, 151.0, True),
        ("ratio", [100.0], None, 50.0, False),
    ],
)
def test_only_the_median_decides(
    how: str, ours: list[float], budget: float | None, value: float, over: bool
) -> None:
    result = Result("x", "ms", ours, [2.0, 2.0, 2.0], budget, how)  # type: ignore[arg-type]
    assert result.value == pytest.approx(value)
    assert result.over is over


def test_both_are_measured_in_turns() -> None:
    order: list[str] = []

    def note(name: str) -> float:
        order.append(name)
        return 1.0

    mine, least = in_turns(lambda: note("ours"), lambda: note("floor"), 3)
    assert order == ["floor", "ours"] * 3
    assert len(mine) == len(least) == 3


def test_the_table_says_what_is_over() -> None:
    lines = table(
        [Result("kept", "ms", [1.0], [1.0], 2), Result("not kept", "ms", [9.0], [1.0], 2)]
    ).splitlines()
    assert lines[0].split() == ["what", "median", "p95", "floor", "value", "budget"]
    assert not lines[1].endswith("OVER")
    assert lines[2].endswith("OVER")
