"""What an audit plans to look at."""

from __future__ import annotations

import pytest

from ppgp_tui.audit import plan as planning
from ppgp_tui.audit.model import Alarm, AuditPlan, Check
from ppgp_tui.ppgp.goal import read_goal

DOCUMENT = """# Active goal

## GOAL
Make the importer resumable

## PHASE
HARDEN

## DEFINITION_OF_DONE
1. [x] Checkpoint format is written down (docs/checkpoint.md)
2. [x] Checkpoint table has a migration (commit 4e1f09c)
3. [x] A killed import resumes, no row twice
4. [x] It holds in production
5. [ ] Operators have a runbook

## FROZEN_DECISIONS
- One checkpoint for each batch

## INVARIANTS
- No import loses a row

## VERIFICATION_EVIDENCE
- DoD 3: `pytest tests/resume`: 41 passed
- DoD 4: seen on the dashboard, https://dash.invalid/importer
- out/soak.log of the night
- `pytest tests/resume`: 41 passed
"""


def made(document: str = DOCUMENT, **more: object) -> AuditPlan:
    reading = read_goal(document.encode(), "docs/ACTIVE_GOAL.md")
    return planning.plan_of(reading, bound={"contract": "sha256:0"}, **more)  # type: ignore[arg-type]


def of(plan: AuditPlan, criterion: str) -> list[Check]:
    return [check for check in plan.checks if criterion in check.criteria]


def test_conditions_invariants_and_frozen_decisions_each_are_a_criterion() -> None:
    plan = made()
    assert [one.id for one in plan.criteria] == [
        "dod:1", "dod:2", "dod:3", "dod:4", "dod:5", "invariant:1", "frozen:1",
    ]  # fmt: skip
    assert plan.criteria[0].said == "done"
    assert plan.criteria[4].said == "open"
    assert plan.criteria[2].line == 12


def test_each_claim_is_a_check_of_its_kind() -> None:
    plan = made()
    assert [(one.kind, one.path) for one in of(plan, "dod:1")] == [("file", "docs/checkpoint.md")]
    assert [(one.kind, one.commit) for one in of(plan, "dod:2")] == [("commit", "4e1f09c")]
    assert [(one.kind, one.argv, one.passed) for one in of(plan, "dod:3")] == [
        ("tests", ("pytest", "tests/resume"), 41)
    ]


def test_what_nobody_here_can_check_stays_in_the_plan() -> None:
    assert {one.kind for one in of(made(), "dod:4")} == {"nobody"}


def test_evidence_that_names_no_condition_is_about_the_whole_goal() -> None:
    soak = [one for one in made().checks if one.path == "out/soak.log"]
    assert [(one.kind, one.criteria) for one in soak] == [("file", ()), ("evidence_age", ())]


def test_the_same_claim_made_twice_is_checked_once_for_both() -> None:
    tests = [one for one in made().checks if one.kind == "tests"]
    assert [one.criteria for one in tests] == [("dod:3",)]


def test_a_count_without_its_command_is_a_check_without_a_command() -> None:
    plan = made(DOCUMENT.replace("`pytest tests/resume`: 41", "41 tests"))
    assert [(one.argv, one.passed) for one in of(plan, "dod:3")] == [((), 41)]


def test_declared_commands_are_checks_of_the_whole_goal() -> None:
    plan = made(commands=[["make", "test"]])
    declared = [one for one in plan.checks if one.source == "settings"]
    assert [(one.argv, one.criteria) for one in declared] == [(("make", "test"), ())]


def test_evidence_in_the_words_of_a_declared_command_is_that_command() -> None:
    says = "DoD 5: `scripts/all checks`, 3 passed"
    document = DOCUMENT.replace("[ ] Operators", "[x] Operators") + f"- {says}\n"
    [check] = of(made(document, commands=[["scripts/all", "checks"]]), "dod:5")
    assert (check.kind, check.argv, check.passed) == ("tests", ("scripts/all", "checks"), 3)
    assert [one.argv for one in of(made(document), "dod:5")] == [()]


def test_without_a_document_the_objective_is_the_criterion() -> None:
    plan = planning.plan_of(
        read_goal(None, "docs/ACTIVE_GOAL.md"), objective="Retry survives", bound={}
    )
    assert [(one.id, one.text) for one in plan.criteria] == [("objective:1", "Retry survives")]
    assert plan.document == ""


def test_a_check_left_out_stays_with_its_reason() -> None:
    plan = made()
    left = planning.leave_out(plan, "c1", " no  docs here ")
    assert left.checks[0].left_out == "no docs here"
    assert len(left.checks) == len(plan.checks)


def test_a_changed_command_is_a_persons() -> None:
    plan = made()
    check = of(plan, "dod:3")[0]
    changed = planning.change_command(plan, check.id, ["pytest", "-q", "tests/resume"])
    after = of(changed, "dod:3")[0]
    assert (after.id, after.argv, after.source) == (
        check.id, ("pytest", "-q", "tests/resume"), "person",
    )  # fmt: skip


def test_an_added_command_is_for_the_criteria_named() -> None:
    plan = planning.add_command(made(), ["make", "soak"], ["dod:4"])
    assert of(plan, "dod:4")[-1].argv == ("make", "soak")
    assert len({one.id for one in plan.checks}) == len(plan.checks)


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda plan: planning.leave_out(plan, "c1", " "), "say why"),
        (lambda plan: planning.leave_out(plan, "c99", "x"), "there is no check c99"),
        (lambda plan: planning.change_command(plan, "c1", ["x"]), "c1 runs no command"),
        (lambda plan: planning.add_command(plan, [], ()), "a program and its arguments"),
        (lambda plan: planning.add_command(plan, ["x"], ["dod:9"]), "no criterion dod:9"),
    ],
)
def test_a_change_that_cannot_be_made_says_why(edit, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(planning.PlanEditError, match=said):
        edit(made())


def test_each_of_several_counts_belongs_to_its_command() -> None:
    evidence = "- DoD 3: `pytest tests/a`: 3 passed, `pytest tests/b`: 4 passed"
    plan = made(DOCUMENT.replace("- DoD 3: `pytest tests/resume`: 41 passed", evidence))
    found = [(one.argv, one.passed) for one in of(plan, "dod:3")]
    assert found == [(("pytest", "tests/a"), 3), (("pytest", "tests/b"), 4)]


@pytest.mark.parametrize(
    ("path", "dated"),
    [
        ("out/soak.log", True),
        ("ops/evidence/health-20260925.json", True),
        ("reports/junit.xml", True),
        ("test-results.txt", True),
        ("docs/measured-2026-11-30.html", True),
        ("docs/format.json", False),
        ("requirements.txt", False),
        ("web/index.html", False),
        ("pom.xml", False),
        ("docs/output-format.md", False),
    ],
)
def test_only_what_something_gave_has_to_be_newer_than_the_code(path: str, dated: bool) -> None:
    plan = made(DOCUMENT.replace("docs/checkpoint.md", path))
    kinds = [one.kind for one in of(plan, "dod:1")]
    assert kinds == (["file", "evidence_age"] if dated else ["file"])


def test_none_is_no_invariant() -> None:
    plan = made(DOCUMENT.replace("- No import loses a row", "- None."))
    assert [one.id for one in plan.criteria if one.kind == "invariant"] == []


def test_what_was_agreed_and_is_gone_or_reworded_stays_a_criterion() -> None:
    gone = Alarm("criterion_removed", "It is fast", "It is fast")
    other = Alarm("criterion_reworded", "No row is lost", "No row is lost", "Few rows are lost")
    plan = made(alarms=[gone, Alarm("test_deleted", "tests/test_a.py"), other])
    found = [one for one in plan.criteria if one.id.startswith("narrowed:")]
    assert [(one.id, one.text) for one in found] == [
        ("narrowed:1", "As frozen: “It is fast”, which is gone"),
        ("narrowed:2", "As frozen: “No row is lost”, now “Few rows are lost”"),
    ]
