"""Words measured and cut in terminal cells, never in code points.

Terminals disagree about the width of joined emoji, flags, tone modifiers and characters younger
than their tables; one that is counted wrongly shifts everything to its right. So such text is
reduced to parts that are measured alike everywhere before it is measured at all.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

from rich.cells import cell_len, set_cell_size, split_graphemes, split_text

LONGEST = 1_000
"""Code points kept from either end of a text: more than any screen is wide."""
_MOST_MARKS = 3
"""Combining marks kept on one character; more are piled up to break a screen."""
_FIRST_FLAG_LETTER = 0x1F1E6


def steady(text: str) -> str:
    """Return cleaned `text` with nothing in it whose width terminals disagree about.

    Joiners, tone modifiers and soft hyphens vanish, flags become their two letters, unassigned and
    private characters become U+FFFD, and piled-up combining marks are thinned out.
    """
    if text.isascii():
        return text
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        if character.isascii():
            kept.append(character)
            marks = 0
            continue
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        kept.append(_steady(character, category) if marks <= _MOST_MARKS else "")
    return "".join(kept)


def _steady(character: str, category: str) -> str:
    code = ord(character)
    if category == "Cf" or category == "Me" or 0x1F3FB <= code <= 0x1F3FF:
        return ""
    if category in ("Cn", "Co", "Cs"):
        return "\ufffd"
    if category == "Zs":
        return " " * max(1, cell_len(character))
    if _FIRST_FLAG_LETTER <= code <= _FIRST_FLAG_LETTER + 25:
        return chr(ord("A") + code - _FIRST_FLAG_LETTER)
    return character


def ascii_words(text: str) -> str:
    """Return `text` in ASCII: accents are dropped, what has no ASCII form becomes `?`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    bare = "".join(part for part in parts if not unicodedata.category(part).startswith("M"))
    return bare.encode("ascii", "replace").decode("ascii")


def without_middle(text: str) -> str:
    """Return `text`, or its two ends when no screen could show more of it."""
    if len(text) <= 2 * LONGEST:
        return text
    return f"{text[:LONGEST]}…{text[-LONGEST:]}"


_LOOSE = " .,;:"
"""What ends a sentence or goes on with it: nothing before a cut."""


def shorten(text: str, room: int, cut: Literal["middle", "end"], mark: str = "…") -> str:
    """Cut cleaned `text` to `room` cells: sentences at the end on a word, paths in the middle.

    A title too loses its middle, in whole words where they fill half of the room.
    """
    keep = room - cell_len(mark)
    if cell_len(text) <= room:
        return text
    if keep <= 0:
        return split_text(mark, max(0, room))[0]
    if cut == "middle":
        return _whole_words(text, keep, mark) or both_ends(text, room, mark)
    head = first(text, keep)
    word_end = head.rfind(" ")
    if text[len(head) : len(head) + 1] != " " and word_end > len(head) * 2 // 3:
        head = head[:word_end]
    return head.rstrip(_LOOSE) + mark


def both_ends(text: str, room: int, mark: str = "…") -> str:
    """Cut cleaned `text` to `room` cells, as much from its end as from its beginning left."""
    if cell_len(text) <= room:
        return text
    keep = room - cell_len(mark)
    if keep <= 0:
        return split_text(mark, max(0, room))[0]
    tail = _last(text, keep // 2)
    return first(text, keep - cell_len(tail)) + mark + tail


def _whole_words(text: str, keep: int, mark: str) -> str:
    """First and last words of `text` in `keep` cells; empty where they would not fill half."""
    end = _last_words(text, keep // 2) or _last_words(text, keep * 2 // 3)
    for tail in dict.fromkeys((end, "")):
        head = _first_words(text, keep - cell_len(tail))
        tail = tail and _last_words(text, keep - cell_len(head))
        if head and cell_len(head) + cell_len(tail) >= (keep + 1) // 2:
            return head + mark + tail
    return ""


def _first_words(text: str, room: int) -> str:
    head = first(text, room)
    if text[len(head) : len(head) + 1] != " ":
        head = head[: max(0, head.rfind(" "))]
    return head.rstrip()


def _last_words(text: str, room: int) -> str:
    tail = _last(text, room)
    if not text[: -len(tail)].endswith(" "):
        tail = tail.partition(" ")[2]
    return tail.lstrip()


def first(text: str, room: int) -> str:
    """As many leading characters as fit into `room` cells; never half a wide or accented one."""
    used = end = 0
    for _, stop, width in split_graphemes(text)[0]:
        used += width
        if used > room:
            break
        end = stop
    return text[:end]


def _last(text: str, room: int) -> str:
    used, start = 0, len(text)
    for begin, _, width in reversed(split_graphemes(text)[0]):
        used += width
        if used > room:
            break
        start = begin
    return text[start:]


def exactly(text: str, width: int) -> str:
    """`text` cut or filled up with blanks to `width` cells."""
    return set_cell_size(text, width)
