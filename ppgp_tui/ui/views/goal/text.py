"""The goal document's own text as rows: numbered, findings marked, one field brought forward."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from ppgp_tui.ppgp.document import Document
from ppgp_tui.session.model import Origin
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.rows.row import GUTTER, Line, Row, RowsOnDemand, Span
from ppgp_tui.ui.views.prose import exact_pieces

WRAPPED_BYTES = 96 * 1024
"""Longer documents are not wrapped: one row a line, cut at the edge, made when it is in view."""


class TextRows(RowsOnDemand):
    """The lines of a document as rows, each made when it is asked for."""

    def __init__(
        self,
        document: bytes,
        width: int,
        path: str,
        *,
        found: Mapping[int, str],
        first_line: int = 0,
        last_line: int = 0,
        wanted: str = "",
        commit: str = "",
    ) -> None:
        """`found` says which lines have a finding; lines `first_line` to `last_line` stand out.

        So does every place where `wanted` is written, letter case ignored. `commit` is the one the
        document is of; empty: it is the file as it lies there.
        """
        self._lines = _split(document).lines
        self._digits = max(3, len(str(len(self._lines))))
        self._room = width - GUTTER - self._digits - 3
        self._pieces = _pieces(document, self._room) if len(document) <= WRAPPED_BYTES else None
        self._origin = Origin(path, commit=commit)
        self._found = found
        self._span = range(first_line, last_line + 1)
        self._wanted = wanted.casefold()

    def __eq__(self, other: object) -> bool:
        """Whether the same lines are shown in the same way."""
        if not isinstance(other, TextRows):
            return NotImplemented
        mine = self._lines, self._room, self._origin, self._found, self._span, self._wanted
        return mine == (
            other._lines, other._room, other._origin, other._found, other._span, other._wanted,
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._lines if self._pieces is None else self._pieces)

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        if self._pieces is None:
            number, part, text = self._lines[index].number, 0, self._lines[index].text
        else:
            number, part, text = self._pieces[index]
        marked = number in self._found and not part
        forward = number in self._span
        role: Role = "ink" if forward else "text" if not self._span else "soft"
        label = "" if part else str(number)
        line = Line(
            (
                Span(f"{label:>{self._digits}}  ", "ink" if forward else "soft", exact=True),
                *_marked(text, role, self._wanted),
            ),
            sign="finding" if marked else None,
            sign_role="wait",
        )
        key = f"line:{number}.{part}" if part else f"line:{number}"
        origin = replace(self._origin, line=number)
        return Row(key, (line,), origin, self._lines[number - 1].text)

    def saying(self, wanted: str) -> list[int]:
        """Indexes of the rows where a line of the document that holds `wanted` begins."""
        low = wanted.casefold()
        numbers = (line.number for line in self._lines if low and low in line.text.casefold())
        places = (self.place(f"line:{number}") for number in numbers)
        return [place for place in places if place is not None]

    def matching(self) -> int:
        """How many lines of the document hold what is looked for."""
        return sum(self._wanted in line.text.casefold() for line in self._lines)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        number, _, part = key.removeprefix("line:").partition(".")
        if not key.startswith("line:") or not number.isdecimal():
            return None
        if self._pieces is None:
            return int(number) - 1 if 0 < int(number) <= len(self._lines) else None
        wanted = (int(number), int(part) if part.isdecimal() else 0)
        at = bisect_left(self._pieces, wanted, key=lambda piece: piece[:2])
        found = at < len(self._pieces) and self._pieces[at][:2] == wanted
        return at if found else None


def _marked(text: str, role: Role, wanted: str) -> Iterator[Span]:
    """`text`, and in it what is looked for underlined."""
    folded = text.casefold()
    at = 0
    if wanted and len(folded) == len(text):
        while (begin := folded.find(wanted, at)) >= 0:
            yield Span(text[at:begin], role, exact=True)
            at = begin + len(wanted)
            yield Span(text[begin:at], "ink", bold=True, underline=True, exact=True)
    yield Span(text[at:], role, exact=True)


@lru_cache(maxsize=2)
def _split(document: bytes) -> Document:
    return Document(document)


@lru_cache(maxsize=4)
def _pieces(document: bytes, room: int) -> tuple[tuple[int, int, str], ...]:
    """Every line in pieces of at most `room` cells: line number, which piece, its text."""
    return tuple(
        (line.number, part, piece)
        for line in _split(document).lines
        for part, piece in enumerate(exact_pieces(line.text, room))
    )
