"""How the log stands with the seven checks of GASP, as values (GASP reference section 11).

What has not been checked is said; nothing here is concluded from what was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal

from ppgp_tui.gasp.checks.names import LOG, NAMES
from ppgp_tui.named_tuple import NamedTuple

CheckState = Literal["unknown", "checking", "unchecked", "passed", "failed"]
"""Not looked at yet, being looked at, not run (`CheckLook.why` says why), and the two verdicts."""

Standing = Literal["unknown", "absent", "checking", "unchecked", "ok", "incomplete", "failed"]
"""`absent`: there is no log. `incomplete`: nothing is wrong but what was never begun: the
manifest of an agent repository, or the Git repository itself (`Conformance.lacks`)."""

Lack = Literal["manifest", "git"]

NUMBERS: Final = range(1, len(NAMES) + 1)
"""Of the checks."""
_LACKS: Final[tuple[Lack, ...]] = ("manifest", "git")
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
    """Why it was not run."""

    @property
    def name(self) -> str:
        """What it is about, as `gasp check` says it."""
        return NAMES[self.number - 1]


class Outcome(NamedTuple):
    """One check as it came out, and the first of its findings."""

    state: CheckState = "unknown"
    findings: int = 0
    first: tuple[Finding, ...] = ()
    lacks: Lack | None = None
    """What is missing altogether, if that is all there is to find."""
    why: str = ""


class Checked(NamedTuple):
    """What is known of a log by itself and by what stands around it, Git left out."""

    outcomes: Mapping[int, Outcome] = MappingProxyType({})
    """By the number of the check; those that are not in it are unknown."""
    is_absent: bool = False
    """There is no log, and there was none."""
    progress: float | None = None
    lines: int | None = None
    offset: int | None = None
    why: str = ""


class Conformance(NamedTuple):
    """The verdict on the log as far as it is known."""

    state: Standing = "unknown"
    checks: tuple[CheckLook, ...] = tuple(map(CheckLook, NUMBERS))
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


def conformance_now(
    checked: Checked, history: Outcome, before: Conformance, now_ms: int
) -> Conformance:
    """Put the checks together; `before` is how they stood a moment ago."""
    outcomes = {**checked.outcomes, 4: history}
    known = [outcomes.get(number, Outcome()) for number in NUMBERS]
    looks = tuple(
        CheckLook(number, one.state, one.findings, one.why)
        for number, one in zip(NUMBERS, known, strict=True)
    )
    missing = {one.lacks for one in known}
    lacks = tuple(lack for lack in _LACKS if lack in missing)
    made = Conformance(
        state="absent"
        if checked.is_absent and not _is_missed(history)
        else _standing(looks, lacks),
        checks=looks,
        findings=sum(one.findings for one in known),
        first=tuple(finding for one in known for finding in one.first)[:SHOWN],
        lacks=lacks,
        progress=checked.progress,
        lines=checked.lines,
        offset=checked.offset,
        why=checked.why,
    )
    since = before.since_ms if same_verdict(made, before) else now_ms
    return made._replace(since_ms=None if made.state == "unknown" else since)


def _is_missed(history: Outcome) -> bool:
    """Whether Git has a log that is not there: then it was deleted and not merely never begun."""
    return any(finding.path == LOG for finding in history.first)


def same_verdict(one: Conformance, other: Conformance) -> bool:
    """Whether both say the same of the log, though perhaps of another length of it."""
    return (one.state, one.checks, one.first) == (other.state, other.checks, other.first)


def _standing(looks: Iterable[CheckLook], lacks: tuple[Lack, ...]) -> Standing:
    """The worst first; what is only lacking does not fail a log."""
    states = [look.state for look in looks]
    if states.count("failed") > len(lacks):
        return "failed"
    if set(states) == {"unknown"}:
        return "unknown"
    if "checking" in states:
        return "checking"
    if "unchecked" in states:
        return "unchecked"
    if "unknown" in states:
        return "checking"
    return "incomplete" if lacks else "ok"
