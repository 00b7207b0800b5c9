"""Who acts, and what only a person may do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ppgp_tui.session.authority.identity import (
    AgentProcess,
    Process,
    acting,
    ancestors_now,
    login_name,
    recorded_agents,
    refuse_reason,
)
from ppgp_tui.session.canonical import session_key
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.process import start_of

SIGNS = [
    "CLAUDECODE",
    "PPGP_LOOP",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SANDBOX",
    "GEMINI_SESSION_ID",
    "PI_SESSION_ID",
    "PPGP_AGENT",
]


def refused(environ=None, ancestors=(), agents=(), **changed):
    about = {"terminal": True, "granting": True, "scripted": False} | changed
    return refuse_reason(environ or {}, ancestors, agents, **about)


def test_a_person_in_a_terminal_may_grant():
    assert refused() is None


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("value", ["1", ""])
def test_inside_an_agents_shell_no_command_of_a_person_runs(sign, value):
    for granting in (True, False):
        said = refused({sign: value}, granting=granting, scripted=True)
        assert said is not None
        assert sign in said


def test_granting_needs_a_terminal_or_the_users_setting():
    said = refused(terminal=False)
    assert said is not None
    assert "authority.scripted" in said
    assert refused(terminal=False, scripted=True) is None
    assert refused(terminal=False, granting=False) is None


def test_below_a_recorded_agent_no_command_of_a_person_runs():
    above = [Process(40, 7), Process(30, 5)]
    said = refused(ancestors=above, agents=[AgentProcess("claude-1", 30, 5)], granting=False)
    assert said is not None
    assert "claude-1" in said


def test_a_process_number_used_again_is_not_the_agent():
    agents = [AgentProcess("claude-1", 30, 4)]
    assert refused(ancestors=[Process(30, 5)], agents=agents) is None
    assert refused(ancestors=[Process(30)], agents=agents) is not None
    assert refused(ancestors=[Process(30, 5)], agents=[AgentProcess("claude-1", 30)]) is not None


@pytest.mark.parametrize(
    ("environ", "actor"),
    [
        ({}, Actor("user", "dev")),
        ({"PPGP_AGENT": "claude-1", "CLAUDECODE": "1"}, Actor("agent", "claude-1")),
        (
            {"PPGP_AGENT": "claude-run-1", "CLAUDE_CODE_SESSION_ID": "0f3a"},
            Actor("agent", "claude-0f3a"),
        ),
        (
            {"PPGP_AGENT": "codex-run-1", "CLAUDE_CODE_SESSION_ID": "of the shell it began in"},
            Actor("agent", "codex-run-1"),
        ),
        ({"PPGP_AGENT": "a/b"}, Actor("agent", session_key("agent", "a/b"))),
        ({"PPGP_AGENT": ""}, Actor("agent", session_key("agent", ""))),
        ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "0f"}, Actor("agent", "claude-0f")),
        ({"CLAUDECODE": "1"}, Actor("agent", "claude-unknown")),
        ({"PPGP_LOOP": "0badc0ffee12"}, Actor("agent", "loop-unknown")),
        ({"PPGP_LOOP": "0badc0ffee12", "CLAUDECODE": "1"}, Actor("agent", "claude-unknown")),
        ({"CODEX_SANDBOX": "seatbelt"}, Actor("agent", "codex-unknown")),
        ({"GEMINI_SESSION_ID": "9"}, Actor("agent", "gemini-9")),
        ({"PI_SESSION_ID": "../x"}, Actor("agent", session_key("pi", "../x"))),
        ({"PI_SESSION_ID": ""}, Actor("agent", "pi-unknown")),
    ],
    ids=str,
)
def test_the_actor_is_the_agents_session_or_the_user(environ, actor):
    assert acting(environ, login="dev") == actor


def test_a_recorded_agent_above_us_names_the_session():
    above, agents = [Process(40), Process(30, 5)], [AgentProcess("codex-7", 30, 5)]
    assert acting({"CODEX_SANDBOX": "1"}, above, agents, "dev") == Actor("agent", "codex-7")
    assert acting({}, above, agents, "dev") == Actor("agent", "codex-7")


def test_a_launch_stands_for_its_only_session():
    agents = [AgentProcess("codex-7", 30, 5, "codex-run-1"), AgentProcess("codex-8", 31, 5)]
    environ = {"PPGP_AGENT": "codex-run-1"}
    assert acting(environ, (), agents, "dev") == Actor("agent", "codex-7")
    agents.append(AgentProcess("codex-9", 32, 5, "codex-run-1"))
    assert acting(environ, (), agents, "dev") == Actor("agent", "codex-run-1")


def test_the_processes_above_ours_are_known_nearest_first():
    above = ancestors_now()
    assert above[0] == Process(os.getppid(), start_of(os.getppid()))
    script = (
        "from ppgp_tui.session.authority.identity import ancestors_now\n"
        "print(*(process.pid for process in ancestors_now()))"
    )
    command = ["/bin/sh", "-c", '"$0" -c "$1"; exit', sys.executable, script]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    pids = [int(pid) for pid in ran.stdout.split()]
    assert pids[1] == os.getpid()
    assert pids[2:] == [process.pid for process in above]


def test_the_user_has_a_name():
    assert login_name()


def test_recorded_agents_are_those_that_did_not_end(root: Path):
    folder = root / ".ppgp/run/agents"
    folder.mkdir()
    (folder / "claude-1.json").write_text('{"schema":1,"pid":30,"pid_start":5,"state":"idle"}')
    (folder / "claude-2.json").write_text('{"schema":1,"pid":31,"pid_start":5,"state":"ended"}')
    (folder / "claude-3.json").write_text('{"schema":1,"state":"idle"}')
    (folder / "claude-4.json").write_text("\0")
    assert recorded_agents(root) == [AgentProcess("claude-1", 30, 5)]
