"""The faults of the original, as far as a scripted agent shows them (persist reference section 9).

F9, F11 and F20 stand in `test_runner_outside`, those that need a process in `test_runner_agents`.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.condition import ConditionError
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.disk.world import LARGEST_PROMPT
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.running import looking
from ppgp_tui.persist.surroundings import Surroundings
from tests.persist.running.scene import HOST, ID, OTHER, THIRD, Run, Scene

NASTY = "Don't $(touch x) `touch y` \"; touch z; > w {} {file} $1 \\ é\n\n"


# F1 to F4: how the prompt reaches the agent


def test_f1_the_prompt_is_one_argument_whatever_stands_in_it(scene: Scene) -> None:
    scene.prompt.write_text(NASTY)
    scene.run(Run(0), condition_text="exit-code-0", command="sh -c 'cat' {} --end")
    assert scene.agent.started[0].call.argv == ("sh", "-c", "cat", NASTY, "--end")


def test_f1_a_shell_gets_the_prompt_as_a_parameter_and_not_as_text(scene: Scene) -> None:
    scene.prompt.write_text(NASTY)
    scene.run(Run(0), condition_text="exit-code-0", command="cat '{}' > out", shell=True)
    argv = scene.agent.started[0].call.argv
    assert argv[:3] == ("/bin/sh", "-c", 'cat "$1" > out')
    assert argv[4] == NASTY


def test_f1_standard_input_and_a_file_are_ways_too(scene: Scene) -> None:
    scene.prompt.write_text(NASTY)
    scene.run(Run(0), condition_text="exit-code-0", command="sh agent {}", via="stdin")
    assert scene.agent.started[0].call == (("sh", "agent"), NASTY.encode())


def test_f1_the_file_is_a_private_copy_of_what_is_handed_over(scene: Scene) -> None:
    seen: list[tuple[bytes, int]] = []

    def look() -> None:
        path = Path(scene.agent.started[-1].call.argv[-1])
        seen.append((path.read_bytes(), path.stat().st_mode & 0o777))

    around = Surroundings(before=lambda _: b"packet\n")
    scene.run(Run(0, does=look), condition_text="exit-code-0", command="sh agent {file}",
              via="file", surroundings=around)  # fmt: skip
    assert seen == [(b"packet\ngo on\n", 0o600)]
    assert not Path(scene.agent.started[-1].call.argv[-1]).exists()


def test_f2_a_prompt_that_no_argument_can_hold_is_refused_before_anything(scene: Scene) -> None:
    scene.prompt.write_text("x" * 200_000)
    assert scene.run() == 1
    assert scene.rows() == []
    (told,) = scene.words.noted
    assert "200000 bytes" in told
    assert "--prompt-via stdin" in told
    scene.run(Run(0), condition_text="exit-code-0", via="stdin")
    assert scene.agent.started[0].call.stdin == b"x" * 200_000


@pytest.mark.parametrize("odd", ["prompt", "folder"])
def test_a_name_that_no_row_can_say_is_refused_before_anything(scene: Scene, odd: str) -> None:
    """It would be read back as another one: a second loop on that file would not be noticed."""
    prompt = scene.prompt
    if odd == "prompt":
        prompt = prompt.rename(os.fsdecode(os.fsencode(scene.cwd) + b"/P\xff.md"))
    else:
        scene.cwd = scene.cwd.parent / os.fsdecode(b"\xe4rger")
        scene.cwd.mkdir()
    assert scene.run(prompt=str(prompt)) == 1
    (told,) = scene.words.noted
    assert {"prompt": "P\\xff.md: its name", "folder": "\\xe4rger: its name"}[odd] in told
    assert "is not UTF-8" in told
    assert not scene.home.log.exists()
    link = prompt.with_name("plain.md")
    link.symlink_to(prompt)
    assert scene.run(prompt=str(link)) == 1, "rows have its links resolved"


def test_f3_without_a_place_the_prompt_is_the_last_argument(scene: Scene) -> None:
    scene.prompt.write_text("words > out.txt; touch second")
    scene.run(Run(0), condition_text="exit-code-0", command="sh agent")
    argv = scene.agent.started[0].call.argv
    assert argv == ("sh", "agent", "words > out.txt; touch second")


def test_f4_braces_inside_other_arguments_stay_and_with_compat_do_not(scene: Scene) -> None:
    command = """echo '{"a":{}}' "{}" """
    scene.run(Run(0), condition_text="exit-code-0", command=command)
    assert scene.agent.started[0].call.argv == ("echo", '{"a":{}}', "go on\n")
    scene.run(Run(0), condition_text="exit-code-0", command=command, loop_id=OTHER, compat=True)
    assert scene.agent.started[0].call.argv == ("echo", '{"a":go on\n}', "go on\n")


# F5: prompts that cannot be read or handed over


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda prompt: (prompt.unlink(), prompt.mkdir()), "is a folder"),
        (lambda prompt: prompt.write_bytes(b"a\0b"), "NUL byte"),
        (lambda prompt: (prompt.unlink(), os.mkfifo(prompt)), "no plain file"),
        (lambda prompt: prompt.write_bytes(b"x" * (LARGEST_PROMPT + 1)), "has more than"),
        (lambda prompt: prompt.write_bytes(b"x" * 140_000), "at most 131071"),
    ],
    ids=["folder", "nul", "pipe", "endless", "large"],
)
def test_f5_such_a_prompt_is_refused_at_the_start_and_closes_a_loop_later(
    scene: Scene, spoil: object, told: str
) -> None:
    assert callable(spoil)
    assert scene.run(Run(1, does=lambda: spoil(scene.prompt))) == 1
    assert scene.told() == [("SPAWNED", 0), ("ITERATING", 1), ("ABANDONED", 1)]
    assert told in scene.last()["reason"]
    assert scene.last()["exit_code"] == 1
    assert scene.run(Run(1), loop_id=OTHER) == 1
    assert scene.rows(OTHER) == []
    assert told in scene.words.noted[0]


def test_f5_a_prompt_that_the_agent_deletes_closes_the_loop(scene: Scene) -> None:
    code = scene.run(Run(1), Run(1, does=scene.prompt.unlink), condition_text="exit-code-0")
    assert code == 1
    assert scene.told()[-2:] == [("ITERATING", 2), ("ABANDONED", 2)]
    assert scene.last()["reason"] == f"prompt file not found: {scene.prompt}"
    assert len(scene.agent.started) == 2


def test_f5_a_prompt_in_latin_1_reaches_the_agent_byte_for_byte(scene: Scene) -> None:
    scene.prompt.write_bytes(b"caf\xe9\n")
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert os.fsencode(scene.agent.started[0].call.argv[-1]) == b"caf\xe9\n"


def test_i1_each_run_gets_the_prompt_as_it_is_then(scene: Scene) -> None:
    change = Run(1, does=lambda: scene.prompt.write_text("now this\n"))
    scene.run(change, Run(0), condition_text="exit-code-0")
    assert [one.call.argv[-1] for one in scene.agent.started] == ["go on\n", "now this\n"]


def test_a_folder_that_goes_away_closes_the_loop(scene: Scene) -> None:
    away = scene.cwd.with_name("away")
    prompt = scene.cwd.parent / "PROMPT.md"
    prompt.write_text("go on\n")
    assert scene.run(Run(1, does=lambda: scene.cwd.rename(away)), prompt=str(prompt)) == 1
    assert scene.last()["reason"] == f"the folder {scene.cwd} is gone"


# F6, F7: runs that hang, runs that fail at once


def test_f6_a_hung_agent_is_ended_by_its_own_limit_and_the_loop_goes_on(scene: Scene) -> None:
    budget = Budget(3, 600, iteration_timeout_s=20)
    assert scene.run(Run(0, 9_999), Run(0), condition_text="exit-code-0", budget=budget) == 0
    first = scene.rows()[2]["extra"]
    assert (first["cut"], first["signal"], first["exit_code"]) == (
        "iteration-timeout", "SIGTERM", 143,
    )  # fmt: skip
    assert first["duration_s"] == pytest.approx(20, abs=0.2)
    assert scene.words.noted == [f"persist: loop {ID}: run 1 was ended after its 20 s"]
    assert scene.told()[-1] == ("SUCCESS", 2)


def test_f6_no_run_goes_on_past_the_wall_clock(scene: Scene) -> None:
    budget = Budget(9, 30, iteration_timeout_s=20)
    assert scene.run(Run(0, 9_999), budget=budget) == 5
    assert scene.clock.ms == pytest.approx(30_000, abs=200)
    assert (scene.last()["reason"], scene.last()["cut"]) == ("wall-clock", "wall-clock")


@pytest.mark.parametrize("exit_code", [126, 127])
def test_f7_a_program_that_is_not_there_ends_the_loop_at_once(scene: Scene, exit_code: int) -> None:
    assert scene.run(Run(exit_code, 0.01)) == 1
    assert len(scene.agent.started) == 1
    assert f"(exit {exit_code})" in scene.last()["reason"]


def test_an_agent_that_cannot_be_started_just_now_is_tried_again(scene: Scene) -> None:
    assert scene.run(Run(75, 0.01), Run(0), condition_text="exit-code-0") == 0


def test_f5_a_copy_of_the_prompt_that_finds_no_room_is_tried_again(scene: Scene) -> None:
    folder = scene.home.loop(ID)

    def no_room() -> None:
        (folder / "prompt").unlink()
        (folder / "prompt").mkdir()

    runs = Run(1, does=no_room), Run(0)
    scene.clock.at(40, lambda: (folder / "prompt").rmdir())
    assert scene.run(*runs, condition_text="exit-code-0", via="file") == 0
    assert scene.agent.started[1].at_s >= 40


def test_f5_a_copy_of_the_prompt_that_finds_no_room_for_a_minute_ends_the_loop(
    scene: Scene,
) -> None:
    folder = scene.home.loop(ID)
    folder.mkdir(parents=True)
    (folder / "prompt").mkdir()
    assert scene.run(Run(0), via="file") == 1
    assert 60_000 <= scene.clock.ms <= 62_000
    assert scene.last()["reason"].startswith("the copy of the prompt cannot be written: ")
    assert str(folder) in scene.last()["reason"]


def test_f5_who_interrupts_a_loop_that_waits_for_room_waits_for_nothing(scene: Scene) -> None:
    folder = scene.home.loop(ID)
    folder.mkdir(parents=True)
    (folder / "prompt").mkdir()
    scene.clock.at(3, lambda: os.kill(os.getpid(), signal.SIGINT))
    assert scene.run(Run(0), via="file") == 130
    assert scene.last()["reason"] == "interrupted by SIGINT"


def test_a_prompt_whose_links_lead_in_a_circle_is_not_found(scene: Scene) -> None:
    scene.prompt.unlink()
    scene.prompt.symlink_to(scene.prompt)
    assert scene.run() == 3
    assert scene.rows() == []


def test_f7_a_program_that_is_not_there_is_refused_at_the_start(scene: Scene) -> None:
    assert scene.run(command="no-such-agent {}") == 1
    assert scene.rows() == []
    assert "no-such-agent was not found" in scene.words.noted[0]


def test_f7_a_file_that_is_no_program_is_refused_and_not_said_to_be_missing(scene: Scene) -> None:
    (scene.cwd / "notes").write_text("no program")
    assert scene.run(command="./notes {}") == 1
    assert "./notes cannot be run" in scene.words.noted[0]
    assert scene.run(command="'' {}") == 1
    assert "program '' was not found" in scene.words.noted[0]


def test_f7_failures_at_once_are_slowed_down_and_then_stopped(scene: Scene) -> None:
    assert scene.run(Run(3, 0.0), budget=Budget(50, 14_400)) == 1
    assert [one.at_s for one in scene.agent.started] == [0, 0, 0, 0, 1, 3, 7, 15]
    assert scene.last()["reason"] == "8 runs in a row failed within 2 s with exit code 3"


def test_f7_with_compat_they_use_the_budget_up(scene: Scene) -> None:
    budget = Budget(50, 600, quick_failures=None)
    assert scene.run(Run(127, 0.0), budget=budget, compat=True, command="no-such-agent") == 5
    assert len(scene.agent.started) == 50
    assert scene.clock.ms == 0


# F8, F10, F12, F14: what is told and kept


def test_f8_the_agent_is_told_its_loop_its_run_and_what_is_left(scene: Scene) -> None:
    scene.run(Run(1), Run(0), condition_text="exit-code-0")
    environ = scene.agent.started[1].environ
    assert environ["PPGP_LOOP"] == ID
    assert environ["PPGP_ITERATION"] == "2"
    assert environ["PPGP_BUDGET_LEFT"] == "3/590"
    assert environ["BROOMVA_PERSIST_HOME"] == str(scene.home.path)
    assert environ["A"] == "b"


def test_f10_the_first_row_says_who_runs_the_loop(scene: Scene) -> None:
    scene.run(Run(0), condition_text="exit-code-0")
    extra = scene.rows()[0]["extra"]
    assert extra["runner"] == {"pid": 4242, "started": 77, "host": HOST}
    assert list(extra)[:4] == [
        "max_iterations", "max_wall_clock_s", "success_condition", "agent_cmd",
    ]  # fmt: skip
    assert extra["cwd"] == str(scene.cwd)


def test_f14_a_dry_run_leaves_no_open_loop_and_with_compat_it_does(scene: Scene) -> None:
    scene.run(dry_run=True)
    assert scene.told() == [("ABANDONED", 0)]
    assert scene.last()["reason"] == "dry run"
    scene.run(dry_run=True, compat=True, loop_id=OTHER)
    assert [row["to_state"] for row in scene.rows(OTHER)] == ["SPAWNED"]


def test_a_dry_run_warns_of_what_a_run_would_be_refused_for(scene: Scene) -> None:
    (scene.cwd / "DONE").touch()
    code = scene.run(dry_run=True, command="no-such-agent", condition_text="file-exists:DONE")
    assert code == 0
    assert len(scene.words.noted) == 2


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
    easy = Run(1, does=lambda: status.write_text("aaa"))
    pattern = "regex:^(a+)+$:STATUS"
    assert scene.run(hard, easy, condition_text=pattern) == 0
    assert scene.told()[-1] == ("SUCCESS", 2)
    assert "was not found in STATUS within 0.05 s" in scene.words.noted[0]
    status.write_text("a" * 60 + "b")
    assert scene.run(easy, condition_text=pattern, loop_id=OTHER) == 1
    assert "write a simpler one" in scene.words.noted[0]
    assert signal.getsignal(signal.SIGALRM) is before


def test_who_interrupts_a_loop_that_looks_for_a_pattern_waits_for_no_answer(scene: Scene) -> None:
    def work() -> None:
        (scene.cwd / "STATUS").write_text("a" * 60 + "b")
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()

    began = time.monotonic()
    assert scene.run(Run(1, does=work), condition_text="regex:^(a+)+$:STATUS") == 130
    assert time.monotonic() - began < looking.LONGEST_S
    assert (scene.last()["reason"], scene.last()["exit_code"]) == ("interrupted by SIGINT", 1)


def test_f11_a_loop_that_is_closed_while_it_looks_for_a_pattern_ends_then(scene: Scene) -> None:
    def close() -> None:
        scene.close("enough")
        scene.clock.ms += 1_000

    def work() -> None:
        (scene.cwd / "STATUS").write_text("a" * 60 + "b")
        threading.Timer(0.3, close).start()

    began = time.monotonic()
    assert scene.run(Run(1, does=work), condition_text="regex:^(a+)+$:STATUS") == 1
    assert time.monotonic() - began < looking.LONGEST_S
    assert scene.last() == {"reason": "enough"}


def test_a_run_that_was_cut_is_no_success_though_its_agent_ended_with_0(scene: Scene) -> None:
    polite = Run(0, 100, when_told_to_end=0)
    budget = Budget(1, 600, iteration_timeout_s=5)
    assert scene.run(polite, condition_text="exit-code-0", budget=budget) == 5
    assert (scene.last()["exit_code"], scene.last()["cut"]) == (0, "iteration-timeout")


# F16: every row after a run says how it went


def test_f16_exit_code_signal_and_duration_stand_on_each_row_after_a_run(scene: Scene) -> None:
    scene.run(Run(3, 4.5), Run(0, 2.25), condition_text="exit-code-0")
    after = [row["extra"] for row in scene.rows() if "exit_code" in row["extra"]]
    assert [(one["exit_code"], one["signal"], one["duration_s"]) for one in after] == [
        (3, None, 4.5), (0, None, 2.25),
    ]  # fmt: skip
    assert len(scene.rows()) == 4


# F23: one loop on one prompt file


@pytest.mark.parametrize("lead", [Path.symlink_to, Path.hardlink_to])
def test_f23_a_second_loop_on_the_same_prompt_file_is_refused(
    scene: Scene, lead: Callable[[Path, Path], None]
) -> None:
    codes: list[int] = []

    def second() -> None:
        kept = scene.agent, scene.words
        other = scene.cwd / "again.md"
        lead(other, scene.prompt)
        scene.run(dry_run=True, loop_id=THIRD)
        assert "runs on this prompt file already" in scene.words.noted[0]
        codes.append(scene.run(Run(0), prompt="again.md", loop_id=OTHER))
        assert f"loop {ID} runs on this prompt file already (pid 4242)" in scene.words.noted[0]
        assert f"ppgp-tui persist abandon {ID}" in scene.words.noted[0]
        scene.agent, scene.words = kept

    assert scene.run(Run(0, does=second), condition_text="exit-code-0") == 0
    assert codes == [1]
    assert scene.rows(OTHER) == []
    assert [row["to_state"] for row in scene.rows(THIRD)] == ["ABANDONED"]


def test_f23_two_that_start_at_the_same_moment_look_one_after_the_other(scene: Scene) -> None:
    class Watched(LoopLog):
        """Looked at only by whoever may start."""

        def read(self) -> Reading:
            if not self.looked:
                self.looked = True
                path = scene.home.path / "loops" / "starting.lock"
                with path.open() as lock, pytest.raises(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return super().read()

        looked = False

    scene.log = watched = Watched(scene.home)
    assert scene.run(Run(0), condition_text="exit-code-0") == 0
    assert watched.looked


def test_f23_a_loop_whose_runner_is_gone_is_only_a_warning(scene: Scene) -> None:
    def orphan() -> None:
        scene.alive = set()
        kept = scene.agent
        assert scene.run(Run(0), condition_text="exit-code-0", loop_id=OTHER) == 0
        assert "its runner is gone" in scene.words.noted[0]
        scene.agent = kept

    scene.run(Run(0, does=orphan), condition_text="exit-code-0")
    assert scene.rows(OTHER)[-1]["to_state"] == "SUCCESS"


@pytest.mark.parametrize(("goal", "code"), [("g-1", 1), (None, 0)])
def test_a_second_loop_in_the_same_work_tree_is_refused_only_to_a_goal(
    scene: Scene, goal: str | None, code: int
) -> None:
    (scene.cwd / "other.md").write_text("go on")
    codes = []

    def second() -> None:
        kept = scene.agent
        codes.append(
            scene.run(Run(0), condition_text="exit-code-0", prompt="other.md", loop_id=OTHER,
                      surroundings=Surroundings(root="/r", goal=goal))
        )  # fmt: skip
        assert "runs in this work tree already" in scene.words.noted[0]
        scene.agent = kept

    scene.run(Run(0, does=second), condition_text="exit-code-0",
              surroundings=Surroundings(root="/r"))  # fmt: skip
    assert codes == [code]


def test_a_prompt_elsewhere_is_nobody_s_business(scene: Scene) -> None:
    (scene.cwd / "other.md").write_text("go on")

    def second() -> None:
        kept = scene.agent
        scene.run(Run(0), condition_text="exit-code-0", prompt="other.md", loop_id=OTHER)
        assert scene.words.noted == []
        scene.agent = kept

    scene.run(Run(0, does=second), condition_text="exit-code-0")
    assert scene.rows(OTHER)[-1]["to_state"] == "SUCCESS"
