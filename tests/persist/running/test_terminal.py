"""An agent that needs a terminal gets one of the size of ours."""

import os
import sys
from pathlib import Path

import pytest

import ppgp_tui
from ppgp_tui.persist import limits
from ppgp_tui.persist.running import terminal
from tests.persist.running.agents import Asked

pytestmark = pytest.mark.terminal

REPOSITORY = str(Path(ppgp_tui.__file__).parents[1])
SHOW_SIZE = "from ppgp_tui.persist.running import terminal; print(*terminal.size())"


@pytest.fixture
def agent(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


@pytest.fixture
def sized(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Columns and lines of what stands for our terminal."""
    found = [100, 30]
    monkeypatch.setattr(terminal, "size", lambda: os.terminal_size(found))
    return found


def test_all_three_streams_are_one_terminal_and_its_own(agent: Asked, sized: list[int]) -> None:
    ran = agent.sh("tty <&0; tty <&1; tty <&2; tty < /dev/tty; echo bad >&2", pty=True)
    assert ran.exit_code == 0
    *ttys, own, bad = agent.words
    assert len(set(ttys)) == 1
    assert ttys[0].startswith("/dev/")
    assert own == "/dev/tty"
    assert bad == "bad"
    assert agent.err == b""


def test_it_has_the_size_of_ours_and_goes_with_it(agent: Asked, sized: list[int]) -> None:
    def hear(data: bytes) -> None:
        agent.out += data
        sized[:] = 120, 40

    script = "trap 'stty size; exit 0' WINCH; stty size; while :; do sleep 0.01; done"
    assert agent.sh(script, pty=True, on_out=hear).exit_code == 0
    assert agent.out == b"30 100\r\n40 120\r\n"


def test_our_size_is_that_of_the_terminal_that_we_are_shown_in(
    agent: Asked, sized: list[int]
) -> None:
    environ = {**os.environ, "PYTHONPATH": REPOSITORY}
    agent.runs(sys.executable, "-c", SHOW_SIZE, pty=True, environ=environ)
    assert agent.words == ["100", "30"]
    agent.out.clear()
    agent.runs(sys.executable, "-c", SHOW_SIZE, stdin=b"", environ=environ)
    assert agent.words == ["80", "24"]


def test_colours_are_passed_on_and_do_not_hide_a_limit(agent: Asked) -> None:
    ran = agent.sh(
        r"printf '\033[1;31musage\033[0m limit \033[4mreached\033[0m\n'; exit 1", pty=True
    )
    assert agent.out == b"\x1b[1;31musage\x1b[0m limit \x1b[4mreached\x1b[0m\r\n"
    assert len(ran.last_lines) == 1
    assert limits.is_limited(ran.exit_code, ran.last_lines, limits.PHRASES)


def test_its_prompt_may_still_come_from_a_file(agent: Asked) -> None:
    ran = agent.sh("cat; tty <&1 >&2", pty=True, stdin=b"do this\n")
    assert ran.exit_code == 0
    assert agent.out.startswith(b"do this\r\n/dev/")


def test_it_is_ended_as_any_other(agent: Asked) -> None:
    ran = agent.sh(
        "trap '' TERM HUP; echo on; while :; do sleep 0.01; done",
        pty=True, until=agent.once("closed", said=b"on"), grace_s=0.05,
    )  # fmt: skip
    assert (ran.cut, ran.signal) == ("closed", "SIGKILL")


def test_a_child_that_keeps_the_terminal_does_not_hold_the_run(agent: Asked) -> None:
    assert agent.sh("trap '' HUP; sleep 300 & exit 3", pty=True).exit_code == 3


def test_a_lot_of_output_comes_through(agent: Asked) -> None:
    assert agent.sh("head -c 3000000 /dev/zero", pty=True).exit_code == 0
    assert agent.out.count(0) == 3_000_000
