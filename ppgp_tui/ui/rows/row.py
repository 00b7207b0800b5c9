"""Rows: what a view is made of, and how one row becomes cells of a given width.

A view is a function from the snapshot to rows. A row has a key, so that the cursor survives every
update, and one or more lines; a line reads sign, words, and at the right edge state and age.
Cutting follows one rule: the right side wins, then the words are shortened, ids and state words
never.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, overload

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Origin
from ppgp_tui.session.text import one_line, safe
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.rows.cells import ascii_words, exactly, shorten, steady, without_middle

__all__ = [
    "GUTTER", "Line", "Row", "Span", "blank", "draw", "heading", "shorten", "shown", "words",
]  # fmt: skip

_SHORT = 200
"""Only texts up to this length are kept cleaned."""
GUTTER = 3
"""Focus bar, sign, blank: words start in this column."""


class Span(NamedTuple):
    """Some words in one style. Text may come from a file: it is cleaned when drawn."""

    text: str
    role: Role = "text"
    bold: bool = False
    underline: bool = False
    strike: bool = False
    band: bool = False
    """A filled band in the colour of `role`."""
    exact: bool = False
    """Keep runs of blanks: source text, where they mean something."""
    link: str = ""
    """`file:PATH` or `commit:HASH` that the words stand for: a link where there are any."""
    on: Role | None = None
    """The tint behind the words; None: that of the row."""


class Line(NamedTuple):
    """One line of a row."""

    left: tuple[Span, ...] = ()
    right: tuple[Span, ...] = ()
    sign: Sign | None = None
    sign_role: Role = "soft"
    indent: int = GUTTER
    """Column of the first word; a heading uses 1."""
    cut: Literal["middle", "end"] = "end"
    """Where `left` is shortened when both sides do not fit."""
    tab: int | None = None
    """Column where a second group of `left` (after `|` in `columns`) begins; see `columns`."""
    columns: tuple[Span, ...] = ()
    """Words that start at column `tab` when there is room, else they are left out."""


class Row(NamedTuple):
    """What the cursor can stand on, or a heading or blank when `key` is empty."""

    key: str
    lines: tuple[Line, ...]
    origin: Origin | None = None
    copy: str = ""
    """What `c` copies; the words of the first line when empty."""
    opens: str = ""
    """What Enter does here, as the key line says it (`read`, `answer`); empty: nothing to open."""
    thing: str = ""
    """What it stands for in the log or in Git, for its lineage: `node:ID`, `event:INDEX`,
    `commit:HASH`; empty when it stands for nothing there."""
    leads: bool = False
    """Enter goes to `thing`, and Esc comes back."""
    family: bool = False
    """Rows belong to it that can be shown or hidden."""
    edits: str = ""
    """The file that an editor opens here, where that is another one than it was read from."""

    @property
    def selectable(self) -> bool:
        """The cursor may stand here."""
        return bool(self.key)


class RowsOnDemand(Sequence[Row]):
    """Rows of which each is made when it is looked at."""

    @abstractmethod
    def row(self, index: int) -> Row:
        """The row at `index`, as lists count; raises `IndexError` where there is none."""

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self.row(at) for at in range(*index.indices(len(self)))]
        return self.row(index)


def heading(text: str, note: str = "", right: Iterable[Span] = ()) -> Row:
    """A section's heading: bold, with a soft note beside it and words at the right edge."""
    left = [Span(text, "ink", bold=True)]
    if note:
        left.append(Span("  " + note, "soft"))
    return Row("", (Line(tuple(left), tuple(right), indent=1),))


def blank() -> Row:
    """An empty line between sections."""
    return Row("", (Line(),))


def words(row: Row) -> str:
    """What the first line of `row` says, for copying it and for finding it."""
    if not row.lines:
        return ""
    line = row.lines[0]
    return " ".join("".join(shown(span) for span in (*line.left, *line.columns)).split())


def draw(
    line: Line,
    width: int,
    look: Look,
    *,
    focused: bool = False,
    struck: bool = False,
    on: Role = "bg",
) -> list[Segment]:
    """Return segments exactly `width` cells wide for `line`.

    `focused` draws the focus bar and the field tint, `struck` strikes the words of a row that is
    no longer there. The last column stays blank.
    """
    pen = _Pen(look, "field" if focused else on, bold=focused and look.ansi, struck=struck)
    inner = max(0, width - line.indent - 1)
    right = _fit(pen.write(line.right), inner, look, "end")
    right_width = _width(right)
    room = inner - right_width - 1 if right_width else inner
    left = pen.write(line.left)
    start = None if line.tab is None else line.tab - line.indent
    if line.columns and start is not None and start < room - 8:
        left = pen.fill(_fit(left, start - 2, look, line.cut), start)
        left += _fit(pen.write(line.columns), room - start, look, "end")
    else:
        left = _fit(left, room, look, line.cut)
    gutter = _gutter(line, pen, focused)
    return pen.exactly([*gutter, *pen.fill(left, inner - right_width), *right], width)


class _Pen(NamedTuple):
    """Writes spans on one ground."""

    look: Look
    ground: Role
    bold: bool = False
    struck: bool = False

    def write(self, spans: Iterable[Span]) -> list[Segment]:
        return [segment for span in spans for segment in self._segments(span)]

    def _segments(self, span: Span) -> Iterable[Segment]:
        """The words apart from the blanks around them: renderers of pictures drop such blanks."""
        text = ascii_words(shown(span)) if self.look.ascii_words else shown(span)
        style = self._style(span)
        address = self.look.address(span.link) if span.link else ""
        linked = self._style(span, address) if address else style
        words = text.strip(" ")
        before = len(text) - len(text.lstrip(" "))
        after = len(text) - before - len(words)
        for part, manner in ((" " * before, style), (words, linked), (" " * after, style)):
            if part:
                yield Segment(part, manner)

    def _style(self, span: Span, address: str = "") -> Style:
        return self.look.style(
            span.role,
            on="bg" if span.band else span.on or self.ground,
            bold=span.bold or span.band or self.bold,
            underline=span.underline or bool(address),
            strike=span.strike or self.struck,
            reverse=span.band,
            link=address,
        )

    def blank(self, width: int) -> Segment:
        return Segment(" " * width, self.look.style("text", on=self.ground))

    def fill(self, segments: list[Segment], width: int) -> list[Segment]:
        missing = width - _width(segments)
        return [*segments, self.blank(missing)] if missing > 0 else segments

    def exactly(self, segments: list[Segment], width: int) -> list[Segment]:
        """Fill up or cut off: whatever was asked for, a line never leaves its width."""
        kept: list[Segment] = []
        room = width
        for segment in segments:
            cells = cell_len(segment.text)
            if cells > room:
                segment = Segment(exactly(segment.text, room), segment.style)
                cells = room
            if segment.text:
                kept.append(segment)
            room -= cells
        return [*kept, self.blank(room)] if room else kept


def _gutter(line: Line, pen: _Pen, focused: bool) -> list[Segment]:
    if not line.indent:
        return []
    look = pen.look
    bar = look.style("ink", on=pen.ground, reverse=True) if focused else None
    segments = [Segment(" ", bar) if bar else pen.blank(1)]
    if line.indent >= GUTTER:
        sign = look.sign(line.sign) if line.sign else ""
        style = look.style(line.sign_role, on=pen.ground, bold=True)
        segments.append(Segment(sign.ljust(line.indent - 1), style))
    elif line.indent > 1:
        segments.append(pen.blank(line.indent - 1))
    return segments


def shown(span: Span) -> str:
    """The characters that reach the terminal for `span`: clean, on one line, its edges kept."""
    if len(span.text) > _SHORT:
        return _clean(without_middle(span.text), span.exact)
    return _clean_again(span.text, span.exact)


def _clean(text: str, exact: bool) -> str:
    if exact:
        return steady(safe(text).expandtabs(4).replace("\n", " "))
    clean = steady(one_line(text))
    if not clean:
        return " " * (len(text) - len(text.lstrip(" ")))
    before = len(text) - len(text.lstrip(" "))
    after = len(text) - len(text.rstrip(" "))
    return " " * before + clean + " " * after


_clean_again = lru_cache(maxsize=8_192)(_clean)
"""The same words are measured and drawn again with every picture."""


def _width(segments: Iterable[Segment]) -> int:
    return sum(cell_len(segment.text) for segment in segments)


def _fit(
    segments: list[Segment], room: int, look: Look, cut: Literal["middle", "end"]
) -> list[Segment]:
    """Shorten to `room` cells by cutting the widest segment; later ones go first when hopeless."""
    total = _width(segments)
    if total <= room:
        return segments
    if room <= 0:
        return []
    at = max(range(len(segments)), key=lambda index: cell_len(segments[index].text))
    text, style, _ = segments[at]
    others = total - cell_len(text)
    if others + 2 > room:
        if len(segments) > 1:
            return _fit(segments[:-1], room, look, cut)
        others = 0
    short = shorten(text, room - others, cut, look.sign("cut"))
    return [*segments[:at], Segment(short, style), *segments[at + 1 :]]
