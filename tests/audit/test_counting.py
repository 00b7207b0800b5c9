"""How many tests passed, in the words of their runners."""

from __future__ import annotations

from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.counting import Count, counted
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
    ],
)
def test_what_ran_no_test_says_so(output: str) -> None:
    assert counted(output).none_ran


def test_a_number_that_the_tests_print_themselves_is_not_the_runners() -> None:
    assert counted("500 passed, says the test\n" + PYTEST).passed == 41


@given(st.text())
def test_any_output_is_read(output: str) -> None:
    passed, none_ran = counted(output)
    assert passed is None or passed >= 0
    assert not (none_ran and passed)


@pytest.mark.parametrize("word", ["Passed! ", "1 skipped, ", "Tests: ", "1 passed, ", "9", "= "])
def test_output_without_an_end_is_read_in_no_time(word: str) -> None:
    began = monotonic()
    counted(word * (256 * 1024 // len(word)))
    assert monotonic() - began < PATIENCE_S
