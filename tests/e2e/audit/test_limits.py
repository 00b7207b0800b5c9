"""What a command of an audit may use: when it uses more it is ended, and that is said of it.

The same with bubblewrap and in the copy that stands in for it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from ppgp_tui.audit import machine
from tests.e2e.audit.victim import MIB, TIGHT, Victim, is_running, lasting_copies

HERE, WHY = machine.bubblewrap()
MARK = f"ppgp-mark-of-{os.getpid()}"
"""In the command line of what these tests start; others run beside them."""


@pytest.fixture(
    params=[
        pytest.param("sandbox", marks=pytest.mark.skipif(not HERE, reason=WHY)),
        "copy",
    ]
)
def kept(request: pytest.FixtureRequest) -> str:
    """How the command is kept."""
    if request.param == "copy":
        request.getfixturevalue("without_bubblewrap")
    return str(request.param)


@pytest.fixture
def unharmed(victim: Victim, kept: str) -> Callable[[], bool]:
    """Whether nothing of the person's changed, nothing runs on, and no copy is left."""
    before = victim.digest()

    def holds() -> bool:
        return victim.digest() == before and not is_running(MARK) and not lasting_copies()

    return holds


def test_a_command_that_does_not_end_has_its_time(
    victim: Victim, unharmed: Callable[[], bool]
) -> None:
    ran = victim.runs("sh", "-c", f": {MARK}; sleep 600", limits=TIGHT._replace(seconds=1))
    assert ran.ended == "time"
    assert unharmed()


def test_one_that_ignores_every_signal_is_ended_all_the_same(
    victim: Victim, unharmed: Callable[[], bool]
) -> None:
    ran = victim.runs_python(
        f"""
# {MARK}
import signal, time
for number in range(1, signal.NSIG):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
time.sleep(600)
""",
        limits=TIGHT._replace(seconds=1),
    )
    assert ran.ended == "time"
    assert unharmed()


def test_what_goes_on_in_the_background_ends_with_the_command(
    victim: Victim, unharmed: Callable[[], bool]
) -> None:
    ran = victim.runs_python(
        f"""
# {MARK}
import time
for detach in (False, True, True):
    if os.fork() == 0:
        if detach:
            os.setsid()
            if os.fork():
                os._exit(0)
        os.closerange(0, 3)
        time.sleep(600)
        os._exit(0)
"""
    )
    assert (ran.ended, ran.code) == ("exited", 0)
    assert "TRIED" in ran.output
    assert unharmed()


def test_a_daemon_that_keeps_the_output_open_does_not_keep_the_audit(
    victim: Victim, unharmed: Callable[[], bool]
) -> None:
    ran = victim.runs("sh", "-c", f"setsid sh -c ': {MARK}; sleep 600' & echo started")
    assert (ran.ended, ran.code, ran.output) == ("exited", 0, "started\n")
    assert unharmed()


def test_output_without_end(victim: Victim, unharmed: Callable[[], bool]) -> None:
    ran = victim.runs("sh", "-c", f": {MARK}; yes")
    assert ran.ended == "output"
    assert len(ran.output) <= MIB
    assert unharmed()


def test_one_line_without_end(victim: Victim, unharmed: Callable[[], bool]) -> None:
    heard = []
    ran = victim.runs(
        "sh", "-c", f": {MARK}; tr '\\0' x < /dev/zero", on_output=lambda data: heard.append(data)
    )
    assert ran.ended == "output"
    assert sum(map(len, heard)) <= TIGHT.output + 65536
    assert unharmed()


def test_memory_without_end(victim: Victim, unharmed: Callable[[], bool]) -> None:
    ran = victim.runs_python(
        f"# {MARK}\nheld = []\nwhile len(held) < 4000: held.append(b'x' * {MIB})"
    )
    assert ran.ended == "memory", ran
    assert unharmed()


def test_memory_of_many_processes_counts_together(
    victim: Victim, unharmed: Callable[[], bool]
) -> None:
    ran = victim.runs_python(
        f"""
# {MARK}
import time
for _ in range(8):
    if os.fork() == 0:
        held = b'x' * {50 * MIB}
        time.sleep(60)
time.sleep(60)
"""
    )
    assert ran.ended == "memory", ran
    assert unharmed()


def test_what_processes_share_counts_once(victim: Victim, unharmed: Callable[[], bool]) -> None:
    ran = victim.runs_python(
        f"""
import time
held = b'x' * {100 * MIB}
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        time.sleep(0.7)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"""
    )
    assert (ran.ended, ran.code) == ("exited", 0), ran
    assert unharmed()


def test_a_fork_bomb(victim: Victim, unharmed: Callable[[], bool]) -> None:
    """A bounded one: it would stop by itself at a few thousand."""
    ran = victim.runs_python(
        f"""
# {MARK}
import time
def grow(depth):
    for _ in range(2):
        try:
            if os.fork() == 0 and depth:
                grow(depth - 1)
        except OSError:
            pass
    time.sleep(600)
grow(10)
"""
    )
    assert ran.ended == "processes", ran
    assert unharmed()


@pytest.mark.skipif(not HERE, reason=WHY)
@pytest.mark.parametrize("where", ["/tmp", ".", "/dev/shm", "$HOME"])
def test_space_without_end(victim: Victim, where: str) -> None:
    before = victim.digest()
    ran = victim.runs("sh", "-c", f"head -c {100 * MIB} /dev/zero > {where}/large")
    assert ran.ended == "disk", ran
    assert victim.digest() == before


@pytest.mark.skipif(not HERE, reason=WHY)
def test_a_sparse_file_is_no_bomb(victim: Victim) -> None:
    ran = victim.runs("sh", "-c", "truncate -s 8E bomb; truncate -s 1T /tmp/b && cat /tmp/b > c")
    assert ran.ended in ("disk", "exited")
    assert ran.code != 0
    assert not (victim.root / "c").exists()


def test_it_ends_when_it_is_cancelled(victim: Victim, unharmed: Callable[[], bool]) -> None:
    began = time.monotonic()
    ran = victim.runs(
        "sh", "-c", f": {MARK}; sleep 600", cancelled=lambda: time.monotonic() - began > 0.5
    )
    assert ran.ended == "cancelled"
    assert unharmed()


def test_one_that_is_not_there_was_not_run(victim: Victim, unharmed: Callable[[], bool]) -> None:
    ran = victim.runs("no-such-program")
    assert (ran.ended, ran.why) == ("unborn", "no-such-program is not installed")
    assert unharmed()


def test_how_it_ends_is_told_as_it_is(victim: Victim, kept: str) -> None:
    assert victim.runs("sh", "-c", "exit 125").code == 125
    assert victim.runs("sh", "-c", "exit 1").code == 1
    assert victim.runs("true").code == 0
    killed = victim.runs("sh", "-c", "kill -9 $$")
    assert (killed.ended, killed.code) in (("signal", 9), ("exited", 137))


def test_in_a_copy_the_tree_and_the_variables_are_not_its_own(victim: Victim, kept: str) -> None:
    before = victim.digest()
    ran = victim.runs(
        "sh", "-c",
        "rm -rf .git tools; chmod 000 README.md; mkdir locked; touch locked/x; chmod 000 locked;"
        'echo "$API_TOKEN" "$HOME"; pwd; ls -A',
    )  # fmt: skip
    assert ran.code == 0, ran
    assert str(victim.home / "\n") not in ran.output
    assert "correct-horse" not in ran.output
    assert victim.digest() == before


def test_in_a_copy_a_linked_work_tree_keeps_its_repository(victim: Victim, kept: str) -> None:
    victim.git("worktree", "add", "-q", str(victim.home / "linked"))
    victim.root = victim.home / "linked"
    before = victim.digest()
    ran = victim.runs(
        "sh", "-c",
        "echo x > README.md; git add -A; git -c user.name=x -c user.email=x commit -m x; git log",
    )  # fmt: skip
    assert victim.digest() == before
    assert ("Begin" in ran.output) == (kept == "sandbox"), ran


def test_a_submodule_has_its_repository(victim: Victim, kept: str) -> None:
    victim.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(victim.root), "sub"
    )
    victim.root = victim.root / "sub"
    before = victim.digest()
    ran = victim.runs("sh", "-c", "echo x > README.md; git add -A; git log --format=%s")
    assert victim.digest() == before
    assert ("Begin" in ran.output) == (kept == "sandbox"), ran


@pytest.mark.parametrize("root", ["/", "/usr", "/usr/share", "/etc", "/tmp", "/home", "HOME"])
def test_what_is_more_than_a_repository_is_not_shown(victim: Victim, root: str) -> None:
    from ppgp_tui.audit.tree import Tree

    named = str(victim.home) if root == "HOME" else root
    with pytest.raises(machine.NoPlaceError):
        machine.place(Tree(named), victim.environ)
