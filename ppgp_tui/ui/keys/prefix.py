"""A prefix was pressed: what may follow it stands above the key line until a key comes.

It waits without a limit. Esc ends it, and so does a key that means nothing after it; both are said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from ppgp_tui.ui.keys.keymap import Keymap, shown_key
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.row import GUTTER, Line, Span, shorten
from ppgp_tui.ui.seat.place import Place

if TYPE_CHECKING:
    from ppgp_tui.ui.keys.action import Action
    from ppgp_tui.ui.seat.seat import Seat

NAMES = {"'": "go to", ",": "this screen"}
"""What the shipped prefixes are for."""
_LEAST_REASON = 8
"""Cells below which a reason says nothing."""


def begin(seat: Seat, key: str) -> None:
    """Wait for the key after the prefix `key`."""
    seat.prefix = key
    seat.toast = ""


def second(seat: Seat, key: str) -> str:
    """End the waiting; return the sequence to do, or nothing when `key` ends it without one."""
    prefix, seat.prefix = seat.prefix, ""
    if key == "escape":
        seat.say(f"{called(prefix)}: nothing was done")
        return ""
    if any(key == after for after, _ in seat.keymap.after(prefix, seat.place())):
        return f"{prefix} {key}"
    seat.say(f"{shown_key(key)} means nothing after {called(prefix)}")
    return ""


def called(prefix: str) -> str:
    """`' go to`: a prefix as it is written, with what it is for."""
    return f"{shown_key(prefix)} {NAMES.get(prefix, '')}".strip()


def acts(keymap: Keymap, prefix: str, place: Place) -> bool:
    """Whether anything can be done after `prefix` in `place`."""
    return any(not action.refuses(place) for _, action in keymap.after(prefix, place))


def hints(
    keymap: Keymap, prefix: str, place: Place, width: int, most: int, look: Look
) -> list[Line]:
    """The keys after `prefix` with their words, in `most` lines at most; those that act first.

    What cannot act is soft and says why at the right; where lines are short of, there are two
    columns and no reasons.
    """
    after = keymap.after(prefix, place)
    after.sort(key=lambda pair: bool(pair[1].refuses(place)))
    if len(after) <= most:
        lines = [_hint(key, action, place, width, look) for key, action in after]
    else:
        half = (len(after) + 1) // 2
        lines = [
            _two(after[at], after[at + half] if at + half < len(after) else None, place, width)
            for at in range(half)
        ]
    if len(lines) < most:
        left = (Span(called(prefix), "ink", bold=True),)
        lines.insert(0, Line(left, (Span("Esc", "soft"),), indent=1))
    return lines[:most]


def key_line(prefix: str, source: tuple[Span, ...], width: int) -> Line:
    """The lowest line while a key is waited for."""
    left = (Span(shown_key(prefix), "ink", bold=True), Span(" and a key", "soft"))
    esc = (Span("  "), Span("Esc", "ink", bold=True), Span(" leave it", "soft"))
    room = width - 3 - sum(cell_len(span.text) for span in (*left, *source))
    return Line((*left, *(esc if room >= 15 else ())), source, indent=1)


def _words(key: str, action: Action, place: Place) -> tuple[tuple[Span, ...], str]:
    why = action.refuses(place)
    written = shown_key(key).ljust(3)
    if why:
        return (Span(written, "soft"), Span(action.label, "soft")), why
    return (Span(written, "ink", bold=True), Span(action.label)), ""


def _hint(key: str, action: Action, place: Place, width: int, look: Look) -> Line:
    """The words are never cut for the reason, which takes what they leave."""
    left, why = _words(key, action, place)
    room = width - GUTTER - sum(cell_len(span.text) for span in left) - 3
    if not why or room < _LEAST_REASON:
        return Line(left)
    return Line(left, (Span(shorten(why, room, "end", look.sign("cut")), "soft"),))


def _two(
    one: tuple[str, Action], other: tuple[str, Action] | None, place: Place, width: int
) -> Line:
    left, _ = _words(*one, place)
    right = _words(*other, place)[0] if other else ()
    return Line(left, tab=width // 2 + 1, columns=right)
