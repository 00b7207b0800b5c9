"""One run of an agent: how it ends, what it is given and what it prints."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from ppgp_tui.persist.running import keeper, process
from ppgp_tui.persist.running.passing import Passing
from ppgp_tui.persist.running.process import TAIL
from tests.persist.running.agents import Asked
from tests.waiting import PATIENCE_S


@pytest.fixture
def agent(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


# How it ends


def test_the_exit_code_is_the_agents(agent: Asked) -> None:
    assert agent.runs("true").exit_code == 0
    ran = agent.sh("exit 7")
    assert (ran.exit_code, ran.signal, ran.cut) == (7, None, None)
    assert 0 < ran.duration_s < 30


@pytest.mark.parametrize("name", ["KILL", "TERM", "PIPE", "SEGV", "XFSZ"])
def test_a_signal_is_told_as_a_shell_tells_it(agent: Asked, name: str) -> None:
    ran = agent.sh(f"kill -{name} $$")
    assert (ran.exit_code, ran.signal) == (128 + signal.Signals[f"SIG{name}"], f"SIG{name}")


def test_a_program_that_is_not_there_is_127_and_says_so(agent: Asked) -> None:
    ran = agent.runs("no-such-agent", "-p", "x")
    assert ran.exit_code == 127
    assert ran.last_lines == ("persist: no-such-agent: not found on PATH",)
    assert agent.err == agent.kept == b"persist: no-such-agent: not found on PATH\n"
    ran = agent.runs("./no-such-agent")
    assert (ran.exit_code, ran.last_lines[-1]) == (127, "persist: ./no-such-agent: not found")


def test_what_cannot_be_run_is_126_and_says_why(agent: Asked) -> None:
    for name, words in (("plain", ""), ("wordless", "echo on"), ("lost", "#!/no/such/shell\n")):
        (agent.folder / name).write_text(words)
        (agent.folder / name).chmod(0o644 if name == "plain" else 0o755)
    said = {
        "plain": "Permission denied",
        "wordless": "Exec format error; a script begins with a line such as #!/bin/sh",
        "lost": "the interpreter that its first line names was not found",
    }
    for name, why in said.items():
        path = str(agent.folder / name)
        ran = agent.runs(path)
        assert (ran.exit_code, ran.last_lines) == (126, (f"persist: {path}: {why}",))
    assert agent.runs("").exit_code == 126
    assert agent.runs("true", "x" * 200_000).last_lines == (
        "persist: true: Argument list too long",
    )


def test_a_folder_that_is_gone_is_not_taken_for_a_missing_program(agent: Asked) -> None:
    agent.folder /= "gone"
    ran = agent.runs("true")
    assert ran.exit_code == 126
    assert ran.last_lines == (f"persist: cannot work in {agent.folder}: No such file or directory",)


def test_a_program_named_like_a_prompt_is_shown_as_one_short_line(agent: Asked) -> None:
    ran = agent.runs("\x1b[2Jdo this\n" * 100)
    assert ran.exit_code == 126
    (line,) = ran.last_lines
    assert line.startswith("persist: ?[2Jdo this?")
    assert len(line) < 260


def test_a_machine_that_can_start_nothing_more_is_told(
    agent: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    ran = agent.runs("true")
    assert ran.exit_code == 126
    assert ran.last_lines[0].startswith("persist: the agent cannot be started: No such file")


@pytest.mark.parametrize(("call", "number"), [("fork", errno.EAGAIN), ("execvpe", errno.ETXTBSY)])
def test_what_may_be_over_soon_is_no_program_that_cannot_be_run(
    agent: Asked, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    """A full machine, or an agent that updates itself: a loop that runs all night meets both."""
    poor = agent.folder / "keeper.py"
    poor.write_text(
        "import os, runpy\n"
        f"def fails(*_): raise OSError({number}, 'not now')\n"
        f"os.{call} = fails\n"
        f"runpy.run_path({keeper.__file__!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(keeper, "__file__", str(poor))
    ran = agent.runs("true")
    assert ran.exit_code == 75
    why = os.strerror(number)
    assert ran.last_lines == (f"persist: true cannot be started just now: {why}",)


def test_a_machine_that_cannot_even_have_a_keeper_now_may_have_one_soon(
    agent: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pipe", full)
    assert agent.runs("true").exit_code == 75


def test_signals_that_were_blocked_from_the_start_hold_no_run_up(agent: Asked) -> None:
    """Some programs pass on what they block; the end of a child is told by a signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, signal.SIGTERM})
    try:
        end = time.monotonic() + PATIENCE_S
        ran = agent.sh("exit 3", until=lambda: "late" if time.monotonic() > end else None)
        assert (ran.exit_code, ran.cut) == (3, None)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What it is given


def test_it_gets_just_the_environment_that_it_is_given(agent: Asked) -> None:
    environ = {"PATH": os.environ["PATH"], "PPGP_LOOP": "0123456789ab", "WORD": "ü\udcff\n"}
    agent.runs("env", "-0", environ=environ)
    given = dict(one.split(b"=", 1) for one in bytes(agent.out).split(b"\0")[:-1])
    assert given == {os.fsencode(name): os.fsencode(value) for name, value in environ.items()}


def test_its_arguments_are_no_shells_and_any_bytes(agent: Asked) -> None:
    hostile = "$(touch pwned) `touch pwned` ' \" ; > out \n \udcff ü"
    agent.runs("printf", "%s|", hostile, "", "{}")
    assert agent.out == hostile.encode("utf-8", "surrogateescape") + b"||{}|"
    assert not list(agent.folder.iterdir())


def test_it_works_in_the_folder_in_a_session_of_its_own(agent: Asked) -> None:
    agent.sh("pwd -P; ps -o sid= -o pgid= -p $$; echo $$")
    folder, session, group, number = agent.words
    assert folder == str(agent.folder.resolve())
    assert int(number) == agent.pid
    assert int(group) == agent.pid
    assert sys.platform != "linux" or int(session) == agent.pid


def test_it_gets_no_descriptor_but_the_three(agent: Asked) -> None:
    leak = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leak, True)
    try:
        agent.runs("ls", "/dev/fd/")
    finally:
        os.close(leak)
    assert agent.words == ["0", "1", "2", "3"], "the fourth is where ls reads the folder"


def test_it_starts_with_no_signal_ignored_or_blocked(agent: Asked) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    try:
        agent.sh("(kill -USR2 $$); yes | head -n 1; echo not here")
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR2})
    assert agent.out == b""
    assert agent.sh("yes | head -n 1").exit_code == 0
    assert (agent.out, agent.err) == (b"y\n", b"")


@pytest.mark.parametrize(
    "prompt", [b"", b"\0\xff'$(x)", b"line\n" * 1_000_000], ids=["none", "bytes", "megabytes"]
)
def test_a_prompt_of_any_size_and_bytes_reaches_its_standard_input(
    agent: Asked, prompt: bytes
) -> None:
    assert agent.runs("cat", stdin=prompt).exit_code == 0
    assert agent.out == prompt


def test_a_prompt_that_it_never_reads_holds_nobody(agent: Asked) -> None:
    assert agent.runs("true", stdin=b"x" * 5_000_000).exit_code == 0


def with_standard_input(agent: Asked, descriptor: int) -> None:
    """Cat what the agent may read, where this is our standard input."""
    saved = os.dup(0)
    try:
        os.dup2(descriptor, 0)
        assert agent.runs("cat").exit_code == 0
    finally:
        os.dup2(saved, 0)
        os.close(saved)


def test_without_a_prompt_it_reads_what_we_would_read(agent: Asked) -> None:
    ours, far = os.pipe()
    os.write(far, b"given from outside")
    os.close(far)
    with_standard_input(agent, ours)
    os.close(ours)
    assert agent.out == b"given from outside"


@pytest.mark.terminal
def test_our_terminal_is_not_its_to_read(agent: Asked) -> None:
    typing, ours = os.openpty()
    os.write(typing, b"typed for somebody else\n")
    with_standard_input(agent, ours)
    os.close(typing)
    os.close(ours)
    assert agent.out == b""


# What it prints


def test_both_streams_are_heard_each_for_itself_and_kept_together(agent: Asked) -> None:
    ran = agent.sh("printf out; printf err >&2; printf '\\377\\0' ")
    assert agent.out == b"out\xff\0"
    assert agent.err == b"err"
    assert sorted(agent.kept) == sorted(b"outerr\xff\0")
    assert len(ran.last_lines) == 1


def test_what_it_prints_is_heard_at_once(agent: Asked) -> None:
    """The agent waits for a file that only comes when its half line was heard."""

    def hear(data: bytes) -> None:
        agent.out += data
        (agent.folder / "heard").touch()

    script = "printf half; until test -e heard; do sleep 0.01; done; printf ' whole'"
    assert agent.sh(script, on_out=hear).exit_code == 0
    assert agent.out == b"half whole"


def test_fifty_megabytes_come_through_whole(agent: Asked) -> None:
    got = [0]

    def hear(data: bytes) -> None:
        got[0] += len(data)

    ran = agent.sh("head -c 50000000 /dev/zero", on_out=hear, output=None)
    assert (ran.exit_code, got) == (0, [50_000_000])


def test_the_last_twenty_lines_are_known(agent: Asked) -> None:
    assert agent.sh("seq 1 100").last_lines == tuple(map(str, range(81, 101)))
    assert agent.sh("printf 'one\\r\\n\\ntwo'").last_lines == ("one", "", "two")
    assert agent.sh("echo").last_lines == ("",)
    assert agent.runs("true").last_lines == ()


def test_of_an_endless_line_only_the_end_is_known(agent: Asked) -> None:
    ran = agent.sh("head -c 9000000 /dev/zero | tr '\\0' x; printf end", output=None)
    (line,) = ran.last_lines
    assert len(line) == TAIL
    assert line.endswith("xend")


def test_a_reader_that_is_gone_does_not_end_the_run(agent: Asked) -> None:
    def gone(_: bytes) -> None:
        raise BrokenPipeError

    ran = agent.sh("for n in 1 2 3; do head -c 3000000 /dev/zero; done; exit 4", on_out=gone)
    assert ran.exit_code == 4
    assert len(agent.kept) == 9_000_000


def test_a_reader_that_reads_no_more_does_not_hold_the_run(
    agent: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "Passing", partial(Passing, patience_s=0.05))
    never = threading.Event()
    try:
        ran = agent.sh("head -c 9000000 /dev/zero; exit 4", on_out=lambda _: never.wait() and None)
    finally:
        never.set()
    assert ran.exit_code == 4
    assert len(agent.kept) == 9_000_000
