"""A line that is being typed: what is found with `/`, what is asked of the palette."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppgp_tui.session.text import safe
from ppgp_tui.ui.rows.cells import first, steady
from ppgp_tui.ui.rows.row import Span


@dataclass(slots=True)
class Entry:
    """The words so far and where the next character goes."""

    text: str = ""
    at: int = 0
    """Index in `text`, from 0 to its length."""

    def press(self, key: str, character: str | None) -> bool:
        """Take `key` (a Textual key name) if it types or edits; return whether it did."""
        if key in _EDITS:
            self.text, self.at = _EDITS[key](self.text, self.at)
            return True
        if character is None or not character.isprintable():
            return False
        self.insert(character)
        return True

    def insert(self, text: str) -> None:
        """Put typed or pasted text where the cursor is, cleaned and on one line."""
        clean = steady(safe(text).replace("\t", " ").replace("\n", " "))
        self.text = self.text[: self.at] + clean + self.text[self.at :]
        self.at += len(clean)

    def spans(self) -> tuple[Span, ...]:
        """The words with a cursor that needs no colour to be seen."""
        before, here, after = self.text[: self.at], self.text[self.at :][:1], self.text[self.at :]
        return (
            Span(before, "ink", bold=True, exact=True),
            Span(here or "_", "needs", bold=True, underline=bool(here), exact=True),
            Span(after[1:], "ink", bold=True, exact=True),
        )

    def lines(self, room: int) -> list[tuple[Span, ...]]:
        """The same in lines of at most `room` cells, broken where they are full."""
        lines: list[tuple[Span, ...]] = []
        rest, at = self.text, self.at
        while True:
            piece = first(rest[: 4 * room], room - 1) or rest[:1]
            rest = rest[len(piece) :]
            if 0 <= at < len(piece) or (at == len(piece) and not rest):
                lines.append(Entry(piece, at).spans())
            else:
                lines.append((Span(piece, "ink", bold=True, exact=True),))
            if not rest:
                return lines
            at -= len(piece)


def _word_start(text: str, at: int) -> int:
    """Where the word before `at` begins."""
    return len(text[:at].rstrip().rpartition(" ")[0]) + (" " in text[:at].rstrip())


_EDITS: dict[str, Callable[[str, int], tuple[str, int]]] = {
    "backspace": lambda text, at: (text[: max(0, at - 1)] + text[at:], max(0, at - 1)),
    "delete": lambda text, at: (text[:at] + text[at + 1 :], at),
    "left": lambda text, at: (text, max(0, at - 1)),
    "right": lambda text, at: (text, min(len(text), at + 1)),
    "home": lambda text, _: (text, 0),
    "end": lambda text, _: (text, len(text)),
    "ctrl+a": lambda text, _: (text, 0),
    "ctrl+e": lambda text, _: (text, len(text)),
    "ctrl+u": lambda text, at: (text[at:], 0),
    "ctrl+k": lambda text, at: (text[:at], at),
    "ctrl+w": lambda text, at: (text[: _word_start(text, at)] + text[at:], _word_start(text, at)),
}
"""Editing keys as a shell has them: what they make of the text and the cursor."""
EDITING_KEYS = frozenset(_EDITS)
