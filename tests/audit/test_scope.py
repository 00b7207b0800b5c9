"""What was narrowed since the contract was frozen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.model import Alarm
from ppgp_tui.audit.scope import DIFF_MOST, alarms_of_tests, contract_alarms, plan_alarms
from ppgp_tui.pi.plan import Removal, TodoState, TodoTask
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading


def document(*conditions: str, invariants: tuple[str, ...] = ("No row is lost",)) -> GoalReading:
    dod = "".join(f"- [ ] {text}\n" for text in conditions)
    kept = "".join(f"- {text}\n" for text in invariants)
    text = f"# Goal\n\n## GOAL\nx\n\n## DEFINITION_OF_DONE\n{dod}\n## INVARIANTS\n{kept}"
    return read_goal(text.encode(), "docs/ACTIVE_GOAL.md")


def said(alarms: object) -> list[tuple[str, str, str]]:
    return [(one.kind, one.before, one.after) for one in alarms]  # type: ignore[attr-defined]


def test_a_condition_that_is_gone_is_stated() -> None:
    found = contract_alarms(
        document("A killed import resumes", "Import speed within 5% of today"),
        document("A killed import resumes"),
    )
    assert said(found) == [("criterion_removed", "Import speed within 5% of today", "")]


def test_a_condition_that_reads_otherwise_is_shown_with_both_wordings() -> None:
    found = [*contract_alarms(
        document("Kill test passes at 50 points"), document("Kill test passes at 10 points")
    )]  # fmt: skip
    assert said(found) == [
        ("criterion_reworded", "Kill test passes at 50 points", "Kill test passes at 10 points")
    ]
    assert found[0].line == 7


def test_a_condition_quietly_replaced_by_another_is_gone() -> None:
    found = contract_alarms(document("A killed import resumes"), document("The README is nice"))
    assert said(found) == [("criterion_removed", "A killed import resumes", "")]


def test_an_invariant_that_is_gone_is_stated_too() -> None:
    found = contract_alarms(document("a b"), document("a b", invariants=()))
    assert said(found) == [("criterion_removed", "No row is lost", "")]


def test_marks_ticks_order_and_more_conditions_narrow_nothing() -> None:
    before = document("Rows are kept", "Speed is kept")
    assert said(contract_alarms(before, document("Speed is  kept.", "Rows are kept", "More"))) == []


def plan(*tasks: TodoTask) -> TodoState:
    return TodoState(revision=1, tasks=tasks)


def task(key: str, status: str = "pending", needs: tuple[str, ...] = ()) -> TodoTask:
    return TodoTask(key, f"do {key}", status, depends_on=needs)  # type: ignore[arg-type]


def test_an_open_task_that_left_the_plan_is_stated_with_its_reason() -> None:
    found = plan_alarms(plan(task("a"), task("b")), plan(task("a")), [Removal("b", "no time")])
    assert [*found] == [Alarm("task_dropped", "b", "do b", "", "no time")]


def test_a_finished_task_may_leave_the_plan() -> None:
    assert [*plan_alarms(plan(task("a", "completed")), plan(), [])] == []


def test_a_dependency_that_was_cut_is_stated() -> None:
    before = plan(task("a"), task("b"), task("c", needs=("a", "b")))
    after = plan(task("a"), task("b"), task("c", needs=("b",)))
    assert said(plan_alarms(before, after, [])) == [("dependency_cut", "needs a", "needs b")]


ONE = "def test_one():\n    assert f()\n"
TWO = "def test_two():\n    assert g()\n"


def test_deleted_tests_are_stated_by_file_and_by_name() -> None:
    found = alarms_of_tests({"tests/test_a.py": ONE + TWO, "tests/test_b.py": ONE},
                         {"tests/test_a.py": ONE}, "")  # fmt: skip
    assert [(one.kind, one.what) for one in found] == [
        ("test_deleted", "tests/test_a.py::test_two"), ("test_deleted", "tests/test_b.py"),
    ]  # fmt: skip


def test_skipped_and_emptied_tests_are_stated() -> None:
    now = "import pytest\n@pytest.mark.skip\n" + ONE + "def test_two():\n    g()\n"
    found = alarms_of_tests({"tests/test_a.py": ONE + TWO}, {"tests/test_a.py": now}, "")
    assert [(one.kind, one.what) for one in found] == [
        ("test_skipped", "tests/test_a.py"), ("test_emptied", "tests/test_a.py::test_two"),
    ]  # fmt: skip


SUMS = """def test_sum():
    assert total([1, 2]) == 3
    assert total([]) == 0
"""


@pytest.mark.parametrize(
    ("now", "gone", "came"),
    [
        (SUMS.replace("    assert total([]) == 0\n", ""), "    assert total([]) == 0", ""),
        (
            SUMS.replace("assert total([1, 2]) == 3", "assert total([1, 2])"),
            "    assert total([1, 2]) == 3",
            "    assert total([1, 2])",
        ),
        (SUMS.replace("== 0", "== 0 or True"), "    assert total([]) == 0",
         "    assert total([]) == 0 or True"),
    ],
    ids=["one-is-gone", "one-asks-for-less", "one-holds-always"],
)  # fmt: skip
def test_an_assertion_that_is_gone_or_reads_otherwise_is_stated_with_both(
    now: str, gone: str, came: str
) -> None:
    (alarm,) = alarms_of_tests({"tests/test_a.py": SUMS}, {"tests/test_a.py": now}, "")
    assert (alarm.kind, alarm.what) == ("test_changed", "tests/test_a.py::test_sum")
    assert [line for line in alarm.diff if line.startswith("-")] == [f"-{gone}"]
    assert [line for line in alarm.diff if line.startswith("+")] == ([f"+{came}"] if came else [])


def test_an_assertion_of_a_helper_counts_like_one_of_a_test() -> None:
    helper = "def _same(a, b):\n    assert a == b\n\n\ndef test_a():\n    _same(f(), 1)\n"
    now = helper.replace("a == b", "a")
    found = alarms_of_tests({"tests/test_a.py": helper}, {"tests/test_a.py": now}, "")
    assert [(one.kind, one.what) for one in found] == [("test_changed", "tests/test_a.py::_same")]


def test_assertions_that_moved_or_are_new_change_nothing() -> None:
    now = SUMS.replace("def test_sum", "def test_more():\n    assert f()\n\n\ndef test_sum")
    now = now.replace("    assert total([]) == 0\n", "    # nothing\n    assert (total([]) == 0)\n")
    now += "    assert total([5]) == 5\n"
    assert [*alarms_of_tests({"tests/test_a.py": SUMS}, {"tests/test_a.py": now}, "")] == []


def test_in_other_languages_the_lines_that_assert_are_compared() -> None:
    before = "test('a', () => {\n  expect(add(1, 2)).toBe(3)\n  expect(add()).toBe(0)\n})\n"
    now = before.replace("  expect(add()).toBe(0)\n", "")
    (alarm,) = alarms_of_tests({"src/a.test.ts": before}, {"src/a.test.ts": now}, "")
    assert (alarm.kind, alarm.what) == ("test_changed", "src/a.test.ts")
    assert "-  expect(add()).toBe(0)" in alarm.diff
    moved = before.replace("  expect(add()).toBe(0)\n", "").replace(
        "test('a'", "test('b', () => {\n    expect(add()).toBe(0)\n})\ntest('a'"
    )
    assert [*alarms_of_tests({"src/a.test.ts": before}, {"src/a.test.ts": moved}, "")] == []


def test_each_alarm_of_a_test_shows_what_went_and_what_came() -> None:
    now = "import pytest\n\n\n@pytest.mark.skip\n" + ONE
    deleted, skipped = alarms_of_tests({"tests/test_a.py": ONE + TWO}, {"tests/test_a.py": now}, "")
    assert deleted.diff == ("-def test_two():", "-    assert g()")
    assert "+@pytest.mark.skip" in skipped.diff
    (gone,) = alarms_of_tests({"tests/test_a.py": ONE}, {}, "")
    assert gone.diff == ("-def test_one():", "-    assert f()")
    (emptied,) = alarms_of_tests(
        {"tests/test_a.py": ONE}, {"tests/test_a.py": ONE.replace("assert f()", "f()")}, ""
    )
    assert emptied.diff == (" def test_one():", "-    assert f()", "+    f()")


def test_a_long_diff_says_how_much_of_it_is_not_shown() -> None:
    before = "def test_a():\n" + "".join(f"    assert f({n})\n" for n in range(90))
    (alarm,) = alarms_of_tests({"tests/test_a.py": before}, {}, "")
    assert len(alarm.diff) == DIFF_MOST + 1
    assert alarm.diff[-1] == f" … {91 - DIFF_MOST} lines more"


def test_other_files_and_new_tests_narrow_nothing() -> None:
    assert [*alarms_of_tests({"src/a.py": ONE, "tests/test_a.py": ONE},
                          {"tests/test_a.py": ONE + TWO}, "")] == []  # fmt: skip


@given(st.lists(st.sampled_from(("alpha one", "beta two", "gamma three")), unique=True))
def test_a_document_narrows_nothing_in_itself(conditions: list[str]) -> None:
    one = document(*conditions)
    assert [*contract_alarms(one, one)] == []


def test_a_test_that_now_asserts_through_a_helper_of_another_file_is_not_emptied() -> None:
    before = {"tests/test_a.py": "def test_a():\n    assert f() == 1\n"}
    now = {
        "tests/helping.py": "def same(a, b):\n    assert a == b\n",
        "tests/test_a.py": "from helping import same\n\ndef test_a():\n    same(f(), 1)\n",
    }
    assert [alarm.kind for alarm in alarms_of_tests(before, now)] == ["test_changed"]
    without = {**now, "tests/helping.py": "def same(a, b):\n    a == b\n"}
    assert [alarm.kind for alarm in alarms_of_tests(before, without)] == ["test_emptied"]
