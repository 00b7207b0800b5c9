"""From what was found out to one word.

The strict side wins everywhere: one thing that fails rejects, one thing that nobody could check and
no person took leaves it undecided, and an auditor can never talk away what a check found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ppgp_tui.audit.counting import left
from ppgp_tui.audit.model import (
    Alarm,
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
from ppgp_tui.audit.plan import NARROWED
from ppgp_tui.audit.production import speaks_of_production

_NOT_DONE: Final = {"open": "open", "partial": "partly done", "blocked": "blocked"}
_RUN: Final = ("command", "tests")
"""Checks that show more than that something is there."""
_NOTED: Final = ("clean", "evidence_age")
"""Checks that are only noted where they are about the whole goal."""
_ALARMS_MOST: Final = 20


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
    failed = [*_whole(plan, by_check, "fail")]
    word, why = _word(judged, failed, answer, plan, by_check)
    notes = tuple(dict.fromkeys(_notes(plan, by_check, judged, answer, isolation)))
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
    if criterion.denied is not None:
        return "fail", f"the document itself takes its tick back in line {criterion.denied}", ()
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
    if why := only_a_person(criterion):
        return "cannot_check", why, made
    if not made:
        claimed = "claimed, and " if criterion.said in ("done", "claimed") else ""
        return "cannot_check", f"{claimed}nothing here can check it", ()
    ran = next((one for check, one in about if check.kind in _RUN), None)
    if ran is None:
        # That a file or a commit is there is true of every claim; what it is about may not be.
        return "cannot_check", f"{made[0].why}, which shows no more than that", made
    return "pass", ran.why, made


def only_a_person(criterion: Criterion) -> str:
    """Why no check and no auditor can decide that `criterion` holds; empty where they can."""
    if criterion.id.startswith(f"{NARROWED}:"):
        return "it was agreed when the contract was frozen: only a person can let it go"
    if speaks_of_production(criterion.text):
        return "it is about a place that nothing here can look at: only a person can take it"
    return ""


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
        unrun = next(_not_run(plan, found, criterion.id), "")
        judged = _with_opinion(judged, opinion, unrun)
    if judged.outcome == "cannot_check" and taken_by:
        judged = judged._replace(outcome="pass", why=f"taken by {taken_by}", taken_by=taken_by)
    return judged


def _opinion(answer: Answer | None, criterion: str) -> Opinion | None:
    opinions = answer.opinions if answer is not None and answer.usable else ()
    return next((one for one in opinions if one.criterion == criterion), None)


def _with_opinion(judged: Judged, opinion: Opinion | None, unrun: str) -> Judged:
    """The auditor asked decides what the checks leave open, and can only take away the rest.

    It only reads: what a command that nobody ran would have shown is not for it to say (`unrun`).
    """
    if judged.criterion.id.startswith(f"{NARROWED}:"):
        return judged  # it is not asked
    if opinion is None:
        return judged._replace(outcome="cannot_check", why="the auditor gave no answer to count on")
    quotes = (*judged.quotes, *opinion.quotes)
    against = only_a_person(judged.criterion) or unrun
    if opinion.outcome == "pass" and against:
        return judged._replace(outcome="cannot_check", why=against, quotes=quotes)
    return judged._replace(outcome=opinion.outcome, why=opinion.why, quotes=quotes)


def _whole(
    plan: AuditPlan, found: Mapping[str, Found], outcome: Outcome
) -> Iterator[tuple[Check, Found]]:
    """The checks about the whole goal that came out so, without those that are only noted."""
    for check in plan.checks:
        one = found.get(check.id)
        about_it = not check.criteria and not check.left_out and check.kind not in _NOTED
        if about_it and one is not None and one.outcome == outcome:
            yield check, one


def _not_run(
    plan: AuditPlan, found: Mapping[str, Found], criterion: str | None = None
) -> Iterator[str]:
    """Why commands that were to show a criterion, or the whole goal (None), showed nothing."""
    for check in plan.checks:
        about = criterion in check.criteria if criterion else not check.criteria
        if not check.argv or not about:
            continue
        one, command = found.get(check.id), " ".join(check.argv)
        if check.left_out or one is None:
            yield f"{command} was not run" + (f": {check.left_out}" if check.left_out else "")
        elif one.outcome == "cannot_check":
            yield f"{command}: {one.why}"


def _word(
    judged: tuple[Judged, ...],
    failed: list[tuple[Check, Found]],
    answer: Answer | None,
    plan: AuditPlan,
    found: Mapping[str, Found],
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
    if why := next(_not_run(plan, found), ""):
        return "inconclusive", why
    if plan.bound.get("code", "") is None:
        return "inconclusive", "without Git nobody can say later what was verified"
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
        if answer is not None:
            yield "the auditor ran without a sandbox"
    for check in plan.checks:
        if check.left_out:
            yield f"left out: {check.says} ({check.left_out})"
        one = found.get(check.id)
        if check.kind in _NOTED and not check.criteria and one and one.outcome == "fail":
            yield one.why
        if check.argv and one and one.outcome == "pass" and (aside := left(one.output)):
            yield f"{' '.join(check.argv)} left tests aside: {aside}"
    for check, one in _whole(plan, found, "cannot_check"):
        yield f"{check.says}: {one.why}"
    if plan.open_tasks:
        count, first = len(plan.open_tasks), plan.open_tasks[0]
        noun = "task" if count == 1 else "tasks"
        yield f"the plan still has {count} open {noun}, first {first}"
    yield from map(_narrowed, plan.alarms[:_ALARMS_MOST])
    if (more := len(plan.alarms) - _ALARMS_MOST) > 0:
        yield f"narrowed since the contract was frozen: {more} more"
    for criterion in judged:
        if criterion.taken_by:
            yield f"{criterion.criterion.id} cannot be checked and was {criterion.why}"


def _narrowed(alarm: Alarm) -> str:
    return f"narrowed since the contract was frozen: {alarm.kind.replace('_', ' ')}: {alarm.what}"


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
