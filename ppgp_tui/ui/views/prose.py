"""Running text in rows: wrapped by cells, never cut."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from ppgp_tui.session.model import Origin
from ppgp_tui.session.text import one_line, safe
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.rows.cells import first, steady
from ppgp_tui.ui.rows.columns import to_left
from ppgp_tui.ui.rows.linked import target_of
from ppgp_tui.ui.rows.row import Line, Row, Span

LABEL = 9
"""Cells of a label and the blank behind it."""
READABLE = 84
"""Cells of a line of running text on a wide screen."""
_NEAR = 5
"""Code points, for each cell of a line, that more than fill it with steady text."""
LONGEST = 20_000
"""Characters of one text that are laid out; what is left out is said."""


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells; its own line breaks and blank lines are kept."""
    left_out = len(text) - LONGEST
    lines: list[str] = []
    for paragraph in safe(text[:LONGEST]).strip().split("\n"):
        lines += _wrap_line(steady(one_line(paragraph)), max(4, width)) or [""]
    if left_out > 0:
        lines.append(f"and {left_out:,} more characters")
    return lines


def _wrap_line(text: str, width: int) -> list[str]:
    lines: list[str] = []
    current, used = "", 0
    for word in text.split(" ") if text else []:
        for piece in _pieces(word, width):
            size = cell_len(piece)
            if current and used + 1 + size <= width:
                current, used = f"{current} {piece}", used + 1 + size
                continue
            if current:
                lines.append(current)
            current, used = piece, size
    return [*lines, current] if current else lines


def _pieces(word: str, width: int) -> Iterator[str]:
    """`word`, broken where it is wider than a whole line."""
    if cell_len(word) <= width:
        yield word
        return
    piece, used = "", 0
    for character in word:
        size = cell_len(character)
        if used + size > width:
            yield piece
            piece, used = "", 0
        piece, used = piece + character, used + size
    yield piece


def exact_pieces(text: str, room: int) -> list[str]:
    """`text` in pieces of at most `room` cells, cut at blanks where it can be, its blanks kept."""
    room = max(8, room)
    whole = steady(safe(text).expandtabs(4))
    pieces, at = [], 0
    while cell_len(near := whole[at : at + _NEAR * room]) > room:
        head = first(near, room) or near[:1]
        blank = head.rfind(" ")
        follows = near[len(head) : len(head) + 1]
        if blank > room // 2 and follows != " ":
            head = head[: blank + 1]
            follows = ""
        pieces.append(head)
        at += len(head)
        if follows == " " and not head.endswith(" "):
            at += 1
    return [*pieces, whole[at:]]


def paragraph(
    text: str,
    width: int,
    role: Role = "text",
    *,
    key: str = "",
    indent: int = 1,
    bold: bool = False,
    origin: Origin | None = None,
) -> Row:
    """One row with all of `text` in a pane `width` cells wide."""
    return Row(
        key,
        tuple(
            Line((Span(line, role, bold=bold),), indent=indent)
            for line in wrapped(text, width - indent - 1)
        ),
        origin,
        copy=text,
    )


def labelled(
    label: str,
    value: str,
    width: int,
    *,
    indent: int = 1,
    origin: Origin | None = None,
    column: int = LABEL,
    lives: bool = False,
) -> Row:
    """A soft label and its value, the value wrapped beside it in its own column.

    A value that `lives` stays the same row when it changes; its label stands once in the pane.
    """
    lines = wrapped(value, width - indent - column - 1)
    return Row(
        f"about:{label}" if lives else f"about:{label}:{value[:60]}",
        tuple(
            Line(
                (
                    *to_left(Span("" if at else label, "soft"), column),
                    Span(line, link=target_of(line)),
                ),
                indent=indent,
            )
            for at, line in enumerate(lines)
        ),
        origin,
        copy=value,
    )
