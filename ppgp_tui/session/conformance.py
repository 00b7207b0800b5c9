"""How the log stands with the seven checks of GASP, as values (GASP reference section 11).

What has not been checked is said; nothing here is concluded from what was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

CheckState = Literal["unknown", "checking", "unchecked", "passed", "failed"]
"""Not looked at yet, being looked at, left out until somebody asks, and the two verdicts."""

Standing = Literal["unknown", "absent", "checking", "unchecked", "ok", "incomplete", "failed"]
"""`absent`: there is no log. `incomplete`: nothing is wrong but what was never begun: the
manifest of an agent repository, or the Git repository itself (`Conformance.lacks`)."""

Lack = Literal["manifest", "git"]

NAMES: Final = {
    1: "envelope round-trip",
    2: "replay",
    3: "vocabulary",
    4: "append-only in git",
    5: "causation integrity",
    6: "restore",
    7: "domain↔ops consistency",
}
SHOWN: Final = 20
"""Findings of which the words are kept; the others are counted."""


class Finding(NamedTuple):
    """One thing that fails a check."""

    check: int
    text: str
    """As `gasp check` says it."""
    path: str
    line: int | None = None
    """Physical line number in `path`, from 1."""
    event_id: str | None = None
    mend: str = ""
    """What to do about it without rewriting history."""


class CheckLook(NamedTuple):
    """One check as it stands."""

    number: int
    state: CheckState = "unknown"
    findings: int = 0
    why: str = ""
    """Why it was left out."""

    @property
    def name(self) -> str:
        """What it is about, as `gasp check` says it."""
        return NAMES[self.number]


class Verdict(NamedTuple):
    """The outcome of one check: how many findings, and the first of them."""

    findings: int = 0
    first: tuple[Finding, ...] = ()
    lacks: Lack | None = None
    """What is missing altogether, if that is all there is to find."""


class Conformance(NamedTuple):
    """The verdict on the log as far as it is known."""

    state: Standing = "unknown"
    checks: tuple[CheckLook, ...] = tuple(map(CheckLook, NAMES))
    findings: int = 0
    first: tuple[Finding, ...] = ()
    """The first of the findings, check by check."""
    lacks: tuple[Lack, ...] = ()
    progress: float | None = None
    """0 to 1 while a long log is being checked."""
    lines: int | None = None
    """How many lines of the log the verdict is about, blank ones left out."""
    offset: int | None = None
    """Up to which byte of the log."""
    since_ms: int | None = None
    """When this verdict was first reached: the state, the checks and the number of findings."""
    why: str = ""
    """Why the log was left unchecked, if it was."""


def joined(
    verdicts: dict[int, Verdict | CheckState],
    *,
    progress: float | None = None,
    lines: int | None = None,
    offset: int | None = None,
    why: str = "",
) -> Conformance:
    """Put the checks together; a check that is not in `verdicts` is unknown."""
    looks = tuple(_look(number, verdicts.get(number, "unknown"), why) for number in NAMES)
    known = [found for found in verdicts.values() if isinstance(found, Verdict)]
    first = [finding for number in NAMES for finding in _first(verdicts.get(number))]
    lacks = tuple(found.lacks for found in known if found.lacks)
    return Conformance(
        state=_standing(looks, lacks),
        checks=looks,
        findings=sum(look.findings for look in looks),
        first=tuple(first[:SHOWN]),
        lacks=lacks,
        progress=progress,
        lines=lines,
        offset=offset,
        why=why,
    )


def same_verdict(one: Conformance, other: Conformance) -> bool:
    """Whether both say the same of the log, though perhaps of another length of it."""
    return (one.state, one.checks, one.first, one.lacks) == (
        other.state,
        other.checks,
        other.first,
        other.lacks,
    )


def _first(found: Verdict | CheckState | None) -> Iterable[Finding]:
    return found.first if isinstance(found, Verdict) else ()


def _look(number: int, found: Verdict | CheckState, why: str) -> CheckLook:
    if not isinstance(found, Verdict):
        return CheckLook(number, found, why=why if found == "unchecked" else "")
    return CheckLook(number, "failed" if found.findings else "passed", found.findings)


def _standing(looks: Iterable[CheckLook], lacks: tuple[Lack, ...]) -> Standing:
    """The worst first; what is only lacking does not fail a log."""
    states = [look.state for look in looks]
    if states.count("failed") > len(lacks):
        return "failed"
    if "unchecked" in states:
        return "unchecked"
    if "checking" in states or "unknown" in states:
        return "unknown" if set(states) == {"unknown"} else "checking"
    return "incomplete" if lacks else "ok"
