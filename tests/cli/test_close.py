"""Closing a goal by command: verified, or taken by a person with a reason that stays for ever."""

from __future__ import annotations

import json

import pytest

from ppgp_tui.session.actions import closing
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.cli.acting import AGENT, Place
from tests.cli.claimed import COUNTER, PATH, audit, break_it, claimed, commit
from tests.cli.legal import faults
from tests.session.journals import git


@pytest.fixture
def verified(place: Place) -> Place:
    """A goal that an audit has verified."""
    audit(claimed(place), code=0)
    return place


def log(place: Place) -> bytes:
    return (place.root / "state" / "events.jsonl").read_bytes()


def test_the_status_of_a_verified_goal_says_that_closing_it_is_next(verified: Place) -> None:
    following = "verified: a person closes it with: ppgp-tui close"
    assert verified.act("goal", "status").out.splitlines()[-1] == following
    closing.settle(Engine(verified.root, Actor("agent", "claude-1")))
    said = verified.act("goal", "status").out
    assert said.splitlines() == ["No Goal is active on this branch.", following]
    claim = verified.agent("goal", "claim", "again")
    assert claim.err.splitlines()[1:] == [following]
    break_it(verified)
    assert "ppgp-tui close" not in verified.act("goal", "status").out


def test_a_goal_that_is_closed_has_no_next_step(verified: Place) -> None:
    commit(verified)
    assert verified.act("close").code == 0
    assert verified.act("goal", "status").out == "No Goal is active on this branch.\n"


def test_a_goal_that_nothing_looked_at_is_not_closed(place: Place) -> None:
    said = claimed(place).act("close")
    assert (said.code, said.out) == (1, "")
    assert "the goal is not verified: it is a claim" in said.err
    assert "ppgp-tui audit" in said.err
    assert "--override" in said.err
    assert (place.root / PATH).exists()


def test_a_rejected_goal_is_not_closed(place: Place) -> None:
    break_it(claimed(place))
    audit(place, code=1)
    assert "its audit rejected it" in place.act("close").err


@pytest.mark.parametrize(
    ("path", "words", "moved"),
    [("counter.py", "KEPT = True", "code"), (PATH, "No order is sent twice.", "contract")],
)
def test_a_goal_that_moved_since_its_verdict_is_not_closed(
    verified: Place, path: str, words: str, moved: str
) -> None:
    file = verified.root / path
    file.write_text(file.read_text().replace(words, "KEPT = None"))
    said = verified.act("close")
    assert said.code == 1
    assert f"the verdict is stale: the {moved} changed since" in said.err
    assert verified.events("goal.status_changed")[-1]["payload"]["status"] == "InProgress"


def test_a_plan_that_moved_makes_the_verdict_stale(verified: Place) -> None:
    verified.plan("more")
    assert "the plan changed since" in verified.act("close").err


def test_a_verified_goal_is_closed_and_its_document_goes(verified: Place) -> None:
    said = verified.act("close")
    assert said.code == 0, said.err
    assert f"closed, verified; {PATH} is removed, Git keeps it" in said.out
    assert not (verified.root / PATH).exists()
    assert verified.json("goal", "status")["data"]["label"] == "none"
    last = verified.events("goal.status_changed")[-1]["payload"]
    assert (last["status"], last["pi"]) == ("Satisfied", None)
    assert verified.events("goal.phase_changed")[-1]["payload"]["to"] == "CLOSED"
    assert verified.events("decision.created")[-1]["payload"]["metadata"]["type"] == "verdict"
    assert faults(log(verified)) == []


def test_it_says_first_what_outlives_the_goal(verified: Place) -> None:
    (verified.root / "docs" / "MASTER.md").write_text("# Master\n")
    commit(verified)
    audit(verified, code=0)
    said = verified.act("close")
    assert "for CONSTITUTION (docs/MASTER.md): INVARIANTS (1 item) line 15" in said.err
    assert "for MEMORY (no document plays it): FROZEN_DECISIONS (1 item) line 12" in said.err
    assert "not DISTILL" not in said.err


def test_that_it_was_not_distilled_is_said(verified: Place) -> None:
    document = verified.root / PATH
    document.write_text(document.read_text().replace("DISTILL", "SHIP"))
    commit(verified)
    assert "the phase is SHIP, not DISTILL" in verified.act("close").err


def test_the_result_as_json_names_it_all(verified: Place) -> None:
    data = verified.json("close")["data"]
    assert (data["phase"], data["removed"]) == ("DISTILL", PATH)
    assert "override" not in data
    assert data["lasting"][0] == {
        "role": "CONSTITUTION", "field": "INVARIANTS", "items": 1, "line": 15, "path": None,
    }  # fmt: skip


def test_a_document_that_no_commit_has_as_it_stands_stays(verified: Place) -> None:
    with (verified.root / PATH).open("a") as file:
        file.write("\nA line more.\n")
    said = verified.act("close")
    assert said.code == 0, said.err
    assert f"{PATH} stays: it has changes that are in no commit" in said.out
    assert (verified.root / PATH).exists()


def test_a_document_whose_line_ends_git_converts_is_the_committed_one(verified: Place) -> None:
    git(verified.root, "config", "core.autocrlf", "true")
    document = verified.root / PATH
    document.write_bytes(document.read_bytes().replace(b"\n", b"\r\n"))
    assert "is removed" in verified.act("close").out


def test_a_document_may_be_kept(verified: Place) -> None:
    assert f"{PATH} stays: as you wanted" in verified.act("close", "--keep-document").out
    assert (verified.root / PATH).exists()


def test_a_goal_settled_by_its_run_still_has_its_document_closed(verified: Place) -> None:
    from ppgp_tui.session.actions import closing
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    assert closing.settle(Engine(verified.root, Actor("agent", "claude-1"))).ok
    said = verified.act("close")
    assert said.code == 0, said.err
    assert "closed, verified" in said.out
    assert not (verified.root / PATH).exists()
    again = verified.act("close")
    assert (again.code, "no goal here" in again.err) == (1, True)


def test_a_complete_goal_that_moved_is_not_settled_by_its_run(verified: Place) -> None:
    from ppgp_tui.session.actions import closing
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    break_it(verified)
    refused = closing.settle(Engine(verified.root, Actor("agent", "claude-1")))
    assert (refused.code, "code changed since" in refused.message) == ("refused", True)
    assert verified.json("goal", "status")["data"]["label"] == "complete"


# With a reason -----------------------------------------------------------------------------------


def test_a_person_closes_an_unverified_goal_with_a_reason(place: Place) -> None:
    said = claimed(place).act("close", "--override", "accepted as it is")
    assert said.code == 0, said.err
    assert "NOT verified: the goal is not verified: it is a claim" in said.err
    assert "because: accepted as it is" in said.err
    assert "closed, NOT verified" in said.out
    decision = place.events("decision.created")[-1]
    assert decision["actor"] == {"kind": "user", "id": "dev"}
    assert decision["payload"]["reason"] == "accepted as it is"
    assert decision["payload"]["metadata"]["type"] == "override"
    assert faults(log(place)) == []


def test_the_reason_is_shown_for_ever(place: Place) -> None:
    claimed(place).act("close", "--override", "accepted as it is")
    place.json("goal", "propose", "The next thing", agent=True)
    place.json("goal", "confirm")
    shown = json.loads(place.act("show", "--json").out)
    (override,) = shown["audit"]["overrides"]
    assert (override["reason"], override["by"]) == ("accepted as it is", "dev")
    assert "WITHOUT a verdict that fits: accepted as it is" in place.act("audit", "--history").out
    assert "accepted as it is" in place.act("show").out
    assert "accepted as it is" in place.act("gasp", "story").out
    place.act("report", "--out", place.root / "report", "--no-pictures")
    written = (place.root / "report").glob("*.md")
    assert "accepted as it is" in "".join(one.read_text() for one in written)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2_001])
def test_a_reason_says_something_and_not_too_much(place: Place, reason: str) -> None:
    said = claimed(place).act("close", "--override", reason)
    assert said.code == 1
    assert place.events("decision.created")[-1]["payload"]["metadata"]["type"] != "override"
    assert (place.root / PATH).exists()


def test_a_verified_goal_needs_no_reason_and_records_none(verified: Place) -> None:
    assert verified.act("close", "--override", "to be sure").code == 0
    kinds = [one["payload"]["metadata"]["type"] for one in verified.events("decision.created")]
    assert "override" not in kinds


# Whose it is -------------------------------------------------------------------------------------


def test_an_agent_never_closes(verified: Place) -> None:
    for words in (["close"], ["close", "--override", "I am sure"]):
        said = verified.act(*words, environ=AGENT)
        assert (said.code, said.out) == (1, "")
        assert "only a person may do this" in said.err
    assert (verified.root / PATH).exists()


def test_without_a_terminal_it_needs_leave(place: Place) -> None:
    claimed(place)
    place.config.write_text("")
    assert "needs a terminal" in place.act("close", "--override", "why").err


def test_at_a_terminal_it_asks_and_a_no_changes_nothing(verified: Place) -> None:
    before = verified.snapshot()
    said = verified.at_terminal("close", answers="n\n")
    assert said.code == 1
    assert "Close it? [y/N]" in said.err
    assert "nothing was closed" in said.err
    assert verified.snapshot() == before
    assert verified.at_terminal("close", answers="y\n").code == 0


def test_where_there_is_nothing_nothing_is_closed(place: Place) -> None:
    said = place.act("close", "--override", "why")
    assert (said.code, "no goal here" in said.err) == (1, True)


def test_without_a_log_it_says_how_to_begin(bare: Place) -> None:
    bare.allow_scripts()
    assert "ppgp-tui init" in bare.act("close").err


def test_what_the_counter_says_is_what_was_committed(verified: Place) -> None:
    """Edited and put back: the code is what it was, so the verdict fits again."""
    break_it(verified)
    (verified.root / "counter.py").write_text(COUNTER)
    assert verified.act("close").code == 0
