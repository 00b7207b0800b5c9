"""The lifecycle phase: what the document names, what it says, and what that comes close to.

PPGP reference sections 2 (field 3) and 3. Only a field that is called phase can name one; a status,
stage or mode is kept raw, and a lifecycle word it resembles is marked as inferred.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ppgp_tui.ppgp.entries import Entry
from ppgp_tui.ppgp.fields import Fields, FoundField
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import clipped, first_sentence, is_none, plain
from ppgp_tui.ppgp.vocabulary import PHASES
from ppgp_tui.ppgp.words import NEAR_PHASES, STANDING

_WORD = Pattern(r"[^\W\d_]+(?:[ -][^\W\d_]+)?|[^\W\d_]+")
_LEAD_SPAN = Pattern(r"\s*(?:\*\*([^*]{2,200})\*\*|`([^`]{2,200})`|__([^_]{2,200})__)")
_HERE = Pattern(
    r"\*\*[A-Z]{4,8}\*\*|\[[A-Z]{4,8}\]|`[A-Z]{4,8}`|\b[A-Z]{4,8}\s*(?:←|<-|\((?:now|current|here)\))"
)
_CURRENT = Pattern(r"^\W*(?:(?:current|now|lifecycle) ?(?:phase)?|phase)\s*[:：]\s*", re.I)
_CAPITALS = Pattern(r"\b[A-Z]{4,8}\b")
_RUN = Pattern(r"[^\W\d_]+(?:[ '-][^\W\d_]+){0,3}")


class Phase(NamedTuple):
    """What the document says about its phase."""

    named: str | None = None
    raw: str | None = None
    inferred: str | None = None
    line: int | None = None
    standing: str | None = None
    """`paused`, `abandoned`, `complete`, `frozen`, `active` or `draft`, where the words say so."""
    standing_words: str | None = None
    """The words that say so."""
    odd: bool = False
    """The field called phase does not begin with a lifecycle word."""


def phase_of(fields: Fields, title_status: str | None, has_menu: bool) -> Phase:
    """Return the phase of the document; `title_status` is a status written in its title."""
    found = fields["PHASE"]
    if found is not None and found.entries and (phase := _from_field(found, fields)):
        return phase if phase.standing else _with_other_status(phase, fields, found)
    if title_status:
        return _told(title_status, fields.outline.title_line)
    if has_menu:
        return Phase(inferred="THINK")
    remaining = fields["REMAINING"]
    if remaining and "now" in remaining.roles:
        return Phase(inferred="EXECUTE", line=remaining.field.line)
    return Phase()


def _with_other_status(phase: Phase, fields: Fields, found: FoundField) -> Phase:
    """Return `phase` with how things stand by a status that is written beside it."""
    for section in fields.outline.sections:
        if section.is_status and section not in found.sections and section.value:
            told = section.host in (None, fields.outline.preamble)
            words = plain(section.value)
            if told and (standing := standing_of(words)):
                return phase._replace(standing=standing[0], standing_words=words)
    return phase


def standing_of(text: str) -> tuple[str, int] | None:
    """Return how things stand by the first words of `text`, and where those words end."""
    run = _RUN.match(text)
    words = run[0] if run else ""
    while words:
        if standing := STANDING.get(words.casefold()):
            return standing, len(words)
        cut = max(words.rfind(" "), words.rfind("-"))
        words = words[:cut] if cut > 0 else ""
    return None


def near_phase(text: str) -> str | None:
    """Return the lifecycle word that the first words of `text` come close to, or None."""
    words: list[str] = _WORD.findall(text[:200])
    for word in words[:3]:
        for form in (word, *re.split("[ -]", word)):
            if form.upper() in PHASES:
                return form.upper()
            if near := NEAR_PHASES.get(form.casefold()):
                return near
    first = words[0].upper() if words else ""
    return next((phase for phase in PHASES if len(first) > 3 and _one_slip(first, phase)), None)


def _from_field(found: FoundField, fields: Fields) -> Phase | None:
    entry = next((entry for entry in found.entries if entry.kind != "group"), None)
    if entry is None or not entry.text:
        return None
    status = found.field.match == "mapped" and "status" in found.roles
    if status and entry.is_listed and len(found.listed) > 1 and not _is_short(entry.text):
        return None
    raw = _CURRENT.sub("", _raw(entry))
    if is_none(raw):
        return Phase(raw=raw, line=entry.line, odd=not status)
    if status:
        return _told(raw, entry.line, _with_further_keys(fields, raw))
    named = _named(found, entry)
    if named:
        over = "complete" if named == "CLOSED" else None
        return Phase(named, raw, None, entry.line, over, raw)
    told = _told(raw, entry.line)
    return told._replace(odd=True, inferred=_unticked(found) or told.inferred)


def _named(found: FoundField, entry: Entry) -> str | None:
    """Return the lifecycle word the field begins with; in a list of all phases, the marked one."""
    listed = [word for word in _CAPITALS.findall(entry.text[:400]) if word in PHASES]
    if len(set(listed)) > 2 or entry.box is not None:
        here = [mark[0] for mark in _HERE.finditer(entry.raw[:400])]
        marked = [word for mark in here if (word := _CAPITALS.findall(mark)[0]) in PHASES]
        return str(marked[0]) if len(marked) == 1 else None
    first = re.match(r"\W*([^\W\d_]+)", _CURRENT.sub("", plain(entry.raw)))
    word = first[1].upper() if first else ""
    if word not in PHASES:
        return None
    others = [other for other in found.listed if other is not entry and other.is_listed]
    return None if others and all(_is_phase(other.text) for other in others) else word


def _unticked(found: FoundField) -> str | None:
    """Return the first phase of a checklist that is not ticked off."""
    boxes = [entry for entry in found.listed if entry.box is not None and _is_phase(entry.text)]
    if len(boxes) < 3:
        return None
    ahead = next((entry for entry in boxes if entry.ticked != "done"), None)
    return ahead.text.split()[0].strip(":").upper() if ahead else None


def _is_phase(text: str) -> bool:
    word = re.match(r"\W*([A-Za-z]+)", text)
    return word is not None and word[1].upper() in PHASES


def _is_short(text: str) -> bool:
    return len(text) <= 60 and standing_of(text) is not None


def _raw(entry: Entry) -> str:
    span = _LEAD_SPAN.match(entry.raw)
    if span:
        return plain(next(filter(None, span.groups())))
    return clipped(first_sentence(entry.text) or entry.text, 160)


def _with_further_keys(fields: Fields, raw: str) -> str:
    """Return `status: active, stage: null` for front matter that has several such keys."""
    keys = [
        section
        for section in fields.outline.sections
        if section.style == "meta" and section.is_status
    ]
    if len(keys) < 2:
        return raw
    return ", ".join(f"{section.label}: {section.value or 'null'}" for section in keys)


def _told(words: str, line: int | None, raw: str | None = None) -> Phase:
    standing = standing_of(re.sub(r"^\W+", "", words))
    kind = standing[0] if standing else None
    over = kind in ("paused", "abandoned", "complete")
    near = near_phase(words) or ("FREEZE" if kind == "frozen" else None)
    return Phase(None, raw or words, None if over else near, line, kind, words)


def _one_slip(word: str, phase: str) -> bool:
    """Whether `word` is `phase` with one letter wrong, missing, added or swapped."""
    if abs(len(word) - len(phase)) > 1 or word == phase:
        return False
    if sorted(word) == sorted(phase):
        return True
    short, long = sorted((word, phase), key=len)
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
