"""Closing a goal: only a verified one, or one that a person takes with a reason.

Closing settles the goal in the log and removes its document (PPGP reference section 10), which Git
keeps: a document that is not committed as it stands is left where it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.engine import bound, goals, verdicts
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.observed import record_phase
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Document, Scene
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.picture.audit_state import moved
from ppgp_tui.session.sources.audit import running_now
from ppgp_tui.session.sources.goal import GoalSource

_WHY: Final = {
    "rejected": "its audit rejected it",
    "inconclusive": "its audit decided nothing",
}


@dataclass(frozen=True, slots=True)
class Outlook:
    """What closing would do now."""

    goal: str
    """What is closed, in the document's words or the log's; empty where there is nothing."""
    document: Document
    why_not: str
    """Why it needs a reason; empty for a goal that is verified and still fits."""
    kept: str
    """Why the document would stay; empty where it goes, or where there is none."""
    verdict: str
    """What the newest audit came to; empty without one."""
    blockers: int
    """Recorded, and not cleared."""
    questions: int
    """Recorded, and not answered."""
    is_audited: bool
    """An audit is under way."""
    roles: Mapping[str, str | None]
    """Which document plays which role."""


def outlook(engine: Engine) -> Outlook:
    """What closing would do now; nothing is changed. Raises `RefusalError` without a log."""
    document = engine.read_document()
    ledger = recorded(engine).ledger
    entry, newest = ledger.goal, ledger.verdict_on(_goal_id(ledger))
    is_there = document.data is not None
    said = document.reading.goal or document.reading.title or document.path if is_there else ""
    waiting = (one for one in ledger.requests.values() if one["state"] == "waiting")
    return Outlook(
        goal=said or (entry["objective"] if entry else ""),
        document=document,
        why_not=why_not(document, ledger, _code(engine, document)),
        kept=_why_kept(engine, document) if is_there else "",
        verdict=newest["verdict"].replace("_", " ") if newest else "",
        blockers=len(ledger.blockers),
        questions=sum(1 for _ in waiting),
        is_audited=running_now(engine.root) is not None,
        roles=dict(GoalSource(engine.root, engine.clock).look(engine.settings).roles),
    )


def close(engine: Engine, *, override: str | None = None, keep_document: bool = False) -> Result:
    """Close the goal. `override` is why a person takes it without a verdict that still fits.

    The result's `data` has `goal`, `override` (what was overridden) where a reason was needed, and
    `removed` where the document was.
    """
    document = engine.read_document()
    if document.why:
        return Result("close", "refused", f"cannot tell what is closed: {document.why}")
    code = _code(engine, document)
    is_there = document.data is not None
    kept = _why_kept(engine, document) if is_there else ""
    goes = is_there and not kept and not keep_document

    def act(scene: Scene, draft: Draft) -> Json:
        persons_only(engine)
        if scene.document.data != document.data:
            text = f"{document.path} changed while it was being closed"
            raise RefusalError("stale", f"{text}; nothing was changed, look again")
        ledger = draft.ledger
        if ledger.goal is None and not is_there:
            raise RefusalError("refused", "there is no goal here that could be closed")
        data: Json = {"goal": _goal_id(ledger)}
        why, cause = why_not(document, ledger, code), None
        if why and override is None:
            text = f"{why}: run `ppgp-tui audit`, or close it with a reason (--override)"
            raise RefusalError("refused", text)
        if why:
            newest = ledger.verdict_on(data["goal"])
            eval_id = newest["id"] if newest else None
            taken = verdicts.take(draft, override or "", goal_id=data["goal"], eval_id=eval_id)
            data, cause = data | {"override": why}, taken["event"]
        if goes:
            record_phase(draft, document.reading, document.path, "CLOSED", observed=False)
        if ledger.goal is not None:
            reason = (override or "").strip() if why else "verified by an audit"
            verdicts.close(draft, reason=reason, cause=cause)
        return data

    def after(_: Scene, data: Json) -> list[str]:
        if goes:
            os.unlink(engine.root / document.path)  # noqa: PTH108 - never through a link
            data["removed"] = document.path
        return []

    def said(data: Json) -> str:
        text = "closed, NOT verified" if "override" in data else "closed, verified"
        if "removed" in data:
            return f"{text}; {document.path} is removed, Git keeps it"
        if is_there:
            stays = "as you wanted" if keep_document else kept or "it could not be removed"
            return f"{text}; {document.path} stays: {stays}"
        return text

    return engine.perform("close", act, after=after, said=said, is_deed=False)


def why_not(document: Document, ledger: Ledger, code: bound.CodeState | str) -> str:
    """Why the goal may not be closed as it stands; empty when it is verified and still fits.

    `code` is a sentence where nobody can tell what the code is.
    """
    goal_id = _goal_id(ledger)
    newest = ledger.verdict_on(goal_id)
    if newest is None:
        claimed = any(one["goal_id"] == goal_id for one in ledger.claims)
        return f"the goal is not verified: {'it is a claim' if claimed else 'nothing looked at it'}"
    if newest["verdict"] in _WHY:
        return f"the goal is not verified: {_WHY[newest['verdict']]}"
    if newest["stale"]:
        return "the verdict is stale: something moved while the audit ran"
    if isinstance(code, str):
        return f"cannot tell whether the verdict still fits: {code}"
    now = bound.bound(document.reading, ledger, code) | {"goal": goal_id}
    if differs := moved(newest["bound"], now):
        return f"the verdict is stale: the {', the '.join(differs)} changed since"
    return ""


def is_next(engine: Engine) -> bool:
    """Whether to close is what is left: there is a goal, and an audit verified it as it stands."""
    ledger = recorded(engine).ledger
    newest = ledger.verdict_on(_goal_id(ledger))
    if newest is None or newest["verdict"] in _WHY:
        return False  # without asking Git what the code is
    document = engine.read_document()
    if document.why or (ledger.goal is None and document.data is None):
        return False
    return not why_not(document, ledger, _code(engine, document))


def _goal_id(ledger: Ledger) -> str | None:
    """The goal under way; else that which was settled last, whose document may still be there."""
    if ledger.goal is not None:
        return str(ledger.goal["id"])
    settled = ledger.settled
    return settled["id"] if settled and settled["status"] == "Satisfied" else None


def settle(engine: Engine) -> Result:
    """A goal that was found complete leaves at the end of its run, unless something moved since."""
    document = engine.read_document()
    code = _code(engine, document)

    def act(scene: Scene, draft: Draft) -> Json:
        if why := why_not(scene.document, draft.ledger, code):
            raise RefusalError("refused", why)
        return goals.settle(draft) or {}

    return engine.perform("goal.settle", act, said="settled")


def _code(engine: Engine, document: Document) -> bound.CodeState | str:
    try:
        return bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError as error:
        return str(error)


def _why_kept(engine: Engine, document: Document) -> str:
    """Why the document may not be removed: Git does not have it as it stands."""
    path = engine.root / document.path
    if path.is_symlink() or path.resolve() != engine.root.resolve() / document.path:
        return "it is a link"
    here = ("hash-object", f"--path={document.path}", "--stdin")  # as Git would keep it
    try:
        committed = ask(engine.root, "rev-parse", "--verify", "-q", f"HEAD:./{document.path}")
        found = ask(engine.root, *here, given=document.data or b"")
    except GitUnknownError as error:
        return str(error)
    if committed.code:
        return "it is in no commit"
    same = found.code == 0 and found.out == committed.out
    return "" if same else "it has changes that are in no commit"
