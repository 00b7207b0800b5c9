"""How the prompt reaches the agent, and what becomes of one that cannot: faults F1 to F5."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from ppgp_tui.persist.disk.world import LARGEST_PROMPT
from ppgp_tui.persist.surroundings import Surroundings
from tests.persist.running.scene import ID, OTHER, Run, Scene

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
