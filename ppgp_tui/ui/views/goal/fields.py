"""The thirteen fields of a goal document as rows: is it there, is it sound, what is in it."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import NOTHING_LEFT, Field, GoalReading
from ppgp_tui.session.model import Origin
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import cut, to_right
from ppgp_tui.ui.rows.row import Line, Row, Span

FIELDS = {
    "GOAL": "Goal",
    "WHY": "Why",
    "PHASE": "Phase",
    "DEFINITION_OF_DONE": "Definition of done",
    "FROZEN_DECISIONS": "Frozen decisions",
    "INVARIANTS": "Invariants",
    "VERIFIED_CURRENT_STATE": "Verified current state",
    "COMPLETED": "Completed",
    "REMAINING": "Remaining",
    "BLOCKERS": "Blockers",
    "HUMAN_AUTHORITY_REQUIRED": "Human authority required",
    "VERIFICATION_EVIDENCE": "Verification evidence",
    "NEXT_EXECUTABLE_ACTION": "Next executable action",
}
"""Canonical names in canonical order (PPGP reference section 2), and how they are said."""


def is_sound(goal: GoalReading, name: str) -> bool:
    """Present under its own name, not empty, and without a finding."""
    found = goal.field_named(name)
    return found is not None and _flaw(goal, found) is None


def field_row(goal: GoalReading, name: str, look: Look, opens: str) -> Row:
    """One field: its sign, its name, what is in it, and its line."""
    found = goal.field_named(name)
    if found is None:
        right = _right(_missing(goal, look) if name == "GOAL" else "missing", "wait", "")
        line = Line((Span(FIELDS[name], "soft"),), right, "open", "wait")
        return Row(f"field:{name}", (line,), Origin(goal.path), FIELDS[name])
    flaw = _flaw(goal, found)
    sign: Sign = "done" if flaw is None else flaw
    role: Role = "ok" if flaw is None else "wait"
    words = summary(goal, found)
    if found.match == "mapped":
        words = f'"{cut(found.heading, 22, look.sign("cut"))}"'
    word_role: Role = "soft" if flaw is None else "wait"
    line = Line((Span(FIELDS[name]),), _right(words, word_role, str(found.line)), sign, role)
    return Row(f"field:{name}", (line,), Origin(goal.path, found.line), found.text, opens)


def _missing(goal: GoalReading, look: Look) -> str:
    """What stands in for a goal that no field states."""
    if goal.goal_source == "title":
        return "missing, read from the title"
    title = cut(goal.title or "", 32, look.sign("cut"))
    return f'missing, title "{title}"' if title else "missing"


def summary(goal: GoalReading, found: Field) -> str:
    """What is in a field, in a few words; empty when its words say no more than themselves."""
    if found.empty:
        return "empty"
    items = str(len(found.items)) if len(found.items) > 1 else ""
    match found.name:
        case "GOAL":
            return count(len(found.text.strip().splitlines()), "line")
        case "WHY" | "VERIFIED_CURRENT_STATE":
            return items if found.name != "WHY" else ""
        case "PHASE":
            inferred = f"{goal.phase_inferred}, inferred" if goal.phase_inferred else ""
            return goal.phase or inferred or "no phase word"
        case "DEFINITION_OF_DONE":
            return _done(goal)
        case "BLOCKERS":
            return _classes(goal)
        case "HUMAN_AUTHORITY_REQUIRED":
            return _authority(goal)
        case "NEXT_EXECUTABLE_ACTION":
            return _next(goal)
    return str(len(found.items)) if found.items else ""


def _classes(goal: GoalReading) -> str:
    """The classes of the blockers; one that was only concluded says so."""
    stated = {one.klass for one in goal.blockers if one.klass and not one.inferred}
    inferred = {one.klass for one in goal.blockers if one.klass} - stated
    unknown = sum(one.klass is None for one in goal.blockers)
    words = (
        " ".join(sorted(stated)),
        f"{' '.join(sorted(inferred))} inferred" if inferred else "",
        f"{unknown} of no class" if unknown else "",
    )
    return ", ".join(filter(None, words)) or "none"


def _authority(goal: GoalReading) -> str:
    """What a person owes; where that is nothing, what was limited or given."""
    authority = goal.authority
    if authority.pending:
        return f"{len(authority.pending)} pending"
    standing, granted = len(authority.standing), len(authority.granted)
    words = (f"{standing} standing" if standing else "", f"{granted} granted" if granted else "")
    return ", ".join(filter(None, words)) or "none"


def _next(goal: GoalReading) -> str:
    action = goal.next_action
    if action is None:
        return ""
    if action.waits_for == NOTHING_LEFT:
        return "nothing left"
    return "now" if action.executable_now else "waits"


def _done(goal: GoalReading) -> str:
    done = sum(criterion.state == "done" for criterion in goal.dod)
    claimed = sum(criterion.state == "claimed" for criterion in goal.dod)
    words = f"{done} of {len(goal.dod)}" if goal.dod else "no items"
    return f"{words}, {claimed} claimed" if claimed else f"{words} done" if goal.dod else words


def _flaw(goal: GoalReading, found: Field) -> Sign | None:
    if found.match == "mapped":
        return "changed"
    noted = any(
        finding.line is not None and found.line <= finding.line <= found.end_line
        for finding in goal.reasons
    )
    return "finding" if found.empty or noted else None


def _right(words: str, role: Role, line: str) -> tuple[Span, ...]:
    return (Span(words, role), Span("  "), *to_right(Span(line, "soft"), 3))
