"""What only a person can decide: the loop rests for it, and burns no runs."""

from __future__ import annotations

from ppgp_tui.persist import reading
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.surroundings import Need, Surroundings
from tests.persist.running.scene import ID, Run, Scene

UNDECIDED = Need("eval_1", "the audit could not decide 1 criterion", "take it", may_be_done=True)
GONE = Need("docs/ACTIVE_GOAL.md", "its goal document is gone", "put it back")
TOLD = "needs a person: the audit could not decide 1 criterion"


class Ward:
    """A repository in which a person is needed, and what an audit says."""

    def __init__(self, scene: Scene, *needs: Need) -> None:
        self.scene, self.need = scene, needs[0]
        self.verdict: str | None = None
        self.seen: list[Live] = []
        self.orders: list[Pause | None] = []

    def around(self) -> Surroundings:
        return Surroundings(
            needs=lambda: self.need if self.scene.agent.started else None,
            outside={"goal-verified": lambda _: self.verdict},
        )

    def look(self) -> None:
        found = side.read_live(self.scene.home, ID)
        assert found is not None
        self.seen.append(found)
        self.orders.append(side.read_pause(self.scene.home, ID))

    def decides(self, verdict: str | None = None, need: Need | None = None) -> None:
        self.verdict, self.need = verdict, need  # type: ignore[assignment]

    def runs(self, *runs: Run, most: int = 4) -> int:
        return self.scene.run(
            *runs, condition_text="goal-verified", budget=Budget(most, 600),
            surroundings=self.around(),
        )  # fmt: skip


def test_it_rests_and_everybody_can_read_why(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(60, ward.look)
    scene.clock.at(5_000, lambda: ward.decides("verdict eval_2 approved"))
    assert ward.runs(Run(0)) == 0
    assert len(scene.agent.started) == 1
    (now,), (order,) = ward.seen, ward.orders
    assert (now.phase, now.why, now.counted_s) == ("paused", TOLD, 10.0)
    assert order is not None
    assert (order.by, order.need, order.reason) == ("loop", "eval_1", UNDECIDED.why)
    paused = scene.rows()[2]
    assert (paused["to_state"], paused["iteration"]) == ("PAUSED", 1)
    assert paused["extra"]["reason"] == TOLD
    assert paused["extra"]["need"] == "eval_1"
    (note,) = [line for line in scene.words.noted if TOLD in line]
    assert note.endswith(f"(take it); without it: ppgp-tui persist resume {ID}")


def test_a_decision_that_the_work_is_done_ends_the_loop_without_a_run(scene: Scene) -> None:
    """No way leads from PAUSED to SUCCESS: the loop goes on, and then it is done."""
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(5_000, lambda: ward.decides("verdict eval_2 approved"))
    assert ward.runs(Run(3)) == 0
    assert scene.told() == [
        ("SPAWNED", 0), ("ITERATING", 1), ("PAUSED", 1), ("ITERATING", 1), ("SUCCESS", 1),
    ]  # fmt: skip
    assert scene.rows()[3]["extra"]["elapsed_s"] == 10
    assert scene.last() == {
        "reason": "success_condition matched", "exit_code": 3, "why": "verdict eval_2 approved",
        "rested": True,
    }  # fmt: skip
    assert side.read_pause(scene.home, ID) is None


def test_the_run_before_the_rest_is_told_once(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(5_000, lambda: ward.decides("verdict eval_2 approved"))
    ward.runs(Run(3))
    loop = reading.read(scene.home.log.read_bytes()).loop(ID)
    assert loop is not None
    assert [(one.iteration, one.exit_code) for one in loop.outcomes] == [(1, 3)]


def test_a_decision_that_it_is_not_done_lets_the_next_run_begin(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(5_000, lambda: ward.decides(None))
    assert ward.runs(Run(0), most=2) == 5
    assert scene.agent.started[1].at_s >= 5_000
    assert scene.rows()[3]["extra"]["paused_s"] > 4_900


def test_a_person_who_resumes_it_is_not_asked_the_same_again(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(5_000, lambda: side.clear_pause(scene.home, ID))
    assert ward.runs(Run(0), most=3) == 5
    assert [state for state, _ in scene.told()].count("PAUSED") == 1
    assert len(scene.agent.started) == 3


def test_another_decision_is_asked_for_anew(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(1_000, lambda: side.clear_pause(scene.home, ID))
    again = UNDECIDED._replace(id="eval_2")
    second = Run(0, does=lambda: ward.decides(need=again))
    scene.clock.at(9_000, lambda: ward.decides("verdict eval_3 approved"))
    assert ward.runs(Run(0), second) == 0
    assert [state for state, _ in scene.told()].count("PAUSED") == 2
    assert len(scene.agent.started) == 2


def test_also_after_the_last_run_it_waits_for_what_may_be_done(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(9_000, lambda: ward.decides("verdict eval_2 approved"))
    assert ward.runs(Run(0), most=1) == 0


def test_after_the_last_run_a_resumed_loop_has_used_up_its_budget(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(9_000, lambda: side.clear_pause(scene.home, ID))
    assert ward.runs(Run(0), most=1) == 5
    assert scene.told()[-2:] == [("PAUSED", 1), ("BUDGET_EXHAUSTED", 1)]


def test_after_the_last_run_nobody_is_asked_for_what_only_a_further_run_would_need(
    scene: Scene,
) -> None:
    assert Ward(scene, GONE).runs(Run(0), most=1) == 5
    assert scene.clock.ms == 10_000


def test_a_goal_document_that_is_put_back_lets_the_loop_go_on(scene: Scene) -> None:
    ward = Ward(scene, GONE)
    scene.clock.at(5_000, lambda: ward.decides(None))
    assert ward.runs(Run(0), most=2) == 5
    assert scene.rows()[2]["extra"]["reason"] == "needs a person: its goal document is gone"
    assert scene.agent.started[1].at_s >= 5_000


def test_a_goal_that_is_over_ends_the_loop_with_the_reason(scene: Scene) -> None:
    ward = Ward(scene, Need("goal_1", "its goal was closed", is_over=True))
    assert ward.runs(Run(0)) == 1
    assert scene.told()[-1] == ("ABANDONED", 1)
    assert scene.last()["reason"] == "its goal was closed"


def test_a_person_s_own_pause_stands_first_and_no_order_of_the_loop_replaces_it(
    scene: Scene,
) -> None:
    mine = Pause("user:anna", 0, "look at it first", hold="hold_1")
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(5, lambda: side.write_pause(scene.home, ID, mine))
    scene.clock.at(100, ward.look)
    scene.clock.at(200, lambda: side.clear_pause(scene.home, ID))
    scene.clock.at(300, ward.look)
    scene.clock.at(400, lambda: ward.decides("verdict eval_2 approved"))
    assert ward.runs(Run(0)) == 0
    assert ward.orders[0] == mine
    assert ward.orders[1] is not None
    assert ward.orders[1].need == "eval_1"
    assert len(scene.agent.started) == 1


def test_what_came_true_while_a_person_held_it_ends_it_without_a_run(scene: Scene) -> None:
    scene.clock.at(5, lambda: side.write_pause(scene.home, ID, Pause("user:anna", 0)))
    scene.clock.at(100, lambda: (scene.cwd / "DONE").touch())
    scene.clock.at(200, lambda: side.clear_pause(scene.home, ID))
    assert scene.run(Run(1), condition_text="file-exists:DONE") == 0
    assert len(scene.agent.started) == 1


def test_somebody_who_closes_it_while_it_rests_ends_it(scene: Scene) -> None:
    ward = Ward(scene, UNDECIDED)
    scene.clock.at(100, scene.close)
    assert ward.runs(Run(0)) == 1
    assert scene.told()[-2:] == [("PAUSED", 1), ("ABANDONED", 1)]
