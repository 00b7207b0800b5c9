"""What the checks say: findings, notes, verdict, and the lines they are printed as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from ppgp_tui.gasp.checks.names import LOG, NAMES

UNAVAILABLE: Final = "log unavailable (see check 1)"
UNPARSED: Final = "log does not fully parse; see check 1"
CONFORMANT: Final = "conformant: all checks passed"


class Place(NamedTuple):
    """Where an event stands in the log."""

    line: int
    """As the protocol's checker counts: blank lines left out, from 1."""
    physical: int
    """As editors count, from 1."""
    event: str | None = None
    """Its id, where that could be read."""


class Finding(NamedTuple):
    """One thing that fails a check."""

    check: int
    rule: str
    """Which rule is broken, as `explain` knows it."""
    text: str
    """In the words of the protocol's checker; may hold control characters from the log."""
    path: str = LOG
    place: Place | None = None
    """Where in `path`, when `path` is the log and one event is to blame."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check as it came out."""

    number: int
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def name(self) -> str:
        """What it is about."""
        return NAMES[self.number - 1]

    @property
    def passed(self) -> bool:
        """Nothing was found."""
        return not self.findings


@dataclass(frozen=True, slots=True)
class Report:
    """The checks 1 to 7 of one repository."""

    checks: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """All checks passed."""
        return all(check.passed for check in self.checks)

    def lines(self) -> Iterator[str]:
        """The lines of the protocol's checker after the first, which names the program."""
        for check in self.checks:
            yield f"[{'PASS' if check.passed else 'FAIL'}] check {check.number} — {check.name}"
            yield from (f"       note: {note}" for note in check.notes)
            yield from (f"       {finding.text}" for finding in check.findings)
        if self.passed:
            yield CONFORMANT


def join(results: Iterable[CheckResult]) -> Report:
    """Put the results in the order of the checks."""
    return Report(tuple(sorted(results, key=lambda result: result.number)))


def not_run(numbers: Iterable[int], text: str) -> Iterator[CheckResult]:
    """The results of checks that could not run, for the reason that check 1 gives."""
    for number in numbers:
        yield CheckResult(number, findings=(Finding(number, "not_run", text),))
