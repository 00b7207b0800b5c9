"""Closing a goal: only a verified one, or one that a person takes with a reason.

Closing settles the goal in the log and removes its document (PPGP reference section 10), which Git
keeps: a document that is not committed as it stands is left where it is.
"""

from __future__ import annotations

import os
from typing import Final

from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.engine import bound, verdicts
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Document, Scene
from ppgp_tui.session.git import GitUnknownError, ask
from ppgp_tui.session.journal import RefusalError

ABOUT: Final = ("contract", "plan", "code", "goal")
_WHY: Final = {
    "rejected": "its audit rejected it",
    "inconclusive": "its audit decided nothing",
}


def close(engine: Engine, *, override: str | None = None, keep_document: bool = False) -> Result:
    """Close the goal. `override` is why a person takes it without a verdict that still fits.

    The result's `data` has `goal`, `override` where one was needed, and `removed` where the
    document was.
    """
    document = engine.read_document()
    if document.why:
        return Result("close", "refused", f"cannot tell what is closed: {document.why}")
    try:
        code = bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError as error:
        if override is None:
            return Result("close", "refused", f"cannot tell whether the verdict fits: {error}")
        code = bound.CodeState("", None)
    kept = _why_kept(engine, document) if document.data is not None else ""

    def act(scene: Scene, draft: Draft) -> Json:
        persons_only(engine)
        why = why_not(scene.document, draft.ledger, code)
        if not why:
            return verdicts.close(draft, reason="verified by an audit")
        if override is None:
            text = f"{why}: run `ppgp-tui audit`, or close it with a reason (--override)"
            raise RefusalError("refused", text)
        newest = _newest(draft.ledger)
        taken = verdicts.take(draft, override, eval_id=newest["id"] if newest else None)
        data = verdicts.close(draft, reason=override, cause=taken["event"])
        return data | {"override": why}

    def after(scene: Scene, data: Json) -> list[str]:
        same = scene.document.data == document.data
        if document.data is not None and not keep_document and not kept and same:
            os.unlink(engine.root / document.path)  # noqa: PTH108 - never through a link
            data["removed"] = document.path
        return []

    def said(data: Json) -> str:
        text = "closed, not verified" if "override" in data else "closed, verified"
        if "removed" in data:
            return f"{text}; {document.path} is removed, Git keeps it"
        if document.data is not None and kept and not keep_document:
            return f"{text}; {document.path} stays: {kept}"
        return text

    return engine.perform("close", act, after=after, said=said, is_deed=False)


def why_not(document: Document, ledger: Ledger, code: bound.CodeState) -> str:
    """Why the goal may not be closed as it stands; empty when it is verified and still fits."""
    newest = _newest(ledger)
    if newest is None:
        return "the goal is not verified"
    if newest["verdict"] in _WHY:
        return f"the goal is not verified: {_WHY[newest['verdict']]}"
    now = bound.bound(document.reading, ledger, code)
    moved = [name for name in ABOUT if newest["bound"].get(name) != now[name]]
    if newest["stale"] or moved:
        what = f": the {', the '.join(moved)} changed since" if moved else ""
        return f"the verdict is stale{what}"
    return ""


def _newest(ledger: Ledger) -> Json | None:
    goal = ledger.goal
    mine = [one for one in ledger.audits if goal is not None and one["goal"] == goal["id"]]
    return mine[-1] if mine else None


def _why_kept(engine: Engine, document: Document) -> str:
    """Why the document may not be removed: Git does not have it as it stands."""
    path = engine.root / document.path
    if path.is_symlink():
        return "it is a link"
    try:
        committed = ask(engine.root, "cat-file", "blob", f"HEAD:./{document.path}")
    except GitUnknownError as error:
        return str(error)
    if committed.code:
        return "it is in no commit"
    return "" if committed.out == document.data else "it has changes that are in no commit"
