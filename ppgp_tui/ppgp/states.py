"""States as people write them: words before or after a text, emoji, cells, prose.

PPGP reference section 2.3, points 1 and 2. A word counts only where it stands as a state (parted by
a sign, a bracket or bold from the text); words inside a sentence are never taken for one.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.names import name_of
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain_words
from ppgp_tui.ppgp.reading import CriterionState
from ppgp_tui.ppgp.words import EMOJI_STATES, NOT, OUTCOMES, STATES, YES, phrases

BOXES: dict[str, CriterionState] = {
    "x": "done", "X": "done", "✓": "done", "✔": "done", "✅": "done", "☑": "done",
    " ": "open", "\xa0": "open", "-": "partial", "~": "partial", "/": "partial",
}  # fmt: skip

_RUN = Pattern(r"[^\W\d_][^\W\d_'’-]*(?:[ '’-][^\W\d_]+){0,3}")
_AFTER_WORD = Pattern(
    r"\s*(?:$|[:：—–|,;，；。!！)）\]】/→]|\.(?:\s|$)|-\s|\(|（|\s-\s|\s?\d"
    r"|(?:on|at|in|by|since|until|via|with|am|seit|durch|von|le|par|depuis|el|por|desde|em|pelo"
    r"|от|с|из-за)\s)",
    re.I,
)
_CAPITAL_STATES = phrases("DONE|PARTIAL|PARTLY|TODO|BLOCKED|WIP|NOT STARTED|IN PROGRESS|NOT DONE")
"""Capitals that tell a state also without a sign behind them: `DONE Login works`."""
_OPENERS = "([（【［"
_CLOSERS = ")]）】］"
_SIGNS = " \t*_~`>️"
_LAST_PART = Pattern(r"(\s[—–-]+\s|[—–→]|:\s|：|\s->\s)([^—–→:：]{1,80})$")
_DATE = Pattern(r"^\s*\(?\d{4}-\d\d-\d\d\)?")
_STRIKE = Pattern(r"\s*~~.*~~\s*$")


def state_word(text: str) -> tuple[CriterionState, int] | None:
    """Return the state that the words at the start of `text` name, and where they end."""
    run = _RUN.match(text)
    if not run:
        return None
    words = run[0]
    while words:
        state = STATES.get(words.casefold())
        if state is not None:
            return state, len(words)  # type: ignore[return-value]  # the table holds states only
        cut = max(words.rfind(" "), words.rfind("-"))
        words = words[:cut] if cut > 0 else ""
    return None


def written_state(raw: str) -> tuple[CriterionState, str] | None:
    """Return the state written before or after `raw`, and the text without a leading one.

    `raw` still carries its emphasis marks. A trailing state stays in the text: it often brings a
    date or a proof with it.
    """
    if _STRIKE.match(raw[:2000]):
        return None
    return _leading(raw) or _trailing(raw)


def cell_state(cell: str) -> CriterionState | None:
    """Return the state a table cell tells, or None."""
    text = plain_words(cell).strip()
    for letter in text[:3]:
        if letter in EMOJI_STATES:
            return EMOJI_STATES[letter]  # type: ignore[return-value]
    if text.casefold() in YES:
        return "done"
    if text.casefold() in NOT:
        return "open"
    if text[:1] in _OPENERS:
        text = text[1:].lstrip()
    if text[1:2] == "]" and text[0] in BOXES:
        return BOXES[text[0]]
    found = state_word(text)
    return found[0] if found else None


def heading_state(raw: str) -> CriterionState | None:
    """Return the state an inner heading gives to what stands under it: `### ✅ Phase 1`."""
    text = plain_words(raw)
    if text[:1] in EMOJI_STATES:
        return EMOJI_STATES[text[0]]  # type: ignore[return-value]
    found = state_word(text)
    return found[0] if found and not text[found[1] :].strip(" :：") else None


def spoken_state(sentence: str) -> CriterionState | None:
    """Return the state that `sentence` speaks of: `treated as proved`, `still partial`.

    A negation just before the word turns done into open.
    """
    text = plain_words(sentence)
    found: set[str] = {EMOJI_STATES[letter] for letter in text if letter in EMOJI_STATES}
    at = 0
    before = ""
    while run := _WORD.search(text, at):
        named = state_word(text[run.start() :])
        if named:
            state, length = named
            negated = before.casefold() in NOT
            found.add("open" if negated and state == "done" else state)
            at = run.start() + length
            before = ""
            continue
        before = run[0]
        at = run.end()
    for state in ("partial", "blocked", "open", "done"):
        if state in found:
            return state
    return None


_WORD = Pattern(r"[^\W\d_]+")


def _leading(raw: str) -> tuple[CriterionState, str] | None:
    text = raw.lstrip(_SIGNS)
    if not text:
        return None
    if text[0] in EMOJI_STATES:
        rest = text[1:].lstrip(_SIGNS + "".join(EMOJI_STATES))
        named = _leading_word(rest)
        return (EMOJI_STATES[text[0]], named[1] if named else rest)  # type: ignore[return-value]
    return _leading_word(text)


def _leading_word(text: str) -> tuple[CriterionState, str] | None:
    bracketed = text[:1] in _OPENERS and bool(text)
    body = text[1:].lstrip(_SIGNS) if bracketed else text
    found = state_word(body)
    if not found:
        return None
    state, length = found
    rest = body[length:] if bracketed else _DATE.sub("", body[length:], count=1)
    if bracketed:
        close = next((at for at, letter in enumerate(rest[:80]) if letter in _CLOSERS), None)
        if close is None or not _AFTER_WORD.match(rest):
            return None
        return state, rest[close + 1 :].lstrip(" *_:：—–-")
    bare = rest.lstrip("*_` ")
    bold = rest.startswith(("**", "__", "`"))
    mark = bare[:1]
    is_upper = body[:length].isupper()
    if not bare:
        return state, body
    if mark in ":：—–|→" or (mark == "-" and rest[:1] in " *") or bold:
        pass
    elif body[:length] in _CAPITAL_STATES and bare[1:2].islower():
        return state, bare
    elif not (is_upper and (mark in "([.,;/（。" or bare[:2] == "->")):
        return None
    return state, bare.lstrip(" *_:：—–|→.->") if mark not in "([（" else bare


def _trailing(raw: str) -> tuple[CriterionState, str] | None:
    text = raw.rstrip(_SIGNS + ".。;,")
    if not text:
        return None
    if text[-1] in EMOJI_STATES:
        return EMOJI_STATES[text[-1]], raw  # type: ignore[return-value]
    if text[-1] in _CLOSERS:
        opening = max(text.rfind(sign, 0, len(text) - 1) for sign in _OPENERS)
        inside = text[opening + 1 : -1].strip(_SIGNS)
        if opening > 0 and text[opening - 1] != "]" and (state := _standing_alone(inside)):
            return state, raw
        text = text[:opening].rstrip(_SIGNS) if opening > 0 else text
    part = _LAST_PART.search(text[-100:])
    if part is None:
        return None
    last = part[2].strip(_SIGNS)
    if (":" in part[1] or "：" in part[1]) and not _names_status(text[: -len(part[0])]):
        found = state_word(last)
        if found and last[: found[1]].casefold() in OUTCOMES and not last[: found[1]].isupper():
            return None
    state = _standing_alone(last)
    return (state, raw) if state else None


def _names_status(text: str) -> bool:
    """Whether the last word before a colon is a name for status: `Login works. Status: open`."""
    words = text[-40:].replace(".", " ").replace(";", " ").split()
    name = name_of(words[-1]) if words else None
    return name is not None and name.role == "status"


def _standing_alone(text: str) -> CriterionState | None:
    """Return the state `text` tells when it is that and little else: a date, a place, a remark."""
    if text[:1] in EMOJI_STATES:
        return EMOJI_STATES[text[0]]  # type: ignore[return-value]
    found = state_word(text)
    if not found:
        return None
    state, length = found
    return state if _AFTER_WORD.match(text[length:]) else None
