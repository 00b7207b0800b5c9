"""The sections of a document: which marks really start one, and which lines belong to each.

The order of trial is PPGP reference section 2.1 with the corrections of 2.2: a known name deeper
than the open section starts that field; unknown deeper headings stay inside as text; labels in
bullets, table rows and sentence case count only where no list of another field is open.
"""

from __future__ import annotations

from ppgp_tui.ppgp.content import BLANK, FENCE, HIDDEN, META, TEXT, Content, indent_of
from ppgp_tui.ppgp.front_matter import meta_marks
from ppgp_tui.ppgp.marks import Mark, marks_on
from ppgp_tui.ppgp.names import Name, emoji_state, key

_HEADINGS = ("atx", "setext")
_STRONG = ("atx", "setext", "bold", "key")
_FLAT = 99
_PROSE_FIELDS = ("GOAL", "WHY")
_TITLE_NAMES = frozenset("goal objective mission task outcome".split())
_BY_EMOJI = {
    "done": Name("COMPLETED", "mapped", "", False, ""),
    "partial": Name("REMAINING", "mapped", "now", False, ""),
    "open": Name("REMAINING", "mapped", "next", False, ""),
}


class Section:
    """One section: the mark that started it and the lines that belong to it."""

    __slots__ = ("body", "end", "form", "host", "labels", "level", "mark", "name")

    def __init__(self, mark: Mark | None, level: int, name: Name | None, host: Section | None):
        self.mark = mark
        """None for the text before the first section."""
        self.level = level
        self.name = name
        self.host = host
        """For labels, the section they stand in."""
        self.body: list[int] = []
        """Indexes of its lines, from 0, without the line of the mark."""
        self.labels: set[int] = set()
        """Indexes of lines in it that are labels of their own."""
        self.end = 0
        """Index after its last line, blank lines at the end left out."""
        self.form: str | None = None
        """What follows the first inner label, when the section is grouped by inner labels."""

    @property
    def line(self) -> int:
        """Line number of the mark, from 1; of the first body line when there is no mark."""
        return (self.mark.at if self.mark else self.body[0] if self.body else 0) + 1

    @property
    def first(self) -> int:
        """Index of the first line below its label; an underline belongs to the label."""
        return self.line + (self.style == "setext")

    @property
    def label(self) -> str:
        """The words of the heading or label."""
        return self.mark.label if self.mark else ""

    @property
    def value(self) -> str:
        """Text on the same line as the label."""
        return self.mark.value if self.mark else ""

    @property
    def style(self) -> str:
        """How the mark is written; empty for the text before the first section."""
        return self.mark.style if self.mark else ""

    @property
    def is_closed_field(self) -> bool:
        """Whether it is a field that takes labels and deeper headings as its own text."""
        return self.name is not None and self.name.role not in ("status", "mixed")

    @property
    def is_status(self) -> bool:
        """Whether it tells how things stand, in any words."""
        return self.name is not None and self.name.role == "status"


class Outline:
    """A document as a title, a preamble and sections in order."""

    __slots__ = ("bold_sections", "goal_below", "headings", "preamble", "sections", "title", "title_line")

    def __init__(self) -> None:
        self.title: str | None = None
        self.title_line: int | None = None
        self.preamble = Section(None, _FLAT, None, None)
        self.sections: list[Section] = []
        self.headings: list[str] = []
        """Words of every real heading, in order."""
        self.goal_below = False
        """A heading below the title names the goal."""
        self.bold_sections = False
        """Bold lines start sections here: several name fields, or there are no other headings."""


def outline_of(content: Content) -> Outline:
    """Divide `content` into a title, a preamble and sections."""
    outline = Outline()
    marks = [marks_on(content, at) for at in range(len(content.kinds))]
    title_at = _find_title(content, marks, outline)
    for mark, body in meta_marks(content):
        section = Section(mark, _FLAT, mark.name, None)
        section.body = body
        outline.sections.append(section)
    outline.bold_sections = _uses_bold(marks, title_at)
    assembly = _Assembly(content, outline)
    for at, found in enumerate(marks):
        if content.kinds[at] == META or (
            content.kinds[at] == FENCE and _is_meta_fence(content, at)
        ):
            continue
        if at and marks[at - 1] and marks[at - 1][-1].style == "setext" and not found:
            continue
        if at == title_at:
            assembly.title(found[0])
        elif not found or not assembly.marks(found):
            assembly.text(at)
    _set_ends(content, outline)
    return outline


class _Assembly:
    """Takes lines one after the other and knows which section is open."""

    def __init__(self, content: Content, outline: Outline) -> None:
        self._content = content
        self._outline = outline
        self._base = self._open = outline.preamble

    def title(self, mark: Mark) -> None:
        """Take the title line; a goal it states openly becomes the GOAL field."""
        name = mark.name
        if name is None or name.match == "mapped" or name.field != "GOAL":
            return
        section = Section(mark, _FLAT, name, None)
        if mark.value:
            self._outline.sections.append(section)
        elif not self._outline.goal_below:
            self._outline.sections.append(section)
            self._base = self._open = section

    def marks(self, found: list[Mark]) -> bool:
        """Open a section for each mark that is one; whether the line was used up."""
        used = False
        for mark in found:
            name = self._accepted(mark)
            if isinstance(name, _Refused):
                if used and self._open is not self._base:
                    self._open = self._base
                continue
            self._start(mark, name)
            used = True
        return used

    def text(self, at: int) -> None:
        """Give line `at` to the open section; a label's text ends where its paragraph ends."""
        if self._open is not self._base and self._ends_label(at):
            self._open = self._base
        self._open.body.append(at)

    def _start(self, mark: Mark, name: Name | None) -> None:
        strong = mark.style in _STRONG
        host = None if strong else self._base
        section = Section(mark, mark.level if strong else 9, name, host)
        if host is not None:
            if mark.at not in host.labels:
                host.body.append(mark.at)
            host.labels.add(mark.at)
        self._outline.sections.append(section)
        self._open = section
        if strong:
            self._base = section
        elif mark.style == "row":
            self._open = self._base

    def _accepted(self, mark: Mark) -> Name | None | _Refused:
        """Return the field a mark starts here, None for a section of its own, or REFUSED."""
        if mark.style in _HEADINGS:
            return self._accepted_heading(mark)
        if mark.style == "bold":
            return self._accepted_bold(mark)
        if mark.style == "key":
            return self._accepted_key(mark)
        return self._accepted_label(mark)

    def _accepted_heading(self, mark: Mark) -> Name | None | _Refused:
        base, name = self._base, mark.name
        deeper = mark.level > base.level
        if name and (name.match != "mapped"):
            repeats = deeper and base.name is not None and base.name.field == name.field
            return REFUSED if repeats else name
        inside_field = deeper and base.is_closed_field
        if name:
            return REFUSED if inside_field else name
        if inside_field or (deeper and base.name is None):
            by_emoji = None if inside_field else _BY_EMOJI.get(emoji_state(mark.label) or "")
            return by_emoji or REFUSED
        return _BY_EMOJI.get(emoji_state(mark.label) or "")

    def _accepted_bold(self, mark: Mark) -> Name | None | _Refused:
        base, name = self._base, mark.name
        if name and name.match != "mapped":
            repeats = mark.level > base.level and base.name and base.name.field == name.field
            return REFUSED if repeats else name
        in_field = base.is_closed_field
        if self._outline.bold_sections and mark.level <= base.level:
            return REFUSED if name is None and self._groups(mark) else name
        if name and not (in_field and base.style in _HEADINGS):
            return name
        if base.style not in ("bold", "key", "label") or self._groups(mark):
            return REFUSED
        return None

    def _accepted_key(self, mark: Mark) -> Name | None | _Refused:
        base, name = self._base, mark.name
        if name and name.match != "mapped":
            return name
        in_field = base.style in (*_HEADINGS, "bold") and base.is_closed_field
        if mark.value:
            return REFUSED if in_field else name
        return REFUSED if name is None and self._groups(mark) else name

    def _accepted_label(self, mark: Mark) -> Name | None | _Refused:
        name = mark.name
        if name is None:
            return self._accepted_stranger(mark)
        exact = name.match != "mapped"
        if exact and name.match == "alias" and not mark.upper and mark.value[:4].isdigit():
            return REFUSED
        in_field = self._base.is_closed_field
        alike = mark.bold and mark.style == "label" and self._base.style == "bold"
        if self._base.style in ("bold", "key") and in_field and not (exact or alike):
            return REFUSED
        if mark.style == "label" and exact and mark.upper:
            return name
        if self._shields(mark):
            return REFUSED
        if not exact and not self._base_tells_of_the_goal(name):
            return REFUSED
        return name

    def _accepted_stranger(self, mark: Mark) -> Name | None | _Refused:
        """An unknown label ends a label of the same style that has its own text."""
        current = self._open
        if current is self._base or current.style != mark.style or not current.value:
            return REFUSED
        if mark.style == "bullet" and current.mark and mark.indent > current.mark.indent:
            return REFUSED
        return None

    def _shields(self, mark: Mark) -> bool:
        """Whether the open section takes labels of this style as its own text."""
        base = self._base
        if base.name is None or not base.is_closed_field:
            return False
        prose = base.name.field in _PROSE_FIELDS
        if mark.style == "label":
            return base.style in _HEADINGS and not prose
        return True

    def _base_tells_of_the_goal(self, name: Name) -> bool:
        """Whether a mapped label inside an unknown section may speak for the document."""
        if self._base.name is not None or self._base.mark is None:
            return True
        if name.field in ("COMPLETED", "REMAINING"):
            return True
        words = key(self._base.label)
        return any(word in words for word in _OVERVIEW)

    def _groups(self, mark: Mark) -> bool:
        """Whether an unknown label is a sub-heading of the open field, as in grouped criteria."""
        base = self._base
        if base.name is None or base.value:
            return False
        form = form_after(self._content, mark.at)
        if base.form is None and not any(self._content.kinds[at] == TEXT for at in base.body):
            base.form = form
            return form is not None
        return base.form is not None and base.form == form

    def _ends_label(self, at: int) -> bool:
        """Whether line `at` no longer belongs to the open label."""
        section = self._open
        kind, text = self._content.kinds[at], self._content.texts[at]
        if section.mark is None or section.style not in ("label", "bullet"):
            return False
        if kind in (BLANK, HIDDEN):
            return False
        gap = bool(section.body) and self._content.kinds[section.body[-1]] == BLANK
        listed = _is_list(text)
        if section.style == "bullet":
            deeper = indent_of(text) > section.mark.indent
            if section.value:
                return not deeper and (gap or listed)
            return not deeper and gap and not listed
        if not section.value:
            return gap and not listed and _has_text(section, self._content)
        single = section.name is not None and section.name.field == "PHASE"
        return gap and (single or not listed)


class _Refused:
    """A mark that is no section here."""


REFUSED = _Refused()

_OVERVIEW = (
    "goal", "objective", "overview", "summary", "info", "about", "meta", "header", "status",
    "snapshot", "glance", "card", "current", "цел", "обзор", "информац", "стату", "目标", "概述", "概要",
    "信息", "基本", "摘要", "目標", "ゴール", "情報", "목표", "개요", "정보", "objectif", "résumé", "aperçu",
    "objetivo", "resumen", "resumo", "ziel", "überblick", "übersicht", "hedef", "özet", "هدف", "ملخص",
)  # fmt: skip


def form_after(content: Content, at: int) -> str | None:
    """Return what the line after `at` is: `box`, `item`, `row` or `text`; None at the end."""
    after = content.next_text(at)
    if after is None or content.kinds[after] != TEXT:
        return None
    text = content.texts[after].lstrip()
    if text.startswith("|"):
        return "row"
    if not _is_list(text):
        return "text"
    return "box" if "[" in text[:8] and "]" in text[:10] else "item"


def _is_list(text: str) -> bool:
    bare = text.lstrip()
    if bare[:2] in ("- ", "* ", "+ ", "• ") or bare.startswith("|"):
        return True
    digits = len(bare) - len(bare.lstrip("0123456789"))
    return 0 < digits < 4 and bare[digits : digits + 1] in (".", ")", "、")


def _has_text(section: Section, content: Content) -> bool:
    return any(content.kinds[at] != BLANK for at in section.body)


def _set_ends(content: Content, outline: Outline) -> None:
    """Say where each section ends: before the next one of its own standing."""
    strong = [section for section in outline.sections if section.style in _STRONG]
    stop = len(content.kinds)
    for section in reversed(strong):
        section.end = stop
        stop = section.line - 1
    for section in outline.sections:
        if section.style not in _STRONG:
            section.end = (section.body[-1] if section.body else section.line - 1) + 1
        while section.end > section.line and content.kinds[section.end - 1] in (BLANK, HIDDEN):
            section.end -= 1


def _is_meta_fence(content: Content, at: int) -> bool:
    return (
        content.kinds[0] == FENCE and META in content.kinds[1:2] and _before_meta_end(content, at)
    )


def _before_meta_end(content: Content, at: int) -> bool:
    return at == 0 or content.kinds[at - 1] == META


def _uses_bold(marks: list[list[Mark]], title_at: int | None) -> bool:
    first = [found[0] for found in marks if found]
    bold = [mark for mark in first if mark.style == "bold"]
    headed = any(mark.style in _HEADINGS and mark.at != title_at for mark in first)
    return len(bold) > 1 and (not headed or sum(mark.name is not None for mark in bold) > 1)


def _find_title(content: Content, marks: list[list[Mark]], outline: Outline) -> int | None:
    """Find the title: the first heading, unless it is a field with text of its own."""
    headings = [found[0] for found in marks if found and found[0].style in _HEADINGS]
    outline.headings = [heading.label for heading in headings]
    if not headings:
        return None
    first = headings[0]
    earlier = any(found[0].style in ("bold", "key") for found in marks[: first.at] if found)
    alone = all(other.level > first.level for other in headings[1:])
    has_text = content.next_text(first.at) is not None and (
        len(headings) < 2 or content.next_text(first.at) != headings[1].at
    )
    name = first.name
    if earlier or not (first.level == 1 or alone):
        return None
    if name is not None and not first.value and has_text:
        if name.field != "GOAL" or not alone:
            return None
    below = [found[0] for found in marks[first.at + 1 :] if found]
    outline.goal_below = any(
        mark.name is not None and mark.name.field == "GOAL"
        for mark in below
        if mark.style in (*_HEADINGS, "bold")
    )
    outline.title = first.label
    outline.title_line = first.at + 1
    return first.at
