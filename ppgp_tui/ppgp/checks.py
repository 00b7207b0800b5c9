"""What a person should know about the content of a document, as far as it can tell by itself.

Mechanical checks of PPGP reference sections 2.1 and 16: phase, contradictions, claims without
evidence, blockers without a class, a next action that is done, scaffold, diary and secrets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ppgp_tui.ppgp.content import TEXT
from ppgp_tui.ppgp.criteria import Criteria
from ppgp_tui.ppgp.document import Document
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import Phase
from ppgp_tui.ppgp.prose import clipped, is_none
from ppgp_tui.ppgp.reading import Blocker, Finding, NextAction
from ppgp_tui.ppgp.secrets import secrets_in
from ppgp_tui.ppgp.vocabulary import PHASES

_TODO = Pattern(r"\s*(?:[-*+]\s+(?:\[ \]\s+)?)?TODO\s*[:：]")
_DATED_HEADING = Pattern(r"\d{4}-\d\d-\d\d|\d{4}年\d")
_LIVE = Pattern(r"\b(?:production|prod|deployed|live)\b|生产环境|本番環境", re.I)
_LIVE_PROOF = Pattern(
    r"\b(?:production|prod|deploy\w*|live|https?|health|release\w*)\b|生产|本番", re.I
)
_MANY_DATED_HEADINGS = 5
_MANY_SECRETS = 20


def content_findings(
    fields: Fields,
    phase: Phase,
    criteria: Criteria,
    blockers: tuple[Blocker, ...],
    action: NextAction | None,
) -> Iterator[Finding]:
    """Yield what is to be said about what the document says."""
    yield from _about_phase(phase)
    if phase.named == "CLOSED":
        yield from _about_closing(fields, criteria, phase)
    yield from _about_claims(criteria)
    yield from _about_evidence(fields, criteria, phase)
    for blocker in blockers:
        if blocker.klass is None and fields.has_exact("BLOCKERS"):
            text = "blocker names no class (A to D)"
            yield Finding("no-class", text, blocker.line, "write its class")
    yield from _about_next(criteria, action)
    yield from _about_text(fields)


def document_findings(document: Document, max_bytes: int) -> Iterator[Finding]:
    """Yield what is to be said about the bytes: too many, NUL among them, no UTF-8."""
    size = len(document.data)
    if size > max_bytes:
        text = f"document has {size:,} bytes; it should be read in one go (limit {max_bytes:,})"
        yield Finding("diary", text, None, "move history to Git and lessons to memory")
    for code, sign, text, mend in (
        ("nul", "\0", "NUL byte in the text", "remove it"),
        ("not-utf8", "\ufffd", "bytes that are no UTF-8", "save it as UTF-8"),
    ):
        line = next((line.number for line in document.lines if sign in line.text), None)
        if line is not None:
            yield Finding(code, text, line, mend)


def _about_phase(phase: Phase) -> Iterator[Finding]:
    raw = clipped(phase.raw or "", 60)
    if phase.odd and raw:
        yield Finding(
            "phase-word",
            f'PHASE "{raw}" is not a lifecycle phase name ({" -> ".join(PHASES)})',
            phase.line,
            f"did you mean {phase.inferred}?" if phase.inferred else "use one of the seven",
        )
    if phase.named != "CLOSED" and phase.standing in ("complete", "abandoned") and raw:
        text = f'"{raw}": by its own words the goal is over, and the document still exists'
        yield Finding("finished-exists", text, phase.line, "distil, then delete the document")


def _about_closing(fields: Fields, criteria: Criteria, phase: Phase) -> Iterator[Finding]:
    text = "PHASE is CLOSED but ACTIVE_GOAL still exists; distil what lasts and delete it"
    yield Finding("closed-exists", text, phase.line, "distil, then delete the document")
    remaining = fields["REMAINING"]
    ahead = remaining.listed if remaining else []
    if remaining and any(not is_none(one.raw) and one.ticked != "done" for one in ahead):
        text = "contradiction: PHASE is CLOSED while REMAINING is not empty"
        mend = "finish what remains or correct the phase"
        yield Finding("closed-remaining", text, remaining.field.line, mend)
    unmet = [one for one in criteria.all if one.state not in ("done", "claimed")]
    if unmet:
        text = (
            f"contradiction: PHASE is CLOSED while {len(unmet)} of {len(criteria.all)} "
            "conditions are not marked done"
        )
        mend = "mark what is proven or correct the phase"
        yield Finding("closed-unmet", text, unmet[0].line, mend)


def _about_claims(criteria: Criteria) -> Iterator[Finding]:
    claimed = [one for one in criteria.all if one.state == "claimed"]
    if claimed:
        numbers = ranges([one.number for one in claimed])
        text = f"condition {numbers} says done and shows no evidence"
        if len(claimed) > 1:
            text = f"conditions {numbers} say done and show no evidence"
        mend = "name the proof beside it, or the number in VERIFICATION_EVIDENCE"
        yield Finding("claimed", text, claimed[0].line, mend)
    for number, line in criteria.contradicted:
        text = f"condition {number} is ticked as done and still listed in REMAINING"
        yield Finding("done-and-remaining", text, line, "correct one of the two")


def _about_evidence(fields: Fields, criteria: Criteria, phase: Phase) -> Iterator[Finding]:
    """Local evidence cannot close a goal that asks for production (section 16, rule 11)."""
    evidence = fields["VERIFICATION_EVIDENCE"]
    live = next((one for one in criteria.all if _LIVE.search(one.text)), None)
    closing = phase.named in ("DISTILL", "CLOSED")
    if closing and live and evidence and not _LIVE_PROOF.search(evidence.field.text):
        text = f"condition {live.number} asks for production and the evidence is local"
        yield Finding("local-only", text, live.line, "verify it where the condition says")


def _about_next(criteria: Criteria, action: NextAction | None) -> Iterator[Finding]:
    named = [one for one in criteria.labels.named_in(action.text) if one.leads] if action else []
    if action and named and criteria.all[named[0].number - 1].state in ("done", "claimed"):
        text = f"next action names condition {named[0].number}, which is marked done"
        yield Finding("next-is-done", text, action.line, "name the next open step")


def _about_text(fields: Fields) -> Iterator[Finding]:
    content = fields.content
    todos = [
        at
        for at, text in enumerate(content.texts)
        if "TODO" in text and content.kinds[at] == TEXT and _TODO.match(text)
    ]
    if todos:
        text = f"{len(todos)} scaffold TODO placeholder(s) still present"
        yield Finding("scaffold", text, todos[0] + 1, "fill them in")
    dated = sum(bool(_DATED_HEADING.search(title)) for title in fields.outline.headings)
    if dated >= _MANY_DATED_HEADINGS:
        text = f"{dated} headings carry dates; a goal document holds state, not a diary"
        yield Finding("chronicle", text, None, "move history to Git and lessons to memory")
    for line, kind in secrets_in(content.texts)[:_MANY_SECRETS]:
        yield Finding("secret", f"looks like {kind}", line, "remove it and change it everywhere")


def ranges(numbers: Sequence[int]) -> str:
    """Return `1-3, 5` for 1, 2, 3, 5."""
    pieces: list[list[int]] = []
    for number in numbers:
        if pieces and number == pieces[-1][-1] + 1:
            pieces[-1].append(number)
        else:
            pieces.append([number])
    return ", ".join(
        f"{piece[0]}-{piece[-1]}" if len(piece) > 1 else str(piece[0]) for piece in pieces
    )
