"""Calling a person who looks elsewhere, in a real terminal: bell flag, notification, title."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import OBJECTIVE, PROGRAM, Place, Server
from tests.e2e.terminal import Terminal
from tests.waiting import until

pytestmark = pytest.mark.terminal
QUESTION = "Publish version 0.2.0?"
TITLED = f"? 1 for you, {OBJECTIVE}"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def server(place: Place) -> Iterator[Server]:
    made = Server(place.root, place.environ, "attention")
    try:
        yield made
    finally:
        made.end()


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_tmux_flags_the_window_and_names_it_until_the_app_ends(
    place: Place, server: Server
) -> None:
    def says(what: str) -> str:
        return server.run("display-message", "-p", "-t", app.name, f"#{{{what}}}").strip()

    app = server.window()
    before = says("pane_title")
    app.start_app()
    until(lambda: says("pane_title") == OBJECTIVE)
    assert says("window_bell_flag") == "0"
    with place.asks(QUESTION):
        until(lambda: says("window_bell_flag") == "1")
        until(lambda: says("pane_title") == TITLED)
        app.key("q")
        app.sees("ended 0")
        until(lambda: says("pane_title") == before)


RUN = """
import sys
from pathlib import Path
from ppgp_tui.ui.app.launch import run
sys.exit(run(Path(sys.argv[1])))
"""


def in_terminal(place: Place, settings: str = "") -> Terminal:
    config = Path(place.environ["XDG_CONFIG_HOME"]) / "ppgp-tui/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(settings)
    return Terminal(["-c", RUN, str(place.root)], env=place.environ)


def test_a_terminal_gets_bell_notification_and_title_and_its_own_title_back(place: Place) -> None:
    assert PROGRAM.exists()
    with in_terminal(place) as terminal:
        terminal.until(OBJECTIVE)
        terminal.until("live")
        with place.asks(QUESTION):
            terminal.until(QUESTION)
            terminal.until_sent(f"\x1b]9;? {QUESTION}\x07")
            terminal.until_sent(f"\x1b]777;notify;{TITLED};? {QUESTION}\x07")
            terminal.until_so(lambda: terminal.screen.title == TITLED, TITLED)
            terminal.send("q")
            assert terminal.wait() == 0
        kept, back = terminal.bytes.find(b"\x1b[22;0t"), terminal.bytes.rfind(b"\x1b[23;0t")
        assert 0 < kept < back
        assert terminal.bytes.find(b"\x1b]0;", back) == -1


def test_in_focus_nobody_is_called(place: Place) -> None:
    with in_terminal(place) as terminal:
        terminal.until(OBJECTIVE)
        terminal.until("live")
        terminal.send("\x1b[I")
        terminal.settle()
        with place.asks(QUESTION):
            terminal.until(QUESTION)
            terminal.settle()
            assert b"\x1b]9;" not in terminal.bytes
            assert not bell(terminal)


def test_what_the_user_switched_off_is_not_sent(place: Place) -> None:
    out = place.root.parent / "asked"
    program = place.root.parent / "call"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(out)!r}, 'w').write(sys.argv[-1])"
    )
    program.chmod(0o755)
    quiet = f'[notify]\nbell = false\nosc = false\ncommand = ["{program}"]\n'
    with in_terminal(place, quiet) as terminal:
        terminal.until(OBJECTIVE)
        terminal.until("live")
        with place.asks(QUESTION):
            terminal.until(QUESTION)
            until(lambda: out.read_text() == f"? {QUESTION}")
            assert b"\x1b]9;" not in terminal.bytes
            assert b"\x1b]0;" not in terminal.bytes
            assert not bell(terminal)


def bell(terminal: Terminal) -> bool:
    """A bell was sent that does not end an escape code."""
    return b"\x07" in re.sub(rb"\x1b\][^\x07\x1b]*\x07", b"", terminal.bytes)
