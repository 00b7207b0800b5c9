"""What a person makes of the screen itself: density, looks, when it keeps quiet."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from ppgp_tui.ui.acts.quiet import open_quiet, take_quiet
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.rows.layout import Density
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet


def _density(seat: Seat) -> None:
    all_of_them = get_args(Density)
    seat.density = all_of_them[(all_of_them.index(seat.density) + 1) % len(all_of_them)]
    seat.say(f"density {seat.density}")


def _clock(seat: Seat) -> None:
    seat.manner.clock = "times" if seat.manner.clock == "ages" else "ages"
    ages.show_as(seat.manner.clock)
    seat.say("times of day" if seat.manner.clock == "times" else "how long ago")


def _motion(seat: Seat) -> None:
    reduced = seat.manner.motion == "full"
    seat.manner.motion = "reduced" if reduced else "full"
    seat.say("reduced motion" if reduced else "full motion")


# --- themes -------------------------------------------------------------------------------------


def _themes(seat: Seat) -> None:
    seat.sheet, seat.entry = OpenSheet("themes"), None
    seat.arrange()
    seat.sheet.rows.go_to(f"theme:{seat.outside.theme_in_use()}")


def theme_rows(seat: Seat) -> tuple[Row, ...]:
    """Every theme; the one in use is named."""
    in_use = seat.manner.theme_before or seat.outside.theme_in_use()
    return tuple(
        Row(
            f"theme:{name}",
            (Line((Span(name),), (Span("in use", "soft"),) if name == in_use else ()),),
            opens="use it",
        )
        for name in sorted(seat.outside.themes())
    )


def preview(seat: Seat) -> None:
    """Show the theme under the cursor of a sheet; without one, that which was in use."""
    row = seat.sheet.rows.row if seat.sheet is not None else None
    shown, before = seat.outside.theme_in_use(), seat.manner.theme_before
    kind, _, name = (row.key if row is not None else "").partition(":")
    wanted = name if kind == "theme" else before
    if not wanted or wanted == shown:
        return
    seat.manner.theme_before = before or shown
    seat.outside.use_theme(wanted)
    if seat.outside.theme_in_use() == seat.manner.theme_before:
        seat.manner.theme_before = ""


def use_theme(seat: Seat, name: str) -> None:
    """Use the theme from now on."""
    seat.outside.use_theme(name)
    seat.manner.theme_before = ""
    if seat.outside.theme_in_use() == name:
        seat.say(f"theme {name}")


def take_chosen(seat: Seat, sheet: OpenSheet) -> None:
    """Use the row under the cursor of a sheet of this screen, and close it."""
    row = sheet.rows.row
    if row is None:
        return
    seat.sheet = seat.entry = None
    if sheet.kind == "themes":
        use_theme(seat, row.key.removeprefix("theme:"))
    else:
        take_quiet(seat, row.key)


ACTS: dict[str, Callable[[Seat], None]] = {
    "screen.theme": _themes,
    "screen.density": _density,
    "screen.clock": _clock,
    "screen.motion": _motion,
    "screen.quiet": open_quiet,
}
"""By action id."""
