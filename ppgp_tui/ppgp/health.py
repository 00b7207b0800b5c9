"""Whether a document is whole, and what a person should know about it.

Levels and message texts are those of PPGP reference section 2.1 with the corrections of 2.2; the
further checks are the ones of section 16 that need nothing but the document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ppgp_tui.ppgp.content import TEXT
from ppgp_tui.ppgp.criteria import Criteria
from ppgp_tui.ppgp.fields import Fields, missing
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import Phase
from ppgp_tui.ppgp.prose import clipped, is_none
from ppgp_tui.ppgp.reading import Blocker, Finding, Health, NextAction
from ppgp_tui.ppgp.secrets import secrets_in
from ppgp_tui.ppgp.vocabulary import CANONICAL, PHASES

_TODO = Pattern(r"\s*(?:[-*+]\s+(?:\[ \]\s+)?)?TODO\s*[:：]")
_DATED_HEADING = Pattern(r"\d{4}-\d\d-\d\d|\d{4}年\d")
_LIVE = Pattern(r"\b(?:production|prod|deployed|live|生产|本番)\b|生产环境|本番環境", re.I)
_LIVE_PROOF = Pattern(
    r"\b(?:production|prod|deploy\w*|live|https?|health|release\w*)\b|生产|本番", re.I
)
_DATED_HEADINGS = 5
_NAMED = 12


def health_of(fields: Fields) -> Health:
    """Return the level: no field of its own name is malformed, one missing or empty partial."""
    absent = missing(fields)
    if len(absent) == len(CANONICAL):
        return "MALFORMED"
    return "PARTIAL" if absent or _empty(fields) else "CONFORMANT"


def findings_of(
    fields: Fields,
    phase: Phase,
    criteria: Criteria,
    blockers: tuple[Blocker, ...],
    action: NextAction | None,
) -> list[Finding]:
    """Return every finding about the content of the document, in no particular order."""
    return [
        *fields.content.findings,
        *fields.findings,
        *_field_findings(fields),
        *_phase_findings(fields, phase, criteria),
        *_done_findings(fields, criteria, phase),
        *(
            Finding("no-class", "blocker names no class (A to D)", blocker.line, "write its class")
            for blocker in blockers
            if blocker.klass is None and fields.has_exact("BLOCKERS")
        ),
        *_next_findings(criteria, action),
        *_text_findings(fields),
    ]


def size_finding(size: int, max_bytes: int) -> Finding | None:
    """Return a finding when a document of `size` bytes is too long to be recovered in one read."""
    if size <= max_bytes:
        return None
    return Finding(
        "diary",
        f"document has {size:,} bytes; a goal document is read in one go (limit {max_bytes:,})",
        None,
        "move history to Git and lessons to memory",
    )


def _field_findings(fields: Fields) -> list[Finding]:
    found = []
    absent = missing(fields)
    if len(absent) == len(CANONICAL):
        seen = ", ".join(f'"{clipped(title, 40)}"' for title in fields.outline.headings[:6])
        found.append(
            Finding(
                "no-fields",
                "no recognizable ACTIVE_GOAL sections"
                + (f"; headings seen: {seen}" if seen else "; no headings at all"),
                None,
                "name the sections as PPGP does: ## GOAL, ## PHASE, ## DEFINITION_OF_DONE …",
            )
        )
    elif absent:
        found.append(
            Finding(
                "missing-field",
                f"canonical field(s) missing ({len(absent)} of 13): {', '.join(absent)}",
                None,
                "add the missing headings",
            )
        )
    for name in _empty(fields):
        field = fields.found[name].field
        found.append(
            Finding(
                "empty-field", f"{name} is present but empty", field.line, "fill it or write None"
            )
        )
    for one in fields.found.values():
        if one.field.match == "mapped":
            found.append(
                Finding(
                    "mapped-field",
                    f'"{clipped(one.field.heading, 60)}" is read as {one.field.name}; '
                    "it does not count as that field",
                    one.field.line,
                    f"call it {one.field.name}",
                )
            )
    titles = [f'"{clipped(section.label, 60)}"' for section in fields.extra]
    if titles and len(absent) < len(CANONICAL):
        more = f" and {len(titles) - _NAMED} more" if len(titles) > _NAMED else ""
        listed = ", ".join(titles[:_NAMED])
        found.append(
            Finding(
                "extra-section",
                f"unrecognized section(s) kept as-is: {listed}{more}",
                fields.extra[0].line,
            )
        )
    return found


def _empty(fields: Fields) -> list[str]:
    return [
        name
        for name, one in fields.found.items()
        if one.field.match != "mapped" and one.field.empty
    ]


def _phase_findings(fields: Fields, phase: Phase, criteria: Criteria) -> list[Finding]:
    found = []
    if phase.odd and phase.raw:
        near = f"did you mean {phase.inferred}?" if phase.inferred else "use one of the seven"
        found.append(
            Finding(
                "phase-word",
                f'PHASE "{clipped(phase.raw, 60)}" is not a lifecycle phase name '
                f"({' -> '.join(PHASES)})",
                phase.line,
                near,
            )
        )
    if phase.named == "CLOSED":
        found.append(
            Finding(
                "closed-exists",
                "PHASE is CLOSED but ACTIVE_GOAL still exists; distil what lasts and delete it",
                phase.line,
                "distil, then delete the document",
            )
        )
        found.extend(_closed_contradictions(fields, criteria, phase))
    elif phase.standing in ("complete", "abandoned") and phase.raw:
        found.append(
            Finding(
                "finished-exists",
                f'"{clipped(phase.raw, 60)}": the goal is over by its own words and the document '
                "still exists",
                phase.line,
                "distil, then delete the document",
            )
        )
    return found


def _closed_contradictions(fields: Fields, criteria: Criteria, phase: Phase) -> list[Finding]:
    found = []
    remaining = fields["REMAINING"]
    if remaining and any(
        not is_none(entry.raw) and entry.ticked != "done" for entry in remaining.listed
    ):
        found.append(
            Finding(
                "closed-remaining",
                "contradiction: PHASE is CLOSED while REMAINING is not empty",
                remaining.field.line,
                "finish what remains or correct the phase",
            )
        )
    unmet = [one for one in criteria.all if one.state not in ("done", "claimed")]
    if unmet:
        found.append(
            Finding(
                "closed-unmet",
                f"contradiction: PHASE is CLOSED while {len(unmet)} of {len(criteria.all)} "
                "conditions are not marked done",
                unmet[0].line,
                "mark what is proven or correct the phase",
            )
        )
    return found


def _done_findings(fields: Fields, criteria: Criteria, phase: Phase) -> list[Finding]:
    found = []
    claimed = [one for one in criteria.all if one.state == "claimed"]
    if claimed:
        numbers = _ranges([one.number for one in claimed])
        plural = len(claimed) > 1
        found.append(
            Finding(
                "claimed",
                f"{'conditions' if plural else 'condition'} {numbers} "
                f"{'say' if plural else 'says'} done and {'show' if plural else 'shows'} "
                "no evidence",
                claimed[0].line,
                "name the proof beside it, or the number in VERIFICATION_EVIDENCE",
            )
        )
    for number, line in criteria.contradicted:
        found.append(
            Finding(
                "done-and-remaining",
                f"condition {number} is ticked as done and still listed in REMAINING",
                line,
                "correct one of the two",
            )
        )
    live = next((one for one in criteria.all if _LIVE.search(one.text)), None)
    evidence = fields["VERIFICATION_EVIDENCE"]
    if live and phase.named in ("DISTILL", "CLOSED") and evidence:
        if not _LIVE_PROOF.search(evidence.field.text):
            found.append(
                Finding(
                    "local-only",
                    f"condition {live.number} asks for production and the evidence is local",
                    live.line,
                    "verify it where the condition says",
                )
            )
    return found


def _next_findings(criteria: Criteria, action: NextAction | None) -> list[Finding]:
    if action is None:
        return []
    named = [one for one in criteria.labels.named_in(action.text) if one.leads]
    if not named or criteria.all[named[0].number - 1].state not in ("done", "claimed"):
        return []
    return [
        Finding(
            "next-is-done",
            f"next action names condition {named[0].number}, which is marked done",
            action.line,
            "name the next open step",
        )
    ]


def _text_findings(fields: Fields) -> list[Finding]:
    content = fields.content
    found = []
    todos = [
        at
        for at, text in enumerate(content.texts)
        if "TODO" in text and content.kinds[at] == TEXT and _TODO.match(text)
    ]
    if todos:
        found.append(
            Finding(
                "scaffold",
                f"{len(todos)} scaffold TODO placeholder(s) still present",
                todos[0] + 1,
                "fill them in",
            )
        )
    dated = [title for title in fields.outline.headings if _DATED_HEADING.search(title)]
    if len(dated) >= _DATED_HEADINGS:
        found.append(
            Finding(
                "chronicle",
                f"{len(dated)} headings carry dates; a goal document holds state, not a diary",
                None,
                "move history to Git and lessons to memory",
            )
        )
    for line, kind in secrets_in(content.texts)[:20]:
        found.append(
            Finding("secret", f"looks like {kind}", line, "remove it and change it everywhere")
        )
    return found


def _ranges(numbers: Sequence[int]) -> str:
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
