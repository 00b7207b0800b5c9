"""Permission prompts of agents from the command line: asked on disk alone by a waiting hook."""

from __future__ import annotations

import json
import os
import time

import pytest

from ppgp_tui.session.authority import request_files
from ppgp_tui.session.canonical import canonical, new_id
from ppgp_tui.session.engine import requests
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.process import start_of
from tests.cli.acting import Place

SESSION = "claude-0f3a9c21"


def launched(place: Place, pid: int) -> None:
    """The record of a launch whose agent is process `pid`."""
    said = {
        "schema": 1,
        "agent": "claude",
        "session": SESSION,
        "state": "working",
        "pid": pid,
        "launch": {"pid": pid, "group": pid, "session": os.getsid(0), "program": "claude"},
    }
    with (
        Folder.open(place.root, ".ppgp", "run") as run,
        run.child("agents", create=True) as agents,
    ):
        agents.publish(f"{SESSION}.json", canonical(said) + b"\n")


RULES = ["Bash(rm -rf build:*)"]


def prompted(place: Place, *, pid: int | None = None, offers: bool = True) -> str:
    """A permission that a hook asks for; the hook is this process.

    `offers`: its agent offers a rule for its session.
    """
    pid = os.getpid() if pid is None else pid
    with Folder.open(place.root, ".ppgp", "run") as run:
        request = requests.build(
            request_id=new_id("req"),
            repo=request_files.repo_id(run),
            question="Allow Bash: rm -rf build",
            asker={
                "actor": f"agent:{SESSION}",
                "session": SESSION,
                "pid": pid,
                "pid_start": start_of(pid) or 1,
                "cwd": str(place.root),
            },
            created_ms=time.time_ns() // 1_000_000,
            kind="permission",
            tool={
                "name": "Bash",
                "input": {"command": "rm -rf build"},
                **({"session": RULES} if offers else {}),
            },
        )
        request_files.create_request(run, request)
        beat = {"schema": 1, "agent": "claude", "session": SESSION, "state": "working"}
        with run.child("agents", create=True) as agents:
            agents.publish(f"{SESSION}.json", canonical(beat) + b"\n")
    return str(request["id"])


def test_a_permission_is_listed_with_the_words_that_answer_it(place: Place) -> None:
    prompt = prompted(place)
    (line,) = place.act("requests").out.splitlines()
    assert line.startswith(prompt[:12])
    assert line.endswith("  Allow Bash: rm -rf build  [allow_once/allow_session/deny]")


def test_for_the_session_is_offered_and_taken_only_where_its_agent_offers_it(
    place: Place,
) -> None:
    prompt = prompted(place, offers=False)
    (line,) = place.act("requests").out.splitlines()
    assert line.endswith("  [allow_once/deny]")
    refused = place.act("answer", prompt, "allow_session")
    assert refused.code == 1
    assert "one of allow_once, deny" in refused.err
    assert f"For the session: {RULES[0]}\n" in place.act("requests", prompted(place)).out


def test_the_whole_call_is_shown(place: Place) -> None:
    card = place.act("requests", prompted(place)).out
    assert "allow_once or allow_session or deny\n" in card
    assert 'Tool: Bash\nInput: {\n  "command": "rm -rf build"\n}\n' in card


def test_the_status_line_and_the_list_of_agents_say_that_it_waits(place: Place) -> None:
    prompted(place)
    assert place.act("status").out.startswith("? 1 for you ")
    assert place.act("agents", "list").out.startswith(f"{SESSION}  waiting for you")


def test_the_status_line_counts_what_the_app_counts(place: Place) -> None:
    prompted(place)
    prompted(place, pid=2**22 + 7)
    planted = place.root / ".ppgp" / "run" / "requests" / f"{new_id('req')}.json"
    planted.write_text('{"schema":1,"kind":"question","asker":{},"created_ms":1}')
    shown = json.loads(place.act("show", "--json").out)["inbox"]
    waiting = [one for one in shown if one["state"] == "waiting"]
    status = json.loads(place.act("status", "--format", "json").out)
    assert status["needs"] == len(waiting) == 1
    assert status["run"] == "waiting_for_you"


@pytest.mark.parametrize(
    ("word", "option"),
    [("yes", "allow_once"), ("y", "allow_once"), ("n", "deny"), ("allow_session",) * 2],
)
def test_it_is_answered_from_the_command_line(place: Place, word: str, option: str) -> None:
    prompt = prompted(place)
    said = place.act("answer", prompt, word)
    assert (said.code, said.out) == (0, f"answered: {option}: Allow Bash: rm -rf build\n")
    assert place.json("requests", prompt)["data"]["request"]["state"] == "answered"


def test_one_that_nobody_waits_for_any_more_needs_nobody(place: Place) -> None:
    prompt = prompted(place, pid=2**22 + 7)
    assert place.act("requests").out == "nothing needs you\n"
    assert not place.act("status").out.startswith("?")
    assert place.act("answer", prompt, "yes").code == 1


@pytest.mark.parametrize(
    ("lives", "state", "can"), [(True, "working", "can"), (False, "gone", "cannot")]
)
def test_only_a_launched_agent_that_lives_can_be_frozen(
    place: Place, lives: bool, state: str, can: str
) -> None:
    launched(place, os.getpid() if lives else 2**22 + 7)
    line = place.act("agents", "list").out.rstrip()
    assert line.startswith(f"{SESSION}  {state}")
    assert line.endswith(f", {can} be frozen")
