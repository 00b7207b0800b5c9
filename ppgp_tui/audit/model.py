"""The values of an audit, from its plan to its verdict. Times are Unix milliseconds unless said.

Everything here can be written as JSON by name: tuples become lists, None stays null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from ppgp_tui.ppgp.reading import StateSource

CriterionKind = Literal["dod", "invariant", "frozen"]
CheckKind = Literal["command", "file", "commit", "tests", "clean", "evidence_age", "nobody"]
"""`nobody`: a claim that nothing on this machine can check, such as one about production."""
Outcome = Literal["pass", "fail", "cannot_check"]
Word = Literal["approved", "approved_with_notes", "rejected", "inconclusive"]
"""Of a verdict (CONTRACTS 9)."""
AlarmKind = Literal[
    "criterion_removed",
    "criterion_reworded",
    "task_dropped",
    "dependency_cut",
    "command_removed",
    "check_changed",
    "test_deleted",
    "test_skipped",
    "test_emptied",
    "test_changed",
]
Isolation = Literal["bubblewrap", "copy"]
"""How commands were kept from the work tree: in a sandbox, or only in a throw-away copy of it."""


class Criterion(NamedTuple):
    """One thing that must be true for the goal to be done."""

    id: str
    """`dod:3`, `invariant:1`, `frozen:2`: kind and number from 1 in document order; without a
    document `objective:1`."""
    kind: CriterionKind
    number: int
    text: str
    line: int | None
    said: str
    """Its state as the document gives it (`done`, `claimed`, `open` …); empty for the others."""
    said_by: StateSource | None = None
    evidence: tuple[str, ...] = ()
    """The words that the document offers for it."""
    denied: int | None = None
    """Line in which the document takes back that it is done."""


class Check(NamedTuple):
    """One thing to find out, for one or more criteria."""

    id: str
    """Stable in one plan: `c1`, `c2` …"""
    kind: CheckKind
    criteria: tuple[str, ...]
    """Ids; empty: it is about the whole goal."""
    says: str
    """What is claimed, in the document's own words."""
    line: int | None = None
    argv: tuple[str, ...] = ()
    """For `command` and `tests`: program and arguments, never a shell's line."""
    path: str = ""
    """For `file`: relative to the root."""
    commit: str = ""
    """For `commit`: as written, abbreviated or whole."""
    passed: int | None = None
    """For `tests`: how many passed, as claimed."""
    source: Literal["document", "settings", "evidence", "person"] = "document"
    """Where it comes from."""
    left_out: str = ""
    """Why a person took it out before the start; the report keeps that."""


class Alarm(NamedTuple):
    """What was narrowed since the contract was frozen; whether that is right, a person judges."""

    kind: AlarmKind
    what: str
    """The criterion, task key, command or test."""
    before: str = ""
    after: str = ""
    reason: str = ""
    """Why, where somebody said so."""
    path: str = ""
    line: int | None = None
    commit: str = ""
    diff: tuple[str, ...] = ()
    """Of a test: its lines, those that went with `-`, those that came with `+` before them."""


class Quote(NamedTuple):
    """Words that stand in a file, or that a command printed."""

    path: str
    """Relative to the root; `output:CHECK` for a command's."""
    text: str
    line: int | None = None


class Found(NamedTuple):
    """What one check found out."""

    check: str
    outcome: Outcome
    why: str
    """One sentence."""
    quotes: tuple[Quote, ...] = ()
    exit_code: int | None = None
    seconds: float | None = None
    output: str = ""
    """End of what the command printed, cleaned, at most a few KiB."""


class Opinion(NamedTuple):
    """What the auditor holds of one criterion."""

    criterion: str
    outcome: Outcome
    why: str
    quotes: tuple[Quote, ...] = ()
    missing: tuple[Quote, ...] = ()
    """Quotes that do not stand where they were said to stand."""


class Answer(NamedTuple):
    """What an auditor said, read strictly."""

    usable: bool
    """False: malformed, cut off, contradictory or without evidence; then `why` says which."""
    why: str = ""
    opinions: tuple[Opinion, ...] = ()
    notes: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()
    text: str = ""
    """All of what it wrote, cleaned and bounded."""


class AuditPlan(NamedTuple):
    """What an audit is going to do; a person may change it before the start."""

    goal: str
    """What the goal is, in the document's or the log's words."""
    document: str
    """Path relative to the root; empty without a document."""
    bound: Mapping[str, str | None]
    """Digests of contract, plan and code, the commit and the goal's id (CONTRACTS 9)."""
    criteria: tuple[Criterion, ...]
    checks: tuple[Check, ...]
    alarms: tuple[Alarm, ...] = ()
    compared: tuple[str, ...] = ()
    """With what the goal was compared for the alarms, and what could not be, as sentences."""
    claim: str | None = None
    """Id of the claim it is about; None: nobody claims anything yet."""
    claimed_by: str = ""
    auditor: tuple[str, ...] = ()
    """Program and arguments; empty: mechanical checks alone."""
    goal_revision: int | None = None
    """Revision of the goal's objective that it is about."""
    plan_revision: int | None = None
    """Revision of the plan of tasks."""
    open_tasks: tuple[str, ...] = ()
    """What the plan of tasks still has to do."""


class Judged(NamedTuple):
    """One criterion with all that was found out about it."""

    criterion: Criterion
    outcome: Outcome
    why: str
    quotes: tuple[Quote, ...] = ()
    mechanical: Outcome | None = None
    auditor: Outcome | None = None
    taken_by: str = ""
    """The person who took what nothing here can check."""


class Verdict(NamedTuple):
    """What came out."""

    word: Word
    why: str
    judged: tuple[Judged, ...]
    notes: tuple[str, ...] = ()
    objections: tuple[str, ...] = ()
    by: Literal["mechanical", "mechanical and auditor"] = "mechanical"
    isolation: Isolation = "bubblewrap"
    stale: bool = False
    """Contract, plan or code moved while it was being made: it verifies nothing."""
