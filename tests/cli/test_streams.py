"""Standard streams that are closed, full, or that nobody reads from any more."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM
from tests.waiting import PATIENCE_S

COMMANDS = ("status", "show", "keys", "doctor", "--plain --once", "--help")


def shell(words: str, cwd: Path) -> tuple[int, str]:
    """Run `ppgp-tui WORDS`, redirections and all; the code and what went to standard error."""
    done = subprocess.run(
        ["sh", "-c", f"{PROGRAM} {words}"],
        cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_nobody(command: str, closed: str, tmp_path: Path) -> None:
    assert shell(f"{command} {closed}", tmp_path)[1] == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_said_in_one_line(command: str, tmp_path: Path) -> None:
    code, err = shell(f"{command} > /dev/full", tmp_path)
    assert (code, err) == (1, "ppgp-tui: cannot write: No space left on device\n")


def test_plain_ends_when_told_to_although_nobody_reads_what_it_says(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    told = subprocess.Popen(
        [PROGRAM, "--plain"], cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=writer
    )
    try:
        os.read(reader, 4096)
        time.sleep(0.5)
        os.set_blocking(writer, False)
        with suppress(BlockingIOError):
            while True:
                os.write(writer, b" " * 4096)
        os.set_blocking(writer, True)
        docs = tmp_path / "docs"
        docs.mkdir()
        (docs / "ACTIVE_GOAL.md").write_text("# Make it so\n\n## Phase\n\nEXECUTE\n")
        time.sleep(3)
        told.send_signal(signal.SIGTERM)
        assert told.wait(PATIENCE_S) == 128 + signal.SIGTERM
    finally:
        told.kill()
        os.close(reader)
        os.close(writer)
