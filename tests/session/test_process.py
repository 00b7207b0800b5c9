"""Whether a process somebody named is alive and still the same one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ppgp_tui.session.process import is_alive, start_of

linux = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")  # noqa: PTH110


def test_this_process_is_alive_and_a_reaped_one_is_not() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert is_alive(os.getpid())
    assert not is_alive(child.pid)


@pytest.mark.parametrize("pid", [0, -1, 2**40])
def test_numbers_no_process_can_have_are_dead(pid: int) -> None:
    assert not is_alive(pid, 5)


@linux
def test_another_start_time_means_another_process() -> None:
    began = start_of(os.getpid())
    assert began is not None
    assert is_alive(os.getpid(), began)
    assert not is_alive(os.getpid(), began - 1)


@linux
def test_a_process_that_ended_but_was_not_reaped_is_dead() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.read()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(child.pid)
