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
_RANGE = r"\s*(?:-|–|—|~|～|\.\.\.?|…|to|through|thru|until|до|по|bis|à|a|al|至|到|から)\s*"
_COUNTED = (
    r"(?!\s+(?:tests?|passed|passing|failed|files?|checks?|commits?|runs?|rows?|errors?|failures?"
    r"|bugs?|cases?|specs?|seconds?|minutes?|hours?|days?|weeks?|more|out|of \d)\b)"
)
"""A number before such a word counts something and names no condition."""
_NUMBERS = rf"#?\d{{1,3}}(?:(?:{_RANGE}|{_SEPARATOR})(?:DoD[ -]?)?#?\d{{1,3}}(?![\d%]){_COUNTED})*"
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
_OF_DOD = Pattern(
    rf"(?:\bitems?|\bpoints?|\bnumbers?|^\W*(?=#?\d+{_RANGE}\d))\s*({_NUMBERS})\s+of (?:the )?"
    r"(?:(?:success|acceptance) criteria|DoD|definition of done)\b",
    re.I,
)
_CJK_NUMBER = Pattern(rf"第\s*({_NUMBERS})\s*[项條条項個个]")
_ALL = Pattern(
    r"^\W*(?:all|every)(?: of)?(?: the)?(?: \d+)?(?: DoD)?"
    r" (?:DoD|items?|criteri(?:a|on)|conditions?|points?)\b"
    r"|^\W*(?:все (?:критерии|условия|пункты DoD)|全部(?:标准|条件|完成标准)|すべての条件"
    r"|tous les critères|todos los criterios|alle kriterien|todos os critérios)",
    re.I,
)
_STEP = Pattern(_RANGE)
_AGAIN = Pattern(r"\bDoD[ -]?$", re.I)
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
_PART_OF = Pattern(
    r"(?:^|[,;:]\s*|\band\s+)\W*(?:(?:the )?(?:first |last |larger |bigger )?"
    r"(?:parts?|half|halves|most|some|rest|remainder|bulk)(?: of)?|partly|partially|in part"
    r"|часть|частично|остаток|остальное по|部分|残り|(?:une |la )?partie d[eu]"
    r"|(?:le )?reste d[eu]|(?:ein )?teil von|rest von"
    r"|(?:una |la )?parte del?|(?:el |o )?resto del?)\s+(?:the )?$",
    re.I,
)
"""What stands before a condition of which only a part is meant."""
_AT_START = Pattern(
    r"^\W*(?:(?:completed?|finished|done|closed|delivered|implemented|verified|all of|both|готово"
    r"|完成|已完成|terminé|hecho|erledigt)\W+)?$",
    re.I,
)


_CHAIN = Pattern(rf"{_SEPARATOR}(?:(?:the )?(?:rest|part|remainder|half|most) of (?:the )?)?", re.I)


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

    __slots__ = ("_by_label", "_by_number", "_compact", "_highest", "_one", "_spaced", "total")

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
        bare = sorted((label for word, label in self._by_label if not word), key=len, reverse=True)
        one = "|".join(map(re.escape, bare))
        self._one = bare and Pattern(rf"({one})|\d+")
        self._compact = bare and Pattern(
            rf"(?<![\w-])((?:{one})(?:(?:{_RANGE}|{_SEPARATOR})(?:{one})|[-–]\d{{1,3}})*)(?!\w)"
        )

    def named_in(self, text: str) -> list[Reference]:
        """Return the conditions that `text` names, in order of mention, each once."""
        words = plain_words(text[:4000])
        if _ALL.match(words):
            return [Reference(at, False, True) for at in range(1, self.total + 1)]
        found: dict[int, Reference] = {}
        led_to = -1
        for match, numbers, by_label in self._mentions(words):
            before, after = words[: match.start()], words[match.end() : match.end() + 40]
            part_of = _PART_OF.search(before[-40:])
            chained = led_to >= 0 and bool(_CHAIN.fullmatch(words[led_to : match.start()]))
            leads = chained or _leads(before, after)
            if leads:
                led_to = match.end()
            partly = bool(part_of or _PART.match(after))
            for at in numbers:
                if at is not None and at not in found:
                    found[at] = Reference(at, partly, leads, by_label)
        return list(found.values())

    def at_start(self, text: str) -> str | None:
        """Return the label of a condition that `text` begins with, as it stands there."""
        first = next(iter(self._mentions(plain_words(text[:200]))), None)
        return first[0][0] if first and first[2] and first[0].start() < 3 else None

    def without_names(self, text: str) -> str:
        """Return `text` without the names of conditions, which may be made of state words."""
        words = plain_words(text[:4000])
        for match, _, _ in reversed(self._mentions(words)):
            words = f"{words[: match.start()]} {words[match.end() :]}"
        return words

    def _mentions(self, words: str) -> list[tuple[re.Match[str], list[int | None], bool]]:
        """Return every mention in order, with the positions it names and whether by label."""
        found: list[tuple[re.Match[str], list[int | None], bool]] = [
            (match, self._labelled(match[1]), True)
            for match in (self._compact.finditer(words) if self._compact else ())
        ]
        starts = {match.start() for match, _, _ in found}
        numbered = (_BY_NUMBER, _OF_DOD, _CJK_NUMBER)
        for match in (match for pattern in numbered for match in pattern.finditer(words)):
            before = words[max(0, match.start() - 40) : match.start()]
            towards = _TOWARDS.search(before) and not _PART_OF.search(before)
            if match.start() not in starts and not towards:
                numbers = [self._by_number.get(at) for at in _ids(match[1], self._highest)]
                found.append((match, numbers, False))
        for match in self._spaced.finditer(words) if self._spaced else ():
            word = match[1].casefold()
            labelled = [self._by_label.get((word, label)) for label in _ids(match[2], 999)]
            found.append((match, labelled, True))
        return sorted(found, key=lambda mention: mention[0].start())

    def _labelled(self, text: str) -> list[int | None]:
        """Return the positions of `D1, D3` or `D1-D3` or `D1-3`."""
        found: list[int | None] = []
        end = 0
        for match in self._one.finditer(text) if self._one else ():
            label = match[1] or (found and _with_number(text[: match.start()], match[0]))
            at = self._by_label.get(("", label)) if label else None
            first = found[-1] if found else None
            if at and first and _STEP.fullmatch(text[end : match.start()]):
                found.extend(range(first + 1, at + 1))
            else:
                found.append(at)
            end = match.end()
        return found


def _with_number(before: str, number: str) -> str | None:
    """Return the last label of `before` with another number: `D3` for `D1-` and `3`."""
    last = re.search(r"([A-Za-z]+[-#]*)\d+[-–]$", before)
    return last[1] + number if last else None


def _leads(before: str, after: str) -> bool:
    """Whether a name stands at the start of a text, or in brackets at its end."""
    bracketed = not after[:20].strip(" ).）。") and before.rstrip().endswith(("(", "（"))
    if bracketed:
        return True
    return len(before) < 41 and bool(_AT_START.match(before) or _PART_OF.fullmatch(before))


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
        name = match[0]
        between = _AGAIN.sub("", text[at : match.start()]).strip(" #")
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
