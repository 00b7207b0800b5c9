"""The command line's frame: what it offers, refuses, and does not load."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.cli import entry
from ppgp_tui.version import __version__
from tests.cli.running import imported_by, run

HEAVY = {"textual", "rich", "pydantic", "git", "watchfiles"}


def test_version_prints_one_line() -> None:
    assert run("--version") == (0, f"ppgp-tui {__version__}\n", "")


def test_help_names_every_command_and_every_option_of_the_app() -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for word in ("show", "status", "demo", "--root", "--theme", "--ascii", "--no-mouse"):
        assert word in out


@pytest.mark.parametrize("command", ["show", "demo", "status"])
def test_every_command_explains_itself(command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Usage: ppgp-tui {command}" in out


def test_ctrl_c_while_modules_are_loaded_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_run", interrupted)
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["show", "--help"]])
def test_asking_about_the_program_loads_nothing_heavy(words: list[str]) -> None:
    assert imported_by(*words).isdisjoint(HEAVY)


@pytest.mark.parametrize(
    "words",
    [
        ["--no-such-option"],
        ["show", "--no-such-option"],
        ["show", "a", "b"],
        ["demo", "--speed", "x"],
    ],
)
def test_words_that_make_no_sense_exit_2(words: list[str]) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "Error" in err


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf"])
def test_a_speed_at_which_nothing_would_move_exits_2(speed: str) -> None:
    code, _, err = run("demo", "--speed", speed)
    assert code == 2
    assert "above 0" in err


@pytest.mark.parametrize("words", [[], ["demo"]])
def test_without_a_terminal_the_app_says_what_to_use_instead(
    words: list[str], tmp_path: Path
) -> None:
    code, out, err = run(*words, cwd=tmp_path)
    assert (code, out) == (2, "")
    assert "not a terminal" in err
    assert "`ppgp-tui --plain`, `show` or `status`" in err


def test_a_path_that_does_not_exist_exits_1_and_names_it(tmp_path: Path) -> None:
    for words in (["show", tmp_path / "nowhere"], ["show", "--root", tmp_path / "nowhere"]):
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert str(tmp_path / "nowhere") in err


def test_the_app_on_a_path_that_is_no_repository(tmp_path: Path) -> None:
    code, out, err = run(tmp_path / "nowhere")
    assert (code, out) == (1, "")
    assert "nowhere does not exist" in err
    (tmp_path / "goal.md").write_text("")
    for words in ([tmp_path / "goal.md"], ["--ascii", tmp_path / "goal.md"]):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert "is a file" in err


def test_control_characters_in_a_path_do_not_reach_the_terminal() -> None:
    code, _, err = run("show", "/no\x1b]0;where\x07")
    assert code == 1
    assert "\x1b" not in err
