"""The state of each condition, where it was read, and what supports it."""

import pytest

from tests.ppgp.reader import codes, read_field

DOD = "DEFINITION_OF_DONE"


def states(body: str, *others: str) -> list[str]:
    return [condition.state for condition in read_field(DOD, body, *others).dod]


@pytest.mark.parametrize(
    ("entry", "state", "source"),
    [
        ("[x] works", "claimed", "box"),
        ("[X] works", "claimed", "box"),
        ("[✓] works", "claimed", "box"),
        ("[ ] works", "open", "box"),
        ("[-] works", "partial", "box"),
        ("[~] works", "partial", "box"),
        ("**DONE — contracts.** All families.", "claimed", "word"),
        ("DONE: contracts", "claimed", "word"),
        ("[DONE] contracts", "claimed", "word"),
        ("(done 2026-09-25) contracts", "claimed", "word"),
        ("✅ contracts", "claimed", "word"),
        ("contracts ✔️", "claimed", "word"),
        ("contracts (done 2026-09-25).", "claimed", "word"),
        ("contracts — done", "claimed", "word"),
        ("contracts: DONE", "claimed", "word"),
        ("готово: договоры", "claimed", "word"),
        ("合同（已完成）", "claimed", "word"),
        ("契約 — 完了", "claimed", "word"),
        ("계약: 완료", "claimed", "word"),
        ("contrats (terminé)", "claimed", "word"),
        ("Erledigt: Verträge", "claimed", "word"),
        ("**PARTIAL — product.** Backend only.", "partial", "word"),
        ("🔄 contracts", "partial", "word"),
        ("contracts (in progress)", "partial", "word"),
        ("NOT STARTED — contracts", "open", "word"),
        ("contracts — not done", "open", "word"),
        ("⬜ contracts", "open", "word"),
        ("❌ contracts", "open", "word"),
        ("合同 — 未完成", "open", "word"),
        ("**BLOCKED — translations.**", "blocked", "word"),
        ("⛔ contracts", "blocked", "word"),
    ],
)
def test_states_are_read_from_boxes_and_words(entry: str, state: str, source: str) -> None:
    (condition,) = read_field(DOD, f"- {entry}").dod
    assert (condition.state, condition.state_source) == (state, source)


@pytest.mark.parametrize(
    "entry",
    [
        "Open the file dialog from the keyboard",
        "Pass all tests on Windows",
        "Complete rewrite of the parser",
        "Blocked users cannot log in",
        "Verified e-mails only",
        "Done in under ten clicks",
        "Next page loads in 100 ms",
        "CI is green (done when the badge is)",
        "Everyone may read it (open to all)",
        "Health check answers: ok",
        "Integration tests pass",
        "An open-source library is chosen",
    ],
)
def test_words_inside_a_condition_are_no_state(entry: str) -> None:
    (condition,) = read_field(DOD, f"- {entry}").dod
    assert (condition.state, condition.state_source) == ("unknown", None)
    assert condition.text == entry


def test_a_leading_state_and_the_emphasis_are_no_part_of_the_text() -> None:
    (condition,) = read_field(DOD, "1. **DONE — contracts.** All *families*.").dod
    assert condition.text == "contracts. All families."


def test_a_box_is_stronger_than_words_and_cross_references() -> None:
    reading = read_field(
        DOD, "- [ ] DONE: one\n- [x] two", "## COMPLETED\n- DoD 1", "## REMAINING\n- DoD 2"
    )

    assert [condition.state for condition in reading.dod] == ["open", "claimed"]
    assert "done-and-remaining" in codes(reading)


def test_a_table_gives_state_and_evidence_by_its_columns() -> None:
    table = (
        "| # | Criterion | Status | Evidence |\n|---|---|---|---|\n"
        "| 1 | one | ✅ Done | `tests/x.py` |\n| 2 | two | done | TBD |\n"
        "| 3 | three | in progress | |\n| 4 | four | | |\n"
    )
    reading = read_field(DOD, table)

    assert [c.state for c in reading.dod] == ["done", "claimed", "partial", "unknown"]
    assert [c.text for c in reading.dod] == ["one", "two", "three", "four"]
    assert reading.dod[0].state_source == "column"


def test_groups_give_their_state_to_what_stands_under_them() -> None:
    assert states("### ✅ One\n- a\n- b\n\n### 🔄 Two\n- c\n\n### Three\n- d") == [
        "claimed", "claimed", "partial", "unknown",
    ]  # fmt: skip


def test_a_bullet_that_only_labels_checkboxes_is_no_condition() -> None:
    assert states("- Phase 1\n  - [x] a\n  - [ ] b\n- [ ] c\n  - a detail") == [
        "claimed", "open", "open",
    ]  # fmt: skip


ITEMS = "- Step A: one\n- Step B: two\n- Step C: three\n- four\n- five"


@pytest.mark.parametrize(
    ("completed", "done"),
    [
        ("DoD 1-3", [1, 2, 3]),
        ("DoD 1, 3 and 5: all of it", [1, 3, 5]),
        ("DoD items 2–3", [2, 3]),
        ("DoD item 1.", [1]),
        ("DoD-4", [4]),
        ("Criteria 1 through 4", [1, 2, 3, 4]),
        ("Criterion #5", [5]),
        ("Критерии 1 и 2", [1, 2]),
        ("条件 1～3", [1, 2, 3]),
        ("第2项", [2]),
        ("Step B", [2]),
        ("Steps A and C: finished", [1, 3]),
        ("Steps A-C", [1, 2, 3]),
        ("The adapter (Step B)", [2]),
        ("All DoD items", [1, 2, 3, 4, 5]),
        ("DoD 4-99", [4, 5]),
        ("Docs for Step B written", []),
        ("Unit tests for DoD 3", []),
        ("five", []),
        ("Step D", []),
        ("3 conditions were found", []),
        ("item 2 of the plan", []),
    ],
)
def test_completed_names_conditions_by_number_or_label_and_never_by_likeness(
    completed: str, done: list[int]
) -> None:
    reading = read_field(DOD, ITEMS, f"## COMPLETED\n- {completed}")

    assert [c.number for c in reading.dod if c.state == "claimed"] == done
    assert {c.state_source for c in reading.dod if c.state == "claimed"} <= {"cross-reference"}


def test_named_by_completed_and_remaining_is_partial() -> None:
    others = "## COMPLETED\n- DoD 1 (part)\n- DoD 2\n- DoD 3", "## REMAINING\n- DoD 2 rest\n- DoD 4"
    assert states(ITEMS, *others) == ["partial", "partial", "claimed", "open", "unknown"]


def test_blocked_in_remaining_is_blocked() -> None:
    remaining = "## REMAINING\n- Step A (blocked, see below)\n- Step B (independent of A)"
    assert states(ITEMS, remaining) == [
        "blocked", "open", "unknown", "unknown", "unknown",
    ]  # fmt: skip


def test_status_prose_names_states_by_number() -> None:
    status = "- criteria `1` through `3`: treated as proved\n- criterion `4`: still `partial`"
    assert states(ITEMS, f"## Status\n`paused`\n\n{status}") == [
        "claimed",
        "claimed",
        "claimed",
        "partial",
        "unknown",
    ]


def test_numbers_written_in_the_list_are_the_numbers_that_count() -> None:
    reading = read_field(DOD, "3. three\n4. four", "## COMPLETED\n- DoD 4")
    assert [c.state for c in reading.dod] == ["unknown", "claimed"]


@pytest.mark.parametrize(
    ("entry", "proof"),
    [
        ("[x] works (commit 4e1f09c)", "commit 4e1f09c"),
        ("[x] works, 4e1f09c", "4e1f09c"),
        ("[x] works: 41 passed", "41 passed"),
        ("[x] works (118/118 tests)", "118/118 tests"),
        ("[x] works — `docs/proof.md`", "`docs/proof.md`"),
        ("[x] works ([log](https://example.invalid/1))", "[log](https://example.invalid/1)"),
        ("[x] works (PR #12)", "PR #12"),
        ("[x] 单元测试覆盖 (81 tests)", "81 tests"),
        ("[x] works\n  - proof: `tests/x.py`", "`tests/x.py`"),
    ],
)
def test_a_condition_may_carry_its_proof(entry: str, proof: str) -> None:
    (condition,) = read_field(DOD, f"- {entry}").dod

    assert condition.state == "done"
    assert [item.text for item in condition.evidence] == [proof]


@pytest.mark.parametrize(
    "entry",
    [
        "[x] `tests/x.py` covers the parser",
        "[x] at least 20 tests pass",
        "[x] exit 0 on success",
        "[x] works (see below)",
        "[x] deadbeef is refused",
        "[ ] works (commit 4e1f09c)",
    ],
)
def test_what_a_condition_asks_for_is_no_proof_of_it(entry: str) -> None:
    (condition,) = read_field(DOD, f"- {entry}").dod
    assert condition.evidence == ()


def test_evidence_supports_what_it_names_and_nothing_that_only_sounds_alike() -> None:
    evidence = (
        "## VERIFICATION_EVIDENCE\n- DoD 1: seen in production.\n- Export of two: opened in Excel."
    )
    reading = read_field(DOD, "- [x] one\n- [x] Export of two", evidence)

    assert [c.state for c in reading.dod] == ["done", "claimed"]
    assert reading.dod[0].evidence[0].text == "DoD 1: seen in production."
    claimed = next(reason for reason in reading.reasons if reason.code == "claimed")
    assert claimed.text == "condition 2 says done and shows no evidence"


def test_evidence_that_says_no_is_none() -> None:
    evidence = "## VERIFICATION_EVIDENCE\n- DoD 1: not yet tested.\n- DoD 2: 3 failed, 4 passed."
    assert states("- [x] one\n- [x] two", evidence) == ["claimed", "claimed"]


def test_the_entry_that_calls_it_finished_may_bring_the_proof() -> None:
    assert states("- one\n- two", "## COMPLETED\n- DoD 1: commit 1c9e0aa\n- DoD 2") == [
        "done",
        "claimed",
    ]
