"""A run of ssh-keygen can neither ask anybody nor stay."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ppgp_tui.session.authority.ssh_keygen import NoAnswerError, find_program, run, surroundings
from ppgp_tui.session.process import is_alive
from tests.waiting import PATIENCE_S


def test_a_run_gives_its_code_its_output_and_what_it_said():
    ran = run(["/bin/sh", "-c", "cat; echo no >&2; exit 3"], b"hello", {})
    assert (ran.code, ran.out, ran.said) == (3, b"hello", "no\n")


def test_a_program_that_is_not_there_is_said():
    with pytest.raises(NoAnswerError, match="could not be started"):
        run(["/nowhere/ssh-keygen"], b"", {})


def test_after_the_limit_the_whole_process_group_is_ended(tmp_path: Path):
    script = f"sleep 60 & echo $! > {tmp_path}/child; echo $$ > {tmp_path}/shell; wait"
    with pytest.raises(NoAnswerError, match=r"within 0\.5 s"):
        run(["/bin/sh", "-c", script], b"", dict(os.environ), limit_s=0.5)
    for name in ("child", "shell"):
        pid = int((tmp_path / name).read_text())
        for _ in range(100):
            if not is_alive(pid):
                break
            time.sleep(0.02)
        assert not is_alive(pid)


def test_the_program_has_no_terminal_even_where_we_have_one(tmp_path: Path):
    """Else ssh-keygen would ask for a passphrase on top of the screen."""
    script = tmp_path / "has_terminal.py"
    script.write_text(
        "import pty, sys\n"
        "ask = 'import os; os.open(\"/dev/tty\", os.O_RDWR)'\n"
        "code = ('import sys; from ppgp_tui.session.authority.ssh_keygen import run; '\n"
        '        \'sys.exit(run([sys.executable, "-c", sys.argv[1]], b"", {}).code)\')\n'
        "own = pty.spawn([sys.executable, '-c', ask])\n"
        "below = pty.spawn([sys.executable, '-c', code, ask])\n"
        "print('own', own, 'below', below)\n"
    )
    ran = subprocess.run(
        [sys.executable, str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert ran.stdout.strip().endswith("own 0 below 256"), ran


def test_nothing_may_ask_unless_the_user_named_it():
    environ = {"HOME": "/h", "SSH_ASKPASS": "/x", "SSH_ASKPASS_REQUIRE": "force"}
    environ["SSH_AUTH_SOCK"] = "/agent"
    assert surroundings(environ) == {"HOME": "/h", "SSH_ASKPASS_REQUIRE": "never"}
    assert surroundings(environ, agent=True)["SSH_AUTH_SOCK"] == "/agent"
    chosen = surroundings(environ, askpass="/usr/bin/ask")
    assert chosen["SSH_ASKPASS"] == "/usr/bin/ask"
    assert chosen["SSH_ASKPASS_REQUIRE"] == "force"


def test_a_program_in_the_working_directory_is_never_found(tmp_path: Path, monkeypatch):
    planted = tmp_path / "ssh-keygen"
    planted.write_text("#!/bin/sh\n")
    planted.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert find_program("ssh-keygen", {"PATH": ".::"}) is None
    assert find_program("ssh-keygen", {"PATH": f".:{tmp_path}"}) == str(planted)
    assert find_program("ssh-keygen", {"PATH": ""}) is None
