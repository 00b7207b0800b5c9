"""Where the completion of the goal stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ppgp_tui.session.engine import goals, verdicts
from ppgp_tui.session.log.facts import LogFacts, plain_head
from ppgp_tui.session.model import Origin
from ppgp_tui.session.picture.audit_state import (
    Audit,
    AuditRecord,
    Override,
    Running,
    Verdict,
    audit_now,
)
from ppgp_tui.session.picture.goal_state import Claim
from tests.session.engine.desk import CLAUDE, HUMAN, Desk

BOUND = {"contract": "sha256:1", "plan": "sha256:2", "code": "sha256:3", "goal": "goal_1"}
CLAIM = Claim("claim_1", "agent:claude", "done", 10)


def verdict(word: str, **more: Any) -> Verdict:
    return Verdict("eval_1", word, "why", 20, "goal_1", "claim_1", BOUND, **more)  # type: ignore[arg-type]


def now(*found: Verdict, bound: dict[str, Any] | None = None, **more: Any) -> Audit:
    claims = more.pop("claims", (CLAIM,))
    record = AuditRecord(found, more.pop("overrides", ()))
    return audit_now(record, "goal_1", claims, BOUND if bound is None else bound, **more)


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("approved", "verified"),
        ("approved_with_notes", "verified"),
        ("rejected", "rejected"),
        ("inconclusive", "unsure"),
    ],
)
def test_a_verdict_that_still_fits_says_how_the_goal_stands(word: str, state: str) -> None:
    audit = now(verdict(word))
    assert (audit.state, audit.stale, audit.moved) == (state, False, ())


@pytest.mark.parametrize("name", ["contract", "plan", "code", "goal"])
def test_a_verdict_is_stale_as_soon_as_one_thing_it_is_about_moves(name: str) -> None:
    audit = now(verdict("approved"), bound={**BOUND, name: "sha256:other"})
    assert (audit.state, audit.stale, audit.moved) == ("stale", True, (name,))


def test_a_new_commit_alone_moves_nothing() -> None:
    assert now(verdict("approved"), bound={**BOUND, "commit": "abc"}).stale is False


def test_until_the_code_is_known_nobody_says_whether_it_still_fits() -> None:
    known = {name: BOUND[name] for name in ("contract", "plan", "goal")}
    audit = now(verdict("approved"), bound=known)
    assert (audit.state, audit.stale) == ("verified", None)


def test_one_recorded_as_stale_stays_stale() -> None:
    assert now(verdict("approved", stale=True)).state == "stale"


def test_a_claim_without_a_verdict_is_claimed_and_a_newer_claim_is_again() -> None:
    assert now().state == "claimed"
    newer = CLAIM._replace(id="claim_2", at_ms=30)
    assert now(verdict("rejected"), claims=(CLAIM, newer)).state == "claimed"
    assert now(claims=()).state is None


def test_one_under_way_and_what_a_person_took_come_first() -> None:
    running = Running(1, 60, "checking", {})
    assert now(verdict("rejected"), running=running).state == "running"
    taken = Override("shipped by hand", "you", "goal_1")
    assert now(verdict("rejected"), overrides=(taken,)).state == "taken"


def test_verdicts_on_another_goal_are_not_of_this_one() -> None:
    assert now(verdict("approved")._replace(goal="goal_0")).verdicts == ()


@pytest.mark.parametrize("word", ["approved", "rejected", "inconclusive"])
def test_the_log_tells_what_the_engine_recorded(word: str) -> None:
    desk = Desk()
    desk.act(HUMAN, goals.start, "Make it resumable")
    assert desk.ledger.goal is not None
    bound = {**BOUND, "goal": desk.ledger.goal["id"]}
    desk.act(CLAUDE, goals.claim, "done", bound)
    desk.act(
        HUMAN, verdicts.record, word, "because", eval_id="eval_1", bound=bound, stale=False,
        report="told", report_digest="sha256:9", isolation="bubblewrap", auditor="codex",
        command="ppgp-tui audit",
    )  # fmt: skip
    desk.act(HUMAN, verdicts.take, "shipped", goal_id=bound["goal"], eval_id="eval_1")
    facts = LogFacts(0, "log")
    for event in desk.events:
        facts.take(plain_head(json.dumps(event).encode()), lambda: Origin("log"))
    said = facts.says()
    (found,) = said.audits.verdicts
    assert (found.id, found.word, found.auditor) == ("eval_1", word, "codex")
    assert found.why == "because"
    assert [(one.reason, one.eval) for one in said.audits.overrides] == [("shipped", "eval_1")]
    assert audit_now(said.audits, found.goal, said.lifecycle.claims, {}).state == "taken"
