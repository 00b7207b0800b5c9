"""Inline text of a document: markup taken off, sentences found, "none" understood.

Every function is linear in the length of its input, whatever the input is.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.vocabulary import SYNONYMS
from ppgp_tui.ppgp.words import NONE, NONE_AFTER, NONE_BEFORE, NONE_OF, phrases

_TICKS = Pattern("`+")
_CODE = "\ue000"
_BOLD = Pattern(r"\*\*(?=\S)([^*]*(?:\*(?!\*)[^*]*)*)\*\*")
_BOLD_LINES = Pattern(r"(?<![\w_])__(?=\S)([^_]*(?:_(?!_)[^_]*)*)__(?!\w)")
_STAR = Pattern(r"(?<![\w*])\*(?=[^\s*])([^*]*)(?<=\S)\*(?!\w)")
_LINE = Pattern(r"(?<![\w_])_(?=[^\s_])([^_]*)(?<=\S)_(?!\w)")
_SENTENCE_END = Pattern(r"[.!?](?=\s|$)|[。！？](?![\"”’」』])")
_ABBREVIATION = Pattern(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|ca|z\.B|d\.h|т\.е|[A-Z]))$", re.I
)
_CLAUSE = Pattern(r"[.,;:!?()（）\[\]、。，；：|—–]+|\s-\s")
_LABEL = Pattern(r"\W*[^\W\d_][^:：]{0,40}[:：]\s*(.+)$")
_THERE = Pattern(r"^(?:there (?:is|are)|we have|i have|es gibt|il n'y a|hay|há) (?:currently )?")
_EXPLAINS = phrases("for|until|while|since|because|as|in|on|from|at|before|pour|für|для")
_USUAL = Pattern(
    r" (?:beyond|besides|other than|outside(?: of)?) (?:the )?(?:standing|usual|normal|existing"
    r"|general|already)\b.*$"
)
_LEAD = Pattern(r"^[\s>*_`~#\[(（【—–-]+")


def plain(text: str) -> str:
    """Return `text` without emphasis marks, blanks collapsed; code spans keep their ticks."""
    if ("*" in text or "_" in text) and _CODE not in text:
        code: list[str] = []
        if "`" in text:
            pieces = code_spans(text)
            code = [piece for piece, is_code in pieces if is_code]
            text = "".join(_CODE if is_code else piece for piece, is_code in pieces)
        text = _unmarked(text)
        if code:
            kept = text.split(_CODE)
            text = "".join(a + b for a, b in zip(kept, [*code, ""], strict=True))
    return " ".join(text.split())


def plain_words(text: str) -> str:
    """Return `plain(text)` without the ticks of code spans too."""
    text = plain(text)
    return " ".join(text.replace("`", "").split()) if "`" in text else text


def code_spans(text: str) -> list[tuple[str, bool]]:
    """Split `text` into pieces, each with whether it is a code span (its ticks included)."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(text)]
    if len(runs) < 2:
        return [(text, False)]
    later: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[at][1] - runs[at][0], []).append(at)
    pieces: list[tuple[str, bool]] = []
    done = at = 0
    while at < len(runs):
        start, end = runs[at]
        same = later[end - start]
        while same and same[-1] <= at:
            same.pop()
        if not same:
            at += 1
            continue
        close = same[-1]
        pieces.append((text[done:start], False))
        pieces.append((text[start : runs[close][1]], True))
        done, at = runs[close][1], close + 1
    pieces.append((text[done:], False))
    return pieces


def sentences(text: str) -> list[str]:
    """Split one-line `text` at sentence ends; the marks stay with their sentences."""
    found = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text[max(start, end.start() - 8) : end.start()]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def first_sentence(text: str) -> str:
    """Return the first sentence of one-line `text`."""
    return next(iter(sentences(text[:2000])), "")


def is_none(text: str) -> bool:
    """Whether `text` says that there is nothing: `None`, `n/a`, `-`, `нет`, `无`, `aucun`.

    An explanation may follow ("None. Merging is the owner's."); "None except the key" and "No
    access to the server" are not nothing.
    """
    head = _LEAD.sub("", plain_words(text[:300])).casefold().lstrip("✅☑✔ ")
    head = _THERE.sub("", head)
    clause = _CLAUSE.split(head, maxsplit=1)[0].strip(" -_*/()[]")
    if not clause:
        return not any(letter.isalnum() for letter in head)
    if clause in NONE:
        return True
    for tail in NONE_AFTER:
        if clause.endswith(tail):
            before = clause.removesuffix(tail).rstrip("は가이 ")
            return before in SYNONYMS or before in NONE_OF
    if clause[0] in "无没暂目":
        rest = clause.removeprefix("目前").lstrip("暂无没有")
        return rest in NONE_OF or rest in SYNONYMS
    words = _USUAL.sub("", clause).split()
    for length in (2, 1):
        if " ".join(words[:length]) in NONE_BEFORE:
            return _all_in(words[length:], NONE_OF)
    return words[-1] in ("none", "nothing", "нет") and _all_in(words[:-1], NONE_OF)


def says_none(text: str) -> bool:
    """Whether `text` is nothing, also behind a label: `Type A (agent-solvable): None`."""
    label = _LABEL.match(plain_words(text[:300]))
    return is_none(text) or (label is not None and is_none(label[1]))


def _all_in(words: list[str], phrases: frozenset[str]) -> bool:
    """Whether `words` are phrases of the set one after the other, up to a word that explains."""
    at = 0
    while at < len(words):
        if words[at] in _EXPLAINS:
            return True
        for length in (4, 3, 2, 1):
            if " ".join(words[at : at + length]) in phrases:
                at += length
                break
        else:
            return False
    return True


def clipped(text: str, limit: int) -> str:
    """Return `text` cut to `limit` characters, the cut marked."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _unmarked(text: str) -> str:
    if "*" in text:
        if "**" in text:
            text = _BOLD.sub(r"\1", text)
        text = _STAR.sub(r"\1", text)
    if "_" in text:
        if "__" in text:
            text = _BOLD_LINES.sub(r"\1", text)
        text = _LINE.sub(r"\1", text)
    return text
