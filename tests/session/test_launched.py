"""What a launcher recorded, and how the sessions of its agent are joined with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.launched import Launch, launch_of, why_not_its_group
from ppgp_tui.session.process import start_of
from ppgp_tui.session.sources.heartbeat import Heartbeat, heartbeat, joined
from ppgp_tui.session.status.agents import agents_and_control

LAUNCH = {"pid": 20, "pid_start": 2, "group": 30, "session": 10, "program": "claude"}


def beat(session: str, **said: Any) -> Heartbeat:
    return heartbeat(session, {"agent": "claude", **said}, 1, b"")


def test_a_session_takes_the_place_of_its_launch() -> None:
    launched = beat("claude-run-1", pid=30, pane="%3", launch=LAUNCH)
    mine, other = beat("claude-a", launched="claude-run-1"), beat("claude-b")
    found = joined([launched, mine, other])
    assert [one.session for one in found] == ["claude-a", "claude-b"]
    assert (found[0].launch, found[0].pane) == (launched.launch, "%3")
    assert found[1].launch is None


def test_a_launch_of_which_nobody_tells_stands_for_itself() -> None:
    launched = beat("aider-run-1", pid=30, launch=LAUNCH)
    stranger = beat("claude-a", launched="claude-run-9")
    assert joined([launched, stranger]) == (launched, stranger)


def test_two_sessions_may_belong_to_one_launch() -> None:
    launched = beat("claude-run-1", pid=30, launch=LAUNCH)
    both = [beat(name, launched="claude-run-1") for name in ("claude-a", "claude-b")]
    assert [one.launch for one in joined([launched, *both])] == [launched.launch] * 2


def test_the_status_line_counts_one_agent_and_not_two(tmp_path: Path) -> None:
    folder = tmp_path / ".ppgp" / "run" / "agents"
    folder.mkdir(parents=True)
    me = {"agent": "claude", "pid": os.getpid(), "pid_start": start_of(os.getpid())}
    (folder / "claude-run-1.json").write_text(json.dumps({**me, "launch": LAUNCH}))
    (folder / "claude-a.json").write_text(json.dumps({**me, "launched": "claude-run-1"}))
    agents, _ = agents_and_control(str(tmp_path), str(tmp_path), (), {"released": []}, 0)
    assert [one.session for one in agents] == ["claude-a"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*LAUNCH, "x"]), inner),
    )
)
def test_whatever_a_record_says_it_is_a_launch_or_none(value: Any) -> None:
    for said in ({"pid": 1, "launch": value}, {"pid": value, "launch": LAUNCH}):
        found = launch_of(said)
        assert found is None or isinstance(found.group, int)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that leads a group of its own."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1, process_group=0)
    yield process
    process.kill()
    process.communicate()


def test_signals_go_only_to_the_group_that_was_started(child: subprocess.Popen[bytes]) -> None:
    pid, here = child.pid, os.getsid(0)
    good = Launch(pid, start_of(pid), pid, here, os.getpid(), None, "x", None, None)
    assert why_not_its_group(good) is None
    for wrong in (
        good._replace(pid_start=1),
        good._replace(exit_code=0),
        good._replace(group=os.getpgrp()),
        good._replace(terminal_session=here + 1),
        good._replace(pid=1, group=1, pid_start=None),
        good._replace(pid=os.getpid(), pid_start=None, group=os.getpgrp()),
        good._replace(pid=-1),
    ):
        assert why_not_its_group(wrong) is not None, wrong
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert why_not_its_group(good) == "it has ended"
