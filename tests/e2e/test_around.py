"""What is copied and what is a link, by the terminal around the app: the bytes that it gets.

GNU screen is a real one. VS Code, Windows Terminal, tmux and ssh are their variables only: which
bytes those terminals understand is what their makers say.
"""

from __future__ import annotations

import base64
import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.terminal import Terminal

pytestmark = pytest.mark.terminal
FIRST = "Make the importer resumable"
COPIED = "Drop the old cursor column now?"
FILE = "/home/dev/importer/docs/ACTIVE_GOAL.md"
PROGRAM = ["-m", "tests.e2e.program", "full", "/dev/null/nowhere"]
FAR = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "SSH_TTY": "/dev/pts/9"}
SCREEN = {"STY": "1.pts-0.box", "TERM": "screen"}


def asked(text: str) -> str:
    """The codes that put `text` on a terminal's clipboard."""
    return f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"


def program(**env: str) -> Terminal:
    return Terminal(PROGRAM, env={"PATH": "/nowhere", **env})


@pytest.mark.parametrize(
    ("name", "environ", "sent"),
    [
        ("any terminal", {}, asked(COPIED)),
        ("VS Code", {"TERM_PROGRAM": "vscode"}, asked(COPIED)),
        ("Windows Terminal", {"WT_SESSION": "x", "WSL_DISTRO_NAME": "Ubuntu"}, asked(COPIED)),
        ("over ssh", FAR, asked(COPIED)),
        ("inside tmux", {"TMUX": "/t,1,0", "TERM": "tmux-256color"},
         asked(COPIED) + f"\x1bPtmux;\x1b{asked(COPIED)}\x1b\\"),
        ("inside tmux over ssh", {**FAR, "TMUX": "/t,1,0", "TERM": "screen-256color"},
         asked(COPIED) + f"\x1bPtmux;\x1b{asked(COPIED)}\x1b\\"),
        ("inside GNU screen", SCREEN, f"\x1bP{asked(COPIED)}\x1b\\"),
    ],
)  # fmt: skip
def test_what_is_copied_goes_to_the_terminal_as_it_takes_it(
    name: str, environ: dict[str, str], sent: str
) -> None:
    with program(**environ) as terminal:
        terminal.until(FIRST)
        terminal.send("c")
        terminal.until(f"sent to the terminal's clipboard, {len(COPIED)} characters")
        assert terminal.bytes.count(b"]52;c;") == sent.count("]52;c;"), name
        assert sent.encode() in terminal.bytes, name


@pytest.mark.parametrize(
    ("name", "environ", "address"),
    [
        ("VS Code", {"TERM_PROGRAM": "vscode"}, f"file://{FILE}"),
        ("VS Code, its shell far away", {**FAR, "TERM_PROGRAM": "vscode"}, f"file://{FILE}"),
        ("WSL in Windows Terminal", {"WT_SESSION": "x", "WSL_DISTRO_NAME": "Ubuntu"},
         f"file://wsl.localhost/Ubuntu{FILE}"),
        ("tmux 3.4", {"TMUX": "/t,1,0", "TERM": "tmux-256color", "TERM_PROGRAM": "tmux",
                      "TERM_PROGRAM_VERSION": "3.4"}, FILE),
        ("tmux 3.3a", {"TMUX": "/t,1,0", "TERM": "tmux-256color", "TERM_PROGRAM": "tmux",
                       "TERM_PROGRAM_VERSION": "3.3a"}, ""),
        ("GNU screen", SCREEN, ""),
        ("over ssh, nobody knows what", FAR, ""),
    ],
)  # fmt: skip
def test_a_file_is_a_link_that_the_terminal_can_open_or_none(
    name: str, environ: dict[str, str], address: str
) -> None:
    with program(**environ) as terminal:
        terminal.until(FIRST)
        terminal.settle()
        terminal.send("o")
        terminal.until("Where this comes from")
        if address:
            terminal.until_sent(f"{address}\x1b\\")
        else:
            terminal.settle()
            assert b"\x1b]8;" not in terminal.bytes, name


@pytest.mark.skipif(shutil.which("screen") is None, reason="GNU screen is not installed")
def test_a_real_gnu_screen_hands_on_what_is_copied_and_prints_none_of_it(tmp_path: Path) -> None:
    sockets = tmp_path / "sockets"
    sockets.mkdir(mode=0o700)
    words = ["screen", "-c", "/dev/null", "-U", sys.executable, *PROGRAM]
    start = ["-c", f"import os; os.execvp('screen', {words!r})"]
    with Terminal(start, env={"SCREENDIR": str(sockets), "HOME": str(tmp_path)}) as terminal:
        terminal.until(FIRST)
        terminal.send("C")
        terminal.until("sent to the terminal's clipboard")
        terminal.until_sent("\x1b]52;c;")
        begin = terminal.bytes.index(b"\x1b]52;c;") + len(b"\x1b]52;c;")
        terminal.until_so(lambda: b"\x07" in terminal.bytes[begin:], "the end of the codes")
        data = terminal.bytes[begin : terminal.bytes.index(b"\x07", begin)]
        text = base64.b64decode(data, validate=True).decode()
        assert text.startswith(f"{COPIED}\nC authority, scope T8")
        assert len(data) > 400
        assert data[-40:].decode() not in terminal.text()
        terminal.send("q")
