"""Surgical edits of a goal document: one word or one mark, every other byte stays as it was.

Each edit is tried where it may belong and read again: it counts only when the document then says
what was wanted and everything else as before. Documents are written by hand in every style, so
nothing less would do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from ppgp_tui.ppgp.document import Document
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading, Item
from ppgp_tui.ppgp.vocabulary import PHASES

_LEAD: Final = re.compile(
    r"\s*(?:>\s*)*\|?\s*"
    r"(?:[-*+•‣▪◦–]\s+|[●○■□◆・]\s*|(?:\d{1,3}\.)*\d{1,3}[.)）、．]\s*|[(（]\d{1,3}[)）]\s*|[①-⑳]\s*"
    r"|[a-z]\)\s+)?(?:\[[^\]]?\](?!\()\s*)?"
)
_LABEL: Final = re.compile(r"[^:：]{1,120}[:：](?:\*\*|__)?\s*")
_MARK: Final = re.compile(rb"\[(?:granted|refused|answered) [^\]\r\n]*\] ")
_WORD: Final = re.compile(r"[^\W\d_]+")


class NoSuchSpanError(ValueError):
    """The words to change are not there (any more); the message says what to do instead."""


def set_phase(data: bytes, path: str, phase: str) -> bytes:
    """Return `data` with the word of the lifecycle phase replaced by `phase`.

    Raises `NoSuchSpanError` where the document names no lifecycle phase, or names several on the
    line: words that only suggest one, and a list with a mark, are the author's to change.
    """
    before = read_goal(data, path)
    if before.phase is None or before.phase_line is None:
        raise NoSuchSpanError(f"{path} names no lifecycle phase; write one under a PHASE heading")
    start, line = _line(data, before.phase_line)
    words = list(_WORD.finditer(line))
    where = f"{path} line {before.phase_line}"
    if len({word[0] for word in words if word[0] in PHASES}) > 2:
        raise NoSuchSpanError(f"{where} lists the phases; move its mark by hand")
    named = [word for word in words if word[0].upper() == before.phase]
    spans = [(_bytes(line[: word.start()]), _bytes(word[0])) for word in named]
    tried = (
        data[: start + len(lead)] + phase.encode() + data[start + len(lead) + len(word) :]
        for lead, word in spans
    )
    wanted = {**_said(before), "phase": phase}
    return _only(tried, lambda changed: _said(read_goal(changed, path)) == wanted, where)


def mark_item(data: bytes, path: str, item: Item, mark: str) -> bytes:
    """Return `data` with `[mark] ` put before the words of the pending `item`.

    Raises `NoSuchSpanError` where that would not make exactly this entry a decided one.
    """
    before = read_goal(data, path)
    start, line = _line(data, item.line)
    lead = _LEAD.match(line)
    first = lead.end() if lead else 0
    label = _LABEL.match(line, first)
    places = [first, *([label.end()] if label else [])]
    tried = (
        data[: start + len(_bytes(line[:at]))]
        + f"[{mark}] ".encode()
        + data[start + len(_bytes(line[:at])) :]
        for at in places
    )
    left = [one for one in before.authority.pending if one != item]
    wanted = {**_said(before), "pending": left}
    return _only(
        tried, lambda changed: _said(read_goal(changed, path)) == wanted, f"{path} line {item.line}"
    )


def unmark_item(data: bytes, path: str, stands: Callable[[GoalReading], bool]) -> bytes:
    """Return `data` without the one mark whose removal makes an entry pending again.

    `stands` tells whether a reading has that entry. Raises `NoSuchSpanError` unless there is
    exactly one such mark.
    """
    before = {**_said(read_goal(data, path)), "pending": None}

    def is_right(changed: bytes) -> bool:
        after = read_goal(changed, path)
        return stands(after) and {**_said(after), "pending": None} == before

    found = [
        changed
        for mark in _MARK.finditer(data)
        if is_right(changed := data[: mark.start()] + data[mark.end() :])
    ]
    if len(found) != 1:
        raise NoSuchSpanError(f"{len(found)} marks in {path} could be the one to remove")
    return found[0]


def _only(tried: Iterable[bytes], is_right: Callable[[bytes], bool], where: str) -> bytes:
    for changed in tried:
        if is_right(changed):
            return changed
    raise NoSuchSpanError(f"{where} is written in a way that is changed by hand only")


def _said(reading: GoalReading) -> dict[str, Any]:
    """What a reader takes from the document, apart from remarks and from what was granted."""
    return {
        "phase": reading.phase,
        "pending": list(reading.authority.pending),
        "title": reading.title,
        "goal": reading.goal,
        "why": reading.why,
        "fields": [(field.name, field.line) for field in reading.fields],
        "sections": [(section.title, section.line) for section in reading.sections],
        "dod": [(one.text, one.state, one.line) for one in reading.dod],
        "blockers": [(one.text, one.klass, one.scope, one.line) for one in reading.blockers],
        "next": reading.next_action and reading.next_action.text,
        "lines": reading.line_count,
    }


def _line(data: bytes, number: int) -> tuple[int, str]:
    """Offset and text of line `number`, from 1; bytes that are no UTF-8 come back unharmed."""
    lines = Document(data).lines
    if not 1 <= number <= len(lines):
        raise NoSuchSpanError(f"there is no line {number} any more")
    line = lines[number - 1]
    return line.start, data[line.start : line.end].decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
