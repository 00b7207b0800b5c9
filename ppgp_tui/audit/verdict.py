"""From what was found out to one word.

The strict side wins everywhere: one thing that fails rejects, one thing that nobody could check and
no person took leaves it undecided, and an auditor can never talk away what a check found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ppgp_tui.audit.model import (
    Answer,
    AuditPlan,
    Check,
    Criterion,
    Found,
    Isolation,
    Judged,
    Opinion,
    Outcome,
    Verdict,
    Word,
)

_NOT_DONE: Final = {"open": "open", "partial": "partly done", "blocked": "blocked"}
_RUN: Final = ("command", "tests")
_NOTED: Final = ("clean", "evidence_age")
"""Checks that are only noted where they are about the whole goal."""
_DECIDES_ALONE: Final = frozenset(_RUN)
"""Checks that show more than that something is there."""


def combine(
    plan: AuditPlan,
    found: Iterable[Found],
    answer: Answer | None,
    *,
    taken: Mapping[str, str] | None = None,
    isolation: Isolation = "bubblewrap",
    stale: bool = False,
) -> Verdict:
    """Return the verdict on `plan`.

    `found` holds what the checks found; a check without an entry was not made. `answer` is the
    auditor's, its quotes already checked; None where none was asked. `taken` names the person who
    takes a criterion that nobody can check.
    """
    by_check = {one.check: one for one in found}
    judged = tuple(
        _judged(criterion, plan, by_check, answer, (taken or {}).get(criterion.id, ""))
        for criterion in plan.criteria
    )
    failed = [*_failed_whole(plan, by_check)]
    word, why = _word(judged, failed, answer, plan)
    notes = tuple(_notes(plan, by_check, judged, answer, isolation))
    objections = tuple(_objections(judged, failed, answer)) if word == "rejected" else ()
    if word == "approved" and notes:
        word = "approved_with_notes"
    return Verdict(
        word=word,
        why=why,
        judged=judged,
        notes=notes,
        objections=objections,
        by="mechanical" if answer is None else "mechanical and auditor",
        isolation=isolation,
        stale=stale,
    )


def mechanical(
    criterion: Criterion, plan: AuditPlan, found: Mapping[str, Found]
) -> tuple[Outcome, str, tuple[Found, ...]]:
    """What the checks alone say of `criterion`: outcome, reason, and what they found."""
    if criterion.said in _NOT_DONE:
        return "fail", f"the document itself says that it is {_NOT_DONE[criterion.said]}", ()
    about = [
        (check, found.get(check.id)) for check in plan.checks if criterion.id in check.criteria
    ]
    made = tuple(one for check, one in about if one is not None and not check.left_out)
    if failed := next((one for one in made if one.outcome == "fail"), None):
        return "fail", failed.why, made
    for check, one in about:
        if check.left_out:
            return "cannot_check", f"a check was left out: {check.left_out}", made
        if one is None:
            return "cannot_check", "a check was not made", made
        if one.outcome == "cannot_check":
            return "cannot_check", one.why, made
    if not made:
        return "cannot_check", "claimed, and nothing here can check it", ()
    if any(check.kind in _DECIDES_ALONE for check, _ in about) or _something_ran(plan, found):
        return "pass", made[0].why, made
    return "cannot_check", f"{made[0].why}; nothing was run that shows more", made


def _something_ran(plan: AuditPlan, found: Mapping[str, Found]) -> bool:
    """A command about the whole goal passed, so that what is there also works."""
    return any(
        check.kind in _RUN and not check.criteria and check.id in found
        and found[check.id].outcome == "pass"
        for check in plan.checks
    )  # fmt: skip


def _judged(
    criterion: Criterion,
    plan: AuditPlan,
    found: Mapping[str, Found],
    answer: Answer | None,
    taken_by: str,
) -> Judged:
    outcome, why, made = mechanical(criterion, plan, found)
    quotes = tuple(quote for one in made for quote in one.quotes)
    opinion = _opinion(answer, criterion.id)
    judged = Judged(criterion, outcome, why, quotes, outcome, opinion.outcome if opinion else None)
    if answer is not None and outcome != "fail":
        judged = _with_opinion(judged, opinion)
    if judged.outcome == "cannot_check" and taken_by:
        judged = judged._replace(outcome="pass", why=f"taken by {taken_by}", taken_by=taken_by)
    return judged


def _opinion(answer: Answer | None, criterion: str) -> Opinion | None:
    opinions = answer.opinions if answer is not None and answer.usable else ()
    return next((one for one in opinions if one.criterion == criterion), None)


def _with_opinion(judged: Judged, opinion: Opinion | None) -> Judged:
    """The auditor asked decides what the checks leave open, and can only take away the rest."""
    if opinion is None:
        return judged._replace(outcome="cannot_check", why="the auditor gave no answer to count on")
    quotes = (*judged.quotes, *opinion.quotes)
    return judged._replace(outcome=opinion.outcome, why=opinion.why, quotes=quotes)


def _failed_whole(plan: AuditPlan, found: Mapping[str, Found]) -> Iterator[tuple[Check, Found]]:
    for check in plan.checks:
        one = found.get(check.id)
        if check.criteria or check.left_out or one is None or one.outcome != "fail":
            continue
        if check.kind not in _NOTED:
            yield check, one


def _word(
    judged: tuple[Judged, ...],
    failed: list[tuple[Check, Found]],
    answer: Answer | None,
    plan: AuditPlan,
) -> tuple[Word, str]:
    against = [one for one in judged if one.outcome == "fail"]
    if against or failed:
        count = len(against) + len(failed)
        return "rejected", f"{count} {'thing fails' if count == 1 else 'things fail'}"
    if not plan.criteria:
        return "inconclusive", "nothing says what done means"
    if answer is not None and not answer.usable:
        return "inconclusive", f"the auditor's answer cannot be used: {answer.why}"
    undecided = sum(one.outcome == "cannot_check" for one in judged)
    if undecided:
        noun = "criterion" if undecided == 1 else "criteria"
        return "inconclusive", f"{undecided} {noun} cannot be checked here"
    return "approved", f"all {len(judged)} criteria hold" if len(judged) > 1 else "it holds"


def _notes(
    plan: AuditPlan,
    found: Mapping[str, Found],
    judged: tuple[Judged, ...],
    answer: Answer | None,
    isolation: Isolation,
) -> Iterator[str]:
    if answer is not None and answer.usable:
        yield from answer.notes
    if isolation == "copy":
        yield "commands ran in a copy of the work tree, not in a sandbox"
    for check in plan.checks:
        if check.left_out:
            yield f"left out: {check.says} ({check.left_out})"
        one = found.get(check.id)
        if check.kind in _NOTED and not check.criteria and one and one.outcome == "fail":
            yield one.why
    if plan.alarms:
        count = len(plan.alarms)
        yield f"{count} {'thing was' if count == 1 else 'things were'} narrowed since the contract"
    for criterion in judged:
        if criterion.taken_by:
            yield f"{criterion.criterion.id} cannot be checked and was {criterion.why}"


def _objections(
    judged: tuple[Judged, ...], failed: list[tuple[Check, Found]], answer: Answer | None
) -> Iterator[str]:
    for one in judged:
        if one.outcome == "fail":
            yield f"{one.criterion.text}: {one.why}"
    for check, found in failed:
        yield f"{check.says}: {found.why}"
    if answer is not None and answer.usable:
        yield from answer.objections
