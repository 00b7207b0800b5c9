"""The goal's life in the log, told by the very acts that change it."""

from __future__ import annotations

import json

import pytest

from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.session.actions import control, goal
from ppgp_tui.session.model import Lifecycle
from ppgp_tui.session.picture.json_view import snapshot_json
from tests.session.fake_agent import FakeAgent
from tests.session.journals import git
from tests.session.place import Place

PROOF = BlockProof("no access", "403 from the host", "nobody else may", "the owner grants it")


@pytest.fixture
def claimable(place: Place) -> Place:
    """A claim is bound to what Git says of the code."""
    git(place.root, "init", "-q")
    git(place.root, "commit", "-q", "--allow-empty", "-m", "first")
    return place


def life(place: Place) -> Lifecycle:
    return place.picture().lifecycle.value


def test_without_a_goal_in_the_log_there_is_none(place: Place) -> None:
    now = life(place)
    assert (now.status, now.id, now.revision, now.claims) == ("none", None, None, ())


def test_a_goal_is_made_and_tweaked(place: Place) -> None:
    goal.create(place.person, "Make it resumable")
    made = life(place)
    assert (made.status, made.revision, made.objective) == ("active", 1, "Make it resumable")
    assert made.created_ms == made.since_ms == place.clock()
    place.clock.passes(60)
    goal.tweak(place.person, "Make it resumable and fast")
    now = life(place)
    assert (now.id, now.revision, now.objective) == (made.id, 2, "Make it resumable and fast")
    assert (now.created_ms, now.since_ms) == (made.created_ms, made.since_ms)
    assert now.state_revision == made.state_revision + 1


def test_a_pause_of_the_goal_says_why_and_since_when(place: Place) -> None:
    goal.create(place.person, "Make it resumable")
    place.clock.passes(60)
    control.hold(place.person, reason="lunch")
    now = life(place)
    assert (now.status, now.pause_reason, now.since_ms) == ("paused", "lunch", place.clock())
    place.clock.passes(60)
    control.release(place.person)
    now = life(place)
    assert (now.status, now.pause_reason, now.since_ms) == ("active", None, place.clock())


def test_a_block_shows_its_whole_proof_and_its_blocker(place: Place) -> None:
    goal.create(place.person, "Make it resumable")
    goal.block(place.agent, PROOF, klass="C")
    picture = place.picture()
    now = picture.lifecycle.value
    assert (now.status, now.pause_reason) == ("blocked", None)
    assert dict(now.block) == {
        "blocker": "no access",
        "evidence": "403 from the host",
        "why_no_autonomous_path_remains": "nobody else may",
        "unblock_condition": "the owner grants it",
    }
    (stop,) = picture.recorded_blockers.value
    assert (stop.klass, stop.text, stop.tasks) == ("C", "no access", (now.id,))
    assert place.lamp().blockers == 1
    goal.resume(place.agent)
    assert (life(place).status, dict(life(place).block)) == ("active", {})
    assert place.lamp().blockers == 0


def test_a_claim_is_kept_with_who_made_it_and_what_it_is_about(claimable: Place) -> None:
    place = claimable
    goal.create(place.person, "Make it resumable")
    place.clock.passes(60)
    result = goal.claim(place.agent, "All seven done")
    assert result.code == "done", result
    now = life(place)
    (claim,) = now.claims
    assert (claim.by, claim.summary, claim.at_ms) == (
        "claude-0f3a",
        "All seven done",
        place.clock(),
    )
    assert claim.bound["goal"] == now.id
    assert now.status == "active", "said done is not done"


def test_an_abandoned_goal_is_gone_with_its_claims(claimable: Place) -> None:
    place = claimable
    goal.create(place.person, "Make it resumable")
    goal.claim(place.agent, "done")
    goal.abandon(place.person, "out of scope")
    now = life(place)
    assert (now.status, now.id, now.claims) == ("none", None, ())


def test_somebody_elses_goal_has_no_life_here(place: Place) -> None:
    other = FakeAgent(place.root, place.clock)
    place.records(other, "goal.created", id="goal_x", title="t", summary="s", status="InProgress")
    assert life(place).status == "none"


def test_it_is_part_of_the_json(claimable: Place) -> None:
    place = claimable
    goal.create(place.person, "Make it resumable")
    goal.claim(place.agent, "done")
    said = json.loads(json.dumps(snapshot_json(place.picture())))
    assert (said["goal_state"]["status"], said["goal_state"]["revision"]) == ("active", 1)
    assert said["goal_state"]["claims"][0]["summary"] == "done"
    assert said["goal_state"]["origin"]["path"] == "state/events.jsonl"
