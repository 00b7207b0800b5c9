"""Finished lines as an SVG picture: the cells of the screen, and no word to any other host.

Every piece of text is as wide as its cells, so columns stay columns whatever font a reader has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import count, groupby

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME, TerminalTheme
from textual.strip import Strip

from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.sharing.strokes import SHAPES, strokes

CELL, LINE, SIZE = 8.4, 17, 14
"""Width of a cell, height of a line, size of a character, in pixels."""
_MARGIN = 14
_FONTS = "'Fira Code','Cascadia Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"
_PLAIN = f"[^ {SHAPES}]+"
_WORDS = re.compile(f"(?P<drawn>[{SHAPES}]+)|{_PLAIN}(?: {_PLAIN})*")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(lines: Sequence[Strip], look: Look, title: str) -> str:
    """The picture of `lines` drawn with `look`; `title` is what is read out instead of it."""
    columns = max((line.cell_length for line in lines), default=0)
    width, height = columns * CELL + 2 * _MARGIN, len(lines) * LINE + 2 * _MARGIN
    paint = _Paint(look)
    cells = "\n".join(_line(line, y, paint) for y, line in enumerate(lines))
    said = escape(_NOT_XML.sub("\ufffd", title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}"'
        f' width="{width:g}" height="{height}" role="img" aria-label="{said}">\n'
        f"<title>{said}</title>\n"
        f"<style>text{{font-family:{_FONTS};font-size:{SIZE}px}}"
        f"rect{{shape-rendering:crispEdges}}{paint.rules()}</style>\n"
        f'<rect width="{width:g}" height="{height}" rx="8" fill="{paint.ground}"/>\n'
        f'<g transform="translate({_MARGIN} {_MARGIN})">\n{cells}\n</g>\n</svg>\n'
    )


def plain(lines: Iterable[Strip]) -> str:
    """The same as text, without blanks at the ends of lines."""
    return "".join(f"{line.text.rstrip()}\n" for line in lines)


class _Paint:
    """Colours and weights as classes, named as they turn up."""

    def __init__(self, look: Look) -> None:
        text, ground = look.colours["text"], look.colours["bg"]
        usual = SVG_EXPORT_THEME
        self._theme = TerminalTheme(
            Color.parse(ground).get_truecolor(foreground=False) if ground != "default"
            else usual.background_color,
            Color.parse(text).get_truecolor() if text != "default" else usual.foreground_color,
            [tuple(usual.ansi_colors[at]) for at in range(8)],  # type: ignore[misc]
            [tuple(usual.ansi_colors[at]) for at in range(8, 16)],  # type: ignore[misc]
        )  # fmt: skip
        self.ground = self._theme.background_color.hex
        self._names: dict[str, str] = {}
        self._number = count(1)

    def text(self, style: Style) -> str:
        """The class of words in `style`."""
        rule = f"fill:{self.ink(style)}" + (";font-weight:bold" if style.bold else "")
        if rule not in self._names:
            self._names[rule] = f"s{next(self._number)}"
        return self._names[rule]

    def ink(self, style: Style) -> str:
        """The colour of words in `style`."""
        return self._colours(style)[0]

    def behind(self, style: Style) -> str:
        """The colour behind it; empty where that is the ground."""
        _, ground = self._colours(style)
        return "" if ground == self.ground else ground

    def rules(self) -> str:
        """All classes, as CSS."""
        return "".join(f".{name}{{{rule}}}" for rule, name in self._names.items())

    def _colours(self, style: Style) -> tuple[str, str]:
        ink, ground = self._hex(style.color, True), self._hex(style.bgcolor, False)
        return (ground, ink) if style.reverse else (ink, ground)

    def _hex(self, colour: Color | None, foreground: bool) -> str:
        colour = colour or Color.default()
        return colour.get_truecolor(self._theme, foreground=foreground).hex


def _line(line: Strip, y: int, paint: _Paint) -> str:
    behind: list[str] = []
    words: list[str] = []
    x = 0
    for text, style in _joined(line):
        cells = cell_len(text)
        if ground := paint.behind(style):
            behind.append(_bar(x, cells, y * LINE, ground))
        for before, word, is_drawn in _words(text):
            at = x + before
            if is_drawn:
                words.append(strokes(word, at * CELL, y * LINE, CELL, LINE, paint.ink(style)))
            else:
                words.append(_word(at, y, word, style, paint))
        if style.underline:
            words.append(_rule(x, cells, y * LINE + SIZE + 1.5, paint.ink(style)))
        if style.strike and text.strip():
            words.append(_rule(x, cells, y * LINE + LINE / 2, paint.ink(style)))
        x += cells
    return "".join((*behind, *words))


def _bar(x: int, cells: int, top: int, colour: str) -> str:
    at, wide = f"{x * CELL:g}", f"{cells * CELL:g}"
    return f'<rect x="{at}" y="{top}" width="{wide}" height="{LINE}" fill="{colour}"/>'


def _rule(x: int, cells: int, at: float, colour: str) -> str:
    """A line below or through words, which stays whatever the picture is scaled to."""
    return f'<path d="M{x * CELL:g} {at:g}h{cells * CELL:g}" stroke="{colour}"/>'


def _word(x: int, y: int, word: str, style: Style, paint: _Paint) -> str:
    said = escape(_NOT_XML.sub("\ufffd", word)).replace(" ", "&#160;")
    at, wide = f"{x * CELL:g}", f"{cell_len(word) * CELL:g}"
    return (
        f'<text class="{paint.text(style)}" x="{at}" y="{y * LINE + SIZE - 1}"'
        f' textLength="{wide}" lengthAdjust="spacingAndGlyphs">{said}</text>'
    )


def _words(text: str) -> Iterator[tuple[int, str, bool]]:
    """The words of `text`, the cells they begin in, and whether they are lines or blocks.

    Readers drop blanks at ends of texts, so only single ones inside stay.
    """
    for found in _WORDS.finditer(text):
        yield cell_len(text[: found.start()]), found[0], found.lastgroup == "drawn"


def _joined(line: Strip) -> Iterable[tuple[str, Style]]:
    """What the line says, in as few pieces as it has changes of style."""
    segments = [one for one in line if one.text and not one.control]
    for style, pieces in groupby(segments, lambda one: one.style or Style.null()):
        yield "".join(one.text for one in pieces), style
