"""Whether the goal is verified: by the newest verdict, while nothing it is about has moved."""

from __future__ import annotations

from ppgp_tui.session.actions.closing import why_not
from ppgp_tui.session.actions.recorded import recorded_if_any
from ppgp_tui.session.engine import bound
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json, Ledger


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
    code: bound.CodeState | str
    try:
        code = bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError as error:
        code = str(error)
    if document.why or why_not(document, ledger, code):
        return None
    return f"verdict {newest['id']} {newest['verdict'].replace('_', ' ')}"


def open_claim(engine: Engine, goal: str | None) -> Json | None:
    """The newest claim of the goal with that id, unless an audit has answered it.

    Raises `RefusalError` where the log cannot be read.
    """
    ledger = recorded_if_any(engine).ledger
    if goal is None or ledger.goal is None or ledger.goal["id"] != goal:
        return None
    claim = next((one for one in reversed(ledger.claims) if one["goal_id"] == goal), None)
    if claim is None or any(one["claim"] == claim["id"] for one in ledger.audits):
        return None
    return claim


def _is_current(ledger: Ledger, goal: str | None) -> bool:
    if ledger.goal is not None:
        return bool(ledger.goal["id"] == goal)
    return goal is None or (ledger.settled or {}).get("id") == goal
