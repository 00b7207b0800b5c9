"""The lowest line: the keys of this place at the left, help and the source at the right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len

from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.rows.row import Line, Span, shown
from ppgp_tui.ui.seat.place import Place

MOST = 8
"""Keys named at once; more than that is not read."""
_NARROW = 60
_BRIEF = {
    "revisions": "diff", "answer it": "answer", "its event": "event", "whole plan": "whole",
    "every event": "events", "add a command": "add", "plan of now": "now", "new loop": "loop",
}  # fmt: skip
"""Below that width: words that leave room for one key more."""


@lru_cache(maxsize=64)
def key_line(keymap: Keymap, place: Place, source: tuple[Span, ...], width: int) -> Line:
    """Return as many keys that act in `place` as fit beside help and `source`."""
    right = (*_help(keymap, place), *source)
    room = width - 2 - _cells(right)
    left: list[Span] = []
    named = 0
    for topic in keymap.table:
        word = topic.hint_in(place)
        word = _BRIEF.get(word, word) if width < _NARROW else word
        keys = keymap.shown(topic.named(place), place.typing)
        if not word or not keys or named == MOST:
            continue
        grey = place.settling and topic.group == "For you"
        hint = [Span(keys, "soft" if grey else "ink", bold=not grey), Span(f" {word}", "soft")]
        if left:
            hint.insert(0, Span("  "))
        if _cells([*left, *hint]) + 2 > room:
            continue
        left.extend(hint)
        named += 1
    return Line(tuple(left), right, indent=1)


def _help(keymap: Keymap, place: Place) -> tuple[Span, ...]:
    help_action = next(action for action in keymap.actions if action.id == "help")
    key = keymap.shown([help_action], place.typing)
    return (Span(key, "ink", bold=True), Span(" help", "soft"), Span("  ")) if key else ()


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(shown(span)) for span in spans)
