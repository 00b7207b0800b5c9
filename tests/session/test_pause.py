"""A pause as the screen shows it, with agents that keep it, break it, or never hear of it.

Every look is made by a session that was opened just now: nothing may depend on what an app saw
before it was killed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session import places
from ppgp_tui.session.actions import control as orders
from ppgp_tui.session.actions import goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.glance import Glance, glance
from ppgp_tui.session.model import Control, SessionSnapshot
from ppgp_tui.session.store import LiveSession
from tests.session.fake_agent import Clock, FakeAgent

CONTROL = ".ppgp/run/control.json"


class Desk:
    """A repository with a log, its person, and what any app would show of it now."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.clock = Clock()
        self.person = Engine(root, Actor("user", "dev"), clock=self.clock)
        made = self.person.journal.create()
        assert isinstance(made, tuple)

    def holds(self) -> str:
        result = orders.hold(self.person)
        assert result.code == "done"
        self.files_are_old()
        return str(result.data["hold"]["id"])

    def releases(self) -> None:
        assert orders.release(self.person).code == "done"
        self.files_are_old()

    def files_are_old(self) -> None:
        """The acts of a test take no time, and its files are as old as its clock says."""
        then = (self.clock() - 1000) * 1_000_000
        for path in (self.root / CONTROL, self.person.state / "pause.json"):
            if path.exists():
                os.utime(path, ns=(then, then))

    def records(self, agent: FakeAgent, kind: str = "goal.checkpointed", **payload: object) -> None:
        """A connected agent does something that is recorded."""
        event = {
            "id": f"event_{os.urandom(16).hex()}", "schema_version": 1, "ts_ms": self.clock(),
            "actor": {"kind": "agent", "id": agent.key}, "kind": kind, "payload": payload,
            "causation_id": None, "correlation_id": None,
        }  # fmt: skip
        with (self.root / "state/events.jsonl").open("a") as log:
            log.write(json.dumps(event) + "\n")

    def picture(self) -> SessionSnapshot:
        session = LiveSession(self.root, clock=self.clock)
        try:
            return session.read_all()
        finally:
            session.close()

    def control(self) -> Control:
        return self.picture().control.value

    def shaken(self) -> list[tuple[str, int]]:
        """State and count of every session."""
        return [(one.state, one.count) for one in self.control().handshake]

    def lamp(self) -> Glance:
        return glance(self.picture())


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    places._folders.cache_clear()
    (tmp_path / "root").mkdir()
    yield Desk((tmp_path / "root").resolve())
    places._folders.cache_clear()


@pytest.fixture
def agent(desk: Desk) -> FakeAgent:
    """An agent in the middle of its turn, between two calls."""
    made = FakeAgent(desk.root, desk.clock)
    made.tells("working")
    desk.clock.passes(1)
    made.ends(made.begins())
    desk.clock.passes(1)
    return made


@pytest.fixture
def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


# Asked ------------------------------------------------------------------------------------------


def test_without_a_pause_there_is_no_handshake(desk: Desk, agent: FakeAgent) -> None:
    assert (desk.shaken(), desk.lamp().run) == ([], "working")


def test_a_pause_is_asked_until_the_agent_is_heard_of(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(3)
    assert desk.shaken() == [("requested", 0)]
    lamp = desk.lamp()
    assert (lamp.run, lamp.run_since_ms) == ("pause_asked", desk.clock() - 3000)


def test_an_agent_inside_a_call_will_hold_at_its_next_one(desk: Desk, agent: FakeAgent) -> None:
    agent.begins()
    desk.holds()
    desk.clock.passes(600)
    assert desk.shaken() == [("will_hold", 0)]
    assert desk.lamp().run == "pause_asked"


def test_an_agent_known_to_wait_for_its_model_will_hold(desk: Desk, agent: FakeAgent) -> None:
    agent.tells("working", "PreModelRequest")
    desk.holds()
    desk.clock.passes(90)
    assert desk.shaken() == [("will_hold", 0)]


def test_an_agent_at_rest_is_never_said_not_to_have_seen_it(desk: Desk, agent: FakeAgent) -> None:
    agent.tells("idle", "Stop")
    desk.clock.passes(1)
    desk.holds()
    desk.clock.passes(600)
    assert desk.shaken() == [("requested", 0)]
    assert desk.lamp().run == "pause_asked"


# Seen and held ----------------------------------------------------------------------------------


def test_the_end_of_a_call_that_went_on_before_proves_that_it_was_seen(
    desk: Desk, agent: FakeAgent
) -> None:
    call = agent.begins()
    desk.holds()
    desk.clock.passes(5)
    agent.ends(call)
    desk.clock.passes(60)
    (one,) = desk.control().handshake
    assert (one.state, one.since_ms, one.count) == ("seen", desk.clock() - 60_000, 0)
    assert desk.lamp().run == "seen"


def test_a_turn_that_ends_after_the_pause_has_seen_it(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(2)
    agent.tells("idle", "Stop")
    assert desk.shaken() == [("seen", 0)]


def test_an_honest_agent_is_held_from_its_next_call_on(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(2)
    agent.begins()
    desk.clock.passes(240)
    (one,) = desk.control().handshake
    assert (one.session, one.state, one.since_ms) == (agent.key, "held", desk.clock() - 240_000)
    lamp = desk.lamp()
    assert (lamp.run, lamp.run_count, lamp.run_since_ms) == ("held", 0, one.since_ms)


def test_after_the_release_work_goes_on(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    agent.begins()
    desk.clock.passes(60)
    desk.releases()
    agent.goes_on()
    agent.ends("toolu_2")
    assert (desk.shaken(), desk.lamp().run) == ([], "working")


def test_a_second_pause_knows_nothing_of_the_first(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(1)
    agent.begins(lies=True)
    desk.records(agent)
    assert desk.lamp().run == "violated"
    desk.clock.passes(1)
    desk.releases()
    desk.clock.passes(1)
    desk.holds()
    assert desk.shaken() == [("will_hold", 0)]


def test_a_call_whose_hook_was_killed_is_not_held(
    desk: Desk, agent: FakeAgent, dead_pid: int
) -> None:
    hold = desk.holds()
    agent.writes("pre", "held", "toolu_9")
    agent.waits(hold, dead_pid)
    assert desk.shaken() == [("seen", 0)]


def test_a_held_call_that_ran_all_the_same_broke_the_pause(
    desk: Desk, agent: FakeAgent, dead_pid: int
) -> None:
    hold = desk.holds()
    agent.writes("pre", "held", "toolu_9")
    agent.waits(hold, dead_pid)
    desk.clock.passes(5)
    agent.ends("toolu_9")
    assert desk.shaken() == [("violated", 1)]


def test_a_call_refused_at_the_limit_is_seen_and_breaks_nothing(
    desk: Desk, agent: FakeAgent
) -> None:
    desk.holds()
    call = agent.begins()
    desk.clock.passes(28_800)
    agent.goes_on()
    agent.writes("pre", "deny", call)
    assert desk.shaken() == [("seen", 0)]


def test_of_several_calls_the_one_that_waits_longest_counts(desk: Desk, agent: FakeAgent) -> None:
    hold = desk.holds()
    agent.waits(hold)
    first = desk.clock()
    desk.clock.passes(9)
    agent.waits(f"hold_{'0' * 32}")
    (one,) = desk.control().handshake
    assert (one.state, one.since_ms) == ("held", first)


# Broken -----------------------------------------------------------------------------------------


def test_a_lying_agent_that_works_on_is_violated(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(2)
    agent.begins()  # acknowledged: its hook waits …
    desk.clock.passes(2)
    broke_ms = desk.clock()
    agent.ends(agent.begins(lies=True))  # … and it works on
    desk.records(agent)
    desk.clock.passes(1)
    desk.records(agent)
    desk.records(agent)
    (one,) = desk.control().handshake
    assert (one.state, one.since_ms, one.count) == ("violated", broke_ms, 4)
    lamp = desk.lamp()
    assert (lamp.run, lamp.run_count) == ("violated", 4)
    assert desk.picture().agents.value[0].state == "violated"


def test_events_alone_break_a_pause_once_it_was_seen(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(1)
    agent.begins()
    desk.clock.passes(1)
    desk.records(agent)
    assert desk.shaken() == [("violated", 1)]


def test_what_hooks_record_about_a_session_is_not_work(desk: Desk, agent: FakeAgent) -> None:
    hold = desk.holds()
    agent.begins()
    desk.clock.passes(1)
    desk.records(agent, "agent.held", hold=hold, session=agent.key)
    desk.records(agent, "agent.limited")
    desk.records(agent, "run.finished", run_id="run_1")
    assert desk.shaken() == [("held", 0)]


def test_what_the_person_records_meanwhile_breaks_nothing(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    agent.begins()
    desk.clock.passes(1)
    assert goal.create(desk.person, "Another outcome").code == "done"
    assert desk.shaken() == [("held", 0)]


def test_results_of_a_call_that_began_before_never_count(desk: Desk, agent: FakeAgent) -> None:
    call = agent.begins()
    desk.holds()
    desk.clock.passes(1)
    agent.begins()  # a second call, side by side, is held
    desk.clock.passes(1)
    desk.records(agent)  # a result of the first
    desk.clock.passes(1)
    agent.ends(call)
    assert desk.shaken() == [("held", 0)]
    desk.clock.passes(1)
    desk.records(agent)  # of which call should this be?
    assert desk.shaken() == [("violated", 1)]


def test_calls_let_through_before_the_pause_do_not_count(desk: Desk, agent: FakeAgent) -> None:
    for _ in range(3):
        agent.ends(agent.begins())
    desk.holds()
    agent.writes("pre", "go", "toolu_late", generation=0)  # had looked just before
    assert desk.shaken() == [("will_hold", 0)]


def test_an_agent_that_broke_the_pause_and_left_is_still_said_to_have(
    desk: Desk, agent: FakeAgent
) -> None:
    desk.holds()
    agent.begins(lies=True)
    desk.clock.passes(1)
    agent.tells("ended", "SessionEnd")
    assert desk.shaken() == [("violated", 1)]
    assert desk.lamp().run == "violated"


def test_a_long_file_of_calls_is_read_from_the_pause_on(desk: Desk, agent: FakeAgent) -> None:
    old = f"{desk.clock()} pre 0 go toolu_x - Bash\n{desk.clock()} post 0 go toolu_x - Bash\n"
    agent.calls.write_text(old * 40_000)
    desk.holds()
    desk.clock.passes(1)
    for _ in range(3_000):
        agent.writes("post", "go", "toolu_old", generation=0)
    for _ in range(7):
        agent.ends(agent.begins(lies=True))
    assert desk.shaken() == [("violated", 7)]


# Not seen ---------------------------------------------------------------------------------------


def test_an_agent_that_never_answers_has_not_seen_it_after_30_s(
    desk: Desk, agent: FakeAgent
) -> None:
    desk.holds()
    desk.clock.passes(29)
    assert desk.shaken() == [("requested", 0)]
    desk.clock.passes(5)
    (one,) = desk.control().handshake
    assert (one.state, one.since_ms) == ("not_seen", desk.clock() - 34_000)
    assert desk.lamp().run == "not_seen"


def test_an_agent_without_hooks_that_works_on_has_not_seen_it(desk: Desk) -> None:
    nobody = FakeAgent(desk.root, desk.clock, "codex-9")
    desk.holds()
    desk.clock.passes(2)
    desk.records(nobody)
    desk.records(nobody)
    (one,) = desk.control().handshake
    assert (one.session, one.state, one.count) == ("codex-9", "not_seen", 2)


def test_without_any_agent_a_pause_is_asked_and_then_not_seen(desk: Desk) -> None:
    desk.holds()
    assert (desk.lamp().run, desk.lamp().agents) == ("pause_asked", 0)
    desk.clock.passes(31)
    lamp = desk.lamp()
    assert (lamp.run, lamp.run_since_ms, lamp.agents) == ("not_seen", desk.clock() - 31_000, 0)


def test_a_session_that_ended_before_is_not_asked(desk: Desk, agent: FakeAgent) -> None:
    agent.tells("ended", "SessionEnd")
    desk.clock.passes(1)
    desk.holds()
    assert [one.session for one in desk.control().handshake] == ["*"]


# Lost -------------------------------------------------------------------------------------------


def test_an_order_that_was_deleted_is_lost(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    desk.clock.passes(2)
    agent.begins()
    (desk.root / CONTROL).unlink()
    control = desk.control()
    assert (control.lost, control.hold_id) == (True, None)
    assert desk.shaken() == [("lost", 0)]
    assert desk.lamp().run == "lost"


def test_an_order_that_other_hands_changed_is_lost(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    said = json.loads((desk.root / CONTROL).read_text())
    (desk.root / CONTROL).write_text(json.dumps({**said, "hold": None}))
    desk.files_are_old()
    assert desk.shaken() == [("lost", 0)]


def test_a_difference_within_one_act_is_no_loss(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    (desk.root / CONTROL).unlink()
    written = desk.clock() * 1_000_000 - 1
    os.utime(desk.person.state / "pause.json", ns=(written, written))
    assert desk.shaken() == []


def test_what_was_broken_before_the_loss_stays_said(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    agent.begins(lies=True)
    (desk.root / CONTROL).unlink()
    assert desk.shaken() == [("violated", 1)]


def test_an_order_written_again_holds_again(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    agent.begins()
    (desk.root / CONTROL).unlink()
    assert orders.mend_hold(desk.person)
    desk.files_are_old()
    assert (desk.control().lost, desk.shaken()) == (False, [("held", 0)])


def test_a_release_killed_half_way_is_no_loss(desk: Desk, agent: FakeAgent) -> None:
    desk.holds()
    kept = (desk.person.state / "pause.json").read_bytes()
    desk.releases()
    (desk.person.state / "pause.json").write_bytes(kept)
    desk.files_are_old()
    assert (desk.control().lost, desk.shaken()) == (False, [])


# Several agents ---------------------------------------------------------------------------------


def test_the_worst_of_several_agents_is_the_lamp(desk: Desk, agent: FakeAgent) -> None:
    other = FakeAgent(desk.root, desk.clock, "codex-1")
    other.tells("working")
    desk.holds()
    desk.clock.passes(1)
    agent.begins()
    lamp = desk.lamp()
    assert (lamp.run, lamp.agents_in_run, lamp.agents) == ("pause_asked", 1, 2)
    other.begins(lies=True)
    lamp = desk.lamp()
    assert (lamp.run, lamp.run_count, lamp.agents_in_run, lamp.agents) == ("violated", 1, 1, 2)


def test_an_agent_at_rest_does_not_hide_that_the_others_are_held(
    desk: Desk, agent: FakeAgent
) -> None:
    FakeAgent(desk.root, desk.clock, "pi-1").tells("idle", "Stop")
    desk.clock.passes(1)
    desk.holds()
    agent.begins()
    lamp = desk.lamp()
    assert (lamp.run, lamp.agents_in_run, lamp.agents) == ("held", 1, 2)


def test_without_a_log_a_pause_is_a_handshake_too(desk: Desk, agent: FakeAgent) -> None:
    (desk.root / "state/events.jsonl").unlink()
    desk.holds()
    agent.begins()
    assert desk.shaken() == [("held", 0)]
    agent.begins(lies=True)
    assert desk.shaken() == [("violated", 1)]


# Live -------------------------------------------------------------------------------------------


def test_a_live_session_follows_the_handshake(desk: Desk, agent: FakeAgent) -> None:
    from tests.session.waiting import until

    session = LiveSession(desk.root, clock=desk.clock)
    session.open()
    session.follow(lambda _: None)
    try:

        def states() -> list[str]:
            return [one.state for one in session.snapshot.control.value.handshake]

        desk.holds()
        until(lambda: states() == ["requested"])
        desk.clock.passes(1)
        agent.begins()
        until(lambda: states() == ["held"])
        desk.clock.passes(1)
        agent.begins(lies=True)
        until(lambda: states() == ["violated"])
        assert session.snapshot.control.value.handshake == desk.control().handshake
        (desk.root / CONTROL).unlink()
        until(lambda: session.snapshot.control.value.lost)
        desk.releases()
        agent.goes_on()
        until(lambda: states() == [])
    finally:
        session.close()
