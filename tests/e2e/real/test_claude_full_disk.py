"""On a full disk Claude Code works on; the screen and the doctor say so, and what was missed."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, Desk, connected_to_claude, desk
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import shell

pytestmark = pytest.mark.skipif(program("claude") is None, reason="Claude Code is not there")

FULL = "the disk is full: agents work on"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A folder for the repository on a disk of four megabytes."""
    folder = tmp_path / "importer"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(folder)]
    if subprocess.run(words, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def here(small: Path, tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path) as made:
        made.set_up("[continue]\non = false\n")
        yield connected_to_claude(made)


def fill(file: Path) -> None:
    """Take all the room that is left on the disk."""
    with file.open("wb", buffering=0) as taken:
        try:
            while True:
                taken.write(bytes(4096))
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


def test_it_works_on_and_what_was_missed_is_said(here: Desk, small: Path) -> None:
    here.model.will(
        Turn("", (shell("touch ../one.txt"),)),
        Turn("", (shell("touch ../two.txt"),)),
        Turn("Done."),
        Turn("And on."),
    )
    claude, app = here.claude("--allowedTools", "Bash"), here.server.app(110, 36)
    here.model.keep_waiting()
    here.prompts(claude, "Please work.")
    here.model.asked(1)
    fill(small / "filled")
    here.model.answer()
    here.until_made("../two.txt")
    here.model.asked(3)
    claude.until(lambda text: "Done." in text, PATIENCE_S)

    app.until(lambda text: FULL in text, PATIENCE_S)
    doctor = here.server.window(110, 36)
    doctor.types("ppgp-tui doctor | grep -A1 warn")
    doctor.until(lambda text: FULL in text, PATIENCE_S)
    doctor.sees("a call was not written down")

    (small / "filled").unlink()
    here.prompts(claude, "Go on.")
    claude.until(lambda text: "And on." in text, PATIENCE_S)
    app.until(lambda text: FULL not in text, PATIENCE_S)
    app.key("6")
    app.until(lambda text: "its hook: " in text and "was not written" in text, PATIENCE_S)
    doctor.types("clear; ppgp-tui doctor | grep -A1 warn")
    doctor.until(lambda text: "was not written" in text, PATIENCE_S)
    assert FULL not in doctor.text()
