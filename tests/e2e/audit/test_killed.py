"""An audit that is killed at any moment: nothing of it runs on, nothing of it is left, the claim is
still a claim, and the next audit works.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import machine, whole
from ppgp_tui.audit.process import descendants
from ppgp_tui.audit.warden import ADOPT
from ppgp_tui.session.actions import goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.sources.audit import running_now
from tests import forking
from tests.e2e.acting import AGENT, PROGRAM, Place
from tests.e2e.audit.victim import lasting_copies
from tests.e2e.terminal import REPOSITORY
from tests.waiting import PATIENCE_S, until

COMMAND = ["sh", "-c", "echo begun; sleep 0.2; echo done"]
SLOW = ["sh", "-c", "setsid sleep 300 & echo begun; sleep 300"]
MOMENTS = ["planning", "checking", "c1", "asking", "recording", "the report is kept"]
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


_earlier: set[int] = set()
"""Processes that earlier tests left to this one."""


class Claimed(Place):
    """A goal that its agent claims to have reached; `commands` are to prove it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name, value in (("name", "Dev"), ("email", "dev@example.org")):
            subprocess.run(["git", "config", f"user.{name}", value], cwd=self.root, check=True)
        self.proves([COMMAND])
        assert goal.claim(self.engine(Actor("agent", AGENT)), "all of it").ok

    def proves(self, commands: list[list[str]]) -> None:
        (self.root / ".ppgp/config.toml").write_text(
            f"[verify]\ncommands = {json.dumps(commands)}\n"
        )
        person = self.engine(Actor("user", "dev"))
        whole.trust(person, [tuple(one) for one in commands])

    def has_auditor(self, *words: str) -> None:
        file = Path(self.environ["XDG_CONFIG_HOME"]) / "ppgp-tui/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[audit]\nauditor = {json.dumps(words)}\n")

    def audits(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        return forking.run(
            [PROGRAM, "audit", "--json", *words], cwd=self.root, env=self.environ,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def audit_now(self) -> dict[str, Any]:
        ran = forking.run([PROGRAM, "show", "--json"], cwd=self.root, env=self.environ)
        found: dict[str, Any] = json.loads(ran.stdout)["audit"]
        return found


@pytest.fixture
def here(tmp_path: Path) -> Claimed:
    return Claimed(tmp_path)


@pytest.fixture(autouse=True)
def _orphans_are_ours() -> Iterator[None]:
    """What outlives its parent becomes a child of this process, so that it can be seen."""
    forking.forker()
    ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
    _earlier.clear()
    _earlier.update(descendants(os.getpid()))
    yield
    ctypes.CDLL(None).prctl(ADOPT, 0, 0, 0, 0)


@contextmanager
def started(here: Claimed, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        words, cwd=here.root, env={**here.environ, "PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def ends_with(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    os.kill(child.pid, number)
    child.wait(PATIENCE_S)


def nothing_is_left(here: Claimed) -> None:
    """Neither process nor copy nor lock nor anything that is shown."""
    until(lambda: not others())
    assert not lasting_copies()
    assert running_now(here.root) is None


def others() -> list[int]:
    """Processes below this one that run."""
    found = []
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
            if pid not in _earlier and state != b"Z":
                found.append(pid)
    return found


def words_of(pid: int) -> bytes:
    """Its command line; nothing of one that has ended meanwhile."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def the_log_is_sound(here: Claimed) -> None:
    ids = [json.loads(line)["id"] for line in (here.root / "state/events.jsonl").open()]
    assert len(set(ids)) == len(ids)
    ran = forking.run([PROGRAM, "gasp", "check", str(here.root), "--json"], env=here.environ)
    failed = [one for one in json.loads(ran.stdout)["checks"] if not one["passed"]]
    assert [one for one in failed if one["number"] not in (4, 6)] == [], failed


def the_next_one_works(here: Claimed) -> None:
    ran = here.audits("--mechanical")
    assert ran.returncode == 1, ran.stderr
    assert json.loads(ran.stdout)["report"]["verdict"]["word"] == "rejected"
    with Folder.open(here.root, ".ppgp", "run", "audit") as folder:
        assert folder.names() == ["lock"]


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        *((moment, signal.SIGKILL) for moment in MOMENTS),
        ("asking", signal.SIGTERM),
    ],
)
def test_killed_at_a_moment(here: Claimed, moment: str, number: signal.Signals) -> None:
    if moment == "c1":
        here.proves([SLOW])
    here.has_auditor("sh", "-c", "cat; sleep 300" if moment == "asking" else "echo nothing")
    halting = (sys.executable, "-m", "tests.e2e.audit.halting", str(here.root), moment)
    with started(here, *halting) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"here\n"
        ends_with(child, number)
    nothing_is_left(here)
    assert here.audit_now()["state"] == "claimed"
    the_log_is_sound(here)
    here.proves([COMMAND])
    the_next_one_works(here)
    the_log_is_sound(here)


def test_killed_in_the_middle_of_the_line_that_it_writes(here: Claimed) -> None:
    here.has_auditor("sh", "-c", "echo nothing")
    moment = "the log is written"
    with started(
        here, sys.executable, "-m", "tests.e2e.audit.halting", str(here.root), moment
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"here\n"
        ends_with(child, signal.SIGKILL)
    nothing_is_left(here)
    the_next_one_works(here)
    the_log_is_sound(here)
    assert len(here.events("eval.finished")) == 2


@pytest.mark.parametrize("number", SIGNALS)
def test_the_command_is_killed_in_the_middle_of_a_check(
    here: Claimed, number: signal.Signals
) -> None:
    here.proves([SLOW])
    with started(here, str(PROGRAM), "audit", "--mechanical") as child:
        until(lambda: (now := running_now(here.root)) and now.output == ("begun",))
        ends_with(child, number)
    nothing_is_left(here)
    assert here.audit_now()["state"] == "claimed"
    here.proves([COMMAND])
    the_next_one_works(here)
    the_log_is_sound(here)


@pytest.mark.parametrize("after_ms", range(150, 950, 200))
def test_the_command_is_killed_at_any_time(here: Claimed, after_ms: int) -> None:
    with started(here, str(PROGRAM), "audit", "--mechanical") as child:
        time.sleep(after_ms / 1_000)
        ends_with(child, signal.SIGKILL)
    nothing_is_left(here)
    assert here.audit_now()["state"] in ("claimed", "rejected")
    the_next_one_works(here)
    the_log_is_sound(here)


@pytest.mark.skipif(not machine.bubblewrap()[0], reason=machine.bubblewrap()[1])
def test_the_warden_is_killed_and_so_is_what_it_started(here: Claimed) -> None:
    here.proves([SLOW])
    with started(here, str(PROGRAM), "audit", "--mechanical") as child:
        until(lambda: (now := running_now(here.root)) and now.output == ("begun",))
        (warden,) = [pid for pid in descendants(child.pid) if b"warden.py" in words_of(pid)]
        os.kill(warden, signal.SIGKILL)
        child.wait(PATIENCE_S)
    nothing_is_left(here)
    (found,) = here.audit_now()["verdicts"]
    assert found["word"] == "rejected"
    the_log_is_sound(here)


@pytest.mark.parametrize("stage", ["checking", "asking"])
def test_somebody_else_cancels_it(here: Claimed, stage: str) -> None:
    if stage == "checking":
        here.proves([SLOW])
    here.has_auditor("sh", "-c", "echo begun; sleep 300")
    with started(here, str(PROGRAM), "audit") as child:
        until(lambda: (now := running_now(here.root)) and now.stage == stage and now.output)
        forking.run([PROGRAM, "audit", "--cancel"], cwd=here.root, env=here.environ, check=True)
        child.wait(PATIENCE_S)  # what it ran would have gone on for minutes
    assert child.returncode == 3
    nothing_is_left(here)
    assert here.audit_now()["state"] == "claimed"
    the_log_is_sound(here)
