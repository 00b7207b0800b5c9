"""Surgical edits of a goal document: one word or one mark, every other byte stays as it was."""

from __future__ import annotations

import re

from ppgp_tui.ppgp.document import Document
from ppgp_tui.ppgp.reading import GoalReading, Item

_MARKER = re.compile(
    rb"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?:\[[ xX~-]\][ \t]+)?", re.ASCII
)
_MARK = re.compile(rb"\[(?:granted|refused|answered) [^\]\n]*\] ")


class NoSuchSpanError(ValueError):
    """The words to change are not there (any more); the message says what to do instead."""


def set_phase(data: bytes, reading: GoalReading, phase: str) -> bytes:
    """Return `data` with the phase word replaced by `phase`.

    `reading` must be of exactly these bytes. Raises `NoSuchSpanError` where the document names no
    lifecycle phase: words that only suggest one are the author's to change.
    """
    if reading.phase is None or reading.phase_line is None:
        raise NoSuchSpanError(
            f"{reading.path} names no lifecycle phase; write one under a PHASE heading"
        )
    start, line = _line(data, reading.phase_line)
    word = re.compile(rb"(?<![A-Za-z_])" + reading.phase.encode() + rb"(?![A-Za-z_])", re.I)
    found = list(word.finditer(line))
    if not found:
        raise NoSuchSpanError(f"{reading.path} line {reading.phase_line} no longer names the phase")
    # On one line with its label, the label comes first: `PHASE: EXECUTE`.
    at = found[-1] if len(found) > 1 and found[0][0].upper() == b"PHASE" else found[0]
    return data[: start + at.start()] + phase.encode() + data[start + at.end() :]


def mark_item(data: bytes, item: Item, mark: str) -> bytes:
    """Return `data` with `[mark] ` put before the words of `item`, after its list marker.

    Raises `NoSuchSpanError` where that line does not begin with the item's words.
    """
    start, line = _line(data, item.line)
    at = start + _marker_end(line)
    if not re.sub(r"[*_`~]", "", item.text).encode().startswith(_plain(line[at - start :])):
        raise NoSuchSpanError(f"line {item.line} no longer reads as it did")
    return data[:at] + f"[{mark}] ".encode() + data[at:]


def unmark_item(data: bytes, text: str) -> bytes:
    """Return `data` without the mark that `mark_item` put before the item reading `text`.

    Raises `NoSuchSpanError` unless exactly one line carries such a mark.
    """
    words = re.sub(r"[*_`~]", "", text).encode()
    found = []
    for line in Document(data).lines:
        at = line.start + _marker_end(data[line.start : line.end])
        mark = _MARK.match(data, at, line.end)
        if mark and words.startswith(_plain(data[mark.end() : line.end])):
            found.append(mark.span())
    if len(found) != 1:
        raise NoSuchSpanError(f"{len(found)} marked lines read like the answered one")
    ((start, end),) = found
    return data[:start] + data[end:]


def _marker_end(line: bytes) -> int:
    marker = _MARKER.match(line)
    return marker.end() if marker else 0


def _plain(words: bytes) -> bytes:
    return re.sub(rb"[*_`~]", b"", words).strip() or b"\0"


def _line(data: bytes, number: int) -> tuple[int, bytes]:
    """Offset and bytes of line `number`, from 1, without its ending."""
    lines = Document(data).lines
    if not 1 <= number <= len(lines):
        raise NoSuchSpanError(f"there is no line {number} any more")
    line = lines[number - 1]
    return line.start, data[line.start : line.end]
