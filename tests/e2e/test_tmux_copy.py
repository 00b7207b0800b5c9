"""What is copied inside tmux is in tmux's buffer."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.test_tmux import FIRST, Tmux, tmux

__all__ = ["tmux"]
pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
COPIED = "Drop the old cursor column now?"


def start(tmux: Tmux, before: str = "") -> None:
    """The app with the state folder of the test; `before` goes in front of the command."""
    tmux.type(f"{before} {sys.executable} -m tests.e2e.program full /dev/null/nowhere")
    tmux.until(lambda: FIRST in tmux.text() and "For you" in tmux.text())


def buffer(tmux: Tmux) -> str:
    names = tmux._run("list-buffers", "-F", "#{buffer_name}").split()
    return tmux._run("show-buffer") if names else ""


def test_the_codes_alone_reach_the_buffer_where_tmux_lets_them(tmux: Tmux) -> None:
    tmux._run("set-option", "-g", "set-clipboard", "on")
    start(tmux, "env PATH=/nowhere")
    tmux.key("c")
    tmux.until(lambda: buffer(tmux) == COPIED)
    tmux.until(lambda: f"sent to the terminal's clipboard, {len(COPIED)}" in tmux.text())


def test_the_whole_of_a_request_does_too_with_its_lines(tmux: Tmux) -> None:
    tmux._run("set-option", "-g", "set-clipboard", "on")
    start(tmux, "env PATH=/nowhere")
    tmux.key("C")
    tmux.until(lambda: "\nb  Drop it next release (advised)\n" in buffer(tmux))
    assert buffer(tmux).startswith(f"{COPIED}\nC authority, scope T8")


def test_where_tmux_ignores_the_codes_its_own_program_is_given_the_text(tmux: Tmux) -> None:
    tmux._run("set-option", "-g", "set-clipboard", "external")
    start(tmux)
    tmux.key("c")
    tmux.until(lambda: f"in tmux's buffer, {len(COPIED)} characters" in tmux.text())
    assert buffer(tmux) == COPIED


def test_a_picture_of_the_screen_is_written_and_its_path_is_in_the_buffer(tmux: Tmux) -> None:
    start(tmux)
    tmux.key(",", "s")
    tmux.until(lambda: "the path is copied" in " ".join(tmux.text().split()))
    tmux.until(lambda: buffer(tmux).endswith(".svg"))
    shown = Path(buffer(tmux)).read_text("utf-8")
    assert "EXECUTE" in shown
    assert "the path is copied" not in shown
