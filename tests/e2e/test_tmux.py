"""The app under a real shell in tmux: stopped and continued, killed and started again, resized."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.terminal import REPOSITORY
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
FIRST = "Make the importer resumable"


class Tmux:
    """One tmux server of its own with one pane, a shell in it."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "tmux"
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        shell = "bash --norc --noprofile"
        self._run("new-session", "-d", "-x", "80", "-y", "24", shell, env=environment)

    def _run(self, *words: str, env: dict[str, str] | None = None) -> str:
        command = ["tmux", "-f", "/dev/null", "-S", str(self.socket), *words]
        ran = subprocess.run(
            command, capture_output=True, text=True, env=env, check=True, cwd=REPOSITORY
        )
        return ran.stdout

    def text(self) -> str:
        return self._run("capture-pane", "-p")

    def type(self, words: str) -> None:
        self._run("send-keys", "-l", words)
        self.key("Enter")

    def key(self, *names: str) -> None:
        self._run("send-keys", *names)

    def resize(self, columns: int, lines: int) -> None:
        self._run("resize-window", "-x", str(columns), "-y", str(lines))

    def asked(self, format_: str) -> str:
        return self._run("display-message", "-p", format_).strip()

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, f"never came:\n{self.text()}"
            time.sleep(0.05)

    def clean(self) -> bool:
        """No alternate screen, no mouse reports."""
        flags = "#{alternate_on}#{mouse_any_flag}#{mouse_button_flag}#{mouse_sgr_flag}"
        return self.asked(flags) == "0000"

    def end(self) -> None:
        self._run("kill-server")


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path)
    try:
        server.until(lambda: server.text().strip() != "")
        yield server
    finally:
        server.end()


def start(tmux: Tmux) -> None:
    tmux.type(f"{sys.executable} -m tests.e2e.program full /dev/null/nowhere; echo ended $?")
    tmux.until(lambda: FIRST in tmux.text())


def test_ctrl_z_gives_the_shell_back_and_fg_brings_the_app_back(tmux: Tmux) -> None:
    start(tmux)
    assert not tmux.clean()
    tmux.key("2")
    tmux.until(lambda: "Plan r14" in tmux.text())
    tmux.key("C-z")
    tmux.until(lambda: "Stopped" in tmux.text())
    assert tmux.clean()
    tmux.type("echo still $((40+2))")
    tmux.until(lambda: "still 42" in tmux.text())
    tmux.type("stty -a")
    tmux.until(lambda: " echo " in tmux.text() and " icanon " in tmux.text())
    tmux.type("fg")
    tmux.until(lambda: "Plan r14" in tmux.text() and "? help" in tmux.text())
    tmux.key("1")
    tmux.until(lambda: "For you" in tmux.text())
    tmux.key("q")
    tmux.until(tmux.clean)
    tmux.type("echo ended $?")
    tmux.until(lambda: "ended 0" in tmux.text())


def test_after_kill_9_it_starts_again_and_then_leaves_the_terminal_clean(tmux: Tmux) -> None:
    start(tmux)
    pid = tmux.asked("#{pane_pid}")
    children = Path(f"/proc/{pid}/task/{pid}/children")
    if not children.exists():
        pytest.skip("the system does not tell a process's children")
    os.kill(int(children.read_text().split()[0]), 9)
    tmux.until(lambda: "ended 137" in tmux.text())
    start(tmux)
    tmux.key("q")
    tmux.until(lambda: "ended 0" in tmux.text())
    assert tmux.clean()


def fills(shown: list[str], columns: int, lines: int) -> bool:
    """The key line is the last line and ends one cell before the right edge."""
    if len(shown) != lines or FIRST not in shown[0]:
        return False
    return shown[-1].rstrip().endswith("live") and len(shown[-1].rstrip()) == columns - 1


def test_it_fits_every_size_tmux_gives_it(tmux: Tmux) -> None:
    start(tmux)
    for step in range(25):
        tmux.resize(30 + (step * 37) % 140, 6 + (step * 13) % 45)
    for columns, lines in ((48, 24), (160, 50), (80, 24)):
        tmux.resize(columns, lines)
        tmux.until(lambda: fills(tmux.text().splitlines(), columns, lines))  # noqa: B023
    tmux.key("q")
    tmux.until(lambda: "ended 0" in tmux.text())
