"""What a drawing looks like as text; a filled band is shown as half blocks, as in the screens."""

from __future__ import annotations

from ppgp_tui.ui.graph import Drawing
from ppgp_tui.ui.looks.look import ROLES, Look
from ppgp_tui.ui.rows.row import Span

UNICODE = Look(dict.fromkeys(ROLES, "default"))
ASCII = Look(dict.fromkeys(ROLES, "default"), ascii=True)


def text(drawing: Drawing) -> str:
    """The lines without the blanks at their ends."""
    return "\n".join(row(line).rstrip() for line in drawing.lines)


def row(line: tuple[Span, ...]) -> str:
    """One line; the spine of a card and the end of a filled band are half blocks."""
    return "".join(_shown(span) for span in line)


def _shown(span: Span) -> str:
    return span.text[:-1] + "▌" if span.band and span.text.endswith(" ") else span.text
