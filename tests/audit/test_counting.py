"""How many tests passed, in the words of their runners."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.counting import Count, counted, failed, left
from tests.waiting import PATIENCE_S

PYTEST = "......\n=========== 41 passed, 1 warning in 0.42s ===========\n"
CARGO = """running 12 tests
test result: ok. 12 passed; 0 failed; 0 ignored
running 0 tests
test result: ok. 0 passed; 0 failed; 0 ignored
"""
JEST = """Test Suites: 3 passed, 3 total
Tests:       2 skipped, 12 passed, 14 total
"""
VITEST = " Test Files  3 passed (3)\n      Tests  12 passed (12)\n"
GO = "ok  \texample.com/a\t0.012s\n?   \texample.com/b\t[no test files]\n"


@pytest.mark.parametrize(
    ("output", "passed"),
    [
        (PYTEST, 41),
        ("41 passed in 0.1s", 41),
        ("1 failed, 40 passed in 3.10s", 40),
        ("2 passed in 0.1s\nmake[1]: next\n3 passed in 0.1s", 5),
        ("Ran 7 tests in 0.001s\n\nOK", 7),
        ("Ran 7 tests in 0.001s\n\nOK (skipped=3)", 4),
        (CARGO, 12),
        (JEST, 12),
        (VITEST, 12),
        ("  18 passing (20ms)", 18),
        ("1..3\nok 1 sums\nnot ok 2 empty\nok 3 later # skip no shell", 1),
        ("ok 1 - sums\nok 2 - empty\n1..2", 2),
        ("# tests 5\n# pass 5\n# fail 0", 5),
        ("9 examples, 0 failures", 9),
        ("Passed!  - Failed: 0, Passed:   11, Skipped: 0", 11),
        ("OK (6 tests, 12 assertions)", 6),
        (GO, None),
        ("=== RUN TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/one (0.00s)\nPASS\n", 2),
        ("9 examples, 0 failures, 2 pending", 7),
        ("Ran 7 tests in 0.001s\n\nOK (skipped=3, expected failures=1)", 3),
        (
            "Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s - in A\n"
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n",
            4,
        ),
        ("OK, but some tests were skipped!\nTests: 5, Assertions: 9, Skipped: 2.", 3),
        ("5 runs, 9 assertions, 0 failures, 0 errors, 1 skips", 4),
        ("Finished in 0.1 seconds\n5 tests, 0 failures, 1 skipped\n", 4),
        ("100% tests passed, 0 tests failed out of 8", 8),
        ("All tests successful.\nFiles=2, Tests=9,  1 wallclock secs", 9),
        ("Executed 5 tests, with 0 failures (0 unexpected) in 0.1 seconds", 5),
        (" 12 pass\n 0 fail\n", 12),
        ("00:01 +6: All tests passed!", 6),
        ("all good", None),
    ],
)
def test_a_runners_own_number_counts(output: str, passed: int | None) -> None:
    assert counted(output) == Count(passed, False)


@pytest.mark.parametrize(
    "output",
    [
        "no tests ran in 0.01s",
        "collected 0 items",
        "Ran 0 tests in 0.000s\n\nOK",
        "Ran 3 tests in 0.000s\n\nOK (skipped=3)",
        "===== 3 skipped in 0.01s =====",
        "2 skipped, 1 xfailed in 0.01s",
        "running 0 tests\ntest result: ok. 0 passed; 0 failed",
        "?   \texample.com/b\t[no test files]",
        "ok  \texample.com/a\t0.012s [no tests to run]",
        "No tests found, exiting with code 0",
        "1..0 # skipped",
        "Tests:       3 skipped, 3 total",
        "      Tests  3 skipped (3)",
        "Ran 1 test in 0.001s\n\nOK (expected failures=1)",
        "3 examples, 0 failures, 3 pending",
    ],
)
def test_what_ran_no_test_says_so(output: str) -> None:
    assert counted(output).none_ran


@pytest.mark.parametrize(
    "output",
    [
        "==== 1 failed, 40 passed in 3.10s ====",
        "1 error in 0.10s",
        "Ran 7 tests in 0.001s\n\nFAILED (failures=1)",
        "Ran 7 tests in 0.001s\n\nFAILED (unexpected successes=1)",
        "test result: FAILED. 11 passed; 1 failed; 0 ignored",
        "Tests:       1 failed, 12 passed, 13 total",
        "  18 passing (20ms)\n  1 failing\n",
        "# tests 5\n# pass 4\n# fail 1",
        "1..3\nok 1 sums\nnot ok 2 empty\nok 3 later",
        "9 examples, 2 failures",
        "--- FAIL: TestA (0.00s)\nFAIL\n",
        "FAIL\texample.com/a\t0.012s",
        "Failed!  - Failed: 1, Passed:   11, Skipped: 0",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
        "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.",
        "80% tests passed, 1 tests failed out of 5",
        "make: [Makefile:4: test] Error 1 (ignored)",
    ],
)
def test_what_a_runner_says_of_a_failure_is_told(output: str) -> None:
    assert failed(output)


@pytest.mark.parametrize(
    "output",
    [
        PYTEST, CARGO, JEST, VITEST, GO, "1..2\nok 1\nnot ok 2 later # TODO", "0 failed",
        "2 passed, 1 xfailed in 0.1s", "Ran 2 tests in 0.1s\n\nOK", "9 examples, 0 failures",
        "handles 3 errors", "5 tests, 0 failures", "the failed call is tried again",
        "Passed!  - Failed: 0, Passed:   11, Skipped: 0", "# pass 5\n# fail 0",
    ],
)  # fmt: skip
def test_a_run_without_a_failure_says_none(output: str) -> None:
    assert not failed(output)


def test_what_was_left_aside_by_choice_is_told() -> None:
    assert left("= 3 passed, 5 deselected in 0.1s =") == "5 deselected"
    assert left("test result: ok. 3 passed; 0 failed; 9 filtered out") == "9 filtered out"
    assert left(CARGO + "0 filtered out") == ""


def test_a_number_that_the_tests_print_themselves_is_not_the_runners() -> None:
    assert counted("500 passed, says the test\n" + PYTEST).passed == 41


@given(st.text())
def test_any_output_is_read(output: str) -> None:
    passed, none_ran = counted(output)
    assert passed is None or passed >= 0
    assert not (none_ran and passed)
    assert failed(output) is not None
    assert left(output) is not None


@pytest.mark.parametrize("word", ["Passed! ", "1 skipped, ", "Tests: ", "1 passed, ", "9", "= "])
def test_output_without_an_end_is_read_in_no_time(word: str) -> None:
    began = monotonic()
    text = word * (256 * 1024 // len(word))
    counted(text)
    failed(text)
    left(text)
    assert monotonic() - began < PATIENCE_S
