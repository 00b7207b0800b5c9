"""What was measured, against which floor, and whether it keeps its budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

ROUNDS = 7


@dataclass(frozen=True)
class Result:
    """One line of the table."""

    what: str
    unit: str
    ours: Sequence[float]
    floor: Sequence[float]
    """The same from the least program that could do it, taken in turns with `ours`."""
    budget: float | None
    """None: published, not gated."""
    how: Literal["ratio", "difference", "alone"] = "ratio"

    @property
    def value(self) -> float:
        """What the budget is about, of the medians."""
        mine = median(self.ours)
        if self.how == "alone":
            return mine
        return mine / median(self.floor) if self.how == "ratio" else mine - median(self.floor)

    @property
    def over(self) -> bool:
        """The budget is not kept."""
        return self.budget is not None and self.value > self.budget


def in_turns(
    ours: Callable[[], float], floor: Callable[[], float], rounds: int = ROUNDS
) -> tuple[list[float], list[float]]:
    """Measure both in turns, so that whatever else the machine does meets both alike."""
    mine, least = [], []
    for _ in range(rounds):
        least.append(floor())
        mine.append(ours())
    return mine, least


def table(results: Sequence[Result]) -> str:
    """The results as aligned text."""
    heads = ("what", "median", "p95", "floor", "value", "budget", "")
    rows = [heads, *(_row(result) for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _row(result: Result) -> tuple[str, ...]:
    sign = {"ratio": "x", "difference": "", "alone": ""}[result.how]
    budget = "" if result.budget is None else f"{result.budget:g}{sign}"
    return (
        result.what,
        f"{median(result.ours):.1f} {result.unit}",
        f"{_p95(result.ours):.1f}",
        f"{median(result.floor):.1f}" if result.floor else "",
        f"{result.value:.2f}{sign}",
        budget,
        "OVER" if result.over else "",
    )


def _p95(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
