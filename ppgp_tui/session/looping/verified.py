"""Whether the goal is verified: by the newest verdict, while nothing it is about has moved."""

from __future__ import annotations

from ppgp_tui.session.actions.closing import why_not
from ppgp_tui.session.actions.recorded import recorded_if_any
from ppgp_tui.session.engine import bound
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Ledger
from ppgp_tui.session.engine.scene import Document
from ppgp_tui.session.picture.audit_state import moved


def verified(engine: Engine, goal: str | None) -> str | None:
    """Why the goal with that id counts as verified, such as `verdict eval_… approved`, or None.

    None as id stands for a goal that only a document has. A goal that was settled is still it;
    another one that came after is not. Raises `RefusalError` where the log cannot be read.
    """
    ledger = recorded_if_any(engine).ledger
    newest = ledger.verdict_on(goal)
    if newest is None or not _is_current(ledger, goal):
        return None
    document = engine.read_document()
    if document.why or why_not(document, ledger, _code(engine, document)):
        return None
    return f"verdict {newest['id']} {newest['verdict'].replace('_', ' ')}"


def undecided(engine: Engine, goal: str | None) -> str | None:
    """The id of the newest verdict on the goal where it could not decide and nobody claimed since.

    Raises `RefusalError` where the log cannot be read.
    """
    ledger = recorded_if_any(engine).ledger
    newest = ledger.verdict_on(goal)
    if newest is None or not _is_current(ledger, goal) or newest["verdict"] != "inconclusive":
        return None
    claim = next((one for one in reversed(ledger.claims) if one["goal_id"] == goal), None)
    if claim is not None and all(one["claim"] != claim["id"] for one in ledger.audits):
        return None
    return str(newest["id"])


def still_fits(engine: Engine, goal: str | None) -> bool:
    """Whether nothing has moved that the newest verdict on the goal is about.

    Raises `RefusalError` where the log cannot be read.
    """
    ledger = recorded_if_any(engine).ledger
    newest, document = ledger.verdict_on(goal), engine.read_document()
    if newest is None or newest["stale"] or document.why:
        return False
    code = _code(engine, document)
    if isinstance(code, str):  # nobody can tell, and so no audit could decide more
        return True
    now = bound.bound(document.reading, ledger, code) | {"goal": goal}
    return not moved(newest["bound"], now)


def waits_for_audit(engine: Engine, goal: str | None) -> bool:
    """Whether the newest claim of the goal with that id waits for an audit.

    One that no audit has answered does. So does the claim of a goal that is complete and from which
    something has moved since its last verdict: nobody can claim such a goal again. Raises
    `RefusalError` where the log cannot be read.
    """
    ledger = recorded_if_any(engine).ledger
    if goal is None or ledger.goal is None or ledger.goal["id"] != goal:
        return False
    claim = next((one for one in reversed(ledger.claims) if one["goal_id"] == goal), None)
    if claim is not None and all(one["claim"] != claim["id"] for one in ledger.audits):
        return True
    newest = ledger.verdict_on(goal)
    if newest is None or ledger.goal["pi"].get("status") != "complete":
        return False
    document = engine.read_document()
    code = _code(engine, document)
    if isinstance(code, str):
        return False
    now = bound.bound(document.reading, ledger, code)
    return bool(newest["stale"] or moved(newest["bound"], now))


def _code(engine: Engine, document: Document) -> bound.CodeState | str:
    """What the code is, or a sentence that says why nobody can tell."""
    try:
        return bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError as error:
        return str(error)


def _is_current(ledger: Ledger, goal: str | None) -> bool:
    if ledger.goal is not None:
        return bool(ledger.goal["id"] == goal)
    return goal is None or (ledger.settled or {}).get("id") == goal
