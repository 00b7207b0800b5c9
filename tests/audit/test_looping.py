"""`goal-verified`: an audit's verdict ends a loop, and nobody is asked."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import on_claim, trust, underway, whole
from ppgp_tui.audit.looping import GoalVerified
from ppgp_tui.persist.surroundings import Iteration
from ppgp_tui.session.actions import closing, goal, objections
from ppgp_tui.session.canonical import new_id
from ppgp_tui.session.engine import runs as runs_of
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.looping import runs
from ppgp_tui.session.looping.bound import goal_of, settle, told_before
from tests.audit.truth.stage import APPROVED, COUNTER, DOCUMENT, HARDENED, Case, Stage, document
from tests.waiting import PATIENCE_S

LOOP = "0123456789ab"
BROKEN = COUNTER.replace("str(count)", "'0'")


class Looped(Stage):
    """The repository of a case, and a loop bound to its goal."""

    def __init__(self, place: Path, case: Case, *, may_audit: bool = True) -> None:
        super().__init__(place / "root", place / "state", case)
        self.state.mkdir()
        self.root.mkdir(exist_ok=True)
        self.build()
        self.said: list[str] = []
        if case.trusted:
            engine = self.engine()
            unknown = whole.untrusted(engine, whole.planned_for(engine))
            trust.trust(unknown, engine.state, at_ms=1)
        self.check = GoalVerified(
            self.engine, goal_of(self.engine()).goal, may_audit=may_audit, note=self.said.append
        )

    def audits(self) -> list[dict[str, Any]]:
        lines = (self.root / "state/events.jsonl").read_text().splitlines()
        events = [json.loads(line) for line in lines]
        return [event["payload"] for event in events if event["kind"] == "eval.finished"]

    def claims(self, actor: str = "claude-0f3a") -> None:
        engine = Engine(self.root, Actor("agent", actor), state=self.state)
        claimed = goal.claim(engine, "now it is done")
        assert claimed.ok, claimed

    def mends(self) -> None:
        self.commit({"src/counter.py": COUNTER})


GOOD = Case("good", "approved")
BAD = Case("bad", "rejected", files={**GOOD.files, "src/counter.py": BROKEN})


def test_an_open_claim_is_audited_and_holds_by_the_verdict(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    why = loop.check()
    (audit,) = loop.audits()
    assert why == f"verdict {audit['id']} {APPROVED.replace('_', ' ')}"
    assert audit["command"] == "ppgp-tui persist iterate"
    assert loop.said[0] == "the goal is claimed: an audit of at most 30 s begins"
    assert loop.said[-1].startswith("the audit's verdict: approved")


@pytest.mark.parametrize("actor", [f"persist-{LOOP}", "claude-0f3a"])
def test_who_claims_in_a_loop_that_audits_is_told_so_and_nobody_else(
    place: Path, actor: str
) -> None:
    """The agent of an iteration, and a session that it connected below it."""
    loop = Looped(place, GOOD._replace(goal=None))
    assert isinstance(loop.engine().journal.create(), tuple)
    assert goal.create(loop.engine(), "Calls survive a timeout").ok

    def claimed(audits: bool | None) -> tuple[str, str]:
        if audits is not None:
            runner = Engine(loop.root, Actor("agent", f"persist-{LOOP}"), state=loop.state)
            assert runs.began(runner, Iteration(LOOP, 1, 1, 9, 60.0), "a", audits=audits) is None
        engine = Engine(loop.root, Actor("agent", actor), state=loop.state)
        if audits is not None and not actor.startswith("persist"):
            about: dict[str, Any] = {"loop": LOOP, "iteration": 1}
            begun = engine.perform(
                "run.start", lambda _, draft: runs_of.start(draft, new_id("run"), "it", about) or {}
            )
            assert begun.ok, begun
        result = on_claim.claim(engine, "now it is done")
        return result.message, str(result.data["audit"])

    assert claimed(None) == (on_claim.CLAIMED, "waits")
    assert claimed(audits=False) == (on_claim.CLAIMED, "waits")
    said, audit = claimed(audits=True)
    assert audit == "loop"
    assert "The restart loop that you run in makes that audit as soon as this run is over" in said


def test_it_goes_on_holding_without_another_audit(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    assert loop.check() == loop.check() is not None
    assert len(loop.audits()) == 1


def test_a_look_before_the_first_run_begins_no_audit(place: Path) -> None:
    loop = Looped(place, GOOD)
    assert loop.check() is None
    assert (loop.audits(), loop.said) == ([], [])


def test_a_loop_that_may_not_audit_waits_for_the_verdict_of_somebody_else(place: Path) -> None:
    loop = Looped(place, GOOD, may_audit=False)
    loop.check.run_begins()
    assert loop.check() is None
    assert loop.audits() == []
    loop.audit()
    assert loop.check() is not None


def test_a_rejected_claim_does_not_hold_and_its_objections_reach_the_next_run(
    place: Path,
) -> None:
    loop = Looped(place, BAD)
    loop.check.run_begins()
    assert loop.check() is None
    assert [audit["metadata"]["verdict"] for audit in loop.audits()] == ["rejected"]
    assert loop.said[-1].endswith("; see ppgp-tui audit --history"), "it is said where to read more"
    told = told_before(loop.root, Iteration(LOOP, 2, 1, 9, 60.0), lambda: 1)
    assert told.objections
    assert "last audit rejected the claim" in told.text
    assert "tests.test_counter" in told.text
    assert loop.check() is None
    assert len(loop.audits()) == 1, "what was answered is not audited again"
    loop.mends()
    assert loop.check() is None, "nobody has claimed again"
    loop.claims()
    why = loop.check()
    assert why == f"verdict {loop.audits()[1]['id']} {APPROVED.replace('_', ' ')}"


def test_objections_beyond_the_end_of_the_packet_are_told_all_the_same(place: Path) -> None:
    large = HARDENED + "\n## REMAINING\n" + "".join(f"- Step {n}\n" for n in range(2_000))
    loop = Looped(place, BAD._replace(document=large))
    loop.check.run_begins()
    assert loop.check() is None
    told = told_before(loop.root, Iteration(LOOP, 2, 1, 9, 60.0), lambda: 1)
    packet, _, after = told.text.partition("(cut here")
    assert "- The counter survives a restart: exit 1" in after
    assert "- Step 5\n" in packet


def test_what_nobody_could_decide_is_told_beyond_the_end_of_the_packet_too(place: Path) -> None:
    large = HARDENED + "\n## REMAINING\n" + "".join(f"- Step {n}\n" for n in range(2_000))
    loop = Looped(place, GOOD._replace(document=large, trusted=False))
    loop.audit()
    assert [audit["metadata"]["verdict"] for audit in loop.audits()] == ["inconclusive"]
    told = told_before(loop.root, Iteration(LOOP, 2, 1, 9, 60.0), lambda: 1)
    after = told.text.partition("(cut here")[2]
    assert "## LAST CLAIM\nthe last audit could not decide" in after
    assert "- cannot be checked: " in after
    assert not told.objections


def test_a_verdict_that_something_moved_away_from_holds_no_more(place: Path) -> None:
    loop = Looped(place, GOOD, may_audit=False)
    loop.audit()
    assert loop.check() is not None
    loop.write({"src/counter.py": COUNTER + "# more\n"})
    assert loop.check() is None
    loop.write({"src/counter.py": COUNTER})
    assert loop.check() is not None


def test_a_complete_goal_that_something_moved_away_from_is_audited_once_more(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.audit()
    loop.check.run_begins()
    loop.commit({"src/counter.py": BROKEN})
    assert not goal.claim(loop.engine("agent"), "again").ok, "nobody can claim it again"
    assert loop.check() is None
    assert [audit["metadata"]["verdict"] for audit in loop.audits()] == [APPROVED, "rejected"]
    assert loop.check() is None
    assert len(loop.audits()) == 2, "the same thing is not audited twice"
    loop.mends()
    loop.claims()
    assert loop.check() == f"verdict {loop.audits()[2]['id']} {APPROVED.replace('_', ' ')}"


def test_a_goal_that_was_settled_meanwhile_is_still_verified(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    why = loop.check()
    assert closing.settle(loop.engine()).ok
    assert loop.check() == why is not None


def test_another_goal_in_its_place_is_not_this_one(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    assert loop.check() is not None
    assert closing.settle(loop.engine()).ok
    assert goal.create(loop.engine(), "Something else").ok
    assert loop.check() is None


def test_a_loops_own_claim_is_settled_with_its_last_run(place: Path) -> None:
    loop = Looped(place, GOOD._replace(goal=None))
    assert isinstance(loop.engine().journal.create(), tuple)
    assert goal.create(loop.engine(), "Calls survive a timeout").ok
    loop.claims(f"persist-{LOOP}")
    check = GoalVerified(
        loop.engine, goal_of(loop.engine()).goal, may_audit=True, note=loop.said.append
    )
    check.run_begins()
    why = check()
    assert why is not None
    assert settle(loop.engine(), "another0loop") is None
    assert goal_of(loop.engine()).goal is not None
    assert settle(loop.engine(), LOOP) is None
    assert goal_of(loop.engine()).goal is None
    assert check() == why


def test_a_command_that_nobody_let_run_is_left_out_and_that_is_said(place: Path) -> None:
    loop = Looped(place, GOOD._replace(trusted=False))
    loop.check.run_begins()
    assert loop.check() is None
    (said,) = (said for said in loop.said if "no person has let it run here" in said)
    assert "python3 -m unittest tests.test_retry" in said
    assert [audit["metadata"]["verdict"] for audit in loop.audits()] == ["inconclusive"]


def test_commands_that_may_not_run_are_named_before_the_first_run(place: Path) -> None:
    loop = Looped(place, GOOD._replace(trusted=False))
    loop.check.look_ahead()
    (said,) = loop.said
    assert "python3 -m unittest tests.test_counter" in said
    assert "ppgp-tui audit asks" in said
    assert loop.audits() == []
    loop.check.run_begins()
    loop.check()
    assert loop.said.count(said) == 1
    other = place / "other"
    other.mkdir()
    trusted = Looped(other, GOOD)
    trusted.check.look_ahead()
    assert trusted.said == []


def test_an_audit_of_somebody_else_is_waited_for(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    began, ended = threading.Event(), threading.Event()

    def tell(_: object) -> None:
        began.set()

    def audits() -> None:
        loop.audit(tell=tell)
        ended.set()

    other = threading.Thread(target=audits)
    other.start()
    assert began.wait(PATIENCE_S)
    why = loop.check()
    other.join()
    assert ended.is_set()
    assert why is not None
    assert len(loop.audits()) == 1


def test_an_audit_ends_with_the_loop_that_began_it(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    assert loop.check(lambda: any("audit" in line for line in loop.said)) is None
    assert loop.audits() == []
    assert "the audit was cancelled" in loop.said[-1]


def test_a_loop_that_is_over_waits_for_no_audit_and_begins_none(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    with underway.begun(loop.root):
        assert loop.check(lambda: True) is None
    assert loop.check(lambda: True) is None
    assert (loop.audits(), loop.said) == ([], [])


def test_what_cannot_be_audited_is_said_and_does_not_hold(place: Path) -> None:
    loop = Looped(place, GOOD)
    loop.check.run_begins()
    with underway.begun(loop.root):
        (loop.root / DOCUMENT).unlink()
        (loop.root / DOCUMENT).mkdir()
        assert loop.check() is None
    assert loop.audits() == []


def test_a_goal_that_only_a_document_has_holds_after_an_audit_of_a_person(place: Path) -> None:
    loop = Looped(place, Case("document", "approved", goal=None, document=document()))
    assert isinstance(loop.engine().journal.create(), tuple)
    loop.check.run_begins()
    assert loop.check() is None
    assert loop.audits() == []
    loop.audit()
    assert loop.check() == f"verdict {loop.audits()[0]['id']} {APPROVED.replace('_', ' ')}"


# What only a person can decide

UNKNOWN = GOOD._replace(trusted=False)
"""Nobody has let its commands run, so nobody can decide."""


def test_what_the_loops_audit_could_not_decide_needs_a_person(place: Path) -> None:
    loop = Looped(place, UNKNOWN)
    loop.check.run_begins()
    assert loop.check.needs() is None
    assert loop.check() is None
    need = loop.check.needs()
    (audit,) = loop.audits()
    assert need is not None
    assert (need.id, need.may_be_done, need.is_over) == (audit["id"], True, False)
    assert need.why == (
        "the audit could not decide: A call is tried three times: a check was left out: no person"
        " has let it run here (and 1 more)"
    )
    assert "ppgp-tui audit --take" in need.how
    loop.write({"src/counter.py": COUNTER + "# a person tries something\n"})
    assert loop.check.needs() == need, "what a person does meanwhile decides nothing yet"


def test_a_newer_verdict_is_the_decision(place: Path) -> None:
    loop = Looped(place, UNKNOWN)
    loop.check.run_begins()
    assert loop.check() is None
    assert loop.check.needs() is not None
    engine = loop.engine()
    trust.trust(whole.untrusted(engine, whole.planned_for(engine)), engine.state, at_ms=1)
    loop.audit()
    assert loop.check.needs() is None
    assert loop.check() is not None


def test_a_rejection_needs_nobody_the_next_run_mends_it(place: Path) -> None:
    loop = Looped(place, BAD)
    loop.check.run_begins()
    assert loop.check() is None
    assert loop.check.needs() is None


def test_a_claim_after_what_was_undecided_is_audited_first(place: Path) -> None:
    loop = Looped(place, UNKNOWN)
    loop.check.run_begins()
    assert loop.check() is None
    loop.commit({"src/counter.py": COUNTER + "# more\n"})
    loop.claims()
    assert loop.check.needs() is None


def test_what_was_undecided_before_the_loop_began_is_no_news_to_who_began_it(place: Path) -> None:
    loop = Looped(place, UNKNOWN)
    loop.audit()
    loop.check.run_begins()
    assert loop.check.needs() is None


def test_a_verdict_that_something_moved_away_from_asks_nobody(place: Path) -> None:
    """The agent went on after an audit that its claim had begun: the next run claims anew."""
    loop = Looped(place, UNKNOWN)
    loop.check.run_begins()
    loop.audit()
    loop.write({"src/counter.py": COUNTER + "# more\n"})
    assert loop.check.needs() is None


def test_who_claims_is_told_what_the_audit_could_not_check(place: Path) -> None:
    loop = Looped(place, UNKNOWN)
    loop.audit()
    engine = loop.engine()
    lines = objections.undecided(engine, loop.audits()[0]["id"])
    assert lines[0] == (
        "- cannot be checked: A call is tried three times: a check was left out: no person has let"
        " it run here"
    )
    assert len(lines) == 2
