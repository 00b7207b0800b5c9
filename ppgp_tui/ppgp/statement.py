"""What the goal is: the GOAL field, a synonym of it, or the title where it states one.

PPGP reference section 2, field 1: the first paragraph; the title is a fallback and labelled so.
A title that only names the kind of document states nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ppgp_tui.ppgp.entries import Entry, entries_of, whole_text
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.names import key, name_of, undecorated
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import standing_of
from ppgp_tui.ppgp.prose import is_none, plain
from ppgp_tui.ppgp.reading import GoalSource
from ppgp_tui.ppgp.words import GENERIC, GOAL_PARTS, PLAIN_TITLES

_SPLIT = Pattern(r"\s*[:：]\s+|：|\s+[—–|-]+\s+|\s*—\s*")
_BRACKETS = Pattern(r"[(（\[【]([^()（）\[\]【】]{1,80})[)）\]】]")
_WORD = Pattern(r"[^\W\d_]{2,}")
_OF_ITSELF = Pattern(
    r"\b(?:this|the) (?:file|document|page|packet|snapshot|card)\b|本文件|本文档|このファイル"
    r"|このドキュメント"
    r"|\b(?:этот|данный) (?:файл|документ)|\bce (?:fichier|document)|\beste (?:archivo|documento"
    r"|arquivo)"
    r"|\bdiese(?:s|r)? (?:datei|dokument)|\bbu (?:dosya|belge)|이 (?:파일|문서)|هذا (?:الملف"
    r"|المستند)",
    re.I,
)
_NOT_GOAL = ("title", "name")


class Statement(NamedTuple):
    """The goal and where it was found."""

    goal: str | None = None
    source: GoalSource | None = None
    line: int | None = None


class Title(NamedTuple):
    """What a title says beyond naming the kind of document."""

    goal: str | None = None
    """The outcome it states, as in `Active goal: …`."""
    status: str | None = None
    """How things stand by it, as in `Goal (paused)`."""
    names_goal: bool = False
    """It calls the document a goal."""


def title_of(title: str | None) -> Title:
    """Read a title such as `Goal delivered — Faster start` or `Control packet v1 (frozen)`."""
    if not title:
        return Title()
    words = plain(title)
    folded = key(words)
    is_file_name = " " not in words and words.casefold().endswith((".md", ".txt", ".markdown"))
    names_goal = not is_file_name and any(part in folded for part in GOAL_PARTS)
    status = next(
        (note for note in _BRACKETS.findall(words) if (stands := standing_of(note)) and stands),
        None,
    )
    bare = _BRACKETS.sub("", words).strip()
    split = _SPLIT.search(bare)
    head, rest = (bare[: split.start()], bare[split.end() :].strip()) if split else (bare, "")
    label, told = _goal_label(undecorated(head))
    status = status or told
    if rest and _is_status(rest):
        return Title(None, status or rest, names_goal or label)
    goal = words[words.find(rest) :] if label and rest and _says_something(rest) else None
    return Title(goal, status, names_goal or label)


def statement_of(fields: Fields, title: Title) -> Statement:
    """Return the goal of the document, or an empty statement when it states none."""
    found = fields["GOAL"]
    if found is not None:
        text, line = _first_paragraph(found.entries)
        if text is None or is_none(text):
            return Statement(None, None, found.field.line)
        source: GoalSource = "mapped" if found.field.match == "mapped" else "field"
        return Statement(text, source, line)
    if title.goal:
        return Statement(title.goal, "title", fields.outline.title_line)
    for section in fields.outline.sections:
        if section.style == "meta" and key(section.label) in _NOT_GOAL and section.value:
            return Statement(plain(section.value), "title", section.line)
    return Statement()


def preamble_goal(fields: Fields, title: Title) -> Statement:
    """Return the first paragraph under a title that is exactly "Goal" or "Active goal".

    Not a paragraph that speaks of the document itself, nor a label or a quote.
    """
    words = fields.outline.title or ""
    note = next(iter(_BRACKETS.findall(words)), "")
    active = standing_of(note)
    if active and active[0] == "active":
        words = _BRACKETS.sub("", words).strip()
    elif title.status:
        return Statement()
    name = name_of(words)
    if name is None or name.field != "GOAL" or name.value or name.note:
        return Statement()
    if key(words) not in PLAIN_TITLES:
        return Statement()
    for entry in entries_of(fields.content, fields.outline.preamble):
        text = entry.text
        if entry.kind != "text" or _OF_ITSELF.search(text) or re.match(r"[^.:]{1,30}[:：]\s", text):
            continue
        says = _says_something(text) and not is_none(text)
        return Statement(text, "mapped", entry.line) if says else Statement()
    return Statement()


def title_alone(fields: Fields) -> Statement:
    """Return the title as a goal of last resort: one that names no kind of document."""
    title = plain(fields.outline.title or "")
    words = _WORD.findall(_BRACKETS.sub("", title))
    if len(words) < 3 or any(word.casefold() in GENERIC for word in words):
        return Statement()
    if any(part in title.casefold() for part in GOAL_PARTS) or "." in title.split()[0]:
        return Statement()
    return Statement(title, "title", fields.outline.title_line)


def _first_paragraph(entries: list[Entry]) -> tuple[str | None, int | None]:
    said = [entry for entry in entries if entry.kind != "group" and entry.text]
    if not said:
        return None, None
    first = said[0]
    text = whole_text(first)
    if text.endswith((":", "：")) and not first.children and len(said) > 1:
        rest: list[str] = []
        for entry in said[1:]:
            if not entry.is_listed and rest:
                break
            rest.append(entry.text)
            if not entry.is_listed:
                break
        text = f"{text} " + "; ".join(rest)
    return text, first.line


def _is_status(words: str) -> bool:
    """Whether `words` tell how things stand and little else: `PAUSED`, `paused since May`."""
    stands = standing_of(words)
    names = any(part in key(words) for part in GOAL_PARTS)
    return stands is not None and not names and len(words) < stands[1] + 30


def _goal_label(head: str) -> tuple[bool, str | None]:
    """Return whether `head` is a name for a goal, and a status word written beside it."""
    name = name_of(head)
    if name is not None and name.field == "GOAL" and not name.value:
        return True, None
    words = head.split()
    for cut in range(1, len(words)):
        for label, status in (
            (words[:cut], words[cut:]),
            (words[cut:], words[:cut]),
        ):
            name = name_of(" ".join(label))
            stands = standing_of(" ".join(status))
            if name and name.field == "GOAL" and stands and stands[1] == len(" ".join(status)):
                return True, " ".join(status)
    return False, None


def _says_something(text: str) -> bool:
    words = [word for word in _WORD.findall(text) if word.casefold() not in GENERIC]
    return len(words) > 1 or any(len(word) > 3 and not word.isascii() for word in words)
