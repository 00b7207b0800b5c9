"""The phase the document names, what it says, and what that comes close to."""

import pytest

from tests.ppgp.reader import codes, read, read_field


@pytest.mark.parametrize(
    ("body", "phase", "raw"),
    [
        ("EXECUTE", "EXECUTE", "EXECUTE"),
        ("execute", "EXECUTE", "execute"),
        ("**SHIP**", "SHIP", "SHIP"),
        ("- `HARDEN`", "HARDEN", "HARDEN"),
        ("EXECUTE — parser done", "EXECUTE", "EXECUTE — parser done"),
        (
            "THINK -> FREEZE -> **EXECUTE** -> HARDEN",
            "EXECUTE",
            "THINK -> FREEZE -> EXECUTE -> HARDEN",
        ),
    ],
)
def test_a_lifecycle_word_under_phase_is_the_phase(body: str, phase: str, raw: str) -> None:
    reading = read_field("PHASE", body)
    assert (reading.phase, reading.phase_raw, reading.phase_inferred) == (phase, raw, None)


@pytest.mark.parametrize(
    ("body", "near"),
    [
        ("HARDENING", "HARDEN"), ("EXECUTION", "EXECUTE"), ("EXCUTE", "EXECUTE"),
        ("Frozen", "FREEZE"),
        ("OWNER REVIEW → MERGE → DEPLOY", "SHIP"), ("Testing", "HARDEN"), ("Whatever", None),
    ],
)  # fmt: skip
def test_any_other_word_is_kept_raw_and_the_near_one_suggested(body: str, near: str | None) -> None:
    reading = read_field("PHASE", body)

    assert (reading.phase, reading.phase_raw, reading.phase_inferred) == (None, body, near)
    finding = next(reason for reason in reading.reasons if reason.code == "phase-word")
    assert finding.text.startswith(f'PHASE "{body}" is not a lifecycle phase name (THINK -> FREEZE')
    assert finding.mend == (f"did you mean {near}?" if near else "use one of the seven")


def test_a_status_is_raw_even_when_it_says_a_lifecycle_word() -> None:
    reading = read("## GOAL\nx\n\n## Status\nEXECUTE\n")
    assert (reading.phase, reading.phase_raw, reading.phase_inferred) == (
        None,
        "EXECUTE",
        "EXECUTE",
    )


@pytest.mark.parametrize(
    ("line", "raw", "inferred"),
    [
        ("Begun 2026-09-23. Status: **active, not accepted**.", "active, not accepted", None),
        (
            "**As of:** 2026-06-04 · **Mode:** EXECUTION (frozen) · **Docs:** 33",
            "EXECUTION (frozen)",
            "EXECUTE",
        ),
        ("**Status**: 🟡 IN PROGRESS", "🟡 IN PROGRESS", "EXECUTE"),
        ("Status: paused", "paused", None),
        ("状态：已完成", "已完成", None),
    ],
)
def test_a_status_line_before_the_first_section_is_read(
    line: str, raw: str, inferred: str | None
) -> None:
    reading = read(f"# Active goal: calm fan\n\n{line}\n\n## Next\nGo on.\n")
    assert (reading.phase_raw, reading.phase_inferred) == (raw, inferred)


def test_words_like_closed_elsewhere_are_no_phase() -> None:
    reading = read(
        "## Current gate: September\nThe cycle is **CLOSED / SOURCE READY**.\n\n## Next\nGo.\n"
    )
    assert (reading.phase, reading.phase_raw) == (None, None)


def test_a_checklist_of_phases_gives_the_first_unticked_as_inferred() -> None:
    reading = read_field("PHASE", "- [x] THINK\n- [x] FREEZE\n- [ ] EXECUTE\n- [ ] HARDEN")
    assert (reading.phase, reading.phase_inferred) == (None, "EXECUTE")


@pytest.mark.parametrize(
    ("status", "code"),
    [("completed", "finished-exists"), ("**Abandoned** on 2026-09-01.", "finished-exists")],
)
def test_a_goal_that_is_over_by_its_own_words_is_found(status: str, code: str) -> None:
    reading = read(f"## GOAL\nx\n\n## Status\n{status}\n")

    assert code in codes(reading)
    assert reading.phase != "CLOSED"
