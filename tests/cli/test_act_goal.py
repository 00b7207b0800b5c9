"""The goal by command: proposed by anyone, confirmed by a person, changed by its own rules."""

from __future__ import annotations

import json

import pytest

from tests.cli.acting import Place
from tests.cli.legal import events, faults
from tests.session.journals import git

DOCUMENT = "# Goal\n\n## GOAL\nRetry survives a timeout.\n\n## PHASE\nFREEZE\n"
PROOF = [
    "--blocker", "No token", "--evidence", "403 from the registry",
    "--why", "publishing is all that is left", "--until", "a token in CI",
]  # fmt: skip


@pytest.fixture
def goal(place: Place) -> Place:
    """A place with a confirmed goal."""
    place.json("goal", "propose", "Retry survives a timeout", agent=True)
    assert place.json("goal", "confirm")["code"] == "done"
    return place


def label(place: Place) -> str:
    return str(place.json("goal", "status")["data"]["label"])


def test_a_proposal_is_no_goal_until_a_person_confirms_it(place: Place) -> None:
    proposed = place.json("goal", "propose", "Retry survives a timeout", agent=True)
    request = proposed["data"]["request"]
    assert (proposed["action"], proposed["changed"]) == ("goal.propose", True)
    seen = place.json("goal", "status")["data"]
    assert (seen["label"], seen["goal"], seen["proposals"]) == ("none", None, [request])
    confirmed = place.json("goal", "confirm")
    assert (confirmed["action"], confirmed["code"]) == ("goal.confirm", "done")
    assert confirmed["message"] == "confirmed: Retry survives a timeout"
    seen = place.json("goal", "status")["data"]
    assert (seen["label"], seen["proposals"]) == ("active", [])
    assert seen["goal"]["objective"] == "Retry survives a timeout"
    assert json.loads((place.root / ".ppgp" / "goal.json").read_text())["goal"]["id"]


def test_a_declined_proposal_changes_nothing_and_keeps_the_note(place: Place) -> None:
    place.json("goal", "propose", "Rewrite it all", agent=True)
    declined = place.json("goal", "decline", "--note", "finish the review first")
    assert declined["message"] == "declined: Rewrite it all"
    assert label(place) == "none"
    (decision,) = place.events("decision.created")
    assert decision["payload"]["metadata"]["note"] == "finish the review first"


def test_of_several_proposals_one_must_be_named(place: Place) -> None:
    first = place.json("goal", "propose", "One", agent=True)["data"]["request"]
    second = place.json("goal", "propose", "Two", agent=True)["data"]["request"]
    said = place.act("goal", "confirm")
    assert said.code == 1
    assert first in said.err
    assert second in said.err
    assert place.json("goal", "confirm", second[4:12])["message"] == "confirmed: Two"
    refused = place.json("goal", "confirm", first)
    assert refused["code"] == "refused"
    assert "already exists" in refused["message"]


def test_a_question_is_not_confirmed_as_a_goal(place: Place) -> None:
    request = place.ask("Publish?")
    assert "no proposal is open" in place.act("goal", "confirm").err
    said = place.act("goal", "confirm", request)
    assert said.code == 1
    assert "proposes no goal" in said.err
    assert place.events("decision") == []


def test_another_objective_is_proposed_and_confirmed(goal: Place) -> None:
    goal.json("goal", "tweak", "Retry survives a restart too", agent=True)
    assert goal.json("goal", "status")["data"]["goal"]["objective"] == "Retry survives a timeout"
    goal.json("goal", "confirm")
    after = goal.json("goal", "status")["data"]
    assert after["goal"]["objective"] == "Retry survives a restart too"
    assert after["label"] == "active"


def test_an_objective_may_come_on_standard_input(place: Place) -> None:
    place.json("goal", "propose", "-", stdin="First line\nmore of it\n", agent=True)
    place.json("goal", "confirm")
    objective = place.json("goal", "status")["data"]["goal"]["objective"]
    assert objective == "First line\nmore of it"


def test_a_second_goal_is_refused_in_the_originals_words(goal: Place) -> None:
    said = goal.agent("goal", "propose", "Another")
    assert said.code == 1
    assert "A Goal already exists." in said.err


def test_a_block_needs_all_of_its_proof(goal: Place) -> None:
    assert goal.agent("goal", "block", *PROOF[:-2]).code == 2
    said = goal.agent("goal", "block", *PROOF[:-1], " ")
    assert said.code == 1
    assert "non-empty unblockCondition" in said.err
    assert label(goal) == "active"


def test_an_agent_ends_its_own_block_and_its_blocker_goes(goal: Place) -> None:
    goal.json("goal", "block", *PROOF, agent=True)
    assert label(goal) == "blocked"
    text = goal.act("goal", "status").out
    assert "Goal blocked" in text
    assert "Unblock condition: a token in CI" in text
    (raised,) = goal.json("blocker", "list")["data"]["blockers"]
    assert (raised["text"], raised["class"]) == ("No token", "D")
    goal.json("goal", "unblock", agent=True)
    assert label(goal) == "active"
    assert goal.json("blocker", "list")["data"]["blockers"] == []


def test_pause_holds_every_agent_and_the_goal_and_resume_lets_go(goal: Place) -> None:
    paused = goal.json("goal", "pause", "--reason", "lunch")
    assert (paused["action"], paused["code"]) == ("goal.pause", "done")
    assert paused["data"]["hold"]["reason"] == "lunch"
    control = json.loads((goal.root / ".ppgp" / "run" / "control.json").read_text())
    assert control["hold"]["who"] == ["*"]
    assert paused["revisions"]["control"] == control["generation"]
    assert label(goal) == "paused"
    assert "Agents: asked to wait since" in goal.act("goal", "status").out
    assert goal.json("goal", "pause")["code"] == "unchanged"
    assert goal.json("goal", "resume")["code"] == "done"
    assert label(goal) == "active"
    assert goal.json("goal", "status")["data"]["hold"] is None
    assert goal.json("goal", "resume")["code"] == "unchanged"


def test_an_agent_cannot_end_a_persons_pause(goal: Place) -> None:
    goal.json("goal", "pause")
    for words in (["goal", "unblock"], ["goal", "resume"]):
        said = goal.agent(*words)
        assert said.code == 1
        assert "only a person" in said.err
    assert label(goal) == "paused"
    assert goal.json("goal", "unblock")["code"] == "done"


def test_pause_and_resume_work_without_goal_and_log_and_say_so(bare: Place) -> None:
    said = bare.act("goal", "pause")
    assert said.code == 0
    assert "nothing was recorded" in said.err
    control = bare.root / ".ppgp" / "run" / "control.json"
    assert json.loads(control.read_text())["hold"] is not None
    assert bare.act("goal", "resume").code == 0
    assert json.loads(control.read_text())["hold"] is None
    assert not (bare.root / "state").exists()


def test_an_abandoned_goal_is_over(goal: Place) -> None:
    assert goal.json("goal", "abandon", "the library does this now", agent=True)["code"] == "done"
    assert label(goal) == "none"
    said = goal.agent("goal", "abandon", "again")
    assert (said.code, said.err) == (1, "ppgp-tui: No Goal is active on this branch.\n")


def test_a_claim_is_bound_and_stays_a_claim(goal: Place) -> None:
    git(goal.root, "init", "-q")
    git(goal.root, "add", ".")
    git(goal.root, "commit", "-qm", "work")
    claimed = goal.json("goal", "claim", "all conditions hold", agent=True)
    assert "until an audit, which a person starts, has verified it" in claimed["message"]
    assert claimed["data"]["audit"] == "waits"
    seen = goal.json("goal", "status")["data"]
    assert seen["label"] == "active"
    assert set(seen["claim"]["bound"]) == {
        "code", "commit", "contract", "evidence", "goal", "plan",
    }  # fmt: skip
    assert "Claimed, not verified: all conditions hold" in goal.act("goal", "status").out


def test_a_claim_of_a_goal_that_only_the_document_has_says_what_to_do(place: Place) -> None:
    (place.root / "ACTIVE_GOAL.md").write_text(DOCUMENT)
    git(place.root, "init", "-q")
    said = place.agent("goal", "claim", "all conditions hold")
    assert (said.code, said.out) == (1, "")
    none, what = said.err.splitlines()
    assert none == "ppgp-tui: No Goal is active on this branch."
    assert what.startswith("ACTIVE_GOAL.md is a document alone")
    assert "ppgp-tui goal propose" in what
    place.json("goal", "propose", "Retry survives a timeout", agent=True)
    said = place.agent("goal", "claim", "all conditions hold")
    assert said.err.splitlines()[1].endswith("a person confirms it with: ppgp-tui goal confirm")


def test_a_claim_where_there_is_no_goal_at_all_says_how_one_begins(place: Place) -> None:
    git(place.root, "init", "-q")
    said = place.json("goal", "claim", "all conditions hold", agent=True)
    none, what = said["message"].splitlines()
    assert none == "No Goal is active on this branch."
    assert what == "propose one with: ppgp-tui goal propose OBJECTIVE"


def test_a_claim_about_unknown_code_is_refused(goal: Place) -> None:
    said = goal.agent("goal", "claim", "all conditions hold")
    assert said.code == 1
    assert "cannot tell what the claim is about" in said.err


def test_the_phase_is_written_into_the_document_and_nothing_else(place: Place) -> None:
    document = place.root / "ACTIVE_GOAL.md"
    document.write_text(DOCUMENT)
    changed = place.json("goal", "phase", "execute", agent=True)
    assert changed["data"]["phase"] == "EXECUTE"
    assert document.read_text() == DOCUMENT.replace("FREEZE", "EXECUTE")
    assert place.json("goal", "phase", "EXECUTE")["code"] == "unchanged"


@pytest.mark.parametrize(("phase", "why"), [("SOON", "is no phase"), ("EXECUTE", "there is no")])
def test_a_phase_that_cannot_be_written_is_refused(place: Place, phase: str, why: str) -> None:
    said = place.act("goal", "phase", phase)
    assert said.code == 1
    assert why in said.err


def test_hostile_words_reach_the_terminal_harmless_and_the_log_whole(place: Place) -> None:
    words = "Do it\x1b]0;owned\x07\u202e now\nwarning: all is well"
    place.json("goal", "propose", words, agent=True)
    for said in (place.act("goal", "status"), place.act("requests"), place.act("goal", "confirm")):
        assert said.code == 0
        assert "Do it" in said.out
        assert not {"\x1b", "\x07", "\u202e"} & set(said.out + said.err)
        assert "\nwarning: all is well" not in said.out
    raw = place.act("goal", "status", "--json").out
    assert json.loads(raw)["data"]["goal"]["objective"] == words
    assert not {"\x1b", "\x07", "\u202e"} & set(raw)


def test_words_that_are_no_text_are_refused(place: Place) -> None:
    said = place.agent("goal", "propose", "half \ud800 a character")
    assert said.code == 1
    assert "cannot be recorded" in said.err or "surrogate" in said.err


def test_every_act_on_the_goal_leaves_a_legal_log(goal: Place) -> None:
    for words in (
        ["goal", "block", *PROOF], ["goal", "unblock"], ["goal", "tweak", "More"],
        ["goal", "confirm"], ["goal", "pause"], ["goal", "resume"], ["goal", "abandon", "done"],
    ):  # fmt: skip
        assert goal.act(*words).code == 0, words
    log = (goal.root / "state" / "events.jsonl").read_bytes()
    assert faults(log) == []
    assert len(events(log)) > 10


@pytest.mark.parametrize(
    "words",
    [["goal"], ["goal", "propose"], ["goal", "block"], ["goal", "abandon"], ["goal", "nothing"]],
)
def test_words_that_make_no_sense_exit_2(bare: Place, words: list[str]) -> None:
    assert bare.act(*words).code == 2
