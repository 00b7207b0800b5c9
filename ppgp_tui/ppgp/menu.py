"""Documents that offer candidate goals instead of stating one.

A menu has options under letters and no chosen goal (PPGP reference section 2.4). What it asks of a
person is a pending decision; an option that needs agreement first is blocked for itself alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ppgp_tui.ppgp.entries import Entry, entries_of
from ppgp_tui.ppgp.fields import Fields, heading_words
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain, sentences
from ppgp_tui.ppgp.reading import Item
from ppgp_tui.ppgp.waiting import decided_by_person
from ppgp_tui.ppgp.words import CANDIDATE_PARTS, GOAL_PARTS

_OPTION = Pattern(
    r"\W*(?:(?:option|candidate|variant|вариант|方案|选项|候補|案|옵션|option|opción|opção"
    r"|seçenek|الخيار)\s*)?"
    r"([A-H]|[1-9])\s*[.:：)）、—–]\s*\S",
    re.I,
)
_BEGIN = Pattern(
    r"\b(?:start|begin|starting|beginning) (?:with|by|from)\b|着手|から始め|начать|начн\w+|先做"
    r"|从.{1,20}(?:开始|入手)"
    r"|부터 시작|\bcommencer par\b|\bempezar (?:por|con)\b|\bmit .{1,40} (?:beginnen|anfangen)\b"
    r"|\bcomeçar (?:por|com)\b|\bile başla|البدء ب",
    re.I,
)
_RECOMMENDED = Pattern(
    r"\brecommend\w*|推奨|おすすめ|推荐|推薦|建议|рекоменд\w+|추천|권장|recommand\w+|recomend\w+"
    r"|empf[oe]hl\w+|öneri\w*|موصى",
    re.I,
)


class Menu(NamedTuple):
    """Candidate goals, what a person is asked, and what is recommended."""

    asks: tuple[Item, ...]
    """Sentences that ask a person to confirm or choose."""
    agreements: tuple[tuple[str, str, int], ...]
    """Text, option and line of what needs agreement before it is touched."""
    advice: Item | None
    """The recommended start."""


def menu_of(fields: Fields) -> Menu | None:
    """Return the menu of a document, or None when it states a goal or offers no options."""
    if fields["GOAL"] is not None:
        return None
    for section in fields.extra:
        options = entries_of(fields.content, section)
        letters = [letter for entry in options if (letter := _letter(entry))]
        heading = heading_words(section)
        if not any(word in heading for word in CANDIDATE_PARTS):
            continue
        lettered = len(letters) >= 2 and len(set(letters)) == len(letters)
        items = sum(entry.is_listed for entry in options)
        if lettered or (items >= 2 and any(word in heading for word in GOAL_PARTS)):
            return Menu(_asks(fields), _agreements(options), _advice(fields, options))
    return None


def _letter(entry: Entry) -> str | None:
    if entry.kind not in ("text", "group", "item"):
        return None
    if entry.number is not None:
        return str(entry.number)
    option = _OPTION.match(plain(entry.raw)[:60])
    return option[1].upper() if option else None


def _asks(fields: Fields) -> tuple[Item, ...]:
    preamble = entries_of(fields.content, fields.outline.preamble)
    return tuple(
        Item(asked, entry.line)
        for entry in preamble
        for sentence in sentences(entry.text)
        if (asked := decided_by_person(sentence))
    )


def _agreements(options: list[Entry]) -> tuple[tuple[str, str, int], ...]:
    found: list[tuple[str, str, int]] = []
    scope = ""
    for entry in options:
        scope = _letter(entry) or scope
        found += [
            (piece.text, scope, piece.line)
            for piece in (entry, *entry.children)
            if scope and piece.kind == "item" and decided_by_person(piece.text)
        ]
    return tuple(found)


def _advice(fields: Fields, options: list[Entry]) -> Item | None:
    advice = fields["NEXT_EXECUTABLE_ACTION"]
    for entry in advice.entries if advice else ():
        for sentence in sentences(entry.text):
            if _BEGIN.search(sentence):
                return Item(sentence, entry.line)
    if advice and advice.entries:
        return Item(advice.entries[0].text, advice.entries[0].line)
    for entry in options:
        if _letter(entry) and _RECOMMENDED.search(entry.text):
            return Item(entry.text, entry.line)
    return None
