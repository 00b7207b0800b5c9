"""Recording what an audit came to, and closing a goal by it."""

from __future__ import annotations

from typing import Any

import pytest

from ppgp_tui.session.engine import blockers, goals, verdicts
from ppgp_tui.session.journal import RefusalError
from tests.session.engine.desk import CLAUDE, HUMAN, Desk
from tests.session.engine.rules import broken

BOUND = {"contract": "sha256:1", "plan": "sha256:2", "code": "sha256:3", "commit": None}
EVAL = "eval_" + "0" * 32
OTHER = "eval_" + "1" * 32


def claimed() -> Desk:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Make it resumable")
    claim(desk)
    return desk


def about(desk: Desk, **more: Any) -> dict[str, Any]:
    """What a verdict on the goal under way would be about."""
    goal = desk.ledger.goal
    return {**BOUND, "goal": goal["id"] if goal else None, **more}


def claim(desk: Desk, **more: Any) -> Any:
    return desk.act(CLAUDE, goals.claim, "all of it is done", about(desk), **more)


def audited(desk: Desk, word: str, *, stale: bool = False, **more: Any) -> Any:
    said = {
        "eval_id": EVAL, "bound": about(desk), "stale": stale, "report": "the whole report",
        "report_digest": "sha256:9", "isolation": "bubblewrap", "auditor": "none",
        "command": "ppgp-tui audit",
    }  # fmt: skip
    return desk.act(HUMAN, verdicts.record, word, "because", **said | more)


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
    last = [event for event in desk.events if event["kind"] == "goal.status_changed"][-1]
    assert last["actor"]["kind"] == "system", "neither who claimed nor who asked for it decides"


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
    assert desk.kinds()[-2:] == ["eval.finished", "state.ops_applied"], "it decides nothing"


def test_a_person_may_take_a_goal_with_a_reason_only() -> None:
    desk = claimed()
    goal = about(desk)["goal"]
    for reason in ("  ", "x" * 2_001):
        with pytest.raises(RefusalError):
            desk.act(HUMAN, verdicts.take, reason, goal_id=goal, eval_id=None)
    taken = desk.act(HUMAN, verdicts.take, "shipped by hand", goal_id=goal, eval_id=EVAL)
    desk.act(HUMAN, verdicts.close, reason="shipped by hand", cause=taken["event"])
    assert desk.ledger.goal is None
    last = [event for event in desk.events if event["kind"] == "goal.status_changed"][-1]
    assert last["payload"]["status"] == "Satisfied"
    decision = next(event for event in desk.events if event["kind"] == "decision.created")
    assert decision["payload"]["metadata"] == {"type": "override", "goal": goal, "eval": EVAL}
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


# What is claimed again ---------------------------------------------------------------------------


def test_a_rejected_claim_is_not_repeated_while_nothing_moved() -> None:
    desk = claimed()
    audited(desk, "rejected")
    with pytest.raises(RefusalError, match="the whole report"):
        claim(desk)


@pytest.mark.parametrize("name", ["contract", "plan", "code", "evidence"])
def test_when_something_moved_it_is_claimed_again(name: str) -> None:
    desk = claimed()
    audited(desk, "rejected")
    desk.act(CLAUDE, goals.claim, "now it is", about(desk, **{name: "sha256:other"}))
    assert len(desk.ledger.claims) == 2


def test_a_new_commit_of_the_same_code_moves_nothing() -> None:
    desk = claimed()
    audited(desk, "rejected")
    with pytest.raises(RefusalError):
        desk.act(CLAUDE, goals.claim, "now it is", about(desk, commit="abc"))


@pytest.mark.parametrize(("word", "stale"), [("inconclusive", False), ("rejected", True)])
def test_only_a_rejection_that_counts_stands_in_the_way(word: str, stale: bool) -> None:
    desk = claimed()
    audited(desk, word, stale=stale)
    assert claim(desk)["claim"]


def test_a_rejection_is_disputed_once_with_reasons() -> None:
    desk = claimed()
    audited(desk, "rejected")
    claim(desk, dispute="dod:2 is shown by tests/test_resume.py")
    newest = desk.ledger.claims[-1]
    assert newest["disputes"] == EVAL
    assert newest["dispute"] == "dod:2 is shown by tests/test_resume.py"
    with pytest.raises(RefusalError, match="disputed already"):
        claim(desk, dispute="I said so")
    audited(desk, "rejected", eval_id=OTHER)
    claim(desk, dispute="and again")
    assert desk.ledger.claims[-1]["disputes"] == OTHER
    assert broken(desk.events) == []


def test_where_nothing_is_rejected_nothing_is_disputed() -> None:
    desk = claimed()
    with pytest.raises(RefusalError, match="no verdict stands"):
        claim(desk, dispute="no")


def test_another_wording_of_the_goal_ends_a_rejection() -> None:
    desk = claimed()
    audited(desk, "rejected")
    desk.act(HUMAN, goals.tweak, "Make half of it resumable")
    assert claim(desk)["claim"]


def test_a_verdict_answers_the_newest_claim_of_the_same_things_only() -> None:
    desk = claimed()
    first = desk.ledger.claims[0]["id"]
    desk.act(CLAUDE, goals.claim, "fixed", about(desk, code="sha256:newer"))
    assert audited(desk, "rejected", stale=True, claim=first)["claim"] == first
    assert desk.ledger.audits[-1]["claim"] == first


# What is settled, and goals without a log ---------------------------------------------------------


def test_a_goal_that_left_while_it_was_audited_still_gets_its_verdict() -> None:
    desk = claimed()
    was = about(desk)
    desk.act(HUMAN, goals.abandon, "no longer wanted")
    audited(desk, "approved", stale=True, bound=was)
    assert desk.ledger.audits[-1]["goal"] == was["goal"]
    assert broken(desk.events) == []


def test_a_goal_that_only_a_document_has_gets_a_verdict_that_settles_nothing() -> None:
    desk = Desk()
    audited(desk, "approved")
    assert desk.ledger.verdict_on(None)["verdict"] == "approved"  # type: ignore[index]
    assert desk.ledger.goal is None
    assert broken(desk.events) == []


def test_what_was_settled_last_is_known_until_another_goal_begins() -> None:
    desk = claimed()
    goal = about(desk)["goal"]
    audited(desk, "approved")
    desk.act(CLAUDE, goals.settle)
    assert desk.ledger.settled == {"id": goal, "status": "Satisfied"}
    desk.act(HUMAN, goals.start, "The next thing")
    assert desk.ledger.settled is None


def test_closing_clears_what_the_block_of_the_goal_had_raised() -> None:
    desk = claimed()
    goal = about(desk)["goal"]
    raised = {"klass": "D", "blocks": (goal,), "origin": "goal"}
    desk.act(CLAUDE, blockers.raise_blocker, "no key", **raised)
    taken = desk.act(HUMAN, verdicts.take, "enough", goal_id=goal, eval_id=None)
    desk.act(HUMAN, verdicts.close, reason="enough", cause=taken["event"])
    assert desk.ledger.blockers == {}
    assert broken(desk.events) == []


def test_long_reports_and_odd_file_names_cost_no_verdict() -> None:
    desk = claimed()
    audited(desk, "rejected", report="\U0001f642" * 20_000)
    audited(desk, "rejected", report="tests/\udce9.py is missing", eval_id=OTHER)
    goal = goals.state_of(desk.ledger).goal
    assert goal is not None
    assert goal.last_audit_rejection is not None
    assert goal.last_audit_rejection.report == "tests/?.py is missing"
