"""Rows: what a view is made of, and how one row becomes cells of a given width.

A view is a function from the snapshot to rows. A row has a key, so that the cursor survives every
update, and one or more lines; a line reads sign, words, and at the right edge state and age.
Cutting follows one rule: the right side wins, then the words are shortened, ids and state words
never.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.segment import Segment

from ppgp_tui.session.model import Origin
from ppgp_tui.session.text import one_line, safe
from ppgp_tui.ui.look import Look, Role, Sign

GUTTER = 3
"""Focus bar, sign, blank: words start in this column."""


@dataclass(frozen=True, slots=True)
class Span:
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


@dataclass(frozen=True, slots=True)
class Line:
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


@dataclass(frozen=True, slots=True)
class Row:
    """What the cursor can stand on, or a heading or blank when `key` is empty."""

    key: str
    lines: tuple[Line, ...]
    origin: Origin | None = None
    copy: str = ""
    """What `c` copies; the words of the first line when empty."""
    opens: str = ""
    """What Enter does here, as the key line says it (`read`, `answer`); empty: nothing to open."""

    @property
    def selectable(self) -> bool:
        """The cursor may stand here."""
        return bool(self.key)


def heading(text: str, note: str = "", right: Iterable[Span] = ()) -> Row:
    """A section's heading: bold, with a soft note beside it and words at the right edge."""
    left = [Span(text, "ink", bold=True)]
    if note:
        left.append(Span("  " + note, "soft"))
    return Row("", (Line(tuple(left), tuple(right), indent=1),))


def blank() -> Row:
    """An empty line between sections."""
    return Row("", (Line(),))


def draw(
    line: Line, width: int, look: Look, *, focused: bool = False, on: Role = "bg"
) -> list[Segment]:
    """Return segments exactly `width` cells wide for `line`.

    `focused` draws the focus bar and the field tint. The last column stays blank.
    """
    ground: Role = "field" if focused else on
    inner = max(0, width - line.indent - 1)
    right = _segments(line.right, look, ground)
    right_width = _width(right)
    room = inner if not right_width else max(0, inner - right_width - 1)
    left_spans = line.left
    columns_start = None if line.tab is None else line.tab - line.indent
    if line.columns and columns_start is not None and columns_start < room - 8:
        left = _fit(_segments(left_spans, look, ground), columns_start - 2, look, line.cut)
        left = _pad(left, columns_start, look, ground)
        left += _fit(_segments(line.columns, look, ground), room - columns_start, look, "end")
    else:
        left = _fit(_segments(left_spans, look, ground), room, look, line.cut)
    gutter = _gutter(line, look, ground, focused)
    body = _pad(left, inner - right_width, look, ground) + right
    return _pad(gutter + body, width, look, ground)


def _gutter(line: Line, look: Look, ground: Role, focused: bool) -> list[Segment]:
    plain = look.style("text", on=ground)
    bar = look.style("ink", on=ground, reverse=True) if focused else plain
    segments = [Segment(" ", bar)]
    if line.indent >= GUTTER:
        sign = look.sign(line.sign) if line.sign else ""
        segments.append(
            Segment(sign.ljust(line.indent - 1), look.style(line.sign_role, on=ground, bold=True))
        )
    elif line.indent > 1:
        segments.append(Segment(" " * (line.indent - 1), plain))
    return segments if line.indent else []


def _segments(spans: Iterable[Span], look: Look, ground: Role) -> list[Segment]:
    return [
        Segment(
            shown(span),
            look.style(
                span.role,
                on=ground,
                bold=span.bold or span.band,
                underline=span.underline,
                strike=span.strike,
                reverse=span.band,
            ),
        )
        for span in spans
    ]


def shown(span: Span) -> str:
    """The characters that reach the terminal for `span`: clean, on one line, its edges kept."""
    text = span.text
    if span.exact:
        return safe(text).replace("\t", "    ").replace("\n", " ")
    words = one_line(text)
    if not words:
        return " " * (len(text) - len(text.lstrip(" ")))
    before = len(text) - len(text.lstrip(" "))
    after = len(text) - len(text.rstrip(" "))
    return " " * before + words + " " * after


def _width(segments: Iterable[Segment]) -> int:
    return sum(cell_len(segment.text) for segment in segments)


def _pad(segments: list[Segment], width: int, look: Look, ground: Role) -> list[Segment]:
    missing = width - _width(segments)
    if missing <= 0:
        return segments
    return [*segments, Segment(" " * missing, look.style("text", on=ground))]


def _fit(
    segments: list[Segment], room: int, look: Look, cut: Literal["middle", "end"]
) -> list[Segment]:
    """Shorten to `room` cells by cutting the widest segment; later ones go first when hopeless."""
    total = _width(segments)
    if total <= room:
        return segments
    if room <= 0:
        return []
    mark = look.sign("cut")
    widest = max(range(len(segments)), key=lambda at: cell_len(segments[at].text))
    others = total - cell_len(segments[widest].text)
    if others + 2 > room:
        return _fit(segments[:-1], room, look, cut) if len(segments) > 1 else []
    text, style = segments[widest].text, segments[widest].style
    return [
        *segments[:widest],
        Segment(shorten(text, room - others, cut, mark), style),
        *segments[widest + 1 :],
    ]


def shorten(text: str, room: int, cut: Literal["middle", "end"], mark: str = "…") -> str:
    """Cut `text` to `room` cells: sentences at the end, paths in the middle."""
    if cell_len(text) <= room:
        return text
    keep = room - cell_len(mark)
    if keep <= 0:
        return mark[:room]
    if cut == "middle":
        tail = _take(text[::-1], keep // 2)[::-1]
        return _take(text, keep - cell_len(tail)) + mark + tail
    head = _take(text, keep)
    word_end = head.rfind(" ")
    return (head[:word_end] if word_end > keep * 2 // 3 else head).rstrip() + mark


def _take(text: str, room: int) -> str:
    """As many leading characters as fit into `room` cells; never half a wide one."""
    taken, used = [], 0
    for character in text:
        used += cell_len(character)
        if used > room:
            break
        taken.append(character)
    return "".join(taken)
