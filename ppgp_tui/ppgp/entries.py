"""The entries of a section: bullets, numbers, boxes, table rows and paragraphs.

Continuation lines belong to their entry (PPGP reference section 2.3); nested entries are children
of the top-level one; inner headings and bold lines are the group of what follows them.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.content import BLANK, CODE, FENCE, HIDDEN, Content, indent_of
from ppgp_tui.ppgp.front_matter import flow_items, scalar
from ppgp_tui.ppgp.marks import cells_of, is_delimiter
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain
from ppgp_tui.ppgp.reading import CriterionState
from ppgp_tui.ppgp.sections import Section
from ppgp_tui.ppgp.states import BOXES
from ppgp_tui.ppgp.words import EMOJI_STATES, phrases

_ITEM = Pattern(
    r"(\s*)(?:[-*+•‣▪◦–]\s+|(?:\d{1,2}\.){1,2}\d{1,2}[.)]\s+|[●○■□◆・]\s*|(\d{1,3})[.)）]\s+"
    r"|(\d{1,3})[、．]\s*"
    r"|[(（](\d{1,3})[)）]\s*|[①-⑳]\s*|[a-z]\)\s+|(?=\[[ xX]\]\s))(?=\S)"
)
_BOX = Pattern(r"\[([ \xa0xX✓✔✅☑~/-]?)\](?!\()\s*")
_BREAK = Pattern(r"\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}|={2,})$")
_INNER_HEAD = Pattern(r"\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$")
_BOLD_LINE = Pattern(r"\s*(?:\*\*([^*]+)\*\*|__([^_]+)__)\s*[:：]?\s*$")
_NEW_STATEMENT = Pattern(
    r"\s*(?:\*\*[^*]{1,60}[:：]\*\*|\*\*[^*]{1,60}\*\*\s*[:：]|(?:\*\*)?→|[A-Z][A-Z ]{2,20}:\s)"
)
_LABELLED = Pattern(r"\s*[^\W\d_][\w'’-]*(?:\s[\w'’-]+){0,2}[:：]\s")
_PAIR = Pattern(r"[\"']?([A-Za-z][\w -]{0,30}?)[\"']?:\s+(.*)$")
_TEXT_KEYS = phrases("text|title|name|criterion|condition|description|item|what")
_STATE_KEYS = phrases("done|state|status|checked|completed|met|passed")
_STRUCK = Pattern(r"\s*~~.*~~\s*$")
_SENTENCE_END = (".", "!", "?", "。", "！", "？", "`", ")")


class Entry:
    """One entry with its raw text (markup kept) and place."""

    __slots__ = (
        "_plain", "box", "cells", "children", "group", "head", "kind", "line", "number", "parts",
    )  # fmt: skip

    def __init__(self, kind: str, text: str, line: int, group: Entry | None = None) -> None:
        self.kind = kind
        """`item`, `row`, `text` (a paragraph), `code` or `group` (an inner heading)."""
        self.parts = [text] if text else []
        self.line = line
        self.group = group
        """The inner heading it stands under."""
        self.box: str | None = None
        """What stands in its checkbox: a blank, `x`, `-` or `~`."""
        self.number: int | None = None
        """The number it was given in the document."""
        self.cells: list[str] = []
        self.head: list[str] = []
        """Column names of its table."""
        self.children: list[Entry] = []
        self._plain: tuple[str, str] | None = None

    @property
    def raw(self) -> str:
        """Text with markup, continuation lines joined by one blank."""
        return self.parts[0] if len(self.parts) == 1 else " ".join(self.parts)

    @property
    def text(self) -> str:
        """Text without emphasis; the box is left out."""
        raw = self.raw
        if self._plain is None or self._plain[0] != raw:
            self._plain = raw, plain(raw)
        return self._plain[1]

    @property
    def ticked(self) -> CriterionState | None:
        """The state its checkbox shows; None without one."""
        return BOXES.get(self.box) if self.box is not None else None

    @property
    def is_listed(self) -> bool:
        """Whether it is a list entry or a table row."""
        return self.kind in ("item", "row")


def entries_of(content: Content, section: Section) -> list[Entry]:
    """Return the entries of `section` in order, groups included."""
    return _Reader(content, section).entries


def listed(entries: list[Entry]) -> list[Entry]:
    """Return the entries that say something: list entries and rows; paragraphs if there are none.

    A bullet that only labels the bullets under it gives way to them.
    """
    found = [entry for entry in entries if entry.is_listed]
    if not found:
        groups = [entry for entry in entries if entry.kind == "group"]
        if len(groups) > 1:
            return [_as_entry(group, entries) for group in groups]
        return [entry for entry in entries if entry.kind in ("text", "code")]
    flat: list[Entry] = []
    for entry in found:
        if entry.children and entry.box is None and _is_label(entry):
            for child in entry.children:
                child.group = entry
            flat.extend(entry.children)
        else:
            flat.append(entry)
    return flat


def _as_entry(group: Entry, entries: list[Entry]) -> Entry:
    """Return an inner heading as an entry, with the paragraphs under it as its children."""
    entry = Entry("item", group.raw, group.line)
    entry.children = [below for below in entries if below.group is group]
    return entry


def whole_text(entry: Entry) -> str:
    """Return the text of `entry`; a text ending in a colon takes in what it introduces."""
    text = entry.text
    if entry.children and text.endswith((":", "：")):
        return f"{text} " + "; ".join(child.text for child in entry.children)
    return text


def _is_label(entry: Entry) -> bool:
    text = entry.text
    if text.endswith((":", "：")):
        return len(text) <= 80
    return len(text) <= 60 and all(child.box is not None for child in entry.children)


def _as_mapping(entry: Entry) -> None:
    """Take `text: …` and `done: true` of an entry in front matter for its text and its box."""
    pairs = [pair for part in entry.parts if (pair := _PAIR.match(part))]
    text = next((pair[2] for pair in pairs if pair[1].casefold() in _TEXT_KEYS), None)
    if entry.kind != "item" or text is None or len(pairs) < len(entry.parts):
        return
    entry.parts = [scalar(text)]
    for pair in pairs:
        said = scalar(pair[2]).casefold()
        if pair[1].casefold() in _STATE_KEYS and said:
            if said in ("true", "false"):
                entry.box = "x" if said == "true" else " "
            else:
                entry.parts[0] = f"({scalar(pair[2])}) {entry.parts[0]}"


class _Reader:
    """Reads lines one after the other into entries."""

    def __init__(self, content: Content, section: Section) -> None:
        self.entries: list[Entry] = []
        self._content = content
        self._open: Entry | None = None
        self._top: Entry | None = None
        self._indent: int | None = None
        self._gap = False
        self._group: Entry | None = None
        self._head: list[str] = []
        self._is_bold = False
        self._is_meta = section.style == "meta"
        self._value(section)
        for at in section.body:
            if at not in section.labels:
                self._line(at)
        self._alone()
        if self._is_meta:
            for entry in self.entries:
                _as_mapping(entry)

    def _value(self, section: Section) -> None:
        value = section.value or self._note(section)
        if section.mark is None or not value:
            return
        line = section.mark.at + 1
        items = flow_items(value) if section.style == "meta" else None
        if items is not None:
            self.entries.extend(Entry("item", item, line) for item in items)
            return
        self._open = self._top = self._new("text", value, line)
        self._boxed(self._open)
        if section.style == "bullet":
            self._indent = section.mark.indent
            self._open.kind = "item"

    def _note(self, section: Section) -> str:
        """Return the remark of a heading where nothing else is said, as in `## BLOCKERS (none)`."""
        says = any(self._content.kinds[at] not in (BLANK, HIDDEN) for at in section.body)
        return "" if says or section.name is None else section.name.note

    def _line(self, at: int) -> None:
        kind, text = self._content.kinds[at], self._content.texts[at]
        if kind in (BLANK, HIDDEN):
            self._gap = True
            if kind == BLANK:
                self._head = []
            return
        if kind == FENCE or _BREAK.match(text[:200]):
            if kind != FENCE:
                self._close()
            return
        if kind == CODE:
            self._code(text, at)
        elif "|" in text and self._table(text, at):
            pass
        elif inner := _INNER_HEAD.match(text[:400]) or _BOLD_LINE.match(text[:400]):
            self._close()
            self._alone()
            words = next(filter(None, inner.groups()), "")
            self._group = self._new("group", words, at + 1)
            self._is_bold = not text.lstrip().startswith("#")
        elif item := _ITEM.match(text):
            self._item(item, text, at)
        elif text.lstrip()[0] in EMOJI_STATES:
            self._top = self._open = self._new("item", text.strip(), at + 1)
            self._indent = indent_of(text)
        else:
            self._prose(text, at)
        self._gap = False

    def _item(self, item: re.Match[str], text: str, at: int) -> None:
        indent = indent_of(item[1] or "")
        nested = self._indent is not None and indent > self._indent + 1 and self._top is not None
        words = text[item.end() :].strip()
        entry = Entry("item", scalar(words) if self._is_meta else words, at + 1, self._group)
        self._boxed(entry)
        number = item[2] or item[3] or item[4]
        entry.number = int(number) if number else None
        if nested and self._top is not None:
            self._top.children.append(entry)
        else:
            self._indent = indent if self._indent is None else min(indent, self._indent)
            self.entries.append(entry)
            self._top = entry
        self._open = entry

    def _prose(self, text: str, at: int) -> None:
        stripped = text.strip()
        current = self._open
        if current and self._continues(text, current):
            current.parts.append(stripped)
            return
        self._close()
        self._open = self._top = self._new("text", stripped, at + 1)

    def _continues(self, text: str, current: Entry) -> bool:
        if current.kind == "item":
            return not self._gap or indent_of(text) >= (self._indent or 0) + 2
        return current.kind == "text" and not self._gap and not self._starts_anew(text, current)

    def _starts_anew(self, text: str, current: Entry) -> bool:
        if _NEW_STATEMENT.match(text[:200]):
            return True
        last = current.parts[-1] if current.parts else ""
        ended = not last or last.endswith(_SENTENCE_END) or bool(_LABELLED.match(last[:100]))
        return (ended and bool(_LABELLED.match(text[:100]))) or bool(_STRUCK.match(last[:2000]))

    def _table(self, text: str, at: int) -> bool:
        if is_delimiter(text):
            if self._open and self._open.kind == "row" and self.entries[-1] is self._open:
                self._head = [plain(cell) for cell in self.entries.pop().cells]
            self._open = None
            return True
        if not text.lstrip().startswith("|") and not self._head:
            return False
        cells = cells_of(text)
        entry = self._new("row", " | ".join(cell for cell in cells if cell), at + 1)
        entry.cells, entry.head = cells, self._head
        self._open = self._top = entry
        return True

    def _code(self, text: str, at: int) -> None:
        current = self._open
        inside = current is not None and (
            not self._gap
            or current.raw.endswith((":", "："))
            or (current.kind == "item" and indent_of(text) > (self._indent or 0) + 1)
        )
        if current and inside and current.kind in ("item", "text", "code"):
            current.parts.append(text.strip())
        else:
            self._open = self._top = self._new("code", text.strip(), at + 1)

    def _boxed(self, entry: Entry) -> None:
        if entry.parts and (box := _BOX.match(entry.parts[0])):
            entry.box = box[1] or " "
            entry.parts[0] = entry.parts[0][box.end() :]

    def _new(self, kind: str, text: str, line: int) -> Entry:
        entry = Entry(kind, text, line, None if kind == "group" else self._group)
        self.entries.append(entry)
        return entry

    def _alone(self) -> None:
        """A bold line with nothing under it heads nothing: it is what the section says."""
        if self._is_bold and self.entries and self.entries[-1] is self._group:
            self._group.kind = "text"

    def _close(self) -> None:
        self._open = self._top = None
        self._indent = None
