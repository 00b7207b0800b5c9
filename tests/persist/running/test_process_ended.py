"""How a run of an agent is ended, and what it leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.persist.running.agents import Asked, is_running
from tests.waiting import until

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets orphans be found")


@pytest.fixture
def agent(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


# How it is ended


def test_a_word_ends_it(agent: Asked) -> None:
    ran = agent.sh("echo on; exec sleep 300", until=agent.once("wall-clock", said=b"on"))
    assert (ran.cut, ran.exit_code, ran.signal) == ("wall-clock", 143, "SIGTERM")
    assert not is_running(agent.pid)


def test_it_may_end_in_order_when_it_is_told_to(agent: Asked) -> None:
    script = "trap 'echo saved; exit 3' TERM; echo on; while :; do sleep 0.01; done"
    ran = agent.sh(script, until=agent.once("closed", said=b"on"))
    assert (ran.cut, ran.exit_code) == ("closed", 3)
    assert agent.words == ["on", "saved"]


def test_one_that_does_not_hear_is_killed_after_the_grace(agent: Asked) -> None:
    script = "trap '' TERM INT HUP; echo on; while :; do sleep 0.01; done"
    ran = agent.sh(script, until=agent.once("SIGINT", said=b"on"), grace_s=0.05)
    assert (ran.cut, ran.exit_code, ran.signal) == ("SIGINT", 137, "SIGKILL")
    assert not is_running(agent.pid)


def test_one_that_stopped_itself_is_woken_to_end(agent: Asked) -> None:
    ran = agent.sh("echo on; kill -STOP $$; exec sleep 300", until=agent.once("closed", said=b"on"))
    assert (ran.cut, ran.signal) == ("closed", "SIGTERM")


def test_what_it_prints_while_it_ends_is_heard(agent: Asked) -> None:
    script = "trap 'head -c 300000 /dev/zero; exit' TERM; echo on; while :; do sleep 0.01; done"
    agent.sh(script, until=agent.once("closed", said=b"on"))
    assert agent.kept.count(0) == 300_000


def test_a_run_that_was_told_to_end_before_it_began_ends(agent: Asked) -> None:
    ran = agent.sh("exec sleep 300", until=lambda: "SIGTERM")
    assert (ran.cut, ran.signal) == ("SIGTERM", "SIGTERM")


def test_whatever_a_callback_raises_the_agent_is_ended_first(agent: Asked) -> None:
    def fails() -> str | None:
        if agent.pid:
            raise KeyboardInterrupt
        return None

    with pytest.raises(KeyboardInterrupt):
        agent.sh("exec sleep 300", until=fails)
    assert not is_running(agent.pid)


# What it leaves behind


def test_a_child_that_keeps_its_output_open_does_not_hold_the_run(agent: Asked) -> None:
    ran = agent.sh("sleep 300 & echo $!; exit 5")
    assert ran.exit_code == 5
    assert not is_running(int(agent.words[0]))


@linux
def test_children_in_sessions_of_their_own_end_too(agent: Asked) -> None:
    loop = "while :; do sleep 0.01; done"
    (agent.folder / "deaf").write_text(f"trap '' TERM HUP; echo $$ > one; {loop}")
    (agent.folder / "orphan").write_text("echo $$ > two; exec sleep 300")
    started = "setsid sh deaf & setsid -f sh orphan"
    known = "until test -s one && test -s two; do sleep 0.01; done"
    ran = agent.sh(f"{started}; {known}; cat one two; exit 3", grace_s=0.05)
    assert ran.exit_code == 3
    assert [is_running(int(pid)) for pid in agent.words] == [False, False]


@linux
def test_a_run_that_is_ended_takes_its_grandchildren_with_it(agent: Asked) -> None:
    script = "setsid sh -c 'echo $$; exec sleep 300' & sleep 300 & echo $!; wait; wait"
    ran = agent.sh(script, until=lambda: "closed" if len(agent.words) > 1 else None)
    assert ran.cut == "closed"
    assert not any(is_running(int(pid)) for pid in agent.words)


def test_signals_to_its_group_or_its_parent_do_not_stop_who_keeps_it(agent: Asked) -> None:
    ran = agent.sh(
        "trap : TERM INT HUP; kill -TERM $PPID; kill -INT $PPID; kill -HUP $PPID; kill -TERM 0;"
        " echo on; exit 4"
    )
    assert (ran.exit_code, agent.words) == (4, ["on"])


@linux
def test_when_its_keeper_is_killed_the_run_is_over_and_says_why(agent: Asked) -> None:
    ran = agent.sh("sleep 300 & echo $!; kill -KILL $PPID; sleep 300")
    assert (ran.exit_code, ran.signal) == (137, "SIGKILL")
    assert "was killed" in ran.last_lines[-1]
    until(lambda: not is_running(agent.pid) and not is_running(int(agent.words[0])))


@linux
def test_an_agent_that_kills_its_keeper_leaves_nothing_behind_either(agent: Asked) -> None:
    """It need only kill its parent; what has a session of its own is not in its group."""
    ours = subprocess.Popen(["sleep", "300"])
    script = "setsid sleep 300 & echo $!; kill -KILL $PPID; sleep 300"
    ran = agent.sh(script)
    left = [pid for word in agent.words if is_running(pid := int(word))]
    assert (ran.exit_code, left) == (137, [])
    assert ours.poll() is None
    ours.kill()
    ours.wait()


@linux
def test_somebody_else_who_has_its_output_open_does_not_hold_the_run(agent: Asked) -> None:
    held: list[int] = []

    def hold(pid: int) -> None:
        held.append(os.open(f"/proc/{pid}/fd/1", os.O_WRONLY))
        (agent.folder / "held").touch()

    ran = agent.sh("until test -e held; do sleep 0.01; done; echo on; exit 3", on_start=hold)
    os.close(held[0])
    assert (ran.exit_code, agent.words) == (3, ["on"])


@linux
def test_a_run_leaves_nothing_open_in_this_process(agent: Asked) -> None:
    def here() -> tuple[int, int]:
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    before = here()
    agent.sh("echo on")
    agent.sh("echo on", pty=True, stdin=b"x")
    agent.runs("no-such-agent")
    assert here() == before
