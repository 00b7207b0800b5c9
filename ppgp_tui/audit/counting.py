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
_SKIPPED = re.compile(r"\bskipped=(\d+)")
_SPOKEN: Final = (
    re.compile(r"\btest result: \w+\. (\d+) passed\b"),  # cargo
    re.compile(r"^ *Tests:? [^\n]{0,200}?\b(\d+) passed\b", re.MULTILINE),  # jest, vitest
    re.compile(r"^# pass (\d+)$", re.MULTILINE),  # node, tap
    re.compile(r"^ *(\d+) passing\b", re.MULTILINE),  # mocha
    re.compile(r"\b(\d+) examples?, 0 failures\b"),  # rspec
    re.compile(r"\bPassed![^\n]{0,200}?\bPassed: +(\d+)"),  # dotnet
    re.compile(r"^OK \((\d+) tests?\b", re.MULTILINE),  # junit, phpunit
    re.compile(r"\b(\d+) tests? passed\b"),
    re.compile(r"\b(\d+) passed\b"),
)
"""The first that fits counts: a suite or a file that passed is no test."""
_TAP_PLAN = re.compile(r"^1\.\.\d+\b", re.MULTILINE)
_TAP_OK = re.compile(r"^ok\b(?![^\n]*# *(?:skip|todo))", re.MULTILINE | re.IGNORECASE)
"""In TAP (bats, prove, scripts): one line for each test; the plan says that it is TAP."""
_GO_RAN = re.compile(r"^(?:ok  ?\t?\S+\s+(?:\(cached\)|[\d.]+s)(?!.*\[no tests to run\])|--- PASS)",
                     re.MULTILINE)  # fmt: skip
_NONE_RAN = re.compile(
    r"\bno tests ran\b|\bcollected 0 items\b|\bRan 0 tests\b|(?<!\d)0 passed\b|\brunning 0 tests\b"
    r"|\bno test files\b|\[no tests to run\]|\bno tests? found\b|^1\.\.0\b"
    r"|^(?:=+ )?(?:\d+ (?:deselected|skipped|xfailed|warnings?),? ?)+in [\d.]+ ?s",
    re.IGNORECASE | re.MULTILINE,
)


def counted(output: str) -> Count:
    """Return what the runner said in `output`; several runs of one runner are added up."""
    passed = _passed(output)
    none_ran = passed == 0 or (
        passed is None and bool(_NONE_RAN.search(output)) and not _GO_RAN.search(output)
    )
    return Count(passed, none_ran)


def _passed(output: str) -> int | None:
    if found := _PYTEST.findall(output):
        return sum(map(int, found))
    if ran := _UNITTEST.findall(output):
        return sum(int(count) - _skipped(about) for count, about in ran)
    for pattern in _SPOKEN:
        if found := pattern.findall(output):
            return sum(map(int, found))
    return len(_TAP_OK.findall(output)) if _TAP_PLAN.search(output) else None


def _skipped(about: str) -> int:
    found = _SKIPPED.search(about)
    return int(found[1]) if found else 0
