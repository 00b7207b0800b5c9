"""Where order, promise, log and work tree say different things about a pause."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from ppgp_tui.session.actions import control as orders
from tests.session.fake_agent import FakeAgent
from tests.session.journals import git
from tests.session.place import CONTROL, Place

# Lost -------------------------------------------------------------------------------------------


def test_an_order_that_was_deleted_is_lost(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(2)
    agent.begins()
    (place.root / CONTROL).unlink()
    control = place.control()
    assert (control.lost, control.hold_id) == (True, None)
    assert place.shaken() == [("lost", 0)]
    assert place.lamp().run == "lost"


def test_an_order_that_other_hands_changed_is_lost(place: Place, agent: FakeAgent) -> None:
    place.holds()
    said = json.loads((place.root / CONTROL).read_text())
    (place.root / CONTROL).write_text(json.dumps({**said, "hold": None}))
    place.files_are_old()
    assert place.shaken() == [("lost", 0)]


def test_a_difference_within_one_act_is_no_loss(place: Place, agent: FakeAgent) -> None:
    place.holds()
    (place.root / CONTROL).unlink()
    written = place.clock() * 1_000_000 - 1
    os.utime(place.person.state / "pause.json", ns=(written, written))
    assert place.shaken() == []


def test_what_was_broken_before_the_loss_stays_said(place: Place, agent: FakeAgent) -> None:
    place.holds()
    agent.begins(lies=True)
    (place.root / CONTROL).unlink()
    assert place.shaken() == [("violated", 1)]


def test_an_order_written_again_holds_again(place: Place, agent: FakeAgent) -> None:
    place.holds()
    agent.begins()
    (place.root / CONTROL).unlink()
    assert orders.mend_hold(place.person)
    place.files_are_old()
    assert (place.control().lost, place.shaken()) == (False, [("held", 0)])


def test_a_call_held_before_the_loss_is_no_excuse_after_it(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(1)
    call = agent.begins()
    (place.root / CONTROL).unlink()
    assert orders.mend_hold(place.person)
    place.files_are_old()
    place.clock.passes(1)
    place.records(agent)
    assert place.shaken() == [("violated", 1)]
    agent.ends(call)
    assert place.shaken() == [("violated", 2)]


def test_a_release_killed_half_way_is_no_loss(place: Place, agent: FakeAgent) -> None:
    place.holds()
    kept = (place.person.state / "pause.json").read_bytes()
    place.releases()
    (place.person.state / "pause.json").write_bytes(kept)
    place.files_are_old()
    assert (place.control().lost, place.shaken()) == (False, [])


def test_a_loss_is_said_in_words_too(place: Place, agent: FakeAgent) -> None:
    place.holds()
    (place.root / CONTROL).unlink()
    assert "no longer orders the pause" in place.problems()["pause-lost"]


# Where log and order say different things -------------------------------------------------------


def test_an_order_that_outlived_its_recorded_release_is_said(
    place: Place, agent: FakeAgent
) -> None:
    place.holds()
    order = (place.root / CONTROL).read_bytes()
    place.clock.passes(60)
    place.releases()
    (place.root / CONTROL).write_bytes(order)
    place.files_are_old()
    os.utime(place.root / "state/events.jsonl", ns=(0, (place.clock() - 1000) * 1_000_000))
    assert "still orders it" in place.problems()["pause-differs"]
    assert place.lamp().run == "not_seen", "the order decides what agents do"


def test_a_recorded_pause_that_nobody_orders_is_said(place: Place, agent: FakeAgent) -> None:
    place.holds()
    (place.root / CONTROL).unlink()
    (place.person.state / "pause.json").unlink()
    os.utime(place.root / "state/events.jsonl", ns=(0, (place.clock() - 1000) * 1_000_000))
    assert "orders none" in place.problems()["pause-differs"]
    assert place.lamp().run == "working"


# What nobody claims -----------------------------------------------------------------------------


@pytest.fixture
def in_git(place: Place) -> Place:
    git(place.root, "init", "-q")
    (place.root / "code.py").write_text("x = 1\n")
    git(place.root, "add", "code.py")
    date = {"GIT_COMMITTER_DATE": f"@{place.clock() // 1000 - 60} +0000"}
    who = ("-c", "user.name=dev", "-c", "user.email=dev@example.org")
    command = ["git", *who, "commit", "-qm", "first"]
    subprocess.run(command, cwd=place.root, env={**os.environ, **date}, check=True)
    return place


def written(place: Place, name: str) -> int:
    (place.root / name).parent.mkdir(exist_ok=True)
    (place.root / name).write_text(f"x = {place.clock()}\n")
    os.utime(place.root / name, ns=(0, place.clock() * 1_000_000))
    return place.clock()


def test_a_file_changed_while_all_are_held_is_activity_by_unknown_and_no_violation(
    in_git: Place, agent: FakeAgent
) -> None:
    place = in_git
    written(place, "code.py")
    place.holds()
    place.clock.passes(5)
    agent.begins()
    assert place.control().unclaimed_ms is None
    place.clock.passes(5)
    moment = written(place, "code.py")
    control = place.control()
    assert (control.unclaimed_ms, [one.state for one in control.handshake]) == (moment, ["held"])


def test_what_the_session_itself_writes_is_known(in_git: Place, agent: FakeAgent) -> None:
    place = in_git
    place.holds()
    agent.begins()
    place.clock.passes(60)
    written(place, ".ppgp/todo.json")
    written(place, "state/more.jsonl")
    assert place.control().unclaimed_ms is None


def test_while_an_agent_may_still_work_its_changes_are_nobodys_riddle(
    in_git: Place, agent: FakeAgent
) -> None:
    place = in_git
    other = FakeAgent(place.root, place.clock, "codex-1")
    other.tells("working")
    place.holds()
    agent.begins()
    place.clock.passes(5)
    written(place, "code.py")
    assert place.control().unclaimed_ms is None
