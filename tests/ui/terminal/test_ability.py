"""What the environment says the terminal can do."""

import pytest

from ppgp_tui.ui.terminal.ability import ability, refusal

UTF8 = {"LANG": "de_DE.UTF-8", "TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environ", "encoding", "signs", "words"),
    [
        (UTF8, "utf-8", False, False),
        ({"LC_ALL": "en_US.utf8"}, "utf-8", False, False),
        ({"LC_CTYPE": "UTF-8"}, "utf-8", False, False),
        ({**UTF8, "PPGP_ASCII": "1"}, "utf-8", True, False),
        ({**UTF8, "PPGP_ASCII": "0"}, "utf-8", False, False),
        ({**UTF8, "TERM": "linux"}, "utf-8", True, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, "utf-8", True, False),
        ({"LC_CTYPE": "C.UTF-8"}, "utf-8", True, False),
        ({"LANG": "C.UTF-8"}, "utf-8", False, False),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "utf-8", True, False),
        ({}, "utf-8", True, False),
        (UTF8, "iso8859-1", True, True),
        (UTF8, None, True, True),
        (UTF8, "no such thing", True, True),
    ],
)
def test_ascii_is_used_where_more_cannot_be_shown(
    environ: dict[str, str], encoding: str | None, signs: bool, words: bool
) -> None:
    able = ability(environ, encoding)
    assert (able.ascii_signs, able.ascii_words) == (signs, words)


def test_no_color_and_no_mouse_are_honoured() -> None:
    assert ability(UTF8, "utf-8").colour
    assert not ability({**UTF8, "NO_COLOR": "1"}, "utf-8").colour
    assert ability({**UTF8, "NO_COLOR": ""}, "utf-8").colour
    assert ability(UTF8, "utf-8").mouse
    assert not ability({**UTF8, "PPGP_NO_MOUSE": "1"}, "utf-8").mouse


@pytest.mark.parametrize(
    ("term", "takes_input", "gives_output", "words"),
    [
        ("xterm", True, True, ""),
        ("dumb", True, True, "TERM=dumb cannot show a full screen"),
        ("", True, True, "TERM is not set"),
        ("xterm", False, True, "standard input is not a terminal"),
        ("xterm", True, False, "standard output is not a terminal: use `ppgp-tui show`"),
    ],
)
def test_where_the_app_cannot_be_shown_it_says_why_and_what_else_there_is(
    term: str, takes_input: bool, gives_output: bool, words: str
) -> None:
    said = refusal({"TERM": term}, takes_input, gives_output)
    assert words in said
    assert bool(said) == bool(words)
