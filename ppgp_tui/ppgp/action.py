"""The next action, and whether an agent could act on it now.

PPGP reference section 2, field 13: the first entry; dated or conditional branches are kept with it.
An action is executable when neither a person nor a date nor a blocker of its own scope is waited
for, and when the goal itself is not paused, abandoned or finished.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.entries import Entry
from ppgp_tui.ppgp.evidence import names_place
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.menu import Menu
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import Phase
from ppgp_tui.ppgp.prose import first_sentence, is_none, plain_words
from ppgp_tui.ppgp.reading import NOTHING_LEFT, Blocker, NextAction
from ppgp_tui.ppgp.states import written_state
from ppgp_tui.ppgp.waiting import first_step, meanwhile, waits_for_person, waits_for_time

_CURRENT = ("→", "➡", "▶", "⇒", "->")
_DONE_INSIDE = Pattern(r"^[^:：]{0,60}(?:✅|☑|✔)")
_POINTER = Pattern(
    r"\W*(?:see|read|re-?read|use .{1,160}\bas (?:the )?(?:source|reference)|refer to|consult|open"
    r"|см\.?|смотри|читать|参见|参考|阅读|参照|voir|lire|ver|leer|siehe|lies)\b",
    re.I,
)


def next_action_of(
    fields: Fields, phase: Phase, blockers: tuple[Blocker, ...], menu: Menu | None
) -> NextAction | None:
    """Return the next action the document names, or None."""
    if menu is not None:
        if menu.advice is None:
            return None
        waits = "a person chooses among the candidates"
        return NextAction(plain_words(menu.advice.text), menu.advice.line, False, waits)
    entries = _branches(fields)
    if not entries:
        return None
    text = " ".join(_words(entry) for entry in entries)
    waits_for = _waits(_words(entries[0]), phase, blockers)
    return NextAction(text, entries[0].line, waits_for is None, waits_for)


def _branches(fields: Fields) -> list[Entry]:
    """Return the first open entry, with the dated ones that follow a dated one."""
    found = fields["NEXT_EXECUTABLE_ACTION"]
    if found is not None and "advice" not in found.roles:
        entries = _open(found.entries)
        if entries:
            if not _is_dated(entries[0]):
                return entries[:1]
            return [entries[0], *(entry for entry in entries[1:] if _is_dated(entry))]
    for role in ("now", "next"):
        if ahead := [entry for entry in _open(fields.work(role)) if not is_none(entry.text)]:
            return ahead[:1]
    if found is not None:
        return _open(found.entries)[:1]
    return []


def _is_dated(entry: Entry) -> bool:
    """Whether an entry is one of several for different times: `Before DATE: nothing`."""
    sentence = first_sentence(_words(entry))
    apart = meanwhile(sentence)
    return bool(waits_for_time(sentence)) or (apart is not None and is_none(apart[1]))


def _open(entries: list[Entry]) -> list[Entry]:
    """Return the entries not yet done, an introduction joined with what it introduces."""
    said = [entry for entry in entries if entry.kind != "group" and entry.text]
    ahead = [entry for entry in _introduced(said) if not _is_done(entry)]
    marked = [e for e in ahead if e.raw.lstrip(" *_").startswith(_CURRENT)]
    if marked:
        return marked
    points = len(ahead) > 1 and _POINTER.match(ahead[0].text) and names_place(ahead[0].text)
    return ahead[1:] if points else ahead


def _introduced(said: list[Entry]) -> list[Entry]:
    """Join a text that ends in a colon with the text or list behind it.

    A short title of a list ("Resume from:") is left out instead: its entries speak for themselves.
    """
    if len(said) < 2 or said[0].kind != "text" or not said[0].text.endswith((":", "：")):
        return said
    first, rest = said[0], said[1:]
    if not rest[0].is_listed:
        return [_joined(first, rest[:1]), *rest[1:]]
    if len(first.text) <= 60 and not _tells_when(first.text):
        return rest
    stop = next((at for at, entry in enumerate(rest) if not entry.is_listed), len(rest))
    return [_joined(first, rest[:stop]), *rest[stop:]]


def _joined(first: Entry, rest: list[Entry]) -> Entry:
    text = "; ".join(entry.raw for entry in rest)
    return Entry("text", f"{first.raw} {text}", first.line)


def _tells_when(text: str) -> bool:
    return waits_for_time(text) is not None or waits_for_person(text) is not None


def _is_done(entry: Entry) -> bool:
    if entry.ticked == "done" or entry.raw.strip().startswith("~~"):
        return True
    written = written_state(entry.raw)
    return bool(written and written[0] == "done") or bool(_DONE_INSIDE.match(entry.raw[:100]))


def _words(entry: Entry) -> str:
    text = plain_words(entry.raw)
    if entry.children and text.endswith((":", "：")):
        text = f"{text} " + "; ".join(plain_words(child.raw) for child in entry.children)
    return text.lstrip("→➡▶⇒\ufe0f ").removeprefix("->").lstrip()


def _waits(text: str, phase: Phase, blockers: tuple[Blocker, ...]) -> str | None:
    """Return what the action waits for, or None when it can be done now."""
    if is_none(text):
        return NOTHING_LEFT
    if text.startswith("TODO"):
        return "it is still a placeholder"
    if phase.standing in ("paused", "abandoned", "complete"):
        return phase.standing_words or f"the goal is {phase.standing}"
    sentence = first_sentence(text)
    if apart := meanwhile(sentence):
        opening, rest = apart
        if is_none(rest) or waits_for_time(rest):
            return opening
        sentence = rest
    step = first_step(sentence)
    return waits_for_time(step) or waits_for_person(step) or _blocked(text, blockers)


def _blocked(text: str, blockers: tuple[Blocker, ...]) -> str | None:
    """Return the blocker that holds exactly the scope this action begins with."""
    for blocker in blockers:
        scope = blocker.scope
        if scope and blocker.klass in ("B", "C", "D"):
            at = text.casefold().find(scope.casefold())
            if 0 <= at < 12 and not text[at + len(scope) : at + len(scope) + 1].isalnum():
                return blocker.text
    return None
