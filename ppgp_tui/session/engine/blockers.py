"""Acts on blockers: raised with a class and the smallest scope, cleared with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from ppgp_tui.ppgp.reading import BlockerClass
from ppgp_tui.session.engine.draft import Draft, create, relate, update
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.journal.results import RefusalError

TEXT_MOST = 4000
SCOPE_MOST = 200


def raise_blocker(
    draft: Draft,
    text: str,
    *,
    klass: str,
    scope: str = "",
    until: str | None = None,
    blocks: Sequence[str] = (),
    origin: str = "act",
) -> Json:
    """Record what is in the way of the nodes `blocks` (`todo:KEY`, a goal). Returns `{blocker}`."""
    text = text.strip()
    if not text or len(text) > TEXT_MOST:
        raise RefusalError("refused", f"a blocker needs a text of 1 to {TEXT_MOST} characters")
    if klass not in get_args(BlockerClass):
        raise RefusalError("refused", f"a blocker's class is A, B, C or D, not {klass!r}")
    if len(scope) > SCOPE_MOST or len(until or "") > SCOPE_MOST:
        raise RefusalError("refused", f"scope and until have at most {SCOPE_MOST} characters")
    _must_be_known(draft, blocks)
    blocker_id = draft.new_id("blk")
    payload: Json = {
        "id": blocker_id,
        "class": klass,
        "text": text,
        "scope": scope,
        "blocks": list(blocks),
        "origin": origin,
    }
    metadata: Json = {"type": "blocker", "class": klass, "scope": scope}
    if until is not None:
        payload["until"] = metadata["until"] = until
    props = {
        "title": text.split("\n", 1)[0][:200],
        "summary": text,
        "status": "Open",
        "metadata": metadata,
    }
    ops = [create(blocker_id, "observation", props)]
    ops += [relate(blocker_id, "blocks", node) for node in blocks]
    draft.record("blocker.raised", payload, ops=ops)
    return {"blocker": blocker_id}


def clear(draft: Draft, blocker_id: str, reason: str) -> Json:
    """Record that a blocker is gone."""
    blocker = draft.ledger.blockers.get(blocker_id)
    if blocker is None:
        raise RefusalError("refused", f"no open blocker {blocker_id}; `blocker list` shows them")
    reason = reason.strip()
    if not reason or len(reason) > TEXT_MOST:
        text = f"clearing a blocker needs a reason of 1 to {TEXT_MOST} characters"
        raise RefusalError("refused", text)
    draft.record(
        "blocker.cleared",
        {"id": blocker_id, "reason": reason},
        cause=blocker["event"],
        ops=[update(blocker_id, {"status": "Cleared", "status_reason": reason})],
    )
    return {"blocker": blocker_id}


def clear_of_goal(draft: Draft, goal_id: str, reason: str) -> None:
    """Clear the blockers that a block of this goal raised."""
    for blocker_id, blocker in list(draft.ledger.blockers.items()):
        if blocker.get("origin") == "goal" and goal_id in blocker.get("blocks", ()):
            clear(draft, blocker_id, reason)


def _must_be_known(draft: Draft, nodes: Sequence[str]) -> None:
    goal = draft.ledger.goal
    known = {f"todo:{key}" for key in draft.ledger.tasks_on_record}
    if goal is not None:
        known.add(goal["id"])
    for node in nodes:
        if node not in known:
            raise RefusalError("refused", f"{node} is no task of the plan and not the goal")
