"""Where the completion of the goal stands: claimed, being audited, verified, or not.

A verdict is kept as it was recorded; whether it still fits is for whoever knows the contract, the
plan and the code as they are now (`audit_now`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.picture.goal_state import Claim, Lifecycle
from ppgp_tui.session.picture.origin import Origin

Word = Literal["approved", "approved_with_notes", "rejected", "inconclusive"]
AuditState = Literal["claimed", "running", "verified", "rejected", "unsure", "stale", "taken"]
"""`unsure`: an audit decided nothing. `taken`: a person let it count without a verdict."""
PLACE: Final = ".ppgp/run/audit"
"""Where the audit under way can be seen."""
BOUND: Final = ("contract", "plan", "code", "goal")
"""What a verdict is about; when one of them differs it is stale (CONTRACTS 9)."""


class Verdict(NamedTuple):
    """One audit as it was recorded."""

    id: str
    word: Word
    why: str = ""
    at_ms: int | None = None
    goal: str = ""
    claim: str | None = None
    bound: Mapping[str, Any] = MappingProxyType({})
    stale: bool = False
    """What it was about had moved before it could be recorded."""
    report_digest: str = ""
    isolation: str = ""
    auditor: str = ""
    """Program and arguments; `none` for checks alone."""
    origin: Origin | None = None


class Override(NamedTuple):
    """A person let a goal count as done, with the reason they gave."""

    reason: str
    by: str
    goal: str
    eval: str | None = None
    at_ms: int | None = None
    origin: Origin | None = None


class Running(NamedTuple):
    """An audit under way, as far as it has said."""

    started_ms: int
    limit_s: int
    stage: str
    """`planning`, `checking`, `asking` (the auditor), `recording`."""
    states: Mapping[str, str]
    """By id of criterion: its outcome, `queued` or `running`."""
    check: str = ""
    """Id of the check that runs, or `auditor`."""
    command: str = ""
    """As it is shown."""
    command_ms: int | None = None
    """When that began."""
    command_limit_s: int | None = None
    output: tuple[str, ...] = ()
    """Last lines of what it prints, cleaned."""
    done: int = 0
    checks: int = 0
    evidence: Mapping[str, str] = MappingProxyType({})
    """By id of criterion where it was decided, in a few words: a file and line, a commit."""
    isolation: str = ""
    """`bubblewrap` or `copy`; empty: not said."""


class AuditLook(NamedTuple):
    """What is known of audits beside the log."""

    running: Running | None = None
    code: str | None = None
    """Digest of the code as it is; None while nobody needs it or knows it."""
    why: str = ""
    """Why the code is not known."""


class AuditRecord(NamedTuple):
    """What the log says of audits, oldest first."""

    verdicts: tuple[Verdict, ...] = ()
    overrides: tuple[Override, ...] = ()


class Audit(NamedTuple):
    """Claims and verdicts of the goal under way; `state` is None while there are none."""

    state: AuditState | None = None
    stale: bool | None = None
    """Whether the newest verdict still fits; None where there is none, or nobody knows yet."""
    moved: tuple[str, ...] = ()
    """What moved since it: contract, plan, code, goal."""
    verdicts: tuple[Verdict, ...] = ()
    """Of this goal, the newest first."""
    overrides: tuple[Override, ...] = ()
    """Of every goal: they are shown for ever."""
    running: Running | None = None
    bound: Mapping[str, Any] = MappingProxyType({})
    """What a verdict would be about now; members nobody knows yet are missing."""

    @property
    def verdict(self) -> Verdict | None:
        """The newest verdict on this goal."""
        return self.verdicts[0] if self.verdicts else None


def moved(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs of contract, plan, code and goal; another commit of the same code does not."""
    return [name for name in BOUND if before.get(name) != now.get(name)]


def subject(lifecycle: Lifecycle, *, has_document: bool) -> str | None:
    """What is audited now: the id of the log's goal, empty for a goal that only a document has.

    A goal that was settled is still it while its document is there. None: there is no goal.
    """
    if lifecycle.id is not None:
        return lifecycle.id
    return (lifecycle.settled or "") if has_document else None


def audit_now(
    record: AuditRecord,
    goal: str | None,
    claims: Sequence[Claim],
    bound: Mapping[str, Any],
    running: Running | None = None,
) -> Audit:
    """Return how the goal with that id stands (`subject`).

    `bound` holds the digests as they are now; one that is missing is not known and compares with
    nothing.
    """
    verdicts = tuple(one for one in reversed(record.verdicts) if one.goal == goal)
    newest = verdicts[0] if verdicts else None
    changed = _changed(newest, bound) if newest is not None else ()
    known = newest is not None and all(name in bound for name in BOUND)
    stale = False if known else None
    if newest is not None and (newest.stale or changed):
        stale = True
    return Audit(
        state=_state(newest, changed, claims, running, record.overrides, goal),
        stale=stale,
        moved=changed,
        verdicts=verdicts,
        overrides=record.overrides,
        running=running,
        bound=bound,
    )


def _changed(verdict: Verdict, bound: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(
        name
        for name in BOUND
        if name in bound and name in verdict.bound and bound[name] != verdict.bound[name]
    )


def _state(
    newest: Verdict | None,
    changed: tuple[str, ...],
    claims: Sequence[Claim],
    running: Running | None,
    overrides: Sequence[Override],
    goal: str | None,
) -> AuditState | None:
    if running is not None:
        return "running"
    if goal is not None and any(one.goal == goal for one in overrides):
        return "taken"
    newer = bool(claims) and (newest is None or newest.claim != claims[-1].id)
    if newer and (newest is None or (claims[-1].at_ms or 0) > (newest.at_ms or 0)):
        return "claimed"
    if newest is None:
        return None
    if newest.stale or changed:
        return "stale"
    if newest.word == "rejected":
        return "rejected"
    return "unsure" if newest.word == "inconclusive" else "verified"
