"""Which of the thirteen fields a heading or label names, and how surely.

Exact names and aliases follow PPGP reference section 2.1; decorations that are taken off (emoji,
numbers, brackets) are section 2.2; synonyms are section 2.4 and always marked `mapped`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain
from ppgp_tui.ppgp.reading import FieldMatch
from ppgp_tui.ppgp.vocabulary import (
    EXACT,
    QUALIFIERS,
    QUALIFYING_PARTS,
    SCOPE_WORDS,
    SYNONYMS,
    TRAILING,
    WITHIN,
)
from ppgp_tui.ppgp.words import EMOJI_STATES, phrases

_WIDE = str.maketrans("：（）［］【】　－＿｜’", ":()[][] -_|'")
_NUMBER = Pattern(
    r"(?:\d+(?:\.\d+)+[.):]?|\d{1,2}[.):、]?|[ivx]{1,4}[.)]|[a-z][.)]|§\s*\d+)\s+(?=\D)", re.I
)
_DIGITS_FIRST = Pattern(r"[(（]?(?:\d{1,2}|[一二三四五六七八九十]{1,3})[.)）、．]\s*(?=[^\s\d])")
_ANCHOR = Pattern(r"\s*\{#[^{}]*\}\s*$")
_SPLITS = Pattern(r":\s*|\s+[—–|·/-]+\s+|\s*[—·|]\s*|\s*/\s*|\s*[—–]{2,}\s*")
_NO_WORD = Pattern(r"[^\w'&+]+|_+")
_AND = Pattern(r"\s(?:and|&|und|et|y|и|e|ve|و|与|和|および|및|\+)\s")
_DATE = Pattern(r"\b(?:(?:as of|on|at|since|am|au|на|от) )?\d{4} \d\d \d\d\b.*$")
_OPENERS = "(（[【「_\"'<"
_LOOKED_AT = 400
_NEXT_WORDS = phrases("action|actions|step|executable|task|move")
_NO_DEFINITION = phrases(
    """report|reports|plan|failed|missed|unmet|required|evidence|results|run|log
    """
)
_NEGATIONS = phrases("non|no|not")
_NOT_WORK = phrases("budget|time|risk|risks|quota|context|tokens")


class Name(NamedTuple):
    """What a heading or label names."""

    field: str
    """Canonical name of the field."""
    match: FieldMatch
    role: str
    """Role of a synonym as in `vocabulary.py`; empty for most."""
    fuzzy: bool
    """Found by resemblance: an exact name elsewhere is preferred."""
    value: str
    """Words after a colon in the same heading or label; empty when there are none."""
    note: str = ""
    """Words in brackets or after a dash there: a remark, or the value where nothing follows."""


def key(text: str) -> str:
    """Return `text` as it is looked up: small letters, words with single blanks, nothing else."""
    if text.isascii():
        return " ".join(_NO_WORD.sub(" ", text.lower()).split())
    folded = text.translate(_WIDE).casefold().replace("i̇", "i")
    return " ".join(_NO_WORD.sub(" ", folded).split())


@lru_cache(maxsize=1024)
def name_of(label: str) -> Name | None:
    """Return which field `label` (a heading without its marks) names, or None.

    The label may carry emoji, a number, brackets, a trailing colon, a second name in another
    language, and text after a colon or dash, which is returned as the value.
    """
    rest_of_line = label[_LOOKED_AT:]
    label = undecorated(label[:_LOOKED_AT])
    if not label:
        return None
    bare, note = _without_brackets(label)
    found = _lookup_exact(bare) or _second_name(bare, note) or _lookup(bare)
    if found:
        return _named(found, note=note)
    if split := _SPLITS.search(label.translate(_WIDE)):
        before, after = label[: split.start()], label[split.end() :].strip() + rest_of_line
        first = _without_brackets(before)[0]
        if second := _second_name(first, after, split[0].strip() in ("/", "|")):
            return _named(second)
        if found := _lookup(first):
            is_value = split[0].startswith(":")
            return _named(found, after if is_value else "", "" if is_value else after)
    if bare and (within := _within(key(bare))):
        return _named((within, "mapped", False), note=note)
    if note and (within := _within(key(note))) and within.startswith("HUMAN_AUTHORITY"):
        return _named((within, "mapped", False))
    return None


def emoji_state(text: str) -> str | None:
    """Return the state told by an emoji at the beginning of `text`, or None."""
    return EMOJI_STATES.get(text.lstrip(" *_>#[(")[:1])


def undecorated(label: str) -> str:
    """Return `label` without emphasis, leading signs and numbers, and a trailing colon or sign."""
    label = plain(_ANCHOR.sub("", label) if label.endswith("}") else label)
    for _ in range(3):
        start = 0
        while start < len(label) and not (label[start].isalnum() or label[start] in _OPENERS):
            start += 1
        label = label[start:]
        number = _NUMBER.match(label) or _DIGITS_FIRST.match(label)
        if number is None or not any(letter.isalpha() for letter in label[number.end() :]):
            break
        label = label[number.end() :]
    end = len(label)
    while end and not (label[end - 1].isalnum() or label[end - 1] in ")）]】」\"'>。.!?_%"):
        end -= 1
    return label[:end]


def _named(found: tuple[str, FieldMatch, bool], value: str = "", note: str = "") -> Name:
    name, match, fuzzy = found
    field, _, role = name.partition(":")
    return Name(field, match, role, fuzzy, value, note)


def _lookup_exact(words: str) -> tuple[str, FieldMatch, bool] | None:
    phrase = key(words)
    name = EXACT.get(phrase)
    if name is None:
        return None
    return name, "canonical" if name == phrase.upper().replace(" ", "_") else "alias", False


def _second_name(
    first: str, second: str, beside: bool = False
) -> tuple[str, FieldMatch, bool] | None:
    """Return the field that `second` names where it says again what `first` says: `目标 (GOAL)`.

    A state in that place (`Step 1 (COMPLETED)`) names no field, unless it stands `beside` the first
    name (`终了 / COMPLETED`).
    """
    exact = _lookup_exact(second) if second else None
    if exact is None:
        return None
    same = _lookup(first)
    if same is not None:
        return exact if same[0].partition(":")[0] == exact[0] else None
    if first.isascii() or exact[1] != "canonical":
        return None
    return exact if beside or exact[0] not in ("COMPLETED", "REMAINING") else None


def _lookup(words: str) -> tuple[str, FieldMatch, bool] | None:
    if exact := _lookup_exact(words):
        return exact
    phrase = key(words)
    if phrase in SYNONYMS:
        return SYNONYMS[phrase], "mapped", False
    if any(phrase.startswith(scope) for scope in SCOPE_WORDS):
        return None
    parts = phrase.split()
    if not parts:
        return None
    if len(parts) > 1 and parts[0] == "next" and _NEXT_WORDS.intersection(parts[1:4]):
        return "NEXT_EXECUTABLE_ACTION", "alias", True
    if parts[0] == "remaining" and not _NOT_WORK.intersection(parts):
        return "REMAINING", "mapped", False
    for reduced in _reductions(phrase):
        found = SYNONYMS.get(reduced) or EXACT.get(reduced)
        if found:
            return found, "mapped", False
    return None


def _reductions(phrase: str) -> list[str]:
    """Return shorter forms of `phrase`: without a date, a second part, leading qualifiers."""
    forms = [_DATE.sub("", phrase).strip(), _AND.split(phrase, maxsplit=1)[0].strip()]
    words = phrase.split()
    while len(words) > 1 and words[0] in QUALIFIERS:
        words = words[1:]
        forms.append(" ".join(words))
        forms.append(_AND.split(" ".join(words), maxsplit=1)[0].strip())
    words = phrase.split()
    while len(words) > 1 and words[-1] in TRAILING:
        words = words[:-1]
        forms.append(" ".join(words))
    forms += [
        phrase.removeprefix(part).strip() for part in QUALIFYING_PARTS if phrase.startswith(part)
    ]
    return [form for form in forms if form and form != phrase]


def _within(phrase: str) -> str | None:
    """Return the field named somewhere inside `phrase`, unless another word turns it round."""
    words = set(phrase.split())
    if words & _NEGATIONS:
        return None
    for part, name in WITHIN.items():
        if part in phrase:
            return None if name == "DEFINITION_OF_DONE" and words & _NO_DEFINITION else name
    if words & {"blocker", "blockers"}:
        return "BLOCKERS"
    if words & {"awaiting", "pending", "needs"} and words & {"approval", "signoff", "sign"}:
        return "HUMAN_AUTHORITY_REQUIRED:gate"
    accepts = (
        words & {"acceptance", "приёмка", "приемка"} or "验收" in phrase or "受け入れ" in phrase
    )
    return "DEFINITION_OF_DONE:listed" if accepts and not words & _NO_DEFINITION else None


def _without_brackets(label: str) -> tuple[str, str]:
    """Split `Name (note)` into name and note; brackets around the whole are taken off."""
    wide = label.translate(_WIDE)
    if wide[-1:] in (")", "]"):
        opening = "(" if wide[-1] == ")" else "["
        start = wide.find(opening)
        if start > 0:
            return label[:start].rstrip(), label[start + 1 : -1].strip()
        if start == 0 and wide.find(wide[-1]) == len(wide) - 1:
            return label[1:-1].strip(), ""
    if wide[:1] == "[" and 0 < (end := wide.find("]")) < len(wide) - 1:
        return label[end + 1 :].strip(), label[1:end]
    return label, ""
