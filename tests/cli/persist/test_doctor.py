"""`persist doctor`: the original's words when all is well, else what is wrong and what to do."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from ppgp_tui.persist.disk import doctor as looking
from tests.cli.acting import AGENT
from tests.cli.persist.loops import GONE, ID, NOW, OTHER, Loops, row, runner_of, spawned

LONG_AGO = NOW - 400 * 86_400_000
END = row("SUCCESS", 1, loop=OTHER, at_ms=LONG_AGO)


def test_a_fresh_home_is_made_and_all_is_well(loops: Loops) -> None:
    assert loops.call("doctor") == (0, "persist doctor: ok\n", "")
    assert list(loops.home.path.iterdir()) == []
    assert loops.home.path.stat().st_mode & 0o777 == 0o700


def test_loops_that_run_or_are_the_originals_are_no_problem(loops: Loops) -> None:
    loops.log(spawned(), spawned(OTHER, runner=runner_of(os.getpid())))
    assert loops.call("doctor").out == "persist doctor: ok\n"


def test_git_that_fails_is_told(
    loops: Loops, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "git").write_text("#!/bin/sh\nexit 1\n")
    (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    said = loops.call("doctor")
    assert said == (1, "persist doctor: degraded\n  - git not functioning\n", "")


def test_damage_is_named_with_its_line_and_put_aside_when_asked(loops: Loops) -> None:
    loops.log(spawned(), b"{]\n", spawned(OTHER)[:50])
    said = loops.call("doctor")
    assert said.code == 1
    assert f"  - {loops.home.log}: line 2 is no row; doctor --mend puts it aside\n" in said.out
    assert f"  - {loops.home.log}: line 3 was cut short" in said.out
    said = loops.call("doctor", "--mend")
    assert (said.code, said.err) == (0, "")
    done, last = said.out.splitlines()
    assert done.startswith(f"lines 2, 3 put aside into {loops.home.torn}/")
    assert last == "persist doctor: ok"
    assert loops.home.log.read_bytes() == spawned()
    assert loops.call("doctor", "--mend").out == "nothing to mend\npersist doctor: ok\n"


def test_orphans_are_named_and_closed_only_when_asked(loops: Loops) -> None:
    loops.log(
        spawned(runner=GONE), row("ITERATING", 2), spawned(OTHER, runner=runner_of(os.getpid()))
    )
    said = loops.call("doctor")
    assert f"  - loop {ID} is ITERATING, but its runner is gone" in said.out
    assert [loop.open for loop in loops.reading().loops] == [True, True]
    said = loops.call("doctor", "--close-orphans")
    gone = f"its runner (process {GONE.pid}) was gone already"
    assert said.out == f"loop {ID}: ITERATING → ABANDONED; {gone}\npersist doctor: ok\n"
    assert [(loop.state, loop.reason) for loop in loops.reading().loops] == [
        ("ABANDONED", "runner gone"), ("SPAWNED", None),
    ]  # fmt: skip
    assert loops.call("doctor", "--close-orphans").out.startswith("no loop is an orphan\n")


def test_loops_that_closed_long_ago_leave_the_log_when_asked(loops: Loops) -> None:
    old = spawned(OTHER).replace(b"2026-09", b"2025-07"), END
    loops.log(*old, spawned())
    said = loops.call("doctor", "--archive")
    assert said.code == 0
    (kept,) = loops.home.archive.iterdir()
    assert said.out == f"2 rows of 1 loop moved to {kept}\npersist doctor: ok\n"
    assert kept.read_bytes() == b"".join(old)
    assert loops.home.log.read_bytes() == spawned()
    assert loops.call("doctor", "--archive").out.startswith("nothing to archive\n")


def test_of_a_damaged_log_nothing_is_archived(loops: Loops) -> None:
    loops.log(spawned(OTHER), END, b"{]\n")
    before = loops.home.log.read_bytes()
    said = loops.call("doctor", "--archive")
    assert said.code == 1
    assert "  - nothing was archived: " in said.out
    assert loops.home.log.read_bytes() == before
    assert loops.call("doctor", "--mend", "--archive").code == 0


def test_a_log_that_others_may_read_is_told(loops: Loops) -> None:
    loops.log(spawned())
    loops.home.path.chmod(0o755)
    loops.home.log.chmod(0o644)
    said = loops.call("doctor")
    assert said.code == 1
    assert "can be read by other users" in said.out
    assert f"chmod 700 {loops.home.path}" in said.out


def test_a_lock_that_is_held_for_long_is_told(
    loops: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.log(spawned())
    monkeypatch.setattr(looking.look, "__kwdefaults__", {"wait_s": 0.1})
    with loops.home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = loops.call("doctor")
    assert said.code == 1
    assert f"  - {loops.home.lock} is held all the time by " in said.out


@pytest.mark.parametrize("option", ["--mend", "--close-orphans", "--archive"])
def test_an_agents_shell_may_look_and_change_nothing(
    loops: Loops, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.log(spawned(runner=GONE), b"{]\n", spawned(OTHER), END)
    before = loops.home.log.read_bytes()
    for name, value in AGENT.items():
        monkeypatch.setenv(name, value)
    assert "degraded" in loops.call("doctor").out
    said = loops.call("doctor", option)
    assert (said.code, said.out) == (1, "")
    assert "only a person may do this" in said.err
    assert loops.home.log.read_bytes() == before
