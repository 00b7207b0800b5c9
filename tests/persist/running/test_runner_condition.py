"""A loop's condition, before the first run and after each: fault F15."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.condition import ConditionError
from ppgp_tui.persist.running import looking
from tests.persist.running.scene import OTHER, Run, Scene
from tests.waiting import PATIENCE_S

# F15: conditions


def test_f15_what_is_left_over_from_before_is_no_success(scene: Scene) -> None:
    (scene.cwd / "DONE").touch()
    assert scene.run(Run(1), condition_text="file-exists:DONE") == 1
    assert scene.rows() == []
    assert "holds already (DONE exists)" in scene.words.noted[0]
    assert scene.run(Run(1), condition_text="file-exists:DONE", even_if_met=True) == 0
    assert "holds already" in scene.words.noted[0]
    again = scene.run(Run(1), condition_text="file-exists:DONE", compat=True, loop_id=OTHER)
    assert again == 0


@pytest.mark.parametrize(
    "condition",
    ["exit-code-zero", "file-exists:", "grep::STATUS", "grep:DONE", "regex:(:STATUS", "line:DONE:"],
)
def test_f15_a_condition_that_can_never_hold_or_always_does_is_refused(
    scene: Scene, condition: str
) -> None:
    with pytest.raises(ConditionError):
        scene.run(condition_text=condition)
    assert scene.rows() == []


def test_f15_a_whole_line_is_not_found_inside_another_one(scene: Scene) -> None:
    status = scene.cwd / "STATUS"
    status.write_text("NOT DONE\n")
    finish = Run(1, does=lambda: status.write_text("NOT DONE\nDONE\n"))
    assert scene.run(Run(1), finish, condition_text="line:DONE:STATUS") == 0
    assert scene.told()[-1] == ("SUCCESS", 2)


def test_f15_a_status_file_that_is_no_text_or_no_file_stops_nothing(scene: Scene) -> None:
    status = scene.cwd / "STATUS"
    runs = [
        Run(1, does=lambda: status.write_bytes(b"\xff\xfe\0")),
        Run(1, does=lambda: (status.unlink(), os.mkfifo(status))),
        Run(1, does=lambda: (status.unlink(), status.symlink_to("/dev/zero"))),
        Run(1, does=lambda: (status.unlink(), status.write_bytes(b"\xff DONE \xff"))),
    ]
    assert scene.run(*runs, condition_text="grep:DONE:STATUS") == 0
    assert scene.told()[-1] == ("SUCCESS", 4)


def test_f15_a_huge_file_is_looked_at_in_part(scene: Scene) -> None:
    status = scene.cwd / "STATUS"
    with status.open("wb") as file:
        file.truncate(10_000_000_000)
    assert scene.run(Run(1), condition_text="grep:DONE:STATUS", budget=Budget(1, 60)) == 5


def test_f15_a_pattern_that_would_be_looked_for_for_ever_holds_up_no_loop(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "LONGEST_S", 0.05)
    before, status = signal.getsignal(signal.SIGALRM), scene.cwd / "STATUS"
    hard = Run(1, does=lambda: status.write_text("a" * 60 + "b"))

    def work_and_leave_time() -> None:
        status.write_text("aaa")
        monkeypatch.setattr(looking, "LONGEST_S", PATIENCE_S)

    easy = Run(1, does=work_and_leave_time)
    pattern = "regex:^(a+)+$:STATUS"
    assert scene.run(hard, easy, condition_text=pattern) == 0
    assert scene.told()[-1] == ("SUCCESS", 2)
    assert "was not found in STATUS within 0.05 s" in scene.words.noted[0]
    status.write_text("a" * 60 + "b")
    monkeypatch.setattr(looking, "LONGEST_S", 0.05)
    assert scene.run(easy, condition_text=pattern, loop_id=OTHER) == 1
    assert "write a simpler one" in scene.words.noted[0]
    assert signal.getsignal(signal.SIGALRM) is before


@pytest.fixture
def forever(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pattern is given up."""
    monkeypatch.setattr(looking, "LONGEST_S", 600.0)


def test_who_interrupts_a_loop_that_looks_for_a_pattern_waits_for_no_answer(
    scene: Scene, forever: None
) -> None:
    def work() -> None:
        (scene.cwd / "STATUS").write_text("a" * 60 + "b")
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    assert scene.run(Run(1, does=work), condition_text="regex:^(a+)+$:STATUS") == 130
    assert (scene.last()["reason"], scene.last()["exit_code"]) == ("interrupted by SIGINT", 1)


def test_f11_a_loop_that_is_closed_while_it_looks_for_a_pattern_ends_then(
    scene: Scene, forever: None
) -> None:
    def close() -> None:
        scene.close("enough")
        scene.clock.ms += 1_000

    def work() -> None:
        (scene.cwd / "STATUS").write_text("a" * 60 + "b")
        threading.Timer(0.3, close).start()

    assert scene.run(Run(1, does=work), condition_text="regex:^(a+)+$:STATUS") == 1
    assert scene.last() == {"reason": "enough"}


def test_a_run_that_was_cut_is_no_success_though_its_agent_ended_with_0(scene: Scene) -> None:
    polite = Run(0, 100, when_told_to_end=0)
    budget = Budget(1, 600, iteration_timeout_s=5)
    assert scene.run(polite, condition_text="exit-code-0", budget=budget) == 5
    assert (scene.last()["exit_code"], scene.last()["cut"]) == (0, "iteration-timeout")
