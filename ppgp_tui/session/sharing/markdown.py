"""Words of files as Markdown that says exactly these words: no link, no HTML, no broken table.

CommonMark lets any ASCII punctuation be escaped; what turns addresses into links looks at the text
after that, so addresses get a character that nobody sees in them (a word joiner, which `safe` never
lets in from a file).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ppgp_tui.session.text import one_line, safe

_ALWAYS = re.compile(r"[\\`*_\[\]<>~&$#]")
_SCHEME = re.compile(r"(?<=[^\W\d_]):(?=[/\w])")
_DOT = re.compile(r"(?<=\w)\.(?=[^\W\d_])")
_AT = re.compile(r"@(?=\S)")
_BEGINS = re.compile(r"[-+=:]|\d+(?=[.)])")
_TICKS = re.compile(r"`+")
_JOINER = "&#8288;"


def text(words: str) -> str:
    """`words` on one line, to be read as they are wherever they stand in a line."""
    escaped = _ALWAYS.sub(r"\\\g<0>", one_line(words)).replace("|", "&#124;")
    escaped = _SCHEME.sub(r"\\:", escaped)
    escaped = _DOT.sub(r"\\.", escaped)
    escaped = _AT.sub("@" + _JOINER, escaped)
    begins = _BEGINS.match(escaped)
    if begins is None:
        return escaped
    first = begins[0]
    return f"{first}\\{escaped[len(first) :]}" if first.isdigit() else f"\\{escaped}"


def code(words: str) -> str:
    """`words` on one line, as code: for ids, paths and commands; nothing for no words."""
    line = one_line(words)
    if not line:
        return ""
    if "|" in line:  # a cell of a table would end there, code or not
        return text(line)
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(line)), default=0))
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def block(words: str) -> list[str]:
    """`words` as lines of a block of plain text, exactly as they stand."""
    lines = safe(words).split("\n")
    ticks = "`" * max(3, 1 + max((len(run) for run in _TICKS.findall(words)), default=0))
    return [f"{ticks}text", *(line.rstrip() for line in lines), ticks]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of cells that are Markdown already."""
    lines = [_row(heads), _row(["---"] * len(heads))]
    return [*lines, *(_row(row) for row in rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
