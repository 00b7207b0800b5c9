"""What leaves the app: copies, pictures of the screen, reports. Slow work is done beside it.

A report and a bug report are made by the same program as a command of its own, so that reading a
long log once more takes nothing from the screen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Final, Literal

from textual.message import Message

from ppgp_tui.session.files.places import state_folder
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.messages import Said
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.sharing import clipboard
from ppgp_tui.ui.sharing.clipboard import tilde
from ppgp_tui.ui.sharing.svg import plain, svg

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

Tell = Callable[[Message], None]
LIMIT_S: Final = 180.0
"""So long a command has to write a report."""
FOLDERS: Final = {"screen": "screens", "report": "reports", "bug": "bugs"}
"""Below the user's state folder."""
_PROGRAM: Final = (sys.executable, "-P", "-c", "from ppgp_tui.cli.entry import main; main()")
"""This very program; `-P`, so that no module of the repository is taken for one of its own."""
_NAME = re.compile(r"[^\w.-]+", re.ASCII)


def copy(text: str, send: Callable[[str], None], tell: Tell) -> str:
    """Copy `text`, cleaned; return what is known at once. What is known later is told."""
    return clipboard.copy(
        clipboard.clean(text),
        os.environ,
        send,
        state_folder(),
        lambda instead_of, said: tell(Said(said, instead_of)),
    )


def write(what: Literal["screen", "report", "bug"], seat: Seat, tell: Tell) -> None:
    """Write what is on the screen, or a report of the session; its path is told and copied."""
    root = seat.snapshot.root
    now = datetime.fromtimestamp(seat.clock() / 1000)
    folder = state_folder() / FOLDERS[what]
    name = _NAME.sub("-", root.name).strip("-.") or "root"
    stem = f"{name}-{now:%Y-%m-%d-%H%M%S}"
    if what == "screen":
        toast, seat.toast = seat.toast, ""
        lines = screen_lines(seat)
        seat.toast = toast
        title = f"ppgp-tui on {one_line(root.name)}"
        files = {".svg": svg(lines, seat.look, title), ".txt": plain(lines)}
        _beside(lambda: _kept(folder, stem, files), "picture", tell)
        return
    seat.say(f"writing a {'report' if what == 'report' else 'bug report'}")
    if what == "report":
        target = folder / stem
        words = ["report", "--out", str(target)]
        _beside(lambda: _run(words, root, folder, target / "report.md"), "report", tell)
    else:
        target = folder / f"{stem}.tar.gz"
        words = ["bug", "--yes", "--out", str(target)]
        _beside(lambda: _run(words, root, folder, target), "bug report", tell)


def _beside(work: Callable[[], Path], what: str, tell: Tell) -> None:
    def run() -> None:
        try:
            path = work()
        except OSError as error:
            tell(Said(f"no {what} written: {error.filename or ''} {error.strerror or error}"))
        else:
            shown = tilde(path, os.environ)
            tell(Said(f"{what}: {shown}, the path is copied", copies=str(path)))

    Thread(target=run, name=what, daemon=True).start()


def _kept(folder: Path, stem: str, files: Mapping[str, str]) -> Path:
    """Write `files`, texts by their suffixes, below a stem that is not taken; return the first."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, free = 1, stem
    while any(os.path.lexists(folder / f"{free}{suffix}") for suffix in files):
        number += 1
        free = f"{stem}-{number}"
    for suffix, text in files.items():
        with (folder / f"{free}{suffix}").open("x", encoding="utf-8", errors="replace") as file:
            file.write(text)
    return folder / f"{free}{next(iter(files))}"


def _run(words: list[str], root: Path, folder: Path, written: Path) -> Path:
    """Run one of this program's commands on `root`; OSError says why nothing was written."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    command = [*_PROGRAM, *words, "--root", str(root)]
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"it took longer than {LIMIT_S:g} s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise OSError(one_line(said[-1].removeprefix("Error: ")) if said else "it ended early")
    return written
