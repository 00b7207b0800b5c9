"""What the environment says the terminal can do."""

import pytest

from ppgp_tui.ui.terminal.ability import ability, makes_links, program, refusal

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
        ("xterm", True, False, "standard output is not a terminal: use `ppgp-tui --plain`"),
    ],
)
def test_where_the_app_cannot_be_shown_it_says_why_and_what_else_there_is(
    term: str, takes_input: bool, gives_output: bool, words: str
) -> None:
    said = refusal({"TERM": term}, takes_input, gives_output)
    assert words in said
    assert bool(said) == bool(words)


@pytest.mark.parametrize(
    ("name", "environ", "program_is", "links"),
    [
        ("tmux 3.3a", {"TMUX": "/t", "TERM": "tmux-256color", "TERM_PROGRAM": "tmux",
                       "TERM_PROGRAM_VERSION": "3.3a"}, "tmux", False),
        ("tmux 3.4", {"TMUX": "/t", "TERM": "tmux-256color", "TERM_PROGRAM": "tmux",
                      "TERM_PROGRAM_VERSION": "3.4"}, "tmux", True),
        ("tmux next", {"TMUX": "/t", "TERM_PROGRAM": "tmux",
                       "TERM_PROGRAM_VERSION": "3.10"}, "tmux", True),
        ("an old tmux in kitty", {"TMUX": "/t", "TERM": "screen-256color",
                                  "KITTY_WINDOW_ID": "1"}, "tmux", False),
        ("screen", {"STY": "1.x", "TERM": "screen.xterm-256color"}, "screen", False),
        ("screen in kitty", {"STY": "1.x", "TERM": "screen", "KITTY_WINDOW_ID": "1"},
         "screen", False),
        ("VS Code", {"TERM": "xterm-256color", "TERM_PROGRAM": "vscode"}, "other", True),
        ("Windows Terminal", {"TERM": "xterm-256color", "WT_SESSION": "x"}, "windows", True),
        ("the Linux console", {"TERM": "linux"}, "linux", False),
        ("xterm", {"TERM": "xterm-256color"}, "other", False),
        ("GNOME Terminal", {"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "other", True),
        ("an old VTE", {"TERM": "xterm-256color", "VTE_VERSION": "4602"}, "other", False),
        ("a strange VTE", {"TERM": "xterm-256color", "VTE_VERSION": "new"}, "other", False),
        ("kitty", {"TERM": "xterm-kitty"}, "other", True),
        ("foot", {"TERM": "foot"}, "other", True),
        ("Konsole", {"TERM": "xterm-256color", "KONSOLE_VERSION": "230800"}, "other", True),
        ("iTerm", {"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "other", True),
    ],
)  # fmt: skip
def test_links_are_sent_only_where_they_are_known_to_work(
    name: str, environ: dict[str, str], program_is: str, links: bool
) -> None:
    assert (program(environ), makes_links(environ)) == (program_is, links), name


def test_a_terminal_that_is_told_what_to_draw_is_not_asked() -> None:
    assert ability(UTF8, "utf-8").probe
    assert not ability({**UTF8, "PPGP_ASCII": "0"}, "utf-8").probe
    assert not ability({**UTF8, "PPGP_ASCII": "1"}, "utf-8").probe
    assert not ability({**UTF8, "TERM": "linux"}, "utf-8").probe


def test_a_session_over_ssh_is_far() -> None:
    assert ability({**UTF8, "SSH_CONNECTION": "1.2.3.4 5 6.7.8.9 22"}, "utf-8").far
    assert not ability(UTF8, "utf-8").far


def test_in_screen_the_mouse_is_left_alone_so_that_esc_comes_at_once() -> None:
    assert not ability({**UTF8, "STY": "1.x", "TERM": "screen.xterm-256color"}, "utf-8").mouse
    assert ability({**UTF8, "TMUX": "/t", "TERM": "screen-256color"}, "utf-8").mouse
