"""What an audit is going to look at: one criterion for each thing agreed, one check for each claim.

Criteria are the conditions of done, the invariants and the frozen decisions of the document, and
what of them was agreed when the contract was frozen and does not stand there any more; where there
is no document the objective is the one criterion. Nothing a document claims is dropped: what
cannot be checked on this machine stands in the plan as a check that nobody here can make.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from ppgp_tui.audit.claims import Claim, claims_in, only_shows
from ppgp_tui.audit.model import Alarm, AuditPlan, Check, CheckKind, Criterion, CriterionKind
from ppgp_tui.audit.production import speaks_of_production
from ppgp_tui.ppgp.prose import is_none
from ppgp_tui.ppgp.reading import GoalReading

NARROWED: Final = "narrowed"
"""The first word of the id of such a criterion, which only a person can take."""
_FIELDS: Final[tuple[tuple[CriterionKind, str], ...]] = (
    ("invariant", "INVARIANTS"),
    ("frozen", "FROZEN_DECISIONS"),
)
_RESULTS: Final = (".csv", ".html", ".json", ".jsonl", ".txt", ".xml")
_ALWAYS_RESULTS: Final = (".log", ".out")
_HOLDS_RESULTS = re.compile(
    r"(?:^|[/_.-])(?:artifacts?|bench\w*|coverage|evidence|health\w*|junit\w*|logs?|measure\w*"
    r"|out|outputs?|reports?|results?|runs?|soak\w*|profil\w*)(?=[/_.-])|\d{4}-?\d{2}-?\d{2}",
    re.IGNORECASE,
)
"""In a path: it holds what something gave, and so is evidence of the code as it was then. Another
file of those kinds is as likely a part of the work itself."""


_OWN = re.compile(
    r"[(\[]([^()\[\]]*`[^`]+`[^()\[\]]*)[)\]]\s*$"
    r"|(?:\s[—–-]+\s|\s->\s|→|\b(?:evidence|proof|verified (?:by|with)|proven by|nachweis|preuve"
    r"|evidencia)\s*[:：]\s*)([^—–→]*`[^`]+`[^—–→]*)$",
    re.IGNORECASE,
)
"""A remark behind a condition with something in code marks."""
_IS_COMMAND = re.compile(
    r"(?:running |run )?(`[^`]+`) (?:all )?(?:passes|pass|succeeds|succeed|is green|are green"
    r"|is clean|works|exits? (?:with )?(?:code )?0|läuft durch|ist grün|passe|réussit|pasa|通过"
    r"|が通る)[.!]?",
    re.IGNORECASE,
)


class PlanEditError(Exception):
    """A change of a plan that cannot be made; the message says why."""


def plan_of(
    reading: GoalReading,
    *,
    objective: str = "",
    commands: Iterable[Sequence[str]] = (),
    bound: Mapping[str, str | None],
    alarms: Iterable[Alarm] = (),
    compared: Iterable[str] = (),
    claim: str | None = None,
    claimed_by: str = "",
    auditor: Sequence[str] = (),
) -> AuditPlan:
    """Return the plan for what `reading` and, where it is silent, `objective` say must be true.

    `commands` are the verification commands of the settings, each a program with its arguments.
    """
    alarms, declared = tuple(alarms), tuple(tuple(argv) for argv in commands)
    criteria = (*_criteria(reading, objective), *_narrowed(alarms))
    return AuditPlan(
        goal=reading.goal or objective,
        document=reading.path if reading.health != "MISSING" else "",
        bound=dict(bound),
        criteria=criteria,
        checks=_numbered([*_checks(reading, criteria, declared), *_declared(declared)]),
        alarms=alarms,
        compared=tuple(compared),
        claim=claim,
        claimed_by=claimed_by,
        auditor=tuple(auditor),
    )


def leave_out(plan: AuditPlan, check: str, why: str) -> AuditPlan:
    """The plan without that check; the report says that it was left out, and why."""
    if not why.strip():
        raise PlanEditError("say why the check is left out: the report keeps it")
    found = _found(plan, check)
    return _with(plan, found, found._replace(left_out=" ".join(why.split())))


def change_command(plan: AuditPlan, check: str, argv: Sequence[str]) -> AuditPlan:
    """The plan with another command for a check that runs one."""
    found = _found(plan, check)
    if not found.argv:
        raise PlanEditError(f"{check} runs no command: {found.says}")
    return _with(plan, found, found._replace(argv=_argv(argv), source="person"))


def add_command(plan: AuditPlan, argv: Sequence[str], criteria: Iterable[str] = ()) -> AuditPlan:
    """The plan with one more command, for these criteria or for the whole goal."""
    about = tuple(criteria)
    unknown = set(about) - {criterion.id for criterion in plan.criteria}
    if unknown:
        raise PlanEditError(f"there is no criterion {', '.join(sorted(unknown))}")
    words = _argv(argv)
    more = Check("", "command", about, " ".join(words), argv=words, source="person")
    return plan._replace(checks=_numbered([*plan.checks, more]))


def _found(plan: AuditPlan, check: str) -> Check:
    for one in plan.checks:
        if one.id == check:
            return one
    known = ", ".join(one.id for one in plan.checks) or "none"
    raise PlanEditError(f"there is no check {check}; there are: {known}")


def _with(plan: AuditPlan, before: Check, after: Check) -> AuditPlan:
    return plan._replace(checks=tuple(after if one is before else one for one in plan.checks))


def _argv(argv: Sequence[str]) -> tuple[str, ...]:
    if not argv or not argv[0].strip() or any("\0" in word for word in argv):
        raise PlanEditError("a command is a program and its arguments")
    return tuple(argv)


# --- criteria ----------------------------------------------------------------------------------


def _criteria(reading: GoalReading, objective: str) -> Iterator[Criterion]:
    for one in reading.dod:
        yield Criterion(
            id=f"dod:{one.number}",
            kind="dod",
            number=one.number,
            text=one.text,
            line=one.line,
            said=one.state,
            said_by=one.state_source,
            evidence=tuple(item.text for item in one.evidence),
            denied=one.denied,
        )
    for kind, name in _FIELDS:
        field = reading.field_named(name)
        for number, item in enumerate(field.items if field else (), 1):
            if is_none(item.text):
                continue
            yield Criterion(f"{kind}:{number}", kind, number, item.text, item.line, said="")
    if not reading.dod and (reading.goal or objective):
        text, line = reading.goal or objective, reading.goal_line
        yield Criterion("objective:1", "dod", 1, text, line, said="")


def _narrowed(alarms: Iterable[Alarm]) -> Iterator[Criterion]:
    """What was agreed and is gone or reads otherwise: done is measured by it until a person says.

    Whoever does the work must not be the one who makes it less.
    """
    gone = [alarm for alarm in alarms if alarm.kind in ("criterion_removed", "criterion_reworded")]
    for number, alarm in enumerate(gone, 1):
        now = f", now “{alarm.after}”" if alarm.after else ", which is gone"
        text = f"As frozen: “{alarm.before or alarm.what}”{now}"
        yield Criterion(f"{NARROWED}:{number}", "dod", number, text, alarm.line, said="")


# --- checks ------------------------------------------------------------------------------------


def _checks(
    reading: GoalReading, criteria: Sequence[Criterion], declared: Sequence[tuple[str, ...]]
) -> Iterator[Check]:
    lines = _evidence_lines(reading)
    used = set()
    for criterion in criteria:
        own = own_evidence(criterion.text)
        for text in criterion.evidence + own:
            used.add(text)
            if text not in own and any(text in more for more in own):
                continue  # the remark has it, and more
            at = lines.get(text, criterion.line)
            yield from _of_evidence(text, (criterion.id,), at, declared)
        if speaks_of_production(criterion.text):
            yield Check("", "nobody", (criterion.id,), criterion.text, criterion.line)
    for text, line in lines.items():
        if text not in used:
            yield from _of_evidence(text, (), line, declared)


def own_evidence(condition: str) -> tuple[str, ...]:
    """What a condition itself offers to be run: a command behind it, or one that it is about.

    Of the second kind is a condition that says that a command passes, and no word more.
    """
    if found := _IS_COMMAND.fullmatch(condition.strip()):
        return (found[1],)
    remarks = [next(filter(None, found.groups())) for found in _OWN.finditer(condition)]
    runs = [one for one in remarks if any(claim.argv for claim in claims_in(one))]
    return tuple(one for one in runs if only_shows(f"({one}"))


def _evidence_lines(reading: GoalReading) -> dict[str, int]:
    field = reading.field_named("VERIFICATION_EVIDENCE")
    return {item.text: item.line for item in field.items} if field else {}


def _of_evidence(
    text: str,
    criteria: tuple[str, ...],
    line: int | None,
    declared: Sequence[tuple[str, ...]],
) -> Iterator[Check]:
    """The checks of one piece of evidence; a count belongs to the command beside it."""
    claims = claims_in(text, declared)
    counts = [claim for claim in claims if claim.kind == "tests"]
    commands = [claim for claim in claims if claim.kind == "command"]
    belongs = dict(zip(commands, counts, strict=True)) if len(commands) == len(counts) else {}
    for claim in claims:
        if claim in belongs:
            yield Check(
                "", "tests", criteria, text, line, argv=claim.argv, passed=belongs[claim].passed,
                source="evidence",
            )  # fmt: skip
        elif claim.kind != "tests":
            yield _of_claim(claim, criteria, line)
        elif not belongs:
            yield Check("", "tests", criteria, text, line, passed=claim.passed, source="evidence")
    for claim in claims:
        if claim.kind == "file" and _is_result(claim.path):
            yield Check("", "evidence_age", criteria, text, line, path=claim.path)


def _is_result(path: str) -> bool:
    folded = path.casefold()
    return folded.endswith(_ALWAYS_RESULTS) or (
        folded.endswith(_RESULTS) and _HOLDS_RESULTS.search(path) is not None
    )


def _of_claim(claim: Claim, criteria: tuple[str, ...], line: int | None) -> Check:
    kind: CheckKind = "nobody"
    if claim.kind in ("command", "file", "commit"):
        kind = claim.kind
    return Check(
        "", kind, criteria, claim.text, line, argv=claim.argv, path=claim.path,
        commit=claim.commit, source="evidence" if kind == "command" else "document",
    )  # fmt: skip


def _declared(commands: Iterable[tuple[str, ...]]) -> Iterator[Check]:
    for argv in commands:
        yield Check("", "command", (), " ".join(argv), argv=argv, source="settings")
    yield Check("", "clean", (), "what is audited is what is committed")


def _numbered(checks: Iterable[Check]) -> tuple[Check, ...]:
    """One check for all criteria that claim the same, numbered in order."""
    merged: dict[tuple[object, ...], Check] = {}
    for one in checks:
        same = (one.kind, one.argv, one.path, one.commit, one.passed, _own_words(one))
        if (there := merged.get(same)) is None:
            merged[same] = one
            continue
        about = dict.fromkeys((*there.criteria, *one.criteria))
        merged[same] = there._replace(criteria=tuple(about))
    return tuple(one._replace(id=f"c{n}") for n, one in enumerate(merged.values(), 1))


def _own_words(check: Check) -> str:
    """What tells checks apart that name nothing to look at."""
    return "" if check.argv or check.kind not in ("nobody", "tests") else check.says
