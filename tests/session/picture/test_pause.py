"""A pause as the screen shows it, with agents that keep it, break it, or never hear of it.

Every look is made by a session that was opened just now: nothing may depend on what an app saw
before it was killed.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from ppgp_tui.session.actions import goal
from tests.session.fake_agent import FakeAgent
from tests.session.place import CONTROL, Place
from tests.waiting import until


@pytest.fixture
def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


# Asked ------------------------------------------------------------------------------------------


def test_without_a_pause_there_is_no_handshake(place: Place, agent: FakeAgent) -> None:
    assert (place.shaken(), place.lamp().run) == ([], "working")


def test_a_pause_is_asked_until_the_agent_is_heard_of(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(3)
    assert place.shaken() == [("requested", 0)]
    lamp = place.lamp()
    assert (lamp.run, lamp.run_since_ms) == ("pause_asked", place.clock() - 3000)


def test_an_agent_inside_a_call_will_hold_at_its_next_one(place: Place, agent: FakeAgent) -> None:
    agent.begins()
    place.holds()
    place.clock.passes(600)
    assert place.shaken() == [("will_hold", 0)]
    assert place.lamp().run == "pause_asked"


def test_an_agent_known_to_wait_for_its_model_will_hold(place: Place, agent: FakeAgent) -> None:
    agent.tells("working", "PreModelRequest")
    place.holds()
    place.clock.passes(90)
    assert place.shaken() == [("will_hold", 0)]


def test_an_agent_at_rest_is_never_said_not_to_have_seen_it(place: Place, agent: FakeAgent) -> None:
    agent.tells("idle", "Stop")
    place.clock.passes(1)
    place.holds()
    place.clock.passes(600)
    assert place.shaken() == [("requested", 0)]
    assert place.lamp().run == "pause_asked"


# Seen and held ----------------------------------------------------------------------------------


def test_the_end_of_a_call_that_went_on_before_proves_that_it_was_seen(
    place: Place, agent: FakeAgent
) -> None:
    call = agent.begins()
    place.holds()
    place.clock.passes(5)
    agent.ends(call)
    place.clock.passes(60)
    (one,) = place.control().handshake
    assert (one.state, one.since_ms, one.count) == ("seen", place.clock() - 60_000, 0)
    assert place.lamp().run == "seen"


def test_a_turn_that_ends_after_the_pause_has_seen_it(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(2)
    agent.tells("idle", "Stop")
    assert place.shaken() == [("seen", 0)]


def test_an_honest_agent_is_held_from_its_next_call_on(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(2)
    agent.begins()
    place.clock.passes(240)
    (one,) = place.control().handshake
    assert (one.session, one.state, one.since_ms) == (agent.key, "held", place.clock() - 240_000)
    lamp = place.lamp()
    assert (lamp.run, lamp.run_count, lamp.run_since_ms) == ("held", 0, one.since_ms)


def test_after_the_release_work_goes_on(place: Place, agent: FakeAgent) -> None:
    place.holds()
    agent.begins()
    place.clock.passes(60)
    place.releases()
    agent.goes_on()
    agent.ends("toolu_2")
    assert (place.shaken(), place.lamp().run) == ([], "working")


def test_a_second_pause_knows_nothing_of_the_first(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(1)
    agent.begins(lies=True)
    place.records(agent)
    assert place.lamp().run == "violated"
    place.clock.passes(1)
    place.releases()
    place.clock.passes(1)
    place.holds()
    assert place.shaken() == [("will_hold", 0)]


def test_a_call_whose_hook_was_killed_is_not_held(
    place: Place, agent: FakeAgent, dead_pid: int
) -> None:
    hold = place.holds()
    agent.writes("pre", "held", "toolu_9")
    agent.waits(hold, dead_pid)
    assert place.shaken() == [("seen", 0)]


def test_a_held_call_that_ran_all_the_same_broke_the_pause(
    place: Place, agent: FakeAgent, dead_pid: int
) -> None:
    hold = place.holds()
    agent.writes("pre", "held", "toolu_9")
    agent.waits(hold, dead_pid)
    place.clock.passes(5)
    agent.ends("toolu_9")
    assert place.shaken() == [("violated", 1)]


def test_a_call_refused_at_the_limit_is_seen_and_breaks_nothing(
    place: Place, agent: FakeAgent
) -> None:
    place.holds()
    call = agent.begins()
    place.clock.passes(28_800)
    agent.goes_on()
    agent.writes("pre", "deny", call)
    assert place.shaken() == [("seen", 0)]


def test_of_several_calls_the_one_that_waits_longest_counts(place: Place, agent: FakeAgent) -> None:
    hold = place.holds()
    agent.waits(hold)
    first = place.clock()
    place.clock.passes(9)
    agent.waits(f"hold_{'0' * 32}")
    (one,) = place.control().handshake
    assert (one.state, one.since_ms) == ("held", first)


# Broken -----------------------------------------------------------------------------------------


def test_a_lying_agent_that_works_on_is_violated(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(2)
    agent.begins()  # acknowledged: its hook waits …
    place.clock.passes(2)
    broke_ms = place.clock()
    agent.ends(agent.begins(lies=True))  # … and it works on
    place.records(agent)
    place.clock.passes(1)
    place.records(agent)
    place.records(agent)
    (one,) = place.control().handshake
    assert (one.state, one.since_ms, one.count) == ("violated", broke_ms, 4)
    lamp = place.lamp()
    assert (lamp.run, lamp.run_count) == ("violated", 4)
    assert place.picture().agents.value[0].state == "violated"


def test_events_alone_break_a_pause_once_it_was_seen(place: Place, agent: FakeAgent) -> None:
    place.holds()
    place.clock.passes(1)
    agent.begins()
    place.clock.passes(1)
    place.records(agent)
    assert place.shaken() == [("violated", 1)]


def test_what_hooks_record_about_a_session_is_not_work(place: Place, agent: FakeAgent) -> None:
    hold = place.holds()
    agent.begins()
    place.clock.passes(1)
    place.records(agent, "agent.held", hold=hold, session=agent.key)
    place.records(agent, "agent.limited")
    place.records(agent, "run.finished", run_id="run_1")
    assert place.shaken() == [("held", 0)]


def test_what_the_person_records_meanwhile_breaks_nothing(place: Place, agent: FakeAgent) -> None:
    place.holds()
    agent.begins()
    place.clock.passes(1)
    assert goal.create(place.person, "Another outcome").code == "done"
    assert place.shaken() == [("held", 0)]


def test_results_of_a_call_that_began_before_never_count(place: Place, agent: FakeAgent) -> None:
    call = agent.begins()
    place.holds()
    place.clock.passes(1)
    agent.begins()  # a second call, side by side, is held
    place.clock.passes(1)
    place.records(agent)  # a result of the first
    place.clock.passes(1)
    agent.ends(call)
    assert place.shaken() == [("held", 0)]
    place.clock.passes(1)
    place.records(agent)  # of which call should this be?
    assert place.shaken() == [("violated", 1)]


def test_calls_let_through_before_the_pause_do_not_count(place: Place, agent: FakeAgent) -> None:
    for _ in range(3):
        agent.ends(agent.begins())
    place.holds()
    agent.writes("pre", "go", "toolu_late", generation=0)  # had looked just before
    assert place.shaken() == [("will_hold", 0)]


def test_an_agent_that_broke_the_pause_and_left_is_still_said_to_have(
    place: Place, agent: FakeAgent
) -> None:
    place.holds()
    agent.begins(lies=True)
    place.clock.passes(1)
    agent.tells("ended", "SessionEnd")
    assert place.shaken() == [("violated", 1)]
    assert place.lamp().run == "violated"


def test_a_long_file_of_calls_is_read_from_the_pause_on(place: Place, agent: FakeAgent) -> None:
    old = f"{place.clock()} pre 0 go toolu_x - Bash\n{place.clock()} post 0 go toolu_x - Bash\n"
    agent.calls.write_text(old * 40_000)
    place.holds()
    place.clock.passes(1)
    for _ in range(3_000):
        agent.writes("post", "go", "toolu_old", generation=0)
    for _ in range(7):
        agent.ends(agent.begins(lies=True))
    assert place.shaken() == [("violated", 7)]


# Not seen ---------------------------------------------------------------------------------------


def test_an_agent_that_never_answers_has_not_seen_it_after_30_s(
    place: Place, agent: FakeAgent
) -> None:
    place.holds()
    place.clock.passes(29)
    assert place.shaken() == [("requested", 0)]
    place.clock.passes(5)
    (one,) = place.control().handshake
    assert (one.state, one.since_ms) == ("not_seen", place.clock() - 34_000)
    assert place.lamp().run == "not_seen"


def test_an_agent_without_hooks_that_works_on_has_not_seen_it(place: Place) -> None:
    nobody = FakeAgent(place.root, place.clock, "codex-9")
    place.holds()
    place.clock.passes(2)
    place.records(nobody)
    place.records(nobody)
    (one,) = place.control().handshake
    assert (one.session, one.state, one.count) == ("codex-9", "not_seen", 2)


def test_without_any_agent_a_pause_is_asked_and_then_not_seen(place: Place) -> None:
    place.holds()
    assert (place.lamp().run, place.lamp().agents) == ("pause_asked", 0)
    place.clock.passes(31)
    lamp = place.lamp()
    assert (lamp.run, lamp.run_since_ms, lamp.agents) == ("not_seen", place.clock() - 31_000, 0)


def test_a_session_that_ended_before_is_not_asked(place: Place, agent: FakeAgent) -> None:
    agent.tells("ended", "SessionEnd")
    place.clock.passes(1)
    place.holds()
    assert [one.session for one in place.control().handshake] == ["*"]


# Several agents ---------------------------------------------------------------------------------


def test_the_worst_of_several_agents_is_the_lamp(place: Place, agent: FakeAgent) -> None:
    other = FakeAgent(place.root, place.clock, "codex-1")
    other.tells("working")
    place.holds()
    place.clock.passes(1)
    agent.begins()
    lamp = place.lamp()
    assert (lamp.run, lamp.agents_in_run, lamp.agents) == ("pause_asked", 1, 2)
    other.begins(lies=True)
    lamp = place.lamp()
    assert (lamp.run, lamp.run_count, lamp.agents_in_run, lamp.agents) == ("violated", 1, 1, 2)


def test_an_agent_at_rest_does_not_hide_that_the_others_are_held(
    place: Place, agent: FakeAgent
) -> None:
    FakeAgent(place.root, place.clock, "pi-1").tells("idle", "Stop")
    place.clock.passes(1)
    place.holds()
    agent.begins()
    lamp = place.lamp()
    assert (lamp.run, lamp.agents_in_run, lamp.agents) == ("held", 1, 2)


def test_without_a_log_a_pause_is_a_handshake_too(place: Place, agent: FakeAgent) -> None:
    (place.root / "state/events.jsonl").unlink()
    place.holds()
    agent.begins()
    assert place.shaken() == [("held", 0)]
    agent.begins(lies=True)
    assert place.shaken() == [("violated", 1)]


# Live -------------------------------------------------------------------------------------------


def test_a_live_session_follows_the_handshake(place: Place, agent: FakeAgent) -> None:
    session = place.session()
    session.open()
    session.follow(lambda _: None)
    try:

        def states() -> list[str]:
            return [one.state for one in session.snapshot.control.value.handshake]

        place.holds()
        until(lambda: states() == ["requested"])
        place.clock.passes(1)
        agent.begins()
        until(lambda: states() == ["held"])
        place.clock.passes(1)
        agent.begins(lies=True)
        until(lambda: states() == ["violated"])
        assert session.snapshot.control.value.handshake == place.control().handshake
        (place.root / CONTROL).unlink()
        until(lambda: session.snapshot.control.value.lost)
        place.releases()
        agent.goes_on()
        until(lambda: states() == [])
    finally:
        session.close()
