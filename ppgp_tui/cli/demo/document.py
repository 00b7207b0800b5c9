"""Edits of the demo's goal document, each of one section and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_EMPTY = re.compile(r"(?:None|Nothing)(?: yet)?\.")
_MARK = re.compile(r"- (?:\[.\]|BLOCKED:) ")
_DECIDED = re.compile(r"- \[(?:(?P<granted>granted)|(?P<refused>refused)|answered) [^\]]*\] ")
_LABEL = re.compile(r"- \[answered [^:\]]*: ([^\]]*)\] ")


class NoSuchSectionError(ValueError):
    """Somebody changed the document so much that the story's edit has no place any more."""


class Decision(NamedTuple):
    """What a person decided about an entry of the document."""

    word: str
    """`yes`, `no`, or `words` for their own."""
    words: str = ""


def edited(text: str, edit: Mapping[str, Any]) -> str:
    """Return `text` after one `goal` act of the story, all but its phase.

    Raises `NoSuchSectionError`.
    """
    for number, mark in edit.get("criteria", {}).items():
        text = _marked(text, int(number), mark)
        text = _set(text, "REMAINING", _remaining(text))
    for name, body in edit.get("set", {}).items():
        text = _set(text, name, body)
    for name, words in edit.get("drop", {}).items():
        text = _without(text, name, words)
    for name, bullet in edit.get("add", {}).items():
        text = _added(text, name, bullet)
    return text


def section(text: str, name: str) -> str:
    """The body of the section, without the blank lines around it. Raises `NoSuchSectionError`."""
    return _split(text, name)[1]


def decision(text: str, words: str) -> Decision | None:
    """What was decided about the entry that contains `words`; None while it waits."""
    for line in section(text, "HUMAN_AUTHORITY_REQUIRED").split("\n"):
        decided = _DECIDED.match(line)
        if decided and words in line[decided.end() :]:
            label = _LABEL.match(line)
            if label:
                return Decision("words", label[1])
            return Decision("yes" if decided["granted"] else "no")
    return None


def with_phase(text: str, phase: str) -> str:
    """Return `text` in another phase."""
    return _set(text, "PHASE", phase)


def _set(text: str, name: str, body: str) -> str:
    before, _, after = _split(text, name)
    return before + body.strip("\n") + after


def _added(text: str, name: str, bullet: str) -> str:
    """`bullet` stands at the end of the section; it replaces a lone "None."."""
    body = section(text, name)
    return _set(text, name, bullet if _EMPTY.fullmatch(body) else f"{body}\n{bullet}")


def _without(text: str, name: str, words: str) -> str:
    kept = [line for line in section(text, name).split("\n") if words not in line]
    return _set(text, name, "\n".join(kept) or "None.")


def _marked(text: str, number: int, mark: str) -> str:
    """The mark before the n-th criterion is replaced, by one such as `[x]`."""
    lines = section(text, "DEFINITION_OF_DONE").split("\n")
    if number > len(lines):
        raise NoSuchSectionError(f"there is no criterion {number}")
    lines[number - 1] = _MARK.sub(f"- {mark} ", lines[number - 1], count=1)
    return _set(text, "DEFINITION_OF_DONE", "\n".join(lines))


def _remaining(text: str) -> str:
    """Which criteria are not met."""
    lines = section(text, "DEFINITION_OF_DONE").split("\n")
    left = [str(at) for at, line in enumerate(lines, 1) if not line.startswith("- [x] ")]
    return f"- DoD {', '.join(left)}" if left else "None."


def _split(text: str, name: str) -> tuple[str, str, str]:
    head = f"\n## {name}\n\n"
    at = text.find(head)
    if at < 0:
        raise NoSuchSectionError(f"there is no section {name}")
    start = at + len(head)
    end = text.find("\n\n## ", start)
    end = len(text.rstrip("\n")) if end < 0 else end
    return text[:start], text[start:end], text[end:]
