"""What the hooks of agents leave behind, and the state each session is in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.model import Agent, Request
from ppgp_tui.session.process import start_of
from ppgp_tui.session.sources.agents import AGENTS, HELD, AgentsSource, agents_now

NOW = 2_000_000_000_000
KEY = "claude-0f3a"


class Hooks:
    """The files of one agent session, as its hooks write them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / AGENTS).mkdir(parents=True)
        (root / HELD).mkdir()

    def heartbeat(self, state: str = "working", since_ms: int = NOW - 60_000, **more: Any) -> None:
        said = {"schema": 1, "agent": "claude", "session": "0f3a", "state": state,
                "since_ms": since_ms, **more}  # fmt: skip
        path = self.root / AGENTS / f"{KEY}.json"
        path.write_text(json.dumps(said))
        os.utime(path, ns=(0, since_ms * 1_000_000))

    def call(
        self, ago_ms: int, what: str, call: str = "id1", tool: str = "Bash", decided: str = "go"
    ) -> None:
        with (self.root / AGENTS / f"{KEY}.calls").open("a") as file:
            file.write(f"{NOW - ago_ms} {what} 12 {decided} {call} - {tool}\n")

    def hold(self, since_ms: int, pid: int) -> None:
        said = {"schema": 1, "hold": "hold_1", "session": KEY, "since_ms": since_ms, "pid": pid}
        (self.root / HELD / f"hold_1.{KEY}.{pid}.json").write_text(json.dumps(said))

    def agent(self, *requests: Request, now_ms: int = NOW) -> Agent:
        look = AgentsSource(self.root, lambda: now_ms).look()
        (agent,) = agents_now(look, requests, now_ms)
        return agent


@pytest.fixture
def hooks(tmp_path: Path) -> Hooks:
    return Hooks(tmp_path)


@pytest.fixture
def dead_pid() -> int:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    return child.pid


def waiting(asker: str) -> Request:
    return Request("req_1", "waiting", "d", "question", "C", "?", asker=asker, created_ms=NOW - 500)


def test_without_hooks_nobody_is_connected(tmp_path: Path) -> None:
    look = AgentsSource(tmp_path, lambda: NOW).look()
    assert (look.heartbeats, look.found) == ((), False)


def test_an_agent_says_who_it_is(hooks: Hooks) -> None:
    hooks.heartbeat(model="opus", pane="%3", pid=os.getpid(), continued=6)
    hooks.call(2_000, "post", tool="Edit")
    agent = hooks.agent()
    assert (agent.session, agent.agent, agent.model, agent.pane) == (KEY, "claude", "opus", "%3")
    assert (agent.pid, agent.continued, agent.last_tool) == (os.getpid(), 6, "Edit")
    assert agent.contact_ms == NOW - 2_000


def test_an_agent_heard_of_just_now_is_working(hooks: Hooks) -> None:
    hooks.heartbeat()
    hooks.call(14_000, "post")
    agent = hooks.agent()
    assert (agent.state, agent.since_ms) == ("working", NOW - 60_000)
    assert hooks.agent(now_ms=NOW + 5_000).state == "quiet"


def test_an_agent_inside_a_long_call_is_working(hooks: Hooks) -> None:
    hooks.heartbeat(pid=os.getpid())
    hooks.call(50_000, "pre", "id1")
    hooks.call(49_000, "pre", "id2")
    hooks.call(40_000, "post", "id2")
    assert hooks.agent().state == "working"
    hooks.call(30_000, "fail", "id1")
    agent = hooks.agent()
    assert (agent.state, agent.since_ms) == ("quiet", NOW - 30_000)


def test_a_call_that_was_refused_does_not_run(hooks: Hooks) -> None:
    hooks.heartbeat(pid=os.getpid())
    hooks.call(50_000, "pre", decided="held")
    hooks.call(40_000, "pre", decided="deny")
    assert hooks.agent().state == "quiet"


def test_an_agent_that_stopped_is_idle_at_once(hooks: Hooks) -> None:
    hooks.call(2_500, "post")
    hooks.heartbeat("idle", NOW - 2_000)
    agent = hooks.agent()
    assert (agent.state, agent.since_ms) == ("idle", NOW - 2_000)
    hooks.call(1_000, "pre")
    assert hooks.agent().state == "working"


def test_an_agent_that_asked_waits_for_the_person(hooks: Hooks) -> None:
    hooks.heartbeat()
    agent = hooks.agent(waiting(KEY))
    assert (agent.state, agent.since_ms) == ("waiting_for_you", NOW - 500)
    assert hooks.agent(waiting("codex-1")).state != "waiting_for_you"
    answered = waiting(KEY)._replace(state="answered")
    assert hooks.agent(answered).state != "waiting_for_you"


def test_a_held_call_counts_while_its_hook_lives(hooks: Hooks, dead_pid: int) -> None:
    hooks.heartbeat(since_ms=NOW - 20_000)
    hooks.hold(NOW - 9_000, dead_pid)
    assert hooks.agent().state == "quiet"
    hooks.hold(NOW - 8_000, os.getpid())
    agent = hooks.agent()
    assert (agent.state, agent.since_ms) == ("held", NOW - 8_000)


def test_an_agent_that_said_goodbye_has_ended(hooks: Hooks, dead_pid: int) -> None:
    hooks.heartbeat("ended", NOW - 1_000, pid=dead_pid)
    assert hooks.agent(waiting(KEY)).state == "ended"


def test_an_agent_whose_process_is_dead_is_gone_whatever_else_is_said(
    hooks: Hooks, dead_pid: int
) -> None:
    hooks.heartbeat(pid=dead_pid)
    hooks.call(100, "pre")
    agent = hooks.agent(waiting(KEY))
    assert (agent.state, agent.since_ms) == ("gone", NOW - 100)


@pytest.mark.skipif(start_of(os.getpid()) is None, reason="needs /proc")
def test_another_process_with_the_same_number_is_not_the_agent(hooks: Hooks) -> None:
    began = start_of(os.getpid())
    assert began is not None
    hooks.heartbeat(pid=os.getpid(), pid_start=began)
    assert hooks.agent().state == "quiet"
    hooks.heartbeat(pid=os.getpid(), pid_start=began + 1)
    assert hooks.agent().state == "gone"


@pytest.mark.parametrize("damaged", ["", "{", "[]", "null", '"x"', "\x00"])
def test_a_damaged_heartbeat_is_named_and_the_others_stay(hooks: Hooks, damaged: str) -> None:
    hooks.heartbeat()
    (hooks.root / AGENTS / "codex-1.json").write_text(damaged)
    look = AgentsSource(hooks.root, lambda: NOW).look()
    assert [beat.session for beat in look.heartbeats] == [KEY]
    assert [problem.path for problem in look.problems] == [f"{AGENTS}/codex-1.json"]


def test_strange_members_and_lines_are_unknown_not_wrong(hooks: Hooks) -> None:
    hooks.heartbeat(state="dancing", pid="no", pane=5, continued="x")
    (hooks.root / AGENTS / f"{KEY}.calls").write_bytes(b"\xff\xff\n1 2 3\n\n x pre 1 go - - T\n5 p")
    agent = hooks.agent()
    assert (agent.state, agent.pid, agent.pane, agent.continued) == ("quiet", None, None, 0)
    assert agent.last_tool is None


def test_files_with_other_names_are_not_opened(hooks: Hooks, tmp_path: Path) -> None:
    (hooks.root / AGENTS / "bad name.json").write_text("{}")
    (hooks.root / AGENTS / "x.json.new").write_text("{}")
    (hooks.root / AGENTS / "out.json").symlink_to("/etc/hostname")
    look = AgentsSource(hooks.root, lambda: NOW).look()
    assert look.heartbeats == ()
    assert [problem.path for problem in look.problems] == [f"{AGENTS}/out.json"]


@pytest.mark.parametrize("said", ["{}", '{"schema":1,"pid":4}', '{"foo":"bar"}'])
def test_a_file_that_says_nothing_of_a_session_is_no_sign_of_life(hooks: Hooks, said: str) -> None:
    path = hooks.root / AGENTS / f"{KEY}.json"
    path.write_text(said)
    os.utime(path, ns=(0, (NOW - 1000) * 1_000_000))
    look = AgentsSource(hooks.root, lambda: NOW).look()
    (agent,) = agents_now(look, (), NOW)
    assert agent.state != "working"
    assert [problem.text for problem in look.problems] == [
        f"{AGENTS}/{KEY}.json names neither agent nor state"
    ]


def test_a_time_that_is_still_to_come_proves_no_work(hooks: Hooks) -> None:
    hooks.heartbeat(since_ms=NOW - 600_000)
    hooks.call(-3_600_000, "post")
    assert hooks.agent().state == "quiet"


def test_calls_that_cannot_be_read_are_named(hooks: Hooks) -> None:
    hooks.heartbeat()
    (hooks.root / AGENTS / f"{KEY}.calls").mkdir()
    (problem,) = AgentsSource(hooks.root, lambda: NOW).look().problems
    assert problem.text == f"{AGENTS}/{KEY}.calls is a folder, not a file"
