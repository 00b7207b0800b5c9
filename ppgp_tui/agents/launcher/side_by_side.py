"""Agent and app side by side in tmux: `ppgp-tui run --split`."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

APP_COLUMNS: Final = 50
AGENT_COLUMNS: Final = 60
"""With less room than for both, the app goes below."""
APP_ROWS: Final = 16
LIMIT_S: Final = 10.0

_USUAL: Final = (120, 36)


class NoTmuxError(Exception):
    """There is no tmux, or it did not do what it was asked; the message says which."""


class Screen(NamedTuple):
    """Room for both."""

    columns: int
    rows: int

    def app(self) -> list[str]:
        """How tmux is told to make room for the app beside the agent, or below it."""
        if self.columns >= AGENT_COLUMNS + 1 + APP_COLUMNS:
            return ["-h", "-l", str(max(APP_COLUMNS, self.columns * 45 // 100))]
        return ["-v", "-l", str(max(APP_ROWS, self.rows * 45 // 100))]


def tmux(environ: Mapping[str, str]) -> str:
    """The program. Raises `NoTmuxError`."""
    program = shutil.which("tmux", path=environ.get("PATH"))
    if program is None:
        raise NoTmuxError(
            "tmux is not installed, so there is nothing to split; "
            "start ppgp-tui in a second terminal instead"
        )
    return program


def open_app_beside(app: list[str], folder: Path, environ: Mapping[str, str]) -> None:
    """Inside tmux: open the app beside this pane, which stays the active one.

    Raises `NoTmuxError`.
    """
    program, pane = tmux(environ), environ.get("TMUX_PANE", "")
    here = ["-t", pane] if pane else []
    words = ["display-message", *here, "-p", "#{pane_width} #{pane_height}"]
    said = _ask(program, words, environ).split()
    whole = [int(word) for word in said if word.isdecimal()]
    screen = Screen(*whole) if len(whole) == 2 else Screen(*_USUAL)
    _ask(program, ["split-window", "-d", *here, *screen.app(), "-c", str(folder), *app], environ)


def open_both(
    agent: list[str], app: list[str], folder: Path, screen: Screen, environ: Mapping[str, str]
) -> NoReturn:
    """Outside tmux: a new session of two panes, and this terminal in it. Raises `NoTmuxError`.

    The pane of the agent has `agent`, our launcher, as its first process.
    """
    program = tmux(environ)
    name = f"ppgp-{secrets.token_hex(3)}"
    size = ["-x", str(screen.columns), "-y", str(screen.rows)]
    words = ["new-session", "-d", "-s", name, *size, "-c", str(folder), "-P", "-F", "#{pane_id}"]
    pane = _ask(program, [*words, *agent], environ).strip()
    try:
        below = [*screen.app(), "-c", str(folder)]
        _ask(program, ["split-window", "-d", "-t", pane, *below, *app], environ)
    except NoTmuxError:
        subprocess.run([program, "kill-session", "-t", f"={name}"], check=False, env=dict(environ))
        raise
    os.execve(program, [program, "attach-session", "-t", f"={name}"], dict(environ))


def _ask(program: str, words: list[str], environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            [program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            env=dict(environ),
        )
    except subprocess.TimeoutExpired:
        raise NoTmuxError(f"tmux did not answer within {LIMIT_S:g} s") from None
    except OSError as error:
        raise NoTmuxError(f"tmux cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise NoTmuxError(f"tmux refused: {said or done.returncode}")
    return done.stdout.decode("utf-8", "replace")
