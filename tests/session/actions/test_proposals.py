"""Proposals: an agent proposes, a person confirms or declines, and only then something happens."""

import pytest

from ppgp_tui.session.actions import answering, goal, proposals
from ppgp_tui.session.actions.answering import Said
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import GOAL, Repository, good, refused
from tests.session.engine.rules import broken


def proposed(here: Repository, objective: str = "Retry survives") -> str:
    return good(proposals.propose(here.engine(CLAUDE), objective)).data["request"]


def answered(here: Repository, request: str, option: str):
    return answering.answer(here.engine(), request, Said(option), key=here.key)


def objective(here: Repository) -> str | None:
    goal_now = here.json(GOAL)["goal"] if (here.root / GOAL).exists() else None
    return goal_now and goal_now["objective"]


def test_a_confirmed_proposal_is_a_goal_caused_by_the_decision(here: Repository) -> None:
    request = proposed(here)
    assert here.ledger().goal is None
    result = good(answered(here, request, "yes"))
    event, decision = here.newest("goal.created"), here.newest("decision.created")
    assert event["causation_id"] == decision["id"]
    assert event["actor"] == {"kind": "user", "id": "dev"}
    assert event["payload"]["metadata"] == {"ppgp": {"revision": 1, "request": request}}
    assert decision["payload"]["metadata"]["type"] == "confirm"
    assert result.data["goal"] == event["payload"]["id"]
    assert broken(here.events()) == []


def test_a_declined_proposal_is_nothing(here: Repository) -> None:
    good(answered(here, proposed(here), "no"))
    assert here.ledger().goal is None
    assert here.newest("decision.created")["payload"]["status"] == "Rejected"


def test_a_proposal_is_neither_confirmed_nor_declined_by_words(here: Repository) -> None:
    request = proposed(here)
    said = refused(answering.answer(here.engine(), request, Said(text="rather not"), key=here.key))
    assert said == "this is answered by one of yes, no; a note may go with it"
    assert here.ledger().goal is None


def test_a_confirmed_tweak_replaces_the_objective(here: Repository) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    request = good(proposals.propose_tweak(here.engine(CLAUDE), "Retry survives a crash")).data
    asked = here.newest("authority.requested")["payload"]["request"]
    assert asked["evidence"] == "The goal is now:\nRetry survives"
    good(answered(here, request["request"], "yes"))
    assert objective(here) == "Retry survives a crash"
    event = here.newest("goal.tweaked")
    assert event["causation_id"] == here.newest("decision.created")["id"]


def test_a_tweak_counts_only_for_the_goal_and_the_words_it_was_proposed_for(
    here: Repository,
) -> None:
    good(goal.create(here.engine(), "Retry survives"))
    first = good(proposals.propose_tweak(here.engine(CLAUDE), "One")).data["request"]
    second = good(proposals.propose_tweak(here.engine(CLAUDE), "Two")).data["request"]
    good(answered(here, first, "yes"))
    said = refused(answered(here, second, "yes"), "stale")
    assert "no longer the one this was proposed for" in said
    assert objective(here) == "One"
    good(answered(here, second, "no"))


def test_a_second_goal_is_neither_proposed_nor_confirmed(here: Repository) -> None:
    request = proposed(here)
    good(goal.create(here.engine(), "Mine"))
    assert refused(proposals.propose(here.engine(CLAUDE), "x")).startswith("A Goal already exists")
    assert refused(answered(here, request, "yes")).startswith("A Goal already exists")
    assert here.request_state(request) == "waiting"
    assert objective(here) == "Mine"


def test_a_tweak_without_a_goal_is_refused(here: Repository) -> None:
    said = refused(proposals.propose_tweak(here.engine(CLAUDE), "x"))
    assert said == "No Goal is active on this branch."


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  ", "Goal objective requires non-empty text."),
        ("x" * 4001, "the objective is longer than the 4000 characters of a question"),
        ("x" * 131_073, "Goal objective exceeds the 131072-character producer state bound."),
    ],
    ids=["blank", "long", "too long for Pi"],
)
def test_an_objective_out_of_bounds_is_not_proposed(here: Repository, text: str, said: str) -> None:
    assert said in refused(proposals.propose(here.engine(CLAUDE), text))


def test_what_was_confirmed_cannot_be_taken_back_and_what_was_declined_can(
    here: Repository,
) -> None:
    first = proposed(here)
    good(answered(here, first, "no"))
    good(answering.take_back(here.engine(), first))
    good(answered(here, first, "yes"))
    said = refused(answering.take_back(here.engine(), first))
    assert said == "what was confirmed is done already; tweak or abandon the goal instead"
