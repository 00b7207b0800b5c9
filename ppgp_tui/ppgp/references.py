"""Which conditions a text names: `DoD 1-10`, `criteria 1 through 6`, `Step B`.

PPGP reference section 2.3, point 3. A condition is named by its number behind a word for it, or by
the label it carries itself. Similar wording names nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain_words

_SEPARATOR = r"\s*(?:,|;|&|\+|/|and|und|et|y|e|и|ve|と|、|和|与|및|و)\s*"
_RANGE = r"\s*(?:-|–|—|~|～|\.\.|to|through|thru|until|до|по|bis|à|a|al|至|到|から)\s*"
_NUMBERS = rf"#?\d{{1,3}}(?:(?:{_RANGE}|{_SEPARATOR})#?\d{{1,3}}(?![\d%]))*"
_WORDS = (
    r"\bDoD(?:[ -]?(?:items?|criteri(?:a|on)|conditions?|points?|nos?\.?|numbers?))?"
    r"|\bdefinition[ _]of[ _]done(?: items?)?"
    r"|\b(?:criteri(?:a|on)|acceptance items?|conditions?)"
    r"|\bAC(?=[ #-]?\d)"
    r"|\b(?:критери[ийяев]{1,3}|услови[еяй]{1,2}|пункт\w{0,3} DoD)"
    r"|\b(?:critères?|conditions?|criterios?|critérios?|kriterien|kriterium|bedingung(?:en)?"
    r"|kriter(?:ler)?i?|koşul(?:lar)?)"
    r"|(?:标准|条件|验收项|完成标准|基準|完了条件|조건|기준|معيار|معايير|شرط)"
)
_BY_NUMBER = Pattern(rf"(?:{_WORDS})\s*[:：-]?\s*(?:#|№|n[°º]|nr\.?|no\.)?\s*({_NUMBERS})", re.I)
_CJK_NUMBER = Pattern(rf"第\s*({_NUMBERS})\s*[项條条項個个]")
_ALL = Pattern(
    r"^\W*(?:all|every)(?: of)?(?: the)?(?: \d+)?(?: DoD)?"
    r" (?:DoD|items?|criteri(?:a|on)|conditions?|points?)\b"
    r"|^\W*(?:все (?:критерии|условия|пункты DoD)|全部(?:标准|条件|完成标准)|すべての条件"
    r"|tous les critères|todos los criterios|alle kriterien|todos os critérios)",
    re.I,
)
_STEP = Pattern(_RANGE)
_SPACED = Pattern(
    r"\W*([^\W\d_]{2,12})[ -]#?(\d{1,3}(?:\.\d{1,2})?|[A-Z])\s*(?:[:：.)）*]|[—–]|-\s)"
)
_COMPACT = Pattern(r"\W*([A-Z]{1,4}(?:-#?|#)?\d{1,3}(?:\.\d{1,2})?)(?=[\s:：.)）*])")
_ID = Pattern(r"\d{1,3}(?:\.\d{1,2})?|(?<![A-Za-z])[A-Z](?![A-Za-z])")
_TOWARDS = Pattern(
    r"(?:\b(?:for|towards?|of|unblocks?|before|beyond|needed by|depends on|see|until|under|ahead of"
    r"|для|к|pour|para|für)\s+(?:the\s+)?)$",
    re.I,
)
_PART = Pattern(
    r"\s*[(（—–:-]?\s*(?:in )?(?:part|partly|partial|частично|部分|一部|일부|teil|parc)", re.I
)
_AT_START = Pattern(
    r"^\W*(?:(?:completed?|finished|done|closed|delivered|implemented|verified|all of|both|готово"
    r"|完成|已完成|terminé|hecho|erledigt)\W+)?$",
    re.I,
)


class Reference(NamedTuple):
    """One condition named by a text."""

    number: int
    """Position of the condition, from 1."""
    partly: bool
    """The text says that only a part of it is meant."""
    leads: bool
    """The name stands at the start of the text or in brackets at its end."""
    by_label: bool = False
    """Named by the label it carries, not by its number."""


class Labels:
    """How the conditions of a document can be named."""

    __slots__ = ("_by_label", "_by_number", "_compact", "_highest", "_spaced", "total")

    def __init__(self, texts: Sequence[str], numbers: Sequence[int | None]) -> None:
        self.total = len(texts)
        given = [number for number in numbers if number is not None]
        unique = len(given) == len(texts) == len(set(given))
        self._by_number = {
            str(number if unique else at): at for at, number in enumerate(numbers, 1)
        }
        self._highest = max(map(int, self._by_number), default=0)
        labels = [label_of(text) for text in texts]
        self._by_label = {
            label: at
            for at, label in enumerate(labels, 1)
            if label is not None and labels.count(label) == 1
        }
        words = sorted({word for word, _ in self._by_label if word}, key=len, reverse=True)
        ids = r"#?(?:\d{1,3}(?:\.\d{1,2})?|[A-Z])(?!\w)"
        self._spaced = words and Pattern(
            rf"(?<!\w)(?i:({'|'.join(map(re.escape, words))})s?)[ -]"
            rf"({ids}(?:(?:{_RANGE}|{_SEPARATOR}){ids})*)"
        )
        compact = [re.escape(label) for word, label in self._by_label if not word]
        self._compact = compact and Pattern(rf"(?<![\w-])({'|'.join(compact)})(?!\w)")

    def named_in(self, text: str) -> list[Reference]:
        """Return the conditions that `text` names, in order of mention, each once."""
        words = plain_words(text[:4000])
        found: dict[int, Reference] = {}
        if _ALL.match(words):
            return [Reference(at, False, True) for at in range(1, self.total + 1)]
        compact = [*self._compact.finditer(words)] if self._compact else []
        starts = {match.start() for match in compact}
        for match in [*_BY_NUMBER.finditer(words), *_CJK_NUMBER.finditer(words)]:
            before = words[max(0, match.start() - 24) : match.start()]
            if match.start() not in starts and not _TOWARDS.search(before):
                numbers = [self._by_number.get(at) for at in _ids(match[1], self._highest)]
                _take(numbers, match, found)
        for match in self._spaced.finditer(words) if self._spaced else ():
            word = match[1].casefold()
            numbers = [self._by_label.get((word, label)) for label in _ids(match[2], 999)]
            _take(numbers, match, found, by_label=True)
        for match in compact:
            _take([self._by_label.get(("", match[1]))], match, found, by_label=True)
        return list(found.values())


def _take(
    numbers: Sequence[int | None],
    match: re.Match[str],
    found: dict[int, Reference],
    by_label: bool = False,
) -> None:
    """Add the conditions a match names to `found`, the first mention of each only."""
    text = match.string
    before, after = text[: match.start()][-41:], text[match.end() : match.end() + 40]
    ends = not after[:20].strip(" ).）。")
    bracketed = ends and before.rstrip().endswith(("(", "（"))
    leads = bracketed or bool(len(before) < 41 and _AT_START.match(before))
    partly = bool(_PART.match(after))
    for at in numbers:
        if at is not None and at not in found:
            found[at] = Reference(at, partly, leads, by_label)


def label_of(text: str) -> tuple[str, str] | None:
    """Return the label a condition carries: `("step", "A")`, or `("", "AC1")` for a bare id."""
    if spaced := _SPACED.match(text[:60]):
        return spaced[1].casefold(), spaced[2]
    compact = _COMPACT.match(text[:60])
    return ("", compact[1]) if compact else None


def _ids(text: str, highest: int) -> list[str]:
    """Return the single ids of `1-3, 5 and 7` or `A-C`; numbers above `highest` are left out."""
    found: list[str] = []
    at = 0
    for match in _ID.finditer(text):
        name, between = match[0], text[at : match.start()].strip(" #")
        at = match.end()
        if found and between and _STEP.fullmatch(between):
            found.extend(_between(found[-1], name, highest))
        elif not name.isdigit() or int(name) <= highest:
            found.append(name)
    return found


def _between(first: str, last: str, highest: int) -> list[str]:
    """Return the ids after `first` up to `last`."""
    if first.isdigit() and last.isdigit():
        return [str(number) for number in range(int(first) + 1, min(int(last), highest) + 1)]
    if first.isalpha() and last.isalpha():
        return [chr(code) for code in range(ord(first) + 1, ord(last) + 1)]
    return []
