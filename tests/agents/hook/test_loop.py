"""A session that a connected agent begins inside an iteration of a restart loop."""

from __future__ import annotations

import pytest

from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.surroundings import Iteration, Surroundings
from ppgp_tui.session.looping.surroundings import surroundings
from tests.agents.hook.scene import Scene
from tests.session.engine import checks
from tests.session.gits import Repository

LOOP = "0123456789ab"
FIRST = Iteration(LOOP, 1, 1, 50, 14_400.0)


@pytest.fixture
def around(scene: Scene) -> Surroundings:
    """The goal, and a loop that is bound to it."""
    scene.writes()
    scene.wants()
    Repository(scene.root).commit()
    return surroundings(scene.root, goal=True, agent="claude", environ={})


def in_loop(scene: Scene, around: Surroundings, number: int = 1) -> None:
    """From now on hooks run in the environment of an agent of the loop."""
    told = around.environ(FIRST._replace(number=number))
    scene.environ.update({**told, "PPGP_LOOP": LOOP, "PPGP_ITERATION": str(number)})


def test_its_run_names_the_iteration_and_comes_from_it(scene: Scene, around: Surroundings) -> None:
    around.before(FIRST)
    in_loop(scene, around)
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    scene.hook("claude", scene.payload("claude", "SessionEnd-exit"))
    around.after(FIRST, Ran(0, 1.0))
    iteration, session = scene.events("run.started")
    assert iteration["payload"]["metadata"]["source"] == "persist"
    about = session["payload"]["metadata"]
    assert (about["source"], about["loop"], about["iteration"]) == ("startup", LOOP, 1)
    assert session["causation_id"] == iteration["id"]
    outcomes = {end["causation_id"]: end["payload"]["outcome"] for end in
                scene.events("run.finished")}  # fmt: skip
    assert outcomes == {iteration["id"]: "completed", session["id"]: "completed"}
    failures = checks.failures(scene.root)
    failures.pop(6, None)
    assert failures == {}


def test_a_session_whose_process_was_ended_is_over_with_the_iteration(
    scene: Scene, around: Surroundings
) -> None:
    around.before(FIRST)
    in_loop(scene, around)
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    around.after(FIRST, Ran(143, 9.0, "SIGTERM", (), "iteration-timeout"))
    iteration, session = scene.events("run.started")
    outcomes = {end["causation_id"]: end["payload"]["outcome"] for end in
                scene.events("run.finished")}  # fmt: skip
    assert outcomes == {iteration["id"]: "truncated", session["id"]: "interrupted"}


def test_the_memory_of_such_a_session_is_told_as_of_any_other(
    scene: Scene, around: Surroundings
) -> None:
    from ppgp_tui.session.live.store import LiveSession

    around.before(FIRST)
    in_loop(scene, around)
    payload = scene.payload("claude", "SessionStart")
    scene.hook("claude", payload)
    session = LiveSession(scene.root)
    try:
        agents = session.read_all().agents.value
    finally:
        session.close()
    (found,) = (one for one in agents if one.session == f"claude-{payload['session_id']}")
    assert [memory.told for memory in found.memories] == [True]


@pytest.mark.parametrize(
    ("loop", "number"),
    [("", "1"), (LOOP, ""), ("../../x", "1"), (LOOP, "0"), (LOOP, "9" * 30), (LOOP, "-1")],
)
def test_an_environment_that_names_no_iteration_names_none(
    scene: Scene, around: Surroundings, loop: str, number: str
) -> None:
    around.before(FIRST)
    scene.environ.update({"PPGP_LOOP": loop, "PPGP_ITERATION": number})
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    session = scene.events("run.started")[-1]
    assert not {"loop", "iteration"} & set(session["payload"]["metadata"])
    assert session["causation_id"] == scene.events("goal.created")[0]["id"]


def test_a_pause_of_such_a_session_holds_its_loop_and_no_other(
    scene: Scene, around: Surroundings
) -> None:
    from ppgp_tui.session.actions import control

    other = surroundings(scene.root, environ={})
    other.before(FIRST._replace(loop_id="ba9876543210"))
    around.before(FIRST)
    in_loop(scene, around)
    payload = scene.payload("claude", "SessionStart")
    scene.hook("claude", payload)
    assert around.held() is None
    assert control.hold(scene.person, session=f"claude-{payload['session_id']}").ok
    assert around.held() == "a person holds the agents here"
    assert other.held() is None
