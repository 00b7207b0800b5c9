"""The goal document of the made-up session, as bytes and as what a reader finds in it."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import (
    Authority,
    Blocker,
    Criterion,
    Field,
    Finding,
    GoalReading,
    Item,
    NextAction,
)
from tests.ui.picture_time import GOAL_PATH

_SECTIONS: tuple[tuple[int, str, str, tuple[str, ...]], ...] = (
    (14, "GOAL", "Goal", ("Make the importer resumable",)),
    (18, "WHY", "Why", ("A killed import costs a night and doubles rows.",)),
    (22, "PHASE", "Phase", ("EXECUTE",)),
    (
        26,
        "DEFINITION_OF_DONE",
        "Definition of done",
        (
            "- [x] Checkpoint format is written down",
            "- [x] Checkpoint table has a migration",
            "- [~] Every batch leaves a checkpoint (2 of 3 writers)",
            "- [ ] A killed import resumes, no row twice",
            "- [x] Old imports give the same rows",
            "- [ ] The old cursor column is gone (blocked)",
            "- [ ] Operators have a runbook",
        ),
    ),
    (
        38,
        "FROZEN_DECISIONS",
        "Frozen decisions",
        (
            "- One checkpoint row per batch",
            "- Batches of 500 rows",
            "- Checkpoints live in the database",
            "- No parallel import",
        ),
    ),
    (
        45,
        "INVARIANTS",
        "Invariants",
        (
            "- No row is ever imported twice",
            "- The schema file is never edited by hand",
            "- Old imports stay readable",
        ),
    ),
    (51, "VERIFIED_CURRENT_STATE", "Verified current state", ("41 tests pass on 4e1f09c.",)),
    (
        58,
        "COMPLETED",
        "Completed",
        (
            "- T1 Map the import pipeline",
            "- T2 Choose checkpoint format",
            "- T3 Add checkpoint table",
            "- T4 Golden files of old imports",
        ),
    ),
    (
        66,
        "REMAINING",
        "Remaining",
        (
            "- T5 Write checkpoint per batch",
            "- T6 Resume from last checkpoint",
            "- T7 Make row writes idempotent",
            "- T8 Drop old cursor column",
            "- T9 to T12, see the plan",
        ),
    ),
    (
        74,
        "BLOCKERS",
        "Blockers",
        (
            "- C: Drop the old cursor column: owner decides (T8)",
            "- B: Staging window opens at 02:00 (T11)",
            "- A: test_batch flaky under load, claude on it (T5)",
        ),
    ),
    (
        84,
        "HUMAN_AUTHORITY_REQUIRED",
        "Human authority required",
        (
            "- pending: Drop the old cursor column now?",
            "- pending: Run the soak script on the staging copy?",
        ),
    ),
    (
        93,
        "VERIFICATION_EVIDENCE",
        "Verification evidence",
        (
            "- docs/checkpoint.md holds the format",
            "- commit 4e1f09c has the migration",
            "- pytest tests/batch: 41 passed",
            "- golden files under tests/golden",
            "- pytest tests/checkpoint: 12 passed",
            "- 2 of 3 writers leave a checkpoint",
        ),
    ),
    (
        104,
        "NEXT_EXECUTABLE_ACTION",
        "Next executable action",
        ("Finish T4, then wire the third writer.",),
    ),
)


def document() -> bytes:
    """The goal document's bytes; line numbers agree with `goal()`."""
    lines = ["# Make the importer resumable", "", "Kept by claude, read by you."]
    for start, _, title, body in _SECTIONS:
        lines += [""] * (start - 1 - len(lines))
        lines += [f"## {title}", *body]
    return "\n".join([*lines, ""]).encode()


def goal() -> GoalReading:
    """What `document()` says."""
    return GoalReading(
        path=GOAL_PATH,
        health="PARTIAL",
        reasons=(
            Finding(
                "claim-without-evidence",
                "line 31 says done and shows no evidence",
                31,
                "name the evidence under Verification evidence",
            ),
            Finding("stale-next-action", "next action names T4, done 37m ago", 105),
        ),
        title="Make the importer resumable",
        goal="Make the importer resumable",
        goal_source="field",
        goal_line=15,
        why="A killed import costs a night and doubles rows.",
        phase="EXECUTE",
        phase_raw="EXECUTE",
        phase_line=23,
        fields=tuple(_field(*section) for section in _SECTIONS),
        preamble="Kept by claude, read by you.",
        dod=(
            _criterion(1, "Checkpoint format is written down", "done", "docs/checkpoint.md", 94),
            _criterion(2, "Checkpoint table has a migration", "done", "commit 4e1f09c", 95),
            _criterion(3, "Every batch leaves a checkpoint", "partial", "2 of 3 writers", 99),
            _criterion(4, "A killed import resumes, no row twice", "open"),
            _criterion(5, "Old imports give the same rows", "claimed"),
            _criterion(6, "The old cursor column is gone", "blocked"),
            _criterion(7, "Operators have a runbook", "open"),
        ),
        blockers=(
            Blocker("C", False, "T8", None, "Drop the old cursor column: owner decides", 75),
            Blocker("B", False, "T11", None, "Staging window opens at 02:00", 76),
            Blocker("A", False, "T5", None, "test_batch flaky under load, claude on it", 77),
        ),
        authority=Authority(
            pending=(
                Item("Drop the old cursor column now?", 85),
                Item("Run the soak script on the staging copy?", 86),
            )
        ),
        next_action=NextAction("Finish T4, then wire the third writer.", 105, True),
        line_count=105,
        bytes=len(document()),
    )


def _field(start: int, name: str, title: str, body: tuple[str, ...]) -> Field:
    items = tuple(Item(line.removeprefix("- "), start + at) for at, line in enumerate(body, 1))
    return Field(name, title, "canonical", start, start + len(body), "\n".join(body), items)


def _criterion(
    number: int, text: str, state: str, evidence: str = "", evidence_line: int = 0
) -> Criterion:
    found = (Item(evidence, evidence_line),) if evidence else ()
    source = "word" if state == "blocked" else "box"
    return Criterion(number, text, state, source, found, 26 + number)  # type: ignore[arg-type]
