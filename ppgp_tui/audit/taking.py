"""What no program can check, a person may take: a verdict anew from a report that was kept.

Nothing is run again. What the report found still counts only if all it is about is as it was, so
anything that moved asks for a new audit instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ppgp_tui.audit.kept import Kept, NotKeptError, kept
from ppgp_tui.audit.model import Verdict
from ppgp_tui.audit.recording import CannotAuditError, bound_of, moved, record
from ppgp_tui.audit.verdict import combine
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result

ACTION: Final = "audit"
COMMAND: Final = "taken from the report of"
_DECIDES: Final = ("contract", "plan", "code", "goal")


def take(engine: Engine, eval_id: str, digest: str, taken: Mapping[str, str]) -> Result:
    """Record a new verdict in which the person takes criteria that cannot be checked.

    `digest` is that of the report of the audit `eval_id`, as the log has it; `taken` gives a reason
    by id of criterion. Refused for anybody but a person, for an audit that is not the newest, for
    a report that was changed, and where something moved since.
    """
    if engine.actor.kind != "user":
        return Result(ACTION, "refused", f"only a person may take a criterion, not {engine.actor}")
    try:
        before = kept(engine.root, eval_id, digest)
        now, newest = bound_of(engine)
    except (NotKeptError, CannotAuditError) as error:
        return Result(ACTION, "refused", f"nothing was taken: {error}")
    why = _why_not(before, taken)
    if not why and newest != eval_id:
        why = "a newer audit looked at this goal since"
    if not why and (names := [one for one in _DECIDES if before.plan.bound.get(one) != now[one]]):
        why = f"the {', the '.join(names)} moved since the audit: make a new one"
    if why:
        return Result(ACTION, "stale" if moved(before.plan.bound, now) else "refused", why)
    verdict = retaken(before, {one: f"{engine.actor.id}: {said}" for one, said in taken.items()})
    return record(
        engine, before.plan, before.found, before.answer, verdict, started_ms=before.started_ms,
        command=f"{COMMAND} {eval_id}",
    )  # fmt: skip


def retaken(before: Kept, taken: Mapping[str, str]) -> Verdict:
    """The verdict on what `before` found, with `taken` beside what was taken already."""
    already = {one.criterion.id: one.taken_by for one in before.verdict.judged if one.taken_by}
    return combine(
        before.plan,
        before.found,
        before.answer,
        taken={**already, **taken},
        isolation=before.verdict.isolation,
    )


def _why_not(before: Kept, taken: Mapping[str, str]) -> str:
    """Why one of these cannot be taken; empty where all can."""
    outcomes = {one.criterion.id: one.outcome for one in before.verdict.judged}
    for criterion, said in taken.items():
        if not said.strip():
            return "say why: it is recorded and shown for ever"
        if criterion not in outcomes:
            return f"there is no criterion {criterion}"
        if outcomes[criterion] != "cannot_check":
            word = outcomes[criterion]
            return f"{criterion} is no criterion that cannot be checked: it reads {word}"
    return ""
