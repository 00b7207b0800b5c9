"""What a person makes of the screen itself: density, looks, when it keeps quiet."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from ppgp_tui.ui.layout import Density
from ppgp_tui.ui.seat import Seat


def _density(seat: Seat) -> None:
    all_of_them = get_args(Density)
    seat.density = all_of_them[(all_of_them.index(seat.density) + 1) % len(all_of_them)]
    seat.say(f"density {seat.density}")


ACTS: dict[str, Callable[[Seat], None]] = {"screen.density": _density}
"""By action id."""
