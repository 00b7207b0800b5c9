"""Where a section may start: headings, labels, keys, bullets and table rows as labels.

Every syntax of PPGP reference sections 2.1, 2.2 ("right result") and 2.4. A mark is a candidate;
whether it starts a section depends on what is open at that place (`sections.py`).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from ppgp_tui.ppgp.content import CODE, TEXT, Content, indent_of
from ppgp_tui.ppgp.names import Name, name_of
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain_words

Style = Literal["atx", "setext", "bold", "key", "label", "bullet", "row", "meta"]

_BOLD = Pattern(
    r"(?:\*\*(?P<stars>[^*\n]{1,120})\*\*|__(?P<lines>[^_\n](?:[^\n]{0,118}[^_\n])?)__)"
    r"[ ]?(?P<note>[(（][^()（）]{0,80}[)）])?[ \xa0]*(?P<colon>[:：]|[—–-]+(?=\s))?"
)
_BEFORE_LABEL = Pattern(r"(?:^|[·•|;,/]|\s{2}|[.。!)])\s*(?:[-*+]\s+)?$")
_BULLET = Pattern(r"(\s{0,3})(?:[-*+•‣]|\d{1,3}[.)])\s+(?=\S)")
_BOX = Pattern(r"\[[ \xa0xX✓✔✅☑~/-]?\](?!\()")
_DELIMITER = Pattern(r"\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CHUNK = Pattern(r"\s[·•|]\s")
_STATUS_LABEL = Pattern(r"(?:^|(?<=[.。;·|])\s+)(?=[^\W\d_])")
_DASHED = Pattern(r"([A-Z][A-Z_ ]{2,40}?)\s+[—–-]{1,2}\s+(?=\S)")
_REFERS = Pattern(r"\s#?\d{1,3}(?:\s*(?:[-–—,&+~]|to|through|and)\s*#?\d{1,3})*\W*$", re.I)
"""Ends of labels that name conditions by their numbers: `success criteria 1-6`."""
_UNDERLINE = Pattern(r"\s{0,3}(=+|-{2,})\s*$")
_BRACKETS = Pattern(r"[(（\[][^()（）\[\]]*[)）\]]")
_SHORT = 60


class Mark(NamedTuple):
    """A place where a section may start."""

    at: int
    """Index of the line, from 0."""
    style: Style
    level: int
    """1 to 6 for headings; 2 for bold lines and keys, as the reference has it; 9 for labels."""
    label: str
    """The words of the heading or label, without marks."""
    name: Name | None
    """The field they name, if any."""
    value: str
    """Text after the label on the same line."""
    upper: bool = False
    """Written in capitals."""
    indent: int = 0
    bold: bool = False
    """A label written in bold."""


def marks_on(content: Content, at: int) -> list[Mark]:
    """Return every mark on line `at` (index from 0), in order; most lines have none."""
    text = content.texts[at]
    if content.kinds[at] != TEXT or indent_of(text[:8]) > 3:
        return []
    first = text.lstrip()[0]
    if first == "#":
        return _heading(text, at)
    if first == "|" or (" | " in text and _in_table(content, at)):
        return _row(content, at)
    if bullet := _BULLET.match(text):
        return _bullet(text, bullet, at)
    if first in "*_" and (bold := _bold_labels(text, at)):
        return bold
    return (
        _setext(content, at)
        or _plain_labels(text, at)
        or _dash_key(text, at)
        or _bare_name(content, at)
    )


def is_delimiter(text: str) -> bool:
    """Whether `text` is the line between the head and the rows of a table."""
    return "-" in text[:40] and "|" in text and bool(_DELIMITER.match(text[:2000]))


def cells_of(text: str) -> list[str]:
    r"""Split a table row into its cells, plain; `\|` and bars in code do not split."""
    row = text.strip()
    row = row[1:] if row.startswith("|") else row
    if row.endswith("|") and not row.endswith("\\|"):
        row = row[:-1]
    cells = [""]
    in_code = False
    for piece in re.split(r"(\\\||\||`)", row):
        if piece == "`":
            in_code = not in_code and "`" in row
        if piece == "|" and not in_code:
            cells.append("")
        else:
            cells[-1] += "|" if piece == "\\|" else piece
    return [cell.strip() for cell in cells]


def is_upper(text: str) -> bool:
    """Whether the letters of `text` outside brackets are capitals, two at least."""
    letters = [letter for letter in _outside(text) if letter.isalpha()]
    return len(letters) > 1 and all(letter.isupper() for letter in letters)


def _outside(text: str) -> str:
    """Return `text` without what stands in brackets."""
    return _BRACKETS.sub("", text)


def _heading(text: str, at: int) -> list[Mark]:
    stripped = text.strip()
    words = stripped.lstrip("#")
    level = len(stripped) - len(words)
    if level > 6 or (words and words[0] not in " \t"):
        return []
    label = words.strip()
    bare = label.rstrip("#")
    if bare != label and (not bare or bare[-1] in " \t"):
        label = bare.rstrip()
    return [_mark(at, "atx", level, label)] if label else []


def _setext(content: Content, at: int) -> list[Mark]:
    text = content.texts[at]
    if at + 1 >= len(content.kinds) or content.kinds[at + 1] != TEXT or len(text) > 200:
        return []
    underline = _UNDERLINE.match(content.texts[at + 1][:200])
    if not underline or (at and content.kinds[at - 1] in (TEXT, CODE)):
        return []
    return [_mark(at, "setext", 1 if underline[1][0] == "=" else 2, text.strip())]


def _mark(at: int, style: Style, level: int, label: str) -> Mark:
    name = name_of(label)
    value = name.value if name else ""
    return Mark(at, style, level, plain_words(label).rstrip(":："), name, value, is_upper(label))


def _bold_labels(text: str, at: int, style: Style = "label", indent: int = 0) -> list[Mark]:
    """Return the bold labels of a line that begins with one: `**A:** text · **B:** text`."""
    found: list[tuple[int, int, str]] = []
    for bold in _BOLD.finditer(text[:4000]):
        words = (bold["stars"] or bold["lines"] or "").strip()
        ends = bold.end() >= len(text.rstrip())
        if not words or (found and not _BEFORE_LABEL.search(text[: bold.start()][-12:])):
            continue
        colon = bold["colon"] or ("" if not words.endswith((":", "：")) else ":")
        is_label = colon in (":", "：") or ends or (colon and _names_exactly(words))
        if not found and (bold.start() != len(text) - len(text.lstrip()) or not is_label):
            return []
        if is_label:
            found.append((bold.start(), bold.end(), words + (bold["note"] or "")))
    marks = []
    for number, (_, end, words) in enumerate(found):
        last = number + 1 == len(found)
        value = text[end:] if last else text[end : found[number + 1][0]]
        value = value.strip() if last else value.strip().rstrip("·•|;,").rstrip()
        name = name_of(words)
        if len(found) == 1 and not value and style == "label":
            mark = _mark(at, "bold", 2, words)
            return [] if mark.name is None and words.endswith((")", "）")) else [mark]
        if name and name.value and not value:
            value = name.value
        elif name and name.value:
            name = None
        label = plain_words(words).rstrip(":：")
        marks.append(Mark(at, style, 9, label, name, value, is_upper(label), indent, True))
    return marks


def _plain_labels(text: str, at: int) -> list[Mark]:
    """Return `KEY: text` and `Label: text` marks, several on a line when signs part them."""
    if ":" not in text and "：" not in text:
        return []
    whole = _one_label(text, at)
    chunks = _CHUNK.split(text[:4000])
    if whole and (whole.style == "key" or len(chunks) == 1):
        return [whole]
    if len(chunks) == 1:
        return _status_inside(text, at)
    marks = [_one_label(chunk, at) for chunk in chunks]
    return [mark for mark in marks if mark] if marks[0] else []


def _dash_key(text: str, at: int) -> list[Mark]:
    """Return a mark for a field's own name in capitals before a dash: `GOAL — text`."""
    dashed = _DASHED.match(text[:200])
    if not dashed or not is_upper(dashed[1]) or not _names_exactly(dashed[1]):
        return []
    value = text[dashed.end() :].strip()
    return [Mark(at, "key", 2, dashed[1], name_of(dashed[1]), value, True)]


def _bare_name(content: Content, at: int) -> list[Mark]:
    """Return a mark for a field's own name in capitals, alone on a line after a blank one."""
    text = content.texts[at]
    if len(text) > 40 or not is_upper(text) or (at and content.kinds[at - 1] in (TEXT, CODE)):
        return []
    if not _names_exactly(text):
        return []
    return [Mark(at, "key", 2, text.strip(), name_of(text), "", True)]


def _status_inside(text: str, at: int) -> list[Mark]:
    """Find `Status: …` after a finished sentence of the same line."""
    for start in _STATUS_LABEL.finditer(text[:400]):
        mark = _one_label(text[start.end() :], at)
        if mark and mark.name and mark.name.field == "PHASE":
            return [mark._replace(style="label", level=9, upper=False)]
    return []


def _one_label(text: str, at: int, style: Style = "label", indent: int = 0) -> Mark | None:
    head = text[: _SHORT + 140].lstrip()
    colon = _colon(head)
    if colon is None:
        return None
    words = head[:colon].rstrip()
    value = text.lstrip()[colon + 1 :].strip()
    upper = is_upper(words)
    limit = _SHORT + 20 if upper and not value else _SHORT
    if not words or words[0] in "`<>\"'“«([{*" or "`" in words or len(_outside(words)) > limit:
        return None
    name = name_of(words)
    refers = name is not None and name.match == "mapped" and _REFERS.search(words)
    if name is not None and (name.role == "listed" or refers):
        name = None
    if upper and style == "label":
        known_key = name is not None or "_" in words or not value
        return Mark(at, "key", 2, words, name, value, True) if known_key else None
    if name is None and style == "label":
        return None
    if name is None and len(words.split()) > 5:
        return None
    return Mark(at, style, 9, words, name, value, upper, indent)


def _colon(head: str) -> int | None:
    """Return where the colon of a label stands: outside brackets, before a blank or the end."""
    depth = 0
    for at, letter in enumerate(head):
        if letter in "(（[":
            depth += 1
        elif letter in ")）]":
            depth -= 1
        elif letter == "：" and depth <= 0:
            return at
        elif letter == ":" and depth <= 0:
            after = head[at + 1 : at + 2]
            return at if not after or after in " \t\xa0*_" else None
        elif letter in ".!?。" and head[at + 1 : at + 2] in ("", " "):
            return None
    return None


def _bullet(text: str, bullet: re.Match[str], at: int) -> list[Mark]:
    rest = text[bullet.end() :]
    if _BOX.match(rest):
        return []
    indent = len(bullet[1])
    if rest.startswith(("**", "__")):
        return _bold_labels(rest, at, "bullet", indent)[:1]
    label = _one_label(rest, at, "bullet", indent)
    return [label] if label else []


def _row(content: Content, at: int) -> list[Mark]:
    if is_delimiter(content.texts[at]):
        return []
    cells = cells_of(content.texts[at])
    filled = [cell for cell in cells if cell]
    if len(filled) < 2 or not cells[0]:
        return []
    name = name_of(cells[0])
    if name is None or name.value:
        return []
    is_head = at + 1 < len(content.kinds) and is_delimiter(content.texts[at + 1])
    if name.match == "mapped" and (is_head or len(cells) != 2):
        return []
    label = plain_words(cells[0])
    return [Mark(at, "row", 9, label, name, cells[1], is_upper(label))]


def _in_table(content: Content, at: int) -> bool:
    return any(
        0 <= near < len(content.kinds) and is_delimiter(content.texts[near])
        for near in (at - 1, at + 1)
    )


def _names_exactly(words: str) -> bool:
    name = name_of(words)
    return name is not None and name.match != "mapped" and not name.value and not name.note
