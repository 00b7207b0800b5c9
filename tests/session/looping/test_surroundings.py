"""What a loop that is bound to the goal is told, and what it leaves in the log."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.surroundings import Iteration, Surroundings
from ppgp_tui.session.actions import closing, control, goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.looping.runs import outcome_of
from ppgp_tui.session.looping.surroundings import NoGoalError, surroundings
from tests.session.engine import checks
from tests.session.gits import Repository
from tests.session.place import Place

LOOP, OTHER = "0123456789ab", "ba9876543210"
SESSION = f"persist-{LOOP}"
DOCUMENT = """\
# Goal

## GOAL
Retry survives a timeout

## PHASE
EXECUTE

## DEFINITION_OF_DONE
- [ ] The counter is on disk

## NEXT_EXECUTABLE_ACTION
Write the test of the counter.
"""


class Bound:
    """A repository with a goal, and a loop that is bound to it."""

    def __init__(self, place: Place) -> None:
        self.place, self.root = place, place.root
        self.git = Repository(place.root)
        self.git.write("docs/ACTIVE_GOAL.md", DOCUMENT)
        self.git.commit()
        self.said: list[str] = []

    def wants(self) -> str:
        return str(goal.create(self.place.person, "Retry survives a timeout").data["goal"])

    def around(self, **more: Any) -> Surroundings:
        more = {"goal": True, "agent": "claude", "environ": {}, **more}
        return surroundings(self.root, warn=self.said.append, **more)

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = (self.root / "state/events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["kind"] == kind]

    def claims(self, actor: str = SESSION) -> None:
        claimed = goal.claim(Engine(self.root, Actor("agent", actor)), "done")
        assert claimed.ok, claimed

    def conforms(self) -> None:
        failures = checks.failures(self.root)
        failures.pop(6, None)  # there is no manifest, and nobody said there is
        assert failures == {}


@pytest.fixture
def bound(place: Place) -> Bound:
    return Bound(place)


def run(number: int = 1, attempt: int = 1, loop: str = LOOP) -> Iteration:
    return Iteration(loop, number, attempt, 50, 14_400.0)


GOOD = Ran(0, 1.25)


class TestInAnyWorkTree:
    def test_the_first_row_names_its_top_and_agents_get_their_root(self, bound: Bound) -> None:
        below = bound.root / "docs"
        around = surroundings(below, environ={})
        assert around.root == str(bound.root)
        assert around.goal is None
        told = around.environ(run())
        assert told == {"PPGP_ROOT": str(bound.root), "PPGP_AGENT": SESSION}

    def test_nothing_is_before_the_prompt_and_nothing_in_the_log(self, bound: Bound) -> None:
        bound.wants()
        around, before = bound.around(goal=False), bound.events("run.started")
        assert around.before(run()) == b""
        around.after(run(), GOOD)
        assert bound.events("run.started") == before == []

    def test_the_row_after_a_run_says_what_changed(self, bound: Bound) -> None:
        around = bound.around(goal=False)
        around.before(run())
        bound.git.write("a.py", "x = 1\n")
        bound.git.commit()
        told = around.after(run(), GOOD)["git"]
        assert (told["commits"], told["files"], told["insertions"]) == (1, 1, 1)
        around.before(run(2))
        assert around.after(run(2), GOOD)["git"]["commits"] == 0

    def test_a_folder_outside_git_has_no_surroundings(self, tmp_path: Path) -> None:
        around = surroundings(tmp_path, environ={})
        assert (around.root, around.goal) == (None, None)
        assert around.after(run(), GOOD) == {}
        assert around.held() is None

    def test_a_pause_of_the_repository_holds_it(self, bound: Bound) -> None:
        around = bound.around(goal=False)
        bound.place.holds()
        assert around.held() == "a person holds the agents here"


class TestWithoutAGoal:
    def test_it_is_refused_where_there_is_none(self, bound: Bound) -> None:
        (bound.root / "docs/ACTIVE_GOAL.md").unlink()
        before = sorted(bound.root.rglob("*"))
        with pytest.raises(NoGoalError, match=r"no goal here, neither docs/ACTIVE_GOAL\.md"):
            bound.around()
        assert sorted(bound.root.rglob("*")) == before

    def test_it_is_refused_outside_git(self, tmp_path: Path) -> None:
        with pytest.raises(NoGoalError, match="needs a Git work tree"):
            surroundings(tmp_path, goal=True, environ={})

    def test_a_document_alone_is_a_goal(self, bound: Bound) -> None:
        assert bound.around().goal == "docs/ACTIVE_GOAL.md"

    def test_one_in_the_log_is_named_by_its_id(self, bound: Bound) -> None:
        assert bound.wants() == bound.around().goal


class TestWhatARunIsTold:
    def test_the_boot_packet_and_which_run_it_is(self, bound: Bound) -> None:
        bound.wants()
        told = bound.around().before(run(3, attempt=2)).decode()
        assert told.startswith("# BOOT PACKET")
        assert "Write the test of the counter." in told
        assert f"Iteration 3 of at most 50, attempt 2 of loop {LOOP}." in told
        assert told.endswith("\n\n")

    def test_the_document_as_it_is_now(self, bound: Bound) -> None:
        around = bound.around()
        around.before(run())
        bound.git.write("docs/ACTIVE_GOAL.md", DOCUMENT.replace("EXECUTE", "HARDEN"))
        assert "HARDEN" in around.before(run(2)).decode()

    def test_nothing_in_it_that_no_argument_can_hold(self, bound: Bound) -> None:
        bound.git.write("docs/ACTIVE_GOAL.md", DOCUMENT.replace("counter", "cou\0nter"))
        assert b"\0" not in bound.around().before(run())

    def test_a_large_document_leaves_room_for_the_prompt(self, bound: Bound) -> None:
        bound.git.write("docs/ACTIVE_GOAL.md", DOCUMENT + "ä" * 200_000)
        assert len(bound.around().before(run())) < 40_000


class TestIterationsAsRuns:
    def test_each_is_a_run_of_the_loop(self, bound: Bound) -> None:
        bound.wants()
        around = bound.around()
        for number, ran in ((1, Ran(3, 0.5)), (2, GOOD)):
            around.before(run(number))
            around.after(run(number), ran)
        around.ended("SUCCESS", "done")
        first, second = bound.events("run.started")
        (created,) = bound.events("goal.created")
        assert first["actor"] == {"kind": "agent", "id": SESSION}
        assert first["causation_id"] == created["id"]
        assert first["payload"]["task"] == "iteration 1 of 50"
        assert first["payload"]["metadata"] == {
            "agent": "claude", "session": SESSION, "source": "persist", "loop": LOOP,
            "iteration": 1,
        }  # fmt: skip
        assert second["payload"]["metadata"]["iteration"] == 2
        ends = bound.events("run.finished")
        assert [end["causation_id"] for end in ends] == [first["id"], second["id"]]
        assert [end["payload"]["outcome"] for end in ends] == ["error", "completed"]
        assert ends[0]["payload"]["metadata"] == {"exit_code": 3, "duration_ms": 500}
        assert bound.said == []
        bound.conforms()

    def test_what_the_agent_records_belongs_to_the_run(self, bound: Bound) -> None:
        bound.wants()
        around = bound.around()
        around.before(run())
        bound.claims()
        (claim,) = bound.events("goal.claimed")
        (started,) = bound.events("run.started")
        assert claim["causation_id"] == started["id"]
        assert claim["correlation_id"] == started["payload"]["run_id"]
        bound.conforms()

    def test_runs_of_a_killed_runner_are_closed_by_the_next_one(self, bound: Bound) -> None:
        bound.wants()
        bound.around().before(run(7, loop=OTHER))
        bound.around().before(run())
        killed, _ = bound.events("run.started")
        (end,) = bound.events("run.finished")
        assert end["payload"] == {
            "run_id": killed["payload"]["run_id"], "outcome": "interrupted",
            "metadata": {"reason": "its runner is gone"},
        }  # fmt: skip
        assert end["actor"] == {"kind": "system", "id": "ppgp-tui"}
        bound.conforms()

    def test_runs_of_others_stay_open(self, bound: Bound) -> None:
        from ppgp_tui.session.engine import runs

        bound.wants()

        def starts(_: object, draft: Any) -> dict[str, Any]:
            runs.start(draft, f"run_{'a' * 32}", "session", {"agent": "claude"})
            return {}

        assert bound.place.agent.perform("run.start", starts).ok
        around = bound.around()
        around.before(run())
        around.after(run(), GOOD)
        assert [end["payload"]["run_id"] for end in bound.events("run.finished")] == [
            bound.events("run.started")[1]["payload"]["run_id"]
        ]

    def test_a_run_that_never_began_is_over_with_its_loop(self, bound: Bound) -> None:
        bound.wants()
        around = bound.around()
        around.before(run())
        around.ended("ABANDONED", "the prompt holds a NUL byte")
        (end,) = bound.events("run.finished")
        assert end["payload"]["outcome"] == "interrupted"
        bound.conforms()

    def test_a_refused_append_is_told_once_and_stops_nothing(self, bound: Bound) -> None:
        bound.wants()
        around = bound.around()
        log = bound.root / "state/events.jsonl"
        log.unlink()
        log.mkdir()
        for number in (1, 2, 3):
            assert b"BOOT PACKET" in around.before(run(number))
            assert "git" in around.after(run(number), GOOD)
        around.ended("SUCCESS", "done")
        reasons = [said.partition(": ")[2] for said in bound.said]
        assert reasons
        assert len(reasons) == len(set(reasons))

    def test_without_a_log_nothing_is_recorded_or_made(self, bound: Bound) -> None:
        (bound.root / "state/events.jsonl").unlink()
        around = bound.around()
        around.before(run())
        around.after(run(), GOOD)
        around.ended("BUDGET_EXHAUSTED", "max_iterations")
        assert not (bound.root / "state/events.jsonl").exists()
        (said,) = bound.said
        assert "run ppgp-tui init" in said


class TestTheOutcome:
    @pytest.mark.parametrize(
        ("ran", "outcome"),
        [
            (Ran(0, 1), "completed"),
            (Ran(1, 1), "error"),
            (Ran(137, 1, "SIGKILL"), "error"),
            (Ran(1, 1, None, ("You\u2019ve hit your weekly limit",)), "limited"),
            (Ran(0, 1, None, ("usage limit reached",)), "completed"),
            (Ran(143, 9, "SIGTERM", (), "iteration-timeout"), "truncated"),
            (Ran(143, 9, "SIGTERM", (), "wall-clock"), "truncated"),
            (Ran(130, 9, "SIGINT", (), "SIGINT"), "interrupted"),
            (Ran(143, 9, "SIGTERM", ("usage limit reached",), "closed"), "interrupted"),
        ],
    )
    def test_it_follows_from_how_the_process_ended(self, ran: Ran, outcome: str) -> None:
        assert outcome_of(ran) == outcome

    @given(st.integers(0, 255), st.sampled_from([None, "closed", "wall-clock", "SIGHUP"]))
    def test_no_run_that_failed_or_was_cut_is_called_completed(
        self, code: int, cut: str | None
    ) -> None:
        done = outcome_of(Ran(code, 1.0, cut=cut)) == "completed"
        assert done == (code == 0 and cut is None)


def test_who_acts_in_a_loop_is_an_agent_and_no_person(bound: Bound) -> None:
    from ppgp_tui.session.authority import identity

    told: Mapping[str, str] = {**os.environ, **bound.around().environ(run())}
    assert str(identity.acting(told)) == f"agent:{SESSION}"
    assert identity.refuse_reason(told, [], [], terminal=True, granting=False, scripted=True)


# The goal is not there any more


def test_while_the_goal_is_there_nobody_is_needed(bound: Bound) -> None:
    bound.wants()
    around = bound.around()
    assert around.needs() is None
    assert surroundings(bound.root, environ={}).needs() is None


@pytest.mark.parametrize("recorded", [True, False])
def test_a_goal_document_that_was_removed_is_for_a_person(bound: Bound, *, recorded: bool) -> None:
    if recorded:
        bound.wants()
    around = bound.around()
    document = bound.root / "docs/ACTIVE_GOAL.md"
    kept = document.read_text()
    document.unlink()
    need = around.needs()
    assert need is not None
    assert need.why == "its goal document docs/ACTIVE_GOAL.md is gone"
    assert not need.is_over
    document.write_text(kept)
    assert around.needs() is None


def test_a_document_that_never_was_is_not_missed(bound: Bound) -> None:
    (bound.root / "docs/ACTIVE_GOAL.md").unlink()
    bound.wants()
    assert bound.around().needs() is None


def test_a_goal_that_was_closed_or_replaced_is_over(bound: Bound) -> None:
    bound.wants()
    around = bound.around()
    closed = closing.close(bound.place.person, override="seen it run", keep_document=True)
    assert closed.ok, closed
    need = around.needs()
    assert need is not None
    assert (need.why, need.is_over) == ("its goal was closed", True)
    assert goal.create(bound.place.person, "Something else").ok
    need = around.needs()
    assert need is not None
    assert (need.why, need.is_over) == ("another goal stands in the place of its own", True)


def test_a_log_that_is_gone_says_nothing_of_the_goal(bound: Bound) -> None:
    bound.wants()
    around = bound.around()
    (bound.root / "state/events.jsonl").unlink()
    assert around.needs() is None


# What a pause of the loop brought along


def test_the_hold_of_a_loop_that_is_over_is_let_go_and_recorded_as_the_programs_act(
    bound: Bound,
) -> None:
    bound.wants()
    around = bound.around()
    held = control.hold(bound.place.person, reason="lunch")
    assert around.released("hold_of_somebody_else") == (
        f"the agents in {bound.root} are held by a later pause; p or `goal resume` ends that"
    )
    assert around.released(held.data["hold"]["id"]) == f"the agents in {bound.root}: resumed"
    assert around.released(held.data["hold"]["id"]) is None
    last = bound.events("human.interrupted")[-1]
    assert (last["payload"]["what"], last["actor"]["kind"]) == ("resume", "system")
    bound.conforms()


def test_an_agent_may_still_release_nothing(bound: Bound) -> None:
    bound.wants()
    assert control.hold(bound.place.person).ok
    assert control.release(Engine(bound.root, Actor("agent", SESSION))).code == "refused"
