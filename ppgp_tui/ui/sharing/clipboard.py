"""Putting text on the clipboard, and saying truthfully what is known of it.

The terminal is asked (OSC 52), which works over ssh and gives no answer: that is `sent`. On a
machine of one's own a program of the desktop or tmux is given the text as well, which says whether
it took it: that is `copied`. Where neither can have it, it goes to a file.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import Final

from ppgp_tui.session.text import safe
from ppgp_tui.ui.terminal.ability import program
from ppgp_tui.ui.terminal.signals import handed_on

LARGEST: Final = 74_000
"""Bytes that terminals take in one OSC 52; more of them are cut or dropped without a word."""
SHORT: Final = 250
"""Characters of codes that GNU screen drops where it does not know them, and never prints."""
LIMIT_S: Final = 2.0
"""So long a program has to take the text."""

_HELPERS: Final = (
    ("WAYLAND_DISPLAY", ("wl-copy", "--type", "text/plain;charset=utf-8")),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-in")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("", ("clip.exe",)),
)
"""Programs that take text, and the variable without which they have nowhere to put it."""
_TMUX: Final = ("tmux", "load-buffer", "-w", "-")
"""tmux takes it into a buffer of its own and hands it on to the terminal around it."""


def clean(text: str) -> str:
    """What is copied of `text`: no control character but newlines and tabs."""
    return safe(text)


def osc52(text: str, environ: Mapping[str, str]) -> str:
    """The codes that ask the terminal to put `text` on the clipboard; empty where they cannot.

    Inside tmux they are given twice: to tmux, which obeys with `set-clipboard on`, and through it
    to the terminal around it. GNU screen only hands them on. Over ssh `TERM=screen` may also mean
    tmux, so there both get short ones; of long ones screen would print the rest.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > LARGEST or environ.get("TERM", "") in ("", "dumb", "linux"):
        return ""
    codes = f"\x1b]52;c;{base64.b64encode(data).decode()}\x07"
    around, through = program(environ), handed_on(codes, environ)
    known = around != "screen" or bool(environ.get("STY"))
    if around == "tmux" or (not known and len(codes) <= SHORT):
        return codes + through
    return through


def helpers(environ: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Programs that are there and can take a text, the best one first.

    None of the desktop's over ssh: the clipboard there is not the one of the person.
    """
    found: list[tuple[str, ...]] = [_TMUX] if environ.get("TMUX") else []
    if not (environ.get("SSH_CONNECTION") or environ.get("SSH_TTY")):
        found = [words for needs, words in _HELPERS if not needs or environ.get(needs)] + found
    return [words for words in found if shutil.which(words[0], path=environ.get("PATH"))]


def copy(
    text: str,
    environ: Mapping[str, str],
    send: Callable[[str], None],
    folder: Path,
    better: Callable[[str, str], None] = lambda *_: None,
) -> str:
    """Copy the cleaned `text`; return what is known of it at once.

    Codes go to the terminal through `send`. When more is known, `better` is told from a thread
    what to say instead of what was returned. In `folder` it is kept where nothing else takes it.
    """
    codes, able = osc52(text, environ), helpers(environ)
    if codes:
        send(codes)
    if codes or able:
        said = sent(text) if codes else f"copying {_size(text)}"
        if able:
            _beside(lambda: better(said, _helped(text, able, environ, folder, bool(codes))))
        return said
    return _kept(text, folder, environ)


def sent(text: str) -> str:
    """What is said where only the terminal was asked, which gives no answer."""
    return f"sent to the terminal's clipboard, {_size(text)}"


def _helped(
    text: str,
    able: list[tuple[str, ...]],
    environ: Mapping[str, str],
    folder: Path,
    was_sent: bool,
) -> str:
    """Give it to the first program that takes it; say which, or what is known instead."""
    for words in able:
        if _takes(words, text, environ):
            where = "in tmux's buffer" if words is _TMUX else f"copied with {words[0]}"
            return f"{where}, {_size(text)}"
    return sent(text) if was_sent else _kept(text, folder, environ)


def _takes(words: tuple[str, ...], text: str, environ: Mapping[str, str]) -> bool:
    """Whether the program took `text`. What it starts to offer it to others may live on."""
    data = text.encode("utf-16-le" if words[0] == "clip.exe" else "utf-8", "replace")
    try:
        done = subprocess.run(
            words, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(environ), cwd="/", timeout=LIMIT_S, start_new_session=True,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _kept(text: str, folder: Path, environ: Mapping[str, str]) -> str:
    """Write it to a file that only the user can read; say where and why."""
    path = folder / "copied.txt"
    large = len(text.encode("utf-8", "replace")) > LARGEST
    why = f"over {LARGEST // 1000} kB" if large else "no clipboard here"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        return f"not copied: {why}, and {path}: {(error.strerror or str(error)).lower()}"
    return f"{why}: {_size(text)} written to {tilde(path, environ)}"


def tilde(path: Path, environ: Mapping[str, str]) -> str:
    """`path` with the home folder as `~`."""
    home = environ.get("HOME", "")
    said = str(path)
    return f"~{said[len(home) :]}" if home and said.startswith(f"{home}/") else said


def _size(text: str) -> str:
    return f"{len(text):,} character{'' if len(text) == 1 else 's'}"


def _beside(work: Callable[[], None]) -> None:
    Thread(target=work, name="clipboard", daemon=True).start()
