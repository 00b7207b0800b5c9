"""The doctor names what is wrong with file and line, says what to do, and changes nothing."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from ppgp_tui.persist.disk import doctor
from ppgp_tui.persist.disk.doctor import look, problems
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.disk.log import LoopLog
from tests.persist.logs import ID, log, recorded, row, spawned

NEXT = """
import fcntl, sys
lock = open(sys.argv[1])
sys.stdin.readline()
fcntl.flock(lock, fcntl.LOCK_SH)
print(flush=True)
sys.stdin.read()
"""
"""Once told to, holds the lock together with whoever has it, who then lets it go."""


def lay(home: Home, data: bytes) -> None:
    home.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    home.log.write_bytes(data)
    home.log.chmod(0o600)


def said(home: Home) -> list[str]:
    return problems(look(home, wait_s=0.02))


def test_a_sound_home_has_no_problems(home: Home) -> None:
    assert said(home) == []
    assert not home.path.exists()
    LoopLog(home).append(spawned())
    assert said(home) == []


def test_damaged_lines_are_named_with_file_and_line(home: Home) -> None:
    lay(home, recorded("lost-abandon"))
    assert said(home) == [
        f"{home.log}: line 6 is no row (2 whole inside it, which count);"
        " doctor --mend puts it aside"
    ]


def test_f17_a_torn_line_is_named_which_the_originals_doctor_never_saw(home: Home) -> None:
    """F17: the original's doctor says ok while no loop can be read."""
    lay(home, log(spawned(), row("ITERATING", 1))[:-9])
    (one,) = said(home)
    assert one.startswith(f"{home.log}: line 2 was cut short; ")


def test_a_log_that_is_damaged_all_over_is_told_in_few_words(home: Home) -> None:
    lay(home, b"no row\n" * 500)
    told = said(home)
    assert len(told) == 21
    assert told[-1] == f"{home.log}: 480 further lines are no rows"


def test_f10_a_loop_whose_runner_is_gone_is_named(home: Home) -> None:
    """F10: orphans look alive."""
    lay(home, log(spawned(), row("ITERATING", 1)))
    found = look(home, wait_s=0.02)
    assert problems(found, found.reading.open) == [
        f"loop {ID} is ITERATING, but its runner is gone; doctor --close-orphans closes it"
    ]


def test_f22_a_log_that_others_can_read_is_named(home: Home) -> None:
    """F22: keys stand in `agent_cmd`."""
    lay(home, log(spawned()))
    home.log.chmod(0o644)
    assert said(home) == []  # nobody else gets into the folder
    home.path.chmod(0o755)
    (one,) = said(home)
    assert f"{home.log} can be read by other users (folder 755, file 644)" in one
    assert f"chmod 700 {home.path}" in one
    home.log.chmod(0o600)
    assert said(home) == []


def test_f24_a_log_that_has_grown_large_is_named(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LARGE", 1024)
    lay(home, log(*[spawned()] * 9))
    (one,) = said(home)
    assert "doctor --archive" in one


def test_a_lock_that_is_never_given_back_is_named_with_its_holder(home: Home) -> None:
    lay(home, log(spawned()))
    with home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        (one,) = said(home)
    known = Path("/proc/locks").exists()
    holder = f"process {os.getpid()}" if known else "another program"
    assert one == f"{home.lock} is held all the time by {holder}: no loop can write"


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="nobody says who holds a lock")
def test_a_lock_that_goes_from_hand_to_hand_is_not_called_stuck(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(home, log(spawned()))
    glances = count()
    monkeypatch.setattr(doctor, "time", SimpleNamespace(monotonic=lambda: next(glances) / 10))
    with home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        next_one = subprocess.Popen(
            [sys.executable, "-c", NEXT, home.lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        holders, tell = doctor._holders, iter([next_one])

        def hand_over(path: Path) -> frozenset[str]:
            seen = holders(path)
            for told in tell:
                told.stdin.write(b"\n")
                told.stdin.flush()
                told.stdout.readline()
                fcntl.flock(lock, fcntl.LOCK_UN)
            return seen

        monkeypatch.setattr(doctor, "_holders", hand_over)
        try:
            (one,) = problems(look(home, wait_s=2.0))
        finally:
            next_one.communicate()
    who = ", ".join(sorted(f"process {pid}" for pid in (os.getpid(), next_one.pid)))
    assert one == (
        f"{home.lock} is held by one after the other ({who}): loops wait for each other to write"
    )
