"""The next action, and whether an agent could act on it now.

PPGP reference section 2, field 13: the first entry; dated or conditional branches are kept with it.
An action is executable when neither a person nor a date nor a blocker of its own scope is waited
for, and when the goal itself is not paused, abandoned or finished.
"""

from __future__ import annotations

from ppgp_tui.ppgp.entries import Entry
from ppgp_tui.ppgp.evidence import is_pointer
from ppgp_tui.ppgp.fields import Fields, FoundField
from ppgp_tui.ppgp.menu import Menu
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import Phase
from ppgp_tui.ppgp.prose import first_sentence, is_none, plain_words
from ppgp_tui.ppgp.reading import Blocker, NextAction
from ppgp_tui.ppgp.states import written_state
from ppgp_tui.ppgp.waiting import first_step, waits_for_person, waits_for_time

_CURRENT = ("→", "➡", "▶", "⇒", "->")
_DONE_INSIDE = Pattern(r"^[^:：]{0,60}(?:✅|☑|✔)")


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
        entries = _open(found)
        if entries:
            if not waits_for_time(first_sentence(_words(entries[0]))):
                return entries[:1]
            rest = entries[1:]
            dated = [e for e in rest if waits_for_time(first_sentence(_words(e)))]
            return [entries[0], *dated]
    remaining = fields["REMAINING"]
    for role in ("now", "next"):
        if remaining is not None and role in remaining.roles:
            ahead = [e for e in _open(remaining) if remaining.role_of.get(id(e)) == role]
            if ahead:
                return ahead[:1]
    if found is not None:
        return _open(found)[:1]
    return []


def _open(found: FoundField) -> list[Entry]:
    """Return the entries not yet done, an introduction joined with what it introduces."""
    said = [entry for entry in found.entries if entry.kind != "group" and entry.text]
    _join_introductions(said)
    ahead = [entry for entry in said if not _is_done(entry)]
    marked = [e for e in ahead if e.raw.lstrip(" *_").startswith(_CURRENT)]
    if marked:
        return marked
    if len(ahead) > 1 and is_pointer(ahead[0].text):
        return ahead[1:]
    return ahead


def _join_introductions(said: list[Entry]) -> None:
    """Join a text that ends in a colon with the text or list behind it."""
    if len(said) > 1 and said[0].kind == "text" and said[0].text.endswith((":", "：")):
        first, rest = said[0], said[1:]
        stop = next(
            (at for at, entry in enumerate(rest) if at and entry.is_listed != rest[0].is_listed),
            len(rest),
        )
        joined = rest[:stop] if rest[0].is_listed else rest[:1]
        if len(first.text) > 60 or not rest[0].is_listed or _tells_when(first.text):
            first.parts.append("; ".join(entry.raw for entry in joined))
            del said[1 : 1 + len(joined)]
        else:
            del said[0]


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
    return text.lstrip("→➡▶⇒ ").removeprefix("->").lstrip()


def _waits(text: str, phase: Phase, blockers: tuple[Blocker, ...]) -> str | None:
    """Return what the action waits for, or None when it can be done now."""
    if is_none(text):
        return "nothing is left to do"
    if text.startswith("TODO"):
        return "it is still a placeholder"
    if phase.standing in ("paused", "abandoned", "complete"):
        return phase.standing_words or f"the goal is {phase.standing}"
    sentence = first_sentence(text)
    step = first_step(sentence)
    return waits_for_time(sentence) or waits_for_person(step) or _blocked(text, blockers)


def _blocked(text: str, blockers: tuple[Blocker, ...]) -> str | None:
    """Return the blocker that holds exactly the scope this action begins with."""
    for blocker in blockers:
        scope = blocker.scope
        if scope and blocker.klass in ("B", "C", "D"):
            at = text.casefold().find(scope.casefold())
            if 0 <= at < 12 and not text[at + len(scope) : at + len(scope) + 1].isalnum():
                return blocker.text
    return None
