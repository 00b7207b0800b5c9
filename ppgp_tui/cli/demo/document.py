"""Edits of the demo's goal document, each of one section and nothing else."""

from __future__ import annotations

import re

_EMPTY = re.compile(r"(?:None|Nothing)(?: yet)?\.")
_MARK = re.compile(r"- (?:\[.\]|BLOCKED:) ")


def section(text: str, name: str) -> str:
    """The body of the section, without the blank lines around it."""
    return _split(text, name)[1]


def set_section(text: str, name: str, body: str) -> str:
    """Return `text` with the whole body of the section replaced."""
    before, _, after = _split(text, name)
    return before + body.strip("\n") + after


def add_bullet(text: str, name: str, bullet: str) -> str:
    """Return `text` with `bullet` at the end of the section; it replaces a lone "None."."""
    body = section(text, name)
    return set_section(text, name, bullet if _EMPTY.fullmatch(body) else f"{body}\n{bullet}")


def drop_bullet(text: str, name: str, words: str) -> str:
    """Return `text` without the bullets of the section that contain `words`."""
    kept = [line for line in section(text, name).split("\n") if words not in line]
    return set_section(text, name, "\n".join(kept) or "None.")


def mark_criterion(text: str, number: int, mark: str) -> str:
    """Return `text` with the mark in front of the n-th criterion replaced, such as `[x]`."""
    lines = section(text, "DEFINITION_OF_DONE").split("\n")
    lines[number - 1] = _MARK.sub(f"- {mark} ", lines[number - 1], count=1)
    return set_section(text, "DEFINITION_OF_DONE", "\n".join(lines))


def _split(text: str, name: str) -> tuple[str, str, str]:
    start = text.index(f"\n## {name}\n\n") + len(f"\n## {name}\n\n")
    end = text.find("\n\n## ", start)
    end = len(text.rstrip("\n")) if end < 0 else end
    return text[:start], text[start:end], text[end:]
