"""The one door for goal documents: bytes in, everything they say out."""

from __future__ import annotations

from ppgp_tui.ppgp.action import next_action_of
from ppgp_tui.ppgp.authority import authority_of
from ppgp_tui.ppgp.blockers import blockers_of
from ppgp_tui.ppgp.checks import content_findings, document_findings
from ppgp_tui.ppgp.content import content_of
from ppgp_tui.ppgp.criteria import criteria_of
from ppgp_tui.ppgp.document import Document, why_unreadable
from ppgp_tui.ppgp.fields import adopt_checklists, fields_of, forget_synonyms, preamble_text
from ppgp_tui.ppgp.health import field_findings, health_of
from ppgp_tui.ppgp.menu import menu_of
from ppgp_tui.ppgp.outline import outline_of
from ppgp_tui.ppgp.phase import phase_of
from ppgp_tui.ppgp.reading import Finding, GoalReading, Item, no_document
from ppgp_tui.ppgp.statement import preamble_goal, statement_of, title_alone, title_of


def read_goal(data: bytes | None, path: str, max_bytes: int = 8192) -> GoalReading:
    """Read the goal document `data` found at `path`; None means there is no such file.

    Never raises, whatever the bytes are. A document above `max_bytes` is called a diary.
    """
    if data is None:
        return no_document(path)
    document = Document(data)
    why = why_unreadable(data) if data.strip() else "file is empty"
    if why is not None:
        return GoalReading(
            path,
            "MALFORMED",
            (Finding("empty" if not data.strip() else "unreadable", why, None),),
            line_count=len(document.lines),
            bytes=len(data),
        )
    return _read(document, path, max_bytes)


def _read(document: Document, path: str, max_bytes: int) -> GoalReading:
    content = content_of(document.lines)
    outline = outline_of(content)
    fields = fields_of(content, outline)
    title = title_of(outline.title)
    menu = menu_of(fields)
    if not (title.names_goal or menu or fields.speak_of_a_goal()):
        forget_synonyms(fields)
    statement = statement_of(fields, title)
    if statement.goal is None and menu is None and fields["GOAL"] is None:
        statement = preamble_goal(fields, title)
    if title.names_goal or statement.goal:
        adopt_checklists(fields)
    if statement.goal is None and menu is None and fields["GOAL"] is None and fields.found:
        statement = title_alone(fields)
    phase = phase_of(fields, title.status, menu is not None)
    criteria = criteria_of(fields)
    blockers = blockers_of(fields, menu, criteria.labels)
    action = next_action_of(fields, phase, blockers, menu)
    reasons = [
        *content.findings,
        *fields.findings,
        *field_findings(fields),
        *content_findings(fields, phase, criteria, blockers, action),
        *document_findings(document, max_bytes),
    ]
    why = fields["WHY"]
    return GoalReading(
        path=path,
        health=health_of(fields),
        reasons=tuple(sorted(reasons, key=lambda reason: reason.line or 0)),
        title=outline.title,
        goal=statement.goal,
        goal_source=statement.source,
        goal_line=statement.line,
        why=" ".join(entry.text for entry in why.entries) or None if why else None,
        phase=phase.named,
        phase_raw=phase.raw,
        phase_inferred=phase.inferred,
        phase_line=phase.line,
        fields=tuple(one.field for one in fields.found.values()),
        sections=tuple(fields.kept()),
        preamble=preamble_text(content, outline),
        dod=criteria.all,
        blockers=blockers,
        authority=authority_of(fields, menu),
        next_action=action,
        line_count=len(document.lines),
        bytes=len(document.data),
    )


def as_json(reading: GoalReading) -> dict[str, object]:
    """Return `reading` as the `goal` member of `show --json`: plain lists, dicts and scalars."""
    states = [criterion.state for criterion in reading.dod]
    classes = [blocker.klass or "unclassified" for blocker in reading.blockers]
    action = reading.next_action
    return {
        "path": reading.path,
        "health": reading.health,
        "reasons": [_finding(reason) for reason in reading.reasons],
        "title": reading.title,
        "goal": reading.goal,
        "goal_source": reading.goal_source,
        "why": reading.why,
        "phase": reading.phase,
        "phase_raw": reading.phase_raw,
        "phase_inferred": reading.phase_inferred,
        "dod": [
            {
                "text": criterion.text,
                "state": criterion.state,
                "state_source": criterion.state_source,
                "evidence": _items(criterion.evidence),
                "line": criterion.line,
            }
            for criterion in reading.dod
        ],
        "dod_total": len(states),
        "dod_done": states.count("done") + states.count("claimed"),
        "dod_claimed": states.count("claimed"),
        "dod_partial": [c.number for c in reading.dod if c.state == "partial"],
        "blockers": [
            {
                "class": blocker.klass,
                "inferred": blocker.inferred,
                "scope": blocker.scope,
                "until": blocker.until,
                "text": blocker.text,
                "line": blocker.line,
            }
            for blocker in reading.blockers
        ],
        "blocker_counts": {
            name: classes.count(name) for name in ("A", "B", "C", "D", "unclassified")
        },
        "authority": {
            "pending": _items(reading.authority.pending),
            "standing": _items(reading.authority.standing),
            "granted": _items(reading.authority.granted),
        },
        "authority_pending": len(reading.authority.pending),
        "next_action": action.text if action else None,
        "next_executable_now": action.executable_now if action else False,
        "next_waits_for": action.waits_for if action else None,
        "fields": [
            {
                "name": found.name,
                "heading": found.heading,
                "match": found.match,
                "line": found.line,
                "end_line": found.end_line,
                "empty": found.empty,
                "items": _items(found.items),
            }
            for found in reading.fields
        ],
        "sections": [
            {"title": kept.title, "line": kept.line, "end_line": kept.end_line, "text": kept.text}
            for kept in reading.sections
        ],
        "preamble": reading.preamble,
    }


def _items(items: tuple[Item, ...]) -> list[dict[str, object]]:
    return [{"text": item.text, "line": item.line} for item in items]


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code, "text": finding.text, "line": finding.line, "mend": finding.mend,
    }  # fmt: skip
