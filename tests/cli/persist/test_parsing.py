"""The words after `persist`: usage messages of the parser, with the original's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.cli.persist.group import COMMANDS
from tests.cli.acting import Place
from tests.cli.persist.loops import Loops
from tests.cli.running import run

ORIGINAL = ("iterate", "status", "abandon", "doctor", "conformance")


def test_the_originals_commands_come_first_in_its_order() -> None:
    assert tuple(COMMANDS)[: len(ORIGINAL)] == ORIGINAL


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_says_how_it_is_called(loops: Loops, command: str) -> None:
    said = loops.call(command, "-h")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"usage: persist {command} [-h]")


def test_help_lists_the_commands_from_wherever_it_is_asked(bare: Place) -> None:
    straight, by_click = run("persist", "--help"), bare.act("persist", "--help")
    assert straight == by_click
    for name, line in COMMANDS.items():
        assert f"    {name} " in straight.out
        assert line.split()[0] in straight.out
    assert "persist" in bare.act("--help").out


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ((), "persist: error: the following arguments are required: cmd"),
        (("abandon",), "persist abandon: error: the following arguments are required: loop_id"),
        (("pause",), "persist pause: error: the following arguments are required: loop_id"),
        (("status", "x"), "persist: error: unrecognized arguments: x"),
        (
            ("status", "--loop-id"),
            "persist status: error: argument --loop-id: expected one argument",
        ),
    ],
)
def test_wrong_usage_is_two_and_says_what_is_wrong(
    loops: Loops, words: tuple[str, ...], last: str
) -> None:
    said = loops.call(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.splitlines()[-1] == last
    assert not loops.home.path.exists()


def test_the_two_programs_can_be_told_apart(tmp_path: Path) -> None:
    """We install no `persist`: it would stand in the way of the original."""
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8")
    assert "\npersist" not in project
