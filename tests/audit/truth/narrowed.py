"""Goals that became less since they were agreed."""

from __future__ import annotations

from typing import Final

from tests.audit.truth.stage import (
    ALL,
    APPROVES,
    CODE,
    DOCUMENT,
    DOD,
    RUN_RETRY,
    TEST_COUNTER,
    TEST_RETRY,
    Case,
    Stage,
    document,
    frozen,
)


def drops_a_task(stage: Stage) -> None:
    stage.plans("counter", "retry", "docs")
    stage.plans("counter", "retry", drop=["docs"])


def cuts_a_dependency(stage: Stage) -> None:
    stage.plans("counter", "retry", needs={"retry": "counter"})
    stage.plans("counter", "retry")


GIVES_UP = "        self.assertIsNone(calls(lambda: False))\n"
SKIPS_ITSELF = "        self.skipTest('later')\n"
LESS = TEST_RETRY.replace(
    "Equal(calls(lambda: next(answers)), 3)", "True(calls(lambda: next(answers)))"
)
TWICE = TEST_RETRY + GIVES_UP.replace("False", "False, 5")


NARROWED: Final = (
    Case(
        "a condition was removed",
        "inconclusive",
        frozen=frozen((*DOD, "[x] A thousand calls a second")),
        alarms=("criterion_removed",),
        notes=("criterion removed: A thousand calls a second",),
        why=("only a person can let it go",),
    ),
    Case(
        "a condition was removed, and the auditor approves",
        "inconclusive",
        frozen=frozen((*DOD, "[x] A thousand calls a second")),
        auditor=APPROVES,
        alarms=("criterion_removed",),
        why=("only a person can let it go",),
    ),
    Case(
        "a condition was removed, and a person lets it go",
        "approved_with_notes",
        frozen=frozen((*DOD, "[x] A thousand calls a second")),
        alarms=("criterion_removed",),
        taken={"narrowed:1": "agreed on Monday"},
        notes=("taken by user:dev: agreed on Monday", "criterion removed"),
    ),
    Case(
        "a condition was quietly replaced by an easier one",
        "inconclusive",
        frozen=frozen((DOD[0], "[x] Nothing is lost when the power goes")),
        alarms=("criterion_removed",),
        notes=("Nothing is lost when the power goes",),
    ),
    Case(
        "a condition was reworded",
        "inconclusive",
        frozen=frozen((DOD[0], "[x] The counter survives a restart and a crash")),
        alarms=("criterion_reworded",),
        notes=("The counter survives a restart and a crash",),
        why=("only a person can let it go",),
    ),
    Case(
        "ticks, order and case of the conditions are no change of them",
        "approved",
        frozen=frozen(("[x] the counter survives a restart.", "[x] A call is tried  three times")),
    ),
    Case(
        "an invariant was removed",
        "inconclusive",
        frozen=frozen(invariants=["No call is lost"]),
        alarms=("criterion_removed",),
        notes=("No call is lost",),
    ),
    Case(
        "a condition was removed while the document was not committed",
        "inconclusive",
        frozen=frozen((*DOD, "[x] A thousand calls a second")),
        dirty={DOCUMENT: document()},
        document=document((*DOD, "[x] A thousand calls a second")),
        alarms=("criterion_removed",),
    ),
    Case(
        "a test was deleted",
        "approved_with_notes",
        files={**CODE, "tests/test_limits.py": TEST_COUNTER},
        later=({"tests/test_limits.py": None},),
        alarms=("test_deleted",),
        notes=("test deleted: tests/test_limits.py",),
    ),
    Case(
        "one test of a file was deleted, and the claim still counts it",
        "rejected",
        later=({"tests/test_retry.py": TEST_RETRY.partition("    def test_it_gives")[0]},),
        alarms=("test_deleted",),
        objections=("1 passed, 2 are claimed",),
        notes=("TestRetry.test_it_gives_up",),
    ),
    Case(
        "a test was skipped, and the claim still counts it",
        "rejected",
        later=(
            {
                "tests/test_retry.py": TEST_RETRY.replace(
                    "    def test_it", "    @unittest.skip('later')\n    def test_it"
                )
            },
        ),
        alarms=("test_skipped",),
        objections=("1 passed, 2 are claimed",),
    ),
    Case(
        "one of two tests was emptied",
        "approved_with_notes",
        later=({"tests/test_retry.py": TEST_RETRY.replace("self.assertIsNone(", "print(")},),
        alarms=("test_emptied",),
        notes=("test emptied: tests/test_retry.py::TestRetry.test_it_gives_up",),
    ),
    Case(
        "a test asks for less",
        "approved_with_notes",
        later=({"tests/test_retry.py": LESS},),
        alarms=("test_changed",),
        notes=("test changed: tests/test_retry.py::TestRetry.test_third_call_counts",),
    ),
    Case(
        "an assertion was taken out of a test that has another",
        "approved_with_notes",
        files={**CODE, "tests/test_retry.py": TWICE},
        later=({"tests/test_retry.py": TEST_RETRY},),
        alarms=("test_changed",),
        notes=("test changed: tests/test_retry.py::TestRetry.test_it_gives_up",),
    ),
    Case(
        "a test skips itself, and the claim still counts it",
        "rejected",
        later=(
            {
                "tests/test_retry.py": TEST_RETRY.replace(
                    GIVES_UP, f"        self.skipTest('x')\n{GIVES_UP}"
                )
            },
        ),
        alarms=("test_skipped",),
        objections=("1 passed, 2 are claimed",),
    ),
    Case(
        "a command that was to prove it was taken out of the settings",
        "approved_with_notes",
        files={**CODE, ".gitignore": "state/\n.ppgp/run/\n.ppgp/audits/\n"},
        commands=(tuple(ALL.split()),),
        later=({".ppgp/config.toml": None},),
        alarms=("command_removed",),
        notes=(f"command removed: {ALL}",),
    ),
    Case(
        "a command moved from the settings into the evidence",
        "approved",
        files={**CODE, ".gitignore": "state/\n.ppgp/run/\n.ppgp/audits/\n"},
        commands=(tuple(RUN_RETRY.split()),),
        later=({".ppgp/config.toml": None},),
    ),
    Case(
        "a task was dropped unfinished",
        "approved_with_notes",
        told=drops_a_task,
        alarms=("task_dropped",),
        notes=("task dropped: docs",),
    ),
    Case(
        "a dependency was cut",
        "approved_with_notes",
        told=cuts_a_dependency,
        alarms=("dependency_cut",),
        notes=("dependency cut: retry",),
    ),
)
