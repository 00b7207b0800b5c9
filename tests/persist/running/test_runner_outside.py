"""What reaches a loop from outside: a person's pause, somebody who closes it, the log's disk."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.live import Live
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.surroundings import Iteration, Surroundings
from tests.persist.running.scene import ID, LIMIT, Run, Scene

MORNING = Pause("user:anna", 0, "look at it first")
LIMITED = Run(1, 0.0, [LIMIT])


def pause(scene: Scene) -> None:
    side.write_pause(scene.home, ID, MORNING)


def live(scene: Scene) -> Live:
    found = side.read_live(scene.home, ID)
    assert found is not None
    return found


# Somebody closes it (F11)


def test_f11_a_loop_that_is_closed_stops_its_agent_within_a_second(scene: Scene) -> None:
    scene.clock.at(3, lambda: scene.close("operator changed their mind"))
    assert scene.run(Run(0, 60.0), condition_text="exit-code-0") == 1
    assert scene.clock.ms < 4_000
    assert scene.told()[-1] == ("ABANDONED", 1)
    assert scene.words.noted == [f"persist: loop {ID} ABANDONED: operator changed their mind"]


def test_f11_a_loop_that_is_closed_at_its_agent_s_end_writes_nothing_after_it(
    scene: Scene,
) -> None:
    assert scene.run(Run(0, 3, does=scene.close), condition_text="exit-code-0") == 1
    assert scene.told() == [("SPAWNED", 0), ("ITERATING", 1), ("ABANDONED", 1)]


def test_f11_the_surroundings_hear_that_somebody_closed_it(scene: Scene) -> None:
    heard: list[tuple[str, str]] = []
    scene.clock.at(3, lambda: scene.close("enough"))
    scene.run(Run(0), surroundings=Surroundings(ended=lambda *end: heard.append(end)))
    assert heard == [("ABANDONED", "enough")]


def test_f11_a_loop_that_is_closed_while_it_waits_ends_then(scene: Scene) -> None:
    scene.clock.at(20, scene.close)
    assert scene.run(LIMITED) == 1
    assert scene.clock.ms < 21_000
    assert [row["from_state"] for row in scene.rows()[-1:]] == ["PAUSED"]


def test_f11_a_loop_that_is_closed_while_it_rests_ends_then(scene: Scene) -> None:
    scene.clock.at(1, lambda: pause(scene))
    scene.clock.at(20, scene.close)
    assert scene.run(Run(1)) == 1
    assert scene.told()[-2:] == [("PAUSED", 1), ("ABANDONED", 1)]
    assert live(scene).phase == "ended"


def closes(scene: Scene) -> None:
    scene.close("enough")


def interrupts(_: Scene) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize(("end", "code"), [(closes, 1), (interrupts, 143)])
def test_a_long_check_from_outside_gives_up_when_the_loop_is_ended(
    scene: Scene, end: Callable[[Scene], None], code: int
) -> None:
    """Such as an audit, which takes minutes."""
    asked: list[bool] = []

    def audit(over: Callable[[], bool]) -> None:
        if not scene.agent.started:
            return
        asked.append(over())
        end(scene)
        scene.clock.sleep(1_000)
        asked.append(over())

    around = Surroundings(outside={"audited": audit})
    assert scene.run(Run(0), condition_text="audited", surroundings=around) == code
    assert asked == [False, True]
    assert scene.told()[-1] == ("ABANDONED", 1)


# Signals (F9)


MORE = ("SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")
OTHERS = [(signal.Signals[name], 128 + signal.Signals[name]) for name in MORE]
"""Each of them would end the runner at once, and leave the loop open."""


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), *OTHERS],
)
def test_f9_a_signal_closes_the_loop_and_stops_the_agent(
    scene: Scene, number: signal.Signals, code: int
) -> None:
    scene.clock.at(3, lambda: os.kill(os.getpid(), number))
    assert scene.run(Run(0, 60.0)) == code
    assert scene.clock.ms < 4_000
    assert scene.told()[-1] == ("ABANDONED", 1)
    assert scene.last() == {
        "reason": f"interrupted by {number.name}", "exit_code": 143, "signal": "SIGTERM",
        "duration_s": pytest.approx(3, abs=0.2), "cut": number.name,
    }  # fmt: skip


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them here")
def test_f9_a_signal_that_has_only_a_number_closes_the_loop_too(scene: Scene) -> None:
    number = signal.SIGRTMIN + 2
    scene.clock.at(3, lambda: os.kill(os.getpid(), number))
    assert scene.run(Run(0, 60.0)) == 128 + number
    assert scene.last()["reason"] == f"interrupted by SIG{number}"


def test_f9_a_signal_during_the_check_of_the_run_that_the_brake_ends_is_what_ends_it(
    scene: Scene,
) -> None:
    """Such as Ctrl-C during an audit: it gives up, and so says nothing."""

    def audit(_: Callable[[], bool]) -> None:
        if len(scene.agent.started) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    around = Surroundings(outside={"audited": audit})
    quick = Budget(9, 600, quick_failures=2)
    code = scene.run(Run(1, 0.1), condition_text="audited", surroundings=around, budget=quick)
    assert code == 130
    assert scene.last()["reason"] == "interrupted by SIGINT"


def test_f9_a_signal_before_the_first_run_starts_no_agent(scene: Scene) -> None:
    around = Surroundings(outside={"seen": lambda _: os.kill(os.getpid(), signal.SIGTERM)})
    assert scene.run(condition_text="seen", surroundings=around) == 143
    assert scene.agent.started == []
    assert scene.told() == [("SPAWNED", 0), ("ABANDONED", 0)]


def test_f9_who_interrupts_a_run_is_not_told_of_success(scene: Scene) -> None:
    scene.clock.at(3, lambda: os.kill(os.getpid(), signal.SIGINT))
    done = Run(0, 60.0, does=lambda: (scene.cwd / "DONE").touch())
    assert scene.run(done, condition_text="file-exists:DONE") == 130
    assert scene.told()[-1] == ("ABANDONED", 1)


@pytest.mark.parametrize("when", [20, 0.0])
def test_f9_a_signal_ends_a_wait(scene: Scene, when: float) -> None:
    scene.clock.at(when, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert scene.run(LIMITED) == 143
    assert scene.clock.ms <= 21_000
    assert scene.told()[-1] == ("ABANDONED", 1)


def test_a_signal_after_somebody_closed_it_ends_it_as_closed_and_not_as_interrupted(
    scene: Scene,
) -> None:
    def abandon() -> None:
        scene.close("enough")
        os.kill(os.getpid(), signal.SIGTERM)

    scene.clock.at(3, abandon)
    assert scene.run(Run(0, 60.0)) == 1
    assert scene.last() == {"reason": "enough"}
    assert scene.words.noted == [f"persist: loop {ID} ABANDONED: enough"]


def test_a_signal_that_was_ignored_stays_ignored_as_nohup_asks(scene: Scene) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        scene.clock.at(3, lambda: os.kill(os.getpid(), signal.SIGHUP))
        assert scene.run(Run(0), condition_text="exit-code-0") == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_afterwards_signals_mean_what_they_meant_before(scene: Scene) -> None:
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    scene.run(Run(0), condition_text="exit-code-0")
    after = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert after == before


# What a pause of it brought along


def test_a_loop_that_ends_by_itself_lets_go_of_the_hold_that_its_pause_made(scene: Scene) -> None:
    asked: list[str] = []

    def released(hold: str) -> str:
        asked.append(hold)
        return "the agents in /r: resumed"

    order = MORNING._replace(hold="hold_1")
    scene.clock.at(5, lambda: side.write_pause(scene.home, ID, order))
    around = Surroundings(released=released)
    assert scene.run(Run(0), condition_text="exit-code-0", surroundings=around) == 0
    assert asked == ["hold_1"]
    assert scene.words.noted == ["persist: the agents in /r: resumed"]


def test_a_loop_that_nobody_paused_lets_go_of_nothing(scene: Scene) -> None:
    asked: list[str] = []
    around = Surroundings(released=lambda hold: asked.append(hold))
    assert scene.run(Run(0), condition_text="exit-code-0", surroundings=around) == 0
    assert asked == []


# What the surroundings get


def test_the_surroundings_hear_of_each_run_and_of_the_end(scene: Scene) -> None:
    heard: list[object] = []

    def after(iteration: Iteration, ran: Ran) -> dict[str, Any]:
        heard.append((iteration.number, iteration.attempt, ran.exit_code))
        return {"git": {"files": iteration.number}}

    def before(iteration: Iteration) -> bytes:
        heard.append(iteration.left_s)
        return b"packet\n\n"

    around = Surroundings(
        before=before,
        environ=lambda _: {"PPGP_ROOT": "/r"},
        after=after,
        ended=lambda *end: heard.append(end),
        root="/r",
        goal="g-1",
    )
    code = scene.run(LIMITED, Run(0), condition_text="exit-code-0", surroundings=around)
    assert code == 0
    assert heard == [
        600.0, (1, 1, 1), 540.0, (1, 2, 0), ("SUCCESS", "success_condition matched"),
    ]  # fmt: skip
    assert scene.last()["git"] == {"files": 1}
    assert (scene.rows()[0]["extra"]["root"], scene.rows()[0]["extra"]["goal"]) == ("/r", "g-1")
    assert scene.agent.started[0].call.argv[-1] == "packet\n\ngo on\n"
    assert scene.agent.started[0].environ["PPGP_ROOT"] == "/r"


def test_an_outside_check_can_say_done(scene: Scene) -> None:
    verdicts = [None, None, "verified"]
    around = Surroundings(outside={"goal-verified": lambda _: verdicts.pop(0)})
    assert scene.run(Run(1), condition_text="goal-verified", surroundings=around) == 0
    assert scene.told()[-1] == ("SUCCESS", 2)
    assert scene.last()["why"] == "verified"


def test_while_what_came_of_a_run_is_looked_at_nobody_is_said_to_work(scene: Scene) -> None:
    """An audit of a claim takes minutes, and the agent has ended."""
    seen: list[tuple[str, int | None]] = []

    def look() -> None:
        seen.append((live(scene).phase, live(scene).agent_pid))

    def audit(_: Callable[[], bool]) -> str | None:
        if not scene.agent.started:
            return None
        look()
        return "verified"

    def after(*_: object) -> dict[str, str]:
        look()
        return {}

    around = Surroundings(outside={"audited": audit}, after=after)
    assert scene.run(Run(0, 5.0), condition_text="audited", surroundings=around) == 0
    assert seen == [("checking", None), ("checking", None)]


def test_a_fault_in_the_surroundings_leaves_no_loop_open(scene: Scene) -> None:
    def after(*_: object) -> dict[str, Any]:
        raise RuntimeError("the log of the session is gone")

    with pytest.raises(RuntimeError):
        scene.run(Run(0), surroundings=Surroundings(after=after))
    assert scene.told()[-1] == ("ABANDONED", 1)
    assert "the log of the session is gone" in scene.last()["reason"]


def test_the_last_word_follows_the_loop(scene: Scene) -> None:
    seen: list[tuple[str, int | None, str | None]] = []

    def look() -> None:
        now = live(scene)
        left = now.until_ms - scene.clock.now_ms() if now.until_ms else None
        seen.append((now.phase, left, now.output))

    looks: tuple[tuple[float, Callable[[], None]], ...] = ((1, look), (30, look))
    for moment, action in looks:
        scene.clock.at(moment, action)
    scene.run(Run(1, 5, [LIMIT]), Run(0), condition_text="exit-code-0",
              budget=Budget(2, 600, iteration_timeout_s=50))  # fmt: skip
    assert seen == [("running", 49_000, "0001.log"), ("rate_limited", 35_000, None)]
    assert (live(scene).phase, live(scene).iteration) == ("ended", 1)
