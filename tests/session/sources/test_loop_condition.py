"""Whether a condition holds, as far as that can be seen beside the runner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.sources.loop_condition import LARGEST, ConditionLook


def look(text: str, cwd: Path | None) -> tuple[bool | None, str]:
    return ConditionLook().look(text, None if cwd is None else str(cwd))


@pytest.mark.parametrize("text", ["exit-code-0", "goal-verified"])
def test_what_only_the_runner_can_see_is_not_known(tmp_path: Path, text: str) -> None:
    holds, why = look(text, tmp_path)
    assert holds is None
    assert why


def test_a_pattern_is_looked_for_and_not_for_long(tmp_path: Path) -> None:
    assert look("regex:^DO.E$:STATUS", tmp_path) == (False, "there is no file STATUS")
    (tmp_path / "STATUS").write_text("a\nDONE\n")
    assert look("regex:^DO.E$:STATUS", tmp_path) == (True, "STATUS line 2")
    assert look("regex:^NO:STATUS", tmp_path) == (False, "")
    (tmp_path / "STATUS").write_text("a" * 50 + "!")
    assert look("regex:(a+)+$:STATUS", tmp_path) == (None, "looking for it takes more than 1 s")


def test_a_loop_without_a_condition_has_nothing_to_look_at(tmp_path: Path) -> None:
    assert look("", tmp_path) == (None, "")


def test_a_mistyped_condition_can_never_hold(tmp_path: Path) -> None:
    holds, why = look("exit-code-zero", tmp_path)
    assert holds is False
    assert why.startswith("can never hold")


def test_a_file_is_looked_through_again_when_it_changed(tmp_path: Path) -> None:
    looks, status = ConditionLook(), tmp_path / "STATUS"
    absent = looks.look("line:DONE:STATUS", str(tmp_path))
    assert absent == (False, "there is no file STATUS")
    status.write_text("NOT DONE\n")
    assert looks.look("line:DONE:STATUS", str(tmp_path)).holds is False
    status.write_text("now\nDONE\n")
    assert looks.look("line:DONE:STATUS", str(tmp_path)) == (True, "STATUS line 2")


def test_a_path_without_its_folder_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "DONE").touch()
    assert look("file-exists:DONE", None) == (None, "relative to a folder that was not recorded")
    assert look(f"file-exists:{tmp_path}/DONE", None)[0] is True


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "PIPE")
    assert look("grep:DONE:PIPE", tmp_path)[0] is False
    assert look("regex:DONE:PIPE", tmp_path)[0] is False


def test_a_large_file_is_looked_through_as_well(tmp_path: Path) -> None:
    with (tmp_path / "LARGE").open("wb") as file:
        file.truncate(LARGEST + 1)
        file.seek(LARGEST + 1)
        file.write(b"\nDONE\n")
    assert look("line:DONE:LARGE", tmp_path) == (True, "LARGE line 2")
    assert look("grep:NOT:LARGE", tmp_path) == (False, "")
