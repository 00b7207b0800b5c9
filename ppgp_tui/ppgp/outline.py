"""Dividing a document: its title, then every mark in order, then where each section ends."""

from __future__ import annotations

from ppgp_tui.ppgp.assembly import Assembly
from ppgp_tui.ppgp.content import BLANK, HIDDEN, Content
from ppgp_tui.ppgp.front_matter import meta_marks
from ppgp_tui.ppgp.marks import Mark, marks_on
from ppgp_tui.ppgp.sections import FLAT, HEADINGS, STRONG, Outline, Section


def outline_of(content: Content) -> Outline:
    """Divide `content` into a title, a preamble and sections."""
    outline = Outline()
    marks = [marks_on(content, at) for at in range(len(content.kinds))]
    title_at = _find_title(content, marks, outline)
    for mark, body in meta_marks(content):
        section = Section(mark, FLAT, mark.name, None)
        section.body = body
        outline.sections.append(section)
    outline.bold_sections = _uses_bold(marks, title_at)
    assembly = Assembly(content, outline)
    for at in range(content.start, len(marks)):
        found = marks[at]
        if at and marks[at - 1] and marks[at - 1][-1].style == "setext" and not found:
            continue
        if at == title_at:
            assembly.title(found[0])
        elif not found or not assembly.marks(found):
            assembly.text(at)
    _set_ends(content, outline)
    return outline


def _set_ends(content: Content, outline: Outline) -> None:
    """Say where each section ends: before the next one of its own standing."""
    strong = [section for section in outline.sections if section.style in STRONG]
    stop = len(content.kinds)
    for section in reversed(strong):
        section.end = stop
        stop = section.line - 1
    for section in outline.sections:
        if section.style not in STRONG:
            section.end = (section.body[-1] if section.body else section.line - 1) + 1
        while section.end > section.line and content.kinds[section.end - 1] in (BLANK, HIDDEN):
            section.end -= 1


def _uses_bold(marks: list[list[Mark]], title_at: int | None) -> bool:
    first = [found[0] for found in marks if found]
    bold = [mark for mark in first if mark.style == "bold"]
    headed = any(mark.style in HEADINGS and mark.at != title_at for mark in first)
    return len(bold) > 1 and (not headed or sum(mark.name is not None for mark in bold) > 1)


def _find_title(content: Content, marks: list[list[Mark]], outline: Outline) -> int | None:
    """Find the title: the first heading, unless it is a field with text of its own."""
    headings = [found[0] for found in marks if found and found[0].style in HEADINGS]
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
    is_field = name is not None and not first.value and has_text
    if is_field and not (name and name.field == "GOAL" and alone):
        return None
    below = [found[0] for found in marks[first.at + 1 :] if found]
    outline.goal_below = any(
        mark.name is not None and mark.name.field == "GOAL"
        for mark in below
        if mark.style in (*HEADINGS, "bold")
    )
    outline.title = first.label
    outline.title_line = first.at + 1
    return first.at
