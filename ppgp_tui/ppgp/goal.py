"""The one door for goal documents: bytes in, everything they say out."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import Field, Finding, GoalReading, Item

CANONICAL = (
    "GOAL", "WHY", "PHASE", "DEFINITION_OF_DONE", "FROZEN_DECISIONS", "INVARIANTS",
    "VERIFIED_CURRENT_STATE", "COMPLETED", "REMAINING", "BLOCKERS",
    "HUMAN_AUTHORITY_REQUIRED", "VERIFICATION_EVIDENCE", "NEXT_EXECUTABLE_ACTION",
)  # fmt: skip


def read_goal(data: bytes | None, path: str, max_bytes: int = 8192) -> GoalReading:
    """Read the goal document `data` found at `path`; None means there is no such file.

    Never raises on any bytes. `max_bytes` is the size above which the document is called a diary.
    """
    del max_bytes
    if data is None:
        reason = Finding("missing", f"no goal document at {path}", None)
        return GoalReading(path, "MISSING", (reason,))
    lines = data.decode("utf-8-sig", "replace").splitlines()
    starts = [
        (number, line[3:].strip())
        for number, line in enumerate(lines, 1)
        if line.startswith("## ") and line[3:].strip() in CANONICAL
    ]
    fields = []
    for (number, name), (stop, _) in zip(starts, [*starts[1:], (len(lines) + 1, "")], strict=True):
        body = lines[number : stop - 1]
        items = tuple(
            Item(line.lstrip("-* ").strip(), number + 1 + at)
            for at, line in enumerate(body)
            if line.strip()
        )
        text = "\n".join(body).strip()
        fields.append(Field(name, name, "canonical", number, stop - 1, text, items))
    text_of = {found.name: found.text for found in fields}
    return GoalReading(
        path,
        "CONFORMANT" if len(text_of) == len(CANONICAL) else "PARTIAL",
        (),
        goal=text_of.get("GOAL"),
        goal_source="field" if "GOAL" in text_of else None,
        why=text_of.get("WHY"),
        phase=text_of.get("PHASE"),
        fields=tuple(fields),
        line_count=len(lines),
        bytes=len(data),
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
