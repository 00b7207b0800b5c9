"""Recording what an audit came to, and closing a goal by it."""

from __future__ import annotations

from typing import Any

import pytest

from ppgp_tui.session.engine import goals, verdicts
from ppgp_tui.session.journal import RefusalError
from tests.session.engine.desk import CLAUDE, HUMAN, Desk
from tests.session.engine.rules import broken

BOUND = {"contract": "sha256:1", "plan": "sha256:2", "code": "sha256:3", "commit": None}
EVAL = "eval_" + "0" * 32


def claimed() -> Desk:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Make it resumable")
    desk.act(CLAUDE, goals.claim, "all of it is done", BOUND)
    return desk


def audited(desk: Desk, word: str, *, stale: bool = False) -> Any:
    return desk.act(
        HUMAN, verdicts.record, word, "because", eval_id=EVAL, bound=BOUND, stale=stale,
        report="the whole report", report_digest="sha256:9", isolation="bubblewrap",
        auditor="none", command="ppgp-tui audit",
    )  # fmt: skip


def status(desk: Desk) -> str | None:
    goal = goals.state_of(desk.ledger).goal
    return goal.status if goal else None


@pytest.mark.parametrize("word", ["approved", "approved_with_notes"])
def test_an_approval_completes_the_goal(word: str) -> None:
    desk = claimed()
    data = audited(desk, word)
    assert status(desk) == "complete"
    assert desk.kinds()[-6:] == [
        "eval.finished", "state.ops_applied", "decision.created", "state.ops_applied",
        "goal.status_changed", "state.ops_applied",
    ]  # fmt: skip
    finished = next(event for event in desk.events if event["kind"] == "eval.finished")
    claim = next(event for event in desk.events if event["kind"] == "goal.claimed")
    assert finished["causation_id"] == claim["id"]
    assert finished["payload"]["status"] == "Passed"
    assert finished["payload"]["metadata"]["claim"] == claim["payload"]["id"]
    decision = next(event for event in desk.events if event["kind"] == "decision.created")
    assert decision["causation_id"] == finished["id"]
    assert decision["payload"]["id"] == data["decision"]
    assert decision["payload"]["status"] == "Approved"


def test_a_rejection_gives_the_goal_back_with_the_objections() -> None:
    desk = claimed()
    audited(desk, "rejected")
    goal = goals.state_of(desk.ledger).goal
    assert goal is not None
    assert goal.status == "active"
    assert goal.last_audit_rejection is not None
    assert goal.last_audit_rejection.report == "the whole report"


def test_an_inconclusive_audit_decides_nothing() -> None:
    desk = claimed()
    data = audited(desk, "inconclusive")
    assert "decision" not in data
    assert status(desk) == "active"
    assert desk.kinds()[-2:] == ["eval.finished", "state.ops_applied"]


@pytest.mark.parametrize("word", ["approved", "rejected"])
def test_a_stale_verdict_is_recorded_and_moves_nothing(word: str) -> None:
    desk = claimed()
    audited(desk, word, stale=True)
    goal = goals.state_of(desk.ledger).goal
    assert goal is not None
    assert (goal.status, goal.last_audit_rejection) == ("active", None)
    assert "decision.created" in desk.kinds()


def test_a_person_may_take_a_goal_with_a_reason_only() -> None:
    desk = claimed()
    with pytest.raises(RefusalError):
        desk.act(HUMAN, verdicts.take, "  ", eval_id=None)
    taken = desk.act(HUMAN, verdicts.take, "shipped by hand", eval_id=EVAL)
    desk.act(HUMAN, verdicts.close, reason="shipped by hand", cause=taken["event"])
    assert desk.ledger.goal is None
    last = [event for event in desk.events if event["kind"] == "goal.status_changed"][-1]
    assert last["payload"]["status"] == "Satisfied"
    decision = next(event for event in desk.events if event["kind"] == "decision.created")
    assert decision["payload"]["metadata"] == {"type": "override", "eval": EVAL}
    assert decision["actor"] == {"kind": "user", "id": "dev"}


def test_a_verified_goal_closes_satisfied() -> None:
    desk = claimed()
    audited(desk, "approved")
    data = desk.act(HUMAN, verdicts.close, reason="verified")
    assert data["status"] == "Satisfied"
    assert desk.ledger.goal is None


@pytest.mark.parametrize("word", ["approved", "rejected", "inconclusive"])
def test_what_an_audit_records_keeps_the_rules_of_the_log(word: str) -> None:
    desk = claimed()
    audited(desk, word)
    assert broken(desk.events) == []
