"""The same document written another way: what may not change a reading."""

from __future__ import annotations

import re
from collections.abc import Callable

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*$")


def _per_heading(text: str, change: Callable[[str, str], str]) -> str:
    """Apply `change(hashes, words)` to every heading outside code fences and front matter."""
    lines = text.split("\n")
    fence = False
    start = lines.index("---", 1) + 1 if lines[0] == "---" else 0
    for at, line in enumerate(lines[start:], start):
        if line.lstrip().startswith(("```", "~~~")):
            fence = not fence
        if not fence and (heading := _HEADING.match(line)):
            lines[at] = change(heading[1], heading[2])
    return "\n".join(lines)


def with_crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def with_bom(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.encode()


def without_last_newline(text: str) -> bytes:
    return text.rstrip("\n").encode()


def with_blank_lines(text: str) -> bytes:
    return (text + "\n\n  \n\t\n").encode()


def with_mixed_endings(text: str) -> bytes:
    lines = text.split("\n")
    return "".join(
        line + ("\r\n" if at % 2 else "\n") for at, line in enumerate(lines[:-1])
    ).encode()


def with_deeper_headings(text: str) -> bytes:
    return _per_heading(text, lambda hashes, words: f"{('#' + hashes)[:6]} {words}").encode()


def with_colons(text: str) -> bytes:
    return _per_heading(
        text, lambda hashes, words: f"{hashes} {words}" + ("" if words[-1] in ":：" else ":")
    ).encode()


def with_closed_headings(text: str) -> bytes:
    return _per_heading(text, lambda hashes, words: f"{hashes} {words} {hashes}").encode()


def with_indented_headings(text: str) -> bytes:
    return _per_heading(text, lambda hashes, words: f"  {hashes} {words}").encode()


def with_numbered_sections(text: str) -> bytes:
    count = iter(range(1, 1000))
    return _per_heading(
        text,
        lambda hashes, words: (
            f"{hashes} {next(count)}. {words}" if len(hashes) == 2 else f"{hashes} {words}"
        ),
    ).encode()


def with_emoji_sections(text: str) -> bytes:
    return _per_heading(
        text,
        lambda hashes, words: (
            f"{hashes} 🎯 {words}"
            if len(hashes) == 2 and words[0].isalnum()
            else f"{hashes} {words}"
        ),
    ).encode()


def with_bold_sections(text: str) -> bytes:
    return _per_heading(
        text,
        lambda hashes, words: (
            f"**{words.replace('*', '')}**" if len(hashes) == 2 else f"{hashes} {words}"
        ),
    ).encode()


def with_setext_sections(text: str) -> bytes:
    return _per_heading(
        text,
        lambda hashes, words: f"{words}\n{'-' * 8}" if len(hashes) == 2 else f"{hashes} {words}",
    ).encode()


def quoted(text: str) -> bytes:
    return "\n".join(f"> {line}".rstrip() for line in text.rstrip("\n").split("\n")).encode()


def with_comments(text: str) -> bytes:
    return _per_heading(
        text, lambda hashes, words: f"<!--\n## PHASE\nDISTILL\n-->\n{hashes} {words} <!-- here -->"
    ).encode()


VARIANTS: dict[str, Callable[[str], bytes]] = {
    "CRLF": with_crlf,
    "a byte order mark": with_bom,
    "no final newline": without_last_newline,
    "blank lines at the end": with_blank_lines,
    "mixed line endings": with_mixed_endings,
    "headings one level deeper": with_deeper_headings,
    "a colon after every heading": with_colons,
    "closed headings": with_closed_headings,
    "indented headings": with_indented_headings,
    "numbered sections": with_numbered_sections,
    "emoji before sections": with_emoji_sections,
    "bold lines for sections": with_bold_sections,
    "underlined sections": with_setext_sections,
    "everything quoted": quoted,
    "comments between sections": with_comments,
}
