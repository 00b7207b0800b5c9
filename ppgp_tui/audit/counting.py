"""How many tests ran and passed, as the output of a known runner says. Text in, numbers out."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Count(NamedTuple):
    """What a runner said."""

    passed: int | None
    """None: it said no number."""
    none_ran: bool
    """It said that nothing was tested, or that everything was skipped."""


_PYTEST = re.compile(
    r"^(?:=+ )?(?:\d+ \w+, ){0,8}?(\d+) passed\b[^\n]{0,200}? in [\d.]+ ?s", re.MULTILINE
)
_UNITTEST = re.compile(r"^Ran (\d+) tests? in [^\n]*(?:\n+(?:OK|FAILED) \(([^)\n]*)\))?", re.M)
_APART = re.compile(r"\b(?:skipped|expected failures)=(\d+)")
"""What ran and shows nothing, in the words of unittest."""
_OF_ALL: Final = (
    re.compile(r"\b(?P<all>\d+) examples?, 0 failures(?:, (?P<not>\d+) pending)?"),  # rspec
    re.compile(r"^(?:\[\w+\] +)?Tests run: (?P<all>\d+), Failures: 0, Errors: 0,"
               r" Skipped: (?P<not>\d+) *$", re.MULTILINE),  # maven: the sum has no time
    re.compile(r"^OK, but [^\n]*\n+Tests: (?P<all>\d+)[^\n]{0,200}?"
               r"(?:Skipped|Incomplete): (?P<not>\d+)", re.MULTILINE),  # phpunit
    re.compile(r"^(?P<all>\d+) runs, \d+ assertions, 0 failures, 0 errors, (?P<not>\d+) skips",
               re.MULTILINE),  # minitest
    re.compile(r"\b(?P<all>\d+) tests?, 0 failures(?:[^\n]{0,80}?(?P<not>\d+) skipped)?"),
    re.compile(r"\b100% tests passed, 0 tests failed out of (?P<all>\d+)(?P<not>)"),  # ctest
    re.compile(r"^All tests successful\.\n+Files=\d+, Tests=(?P<all>\d+)(?P<not>)", re.M),  # prove
    re.compile(r"\bExecuted (?P<all>\d+) tests?, with (?P<not>)0 failures"),  # swift
)  # fmt: skip
"""Runners that say how many ran, and how many of these showed nothing."""
_SPOKEN: Final = (
    re.compile(r"\btest result: \w+\. (\d+) passed\b"),  # cargo
    re.compile(r"^ *Tests:? [^\n]{0,200}?\b(\d+) passed\b", re.MULTILINE),  # jest, vitest
    re.compile(r"^# pass (\d+)$", re.MULTILINE),  # node, tap
    re.compile(r"^ *(\d+) passing\b", re.MULTILINE),  # mocha
    re.compile(r"^ *(\d+) pass$", re.MULTILINE),  # bun
    re.compile(r"\+(\d+)(?: ~\d+)?: All tests passed!"),  # dart
    re.compile(r"\bPassed![^\n]{0,200}?\bPassed: +(\d+)"),  # dotnet
    re.compile(r"^OK \((\d+) tests?\b", re.MULTILINE),  # junit, phpunit
    re.compile(r"\b(\d+) tests? passed\b"),
    re.compile(r"\b(\d+) passed\b"),
)
"""The first that fits counts: a suite or a file that passed is no test."""
_TAP_PLAN = re.compile(r"^1\.\.\d+\b", re.MULTILINE)
_TAP_OK = re.compile(r"^ok\b(?![^\n]*# *(?:skip|todo))", re.MULTILINE | re.IGNORECASE)
"""In TAP (bats, prove, scripts): one line for each test; the plan says that it is TAP."""
_GO_PASSED = re.compile(r"^ *--- PASS: ", re.MULTILINE)
_GO_RAN = re.compile(r"^(?:ok  ?\t?\S+\s+(?:\(cached\)|[\d.]+s)(?!.*\[no tests to run\])|--- PASS)",
                     re.MULTILINE)  # fmt: skip
_NONE_RAN = re.compile(
    r"\bno tests ran\b|\bcollected 0 items\b|\bRan 0 tests\b|(?<!\d)0 passed\b|\brunning 0 tests\b"
    r"|\bno test files\b|\[no tests to run\]|\bno tests? found\b|^1\.\.0\b"
    r"|^(?:=+ )?(?:\d+ (?:deselected|skipped|xfailed|warnings?),? ?)+in [\d.]+ ?s"
    r"|^ *Tests:? +(?:\d+ (?:skipped|todo|total)[,| ]*)+(?:\(\d+\))? *$",
    re.IGNORECASE | re.MULTILINE,
)
_FAILED: Final = (
    re.compile(r"^(?:=+ )?(?:\d+ \w+, ){0,8}?[1-9]\d* (?:failed|errors?)\b[^\n]{0,200}"
               r" in [\d.]+ ?s", re.MULTILINE),  # pytest
    re.compile(r"^Ran \d+ tests? in [^\n]*\n+FAILED \([^)\n]*\)", re.MULTILINE),  # unittest
    re.compile(r"\btest result: FAILED\."),  # cargo
    re.compile(r"^ *Tests:? [^\n]{0,200}?\b[1-9]\d* failed\b", re.MULTILINE),  # jest, vitest
    re.compile(r"^# fail [1-9]\d*$", re.MULTILINE),  # node, tap
    re.compile(r"^ *[1-9]\d* failing\b", re.MULTILINE),  # mocha
    re.compile(r"\b\d+ (?:examples?|tests?), [1-9]\d* failures?\b"),  # rspec, exunit, bats
    re.compile(r"^--- FAIL: |^FAIL\t\S+\s+[\d.]+s$", re.MULTILINE),  # go
    re.compile(r"^Failed! +- Failed: ", re.MULTILINE),  # dotnet
    re.compile(r"\bTests run: \d+, +Failures: (?:[1-9]\d*|\d+, Errors: [1-9]\d*)\b"),  # maven
    re.compile(r"^(?:FAILURES|ERRORS)!$", re.MULTILINE),  # phpunit
    re.compile(r"\b[1-9]\d* tests failed out of \d+"),  # ctest
    re.compile(r"^\d+ runs, \d+ assertions, [^\n]{0,40}\b[1-9]\d* (?:failures|errors)", re.M),
    re.compile(r"^make(?:\[\d+\])?: (?:\*\*\* )?\[[^\]\n]{1,200}\] Error \d+ \(ignored\)", re.M),
)  # fmt: skip
_TAP_FAILED = re.compile(r"^not ok\b(?![^\n]*# *(?:skip|todo))[^\n]*", re.MULTILINE | re.IGNORECASE)
_LEFT = re.compile(r"\b(?!0\b)(\d+ (?:deselected|filtered out))\b")


def counted(output: str) -> Count:
    """Return what the runner said in `output`; several runs of one runner are added up."""
    passed = _passed(output)
    none_ran = passed == 0 or (
        passed is None and bool(_NONE_RAN.search(output)) and not _GO_RAN.search(output)
    )
    return Count(passed, none_ran)


def failed(output: str) -> str:
    """The line in which a runner says that something failed; empty where none does."""
    lines = (found[0] for pattern in _FAILED if (found := pattern.search(output)))
    if (said := next(lines, "")) or not _TAP_PLAN.search(output):
        return " ".join(said.split())
    return next((found[0] for found in _TAP_FAILED.finditer(output)), "")


def left(output: str) -> str:
    """What the last run of a runner left aside by choice, such as `3 deselected`."""
    return next(reversed(_LEFT.findall(output)), "")


def _passed(output: str) -> int | None:
    if found := _PYTEST.findall(output):
        return sum(map(int, found))
    if ran := _UNITTEST.findall(output):
        return sum(int(count) - _skipped(about) for count, about in ran)
    for pattern in _OF_ALL:
        if ran_all := [*pattern.finditer(output)]:
            return sum(int(one["all"]) - int(one["not"] or 0) for one in ran_all)
    for pattern in _SPOKEN:
        if found := pattern.findall(output):
            return sum(map(int, found))
    if found := _GO_PASSED.findall(output):
        return len(found)
    return len(_TAP_OK.findall(output)) if _TAP_PLAN.search(output) else None


def _skipped(about: str) -> int:
    return sum(map(int, _APART.findall(about)))
