"""Which words open a file at a line, for the editors people have."""

from pathlib import Path

import pytest

from ppgp_tui.ui.terminal.editor import Editor, editor

FILE = Path("/home/dev/a b/ACTIVE_GOAL.md")
PROGRAMS = (
    "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "hx", "kak", "micro", "code", "codium",
    "subl", "zed", "kate", "strange",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A folder in which all of them are."""
    for name in PROGRAMS:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    return str(tmp_path)


@pytest.mark.parametrize(
    ("said", "words", "in_terminal"),
    [
        ("vi", ("vi", "+41", "FILE"), True),
        ("vim", ("vim", "+41", "FILE"), True),
        ("nvim -p", ("nvim", "-p", "+41", "FILE"), True),
        ("nano", ("nano", "+41", "FILE"), True),
        ("emacs -nw", ("emacs", "-nw", "+41", "FILE"), True),
        ("emacsclient -t", ("emacsclient", "-t", "+41", "FILE"), True),
        ("hx", ("hx", "FILE:41"), True),
        ("kak", ("kak", "+41", "FILE"), True),
        ("micro", ("micro", "+41", "FILE"), True),
        ("code", ("code", "-g", "FILE:41"), False),
        ("code --wait", ("code", "-g", "FILE:41"), False),
        ("codium -w", ("codium", "-g", "FILE:41"), False),
        ("subl -w", ("subl", "FILE:41"), False),
        ("zed", ("zed", "FILE:41"), False),
        ("kate", ("kate", "--line", "41", "FILE"), False),
        ("strange", ("strange", "FILE"), True),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(
    path: str, said: str, words: tuple[str, ...], in_terminal: bool
) -> None:
    found = editor({"EDITOR": said, "PATH": path}, FILE, 41)
    assert found == Editor(tuple(word.replace("FILE", str(FILE)) for word in words), in_terminal)


def test_without_a_line_only_the_file_is_named(path: str) -> None:
    found = editor({"EDITOR": "vi", "PATH": path}, FILE, None)
    assert found == Editor(("vi", str(FILE)))


def test_visual_comes_before_editor(path: str) -> None:
    found = editor({"VISUAL": "nano", "EDITOR": "vi", "PATH": path}, FILE, 1)
    assert isinstance(found, Editor)
    assert found.name == "nano"


def test_a_path_to_the_program_is_known_by_its_name(path: str) -> None:
    found = editor({"EDITOR": f"'{path}/code'", "PATH": ""}, FILE, 3)
    assert found == Editor((f"{path}/code", "-g", f"{FILE}:3"), False)


def test_nothing_in_it_is_a_shell_word(path: str) -> None:
    found = editor({"EDITOR": "vi '; touch owned' $HOME `id`", "PATH": path}, FILE, 1)
    assert isinstance(found, Editor)
    assert found.words == ("vi", "; touch owned", "$HOME", "`id`", "+1", str(FILE))


@pytest.mark.parametrize(
    ("environ", "why"),
    [
        ({}, "no editor is set"),
        ({"EDITOR": "  "}, "no editor is set"),
        ({"EDITOR": "''"}, "names , which is not there"),
        ({"EDITOR": "vi 'open"}, "$EDITOR has an open quote"),
        ({"VISUAL": "gone -w"}, "$VISUAL names gone, which is not there"),
    ],
)
def test_where_there_is_none_it_says_why(path: str, environ: dict[str, str], why: str) -> None:
    found = editor({"PATH": path, **environ}, FILE, 1)
    assert isinstance(found, str)
    assert why in found
