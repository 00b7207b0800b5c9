"""Which marks really start a section, and which lines belong to it.

The order of trial is PPGP reference section 2.1 with the corrections of 2.2: a known name deeper
than the open section starts that field; unknown deeper headings stay inside as text; labels in
bullets, table rows and sentence case count only where no list of another field is open.
"""

from __future__ import annotations

from ppgp_tui.ppgp.content import BLANK, HIDDEN, TEXT, Content, indent_of
from ppgp_tui.ppgp.marks import Mark
from ppgp_tui.ppgp.names import Name, emoji_state, key
from ppgp_tui.ppgp.sections import FLAT, HEADINGS, STRONG, Outline, Section
from ppgp_tui.ppgp.words import EXPLAINING_PARTS, OVERVIEW_PARTS

_PROSE_FIELDS = ("GOAL", "WHY")
_BY_EMOJI = {
    "done": Name("COMPLETED", "mapped", "", False, ""),
    "partial": Name("REMAINING", "mapped", "now", False, ""),
    "open": Name("REMAINING", "mapped", "next", False, ""),
}


class Refused:
    """A mark that is no section here."""


REFUSED = Refused()


class Assembly:
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
        section = Section(mark, FLAT, name, None)
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
            if isinstance(name, Refused):
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
        strong = mark.style in STRONG
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

    def _accepted(self, mark: Mark) -> Name | Refused | None:
        """Return the field a mark starts here, None for a section of its own, or REFUSED."""
        if mark.style in HEADINGS:
            return self._accepted_heading(mark)
        if mark.style == "bold":
            return self._accepted_bold(mark)
        if mark.style == "key":
            return self._accepted_key(mark)
        return self._accepted_label(mark)

    def _accepted_heading(self, mark: Mark) -> Name | Refused | None:
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

    def _accepted_bold(self, mark: Mark) -> Name | Refused | None:
        base, name = self._base, mark.name
        if name and name.match != "mapped":
            repeats = mark.level > base.level and base.name and base.name.field == name.field
            return REFUSED if repeats else name
        in_field = base.is_closed_field
        if self._outline.bold_sections and mark.level <= base.level:
            return REFUSED if name is None and self._groups(mark) else name
        if name and not (in_field and base.style in HEADINGS):
            return name
        if base.style not in ("bold", "key", "label") or self._groups(mark):
            return REFUSED
        return None

    def _accepted_key(self, mark: Mark) -> Name | Refused | None:
        base, name = self._base, mark.name
        if name and name.match != "mapped":
            return name
        in_field = base.style in (*HEADINGS, "bold") and base.is_closed_field
        if mark.value:
            return REFUSED if in_field else name
        return REFUSED if name is None and self._groups(mark) else name

    def _accepted_label(self, mark: Mark) -> Name | Refused | None:
        name = mark.name
        if name is None:
            return self._accepted_stranger(mark)
        exact = name.match != "mapped"
        if _only_counts(mark.value) or self._base_explains():
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

    def _accepted_stranger(self, mark: Mark) -> Name | Refused | None:
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
            return base.style in HEADINGS and not prose
        return True

    def _base_tells_of_the_goal(self, name: Name) -> bool:
        """Whether a mapped label inside an unknown section may speak for the document."""
        if self._base.name is not None or self._base.mark is None:
            return True
        if name.field in ("COMPLETED", "REMAINING"):
            return True
        words = key(self._base.label)
        return any(word in words for word in OVERVIEW_PARTS)

    def _base_explains(self) -> bool:
        """Whether the open section explains words or a format, and states nothing itself."""
        words = key(self._base.label) if self._base.name is None else ""
        return any(part in words for part in EXPLAINING_PARTS)

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


def _only_counts(value: str) -> bool:
    """Whether a value is a count or a date and says nothing: `DoD: 3/5`, `Frozen: 2026-09-01`."""
    digits = [letter for letter in value if letter.isdigit()]
    return any(digit != "0" for digit in digits) and not any(map(str.isalpha, value))


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
