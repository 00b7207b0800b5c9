"""What is a person's alone is refused to agents and to what has no terminal, with the reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.acting import AGENT, Place

GRANTING = [
    ["answer", "req_0123", "yes"],
    ["answer", "req_0123", "--take-back"],
    ["goal", "confirm"],
    ["goal", "decline"],
    ["authority", "key", "use", "file"],
    ["close"],
    ["close", "--override", "accepted as it is"],
]
HUMAN = [
    *GRANTING,
    ["goal", "pause"],
    ["goal", "resume"],
    ["agents", "freeze", "claude-1"],
    ["agents", "thaw", "claude-1"],
    ["agents", "kill", "claude-1"],
    ["agents", "stop", "claude-1"],
    ["agents", "note", "claude-1", "hello"],
    ["connect", "claude"],
    ["disconnect"],
]
SIGNS = [
    {"CLAUDECODE": "1"},
    {"CLAUDE_CODE_SESSION_ID": "0f3a"},
    {"CODEX_SANDBOX": "seatbelt"},
    {"GEMINI_SESSION_ID": "g"},
    {"PI_SESSION_ID": "p"},
    {"PPGP_AGENT": "claude-0f3a"},
    {"PPGP_AGENT": ""},
]


def heartbeat(place: Place, pid: int, state: str = "working") -> None:
    """An agent's session says that process `pid` is its own."""
    agents = place.root / ".ppgp" / "run" / "agents"
    agents.mkdir(parents=True, exist_ok=True)
    beat = {"schema": 1, "agent": "claude", "session": "claude-1", "pid": pid, "state": state}
    (agents / "claude-1.json").write_text(json.dumps(beat))
    (agents / "claude-1.calls").write_text("")


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: "=".join(*sign.items()))
def test_an_agents_shell_is_refused_whatever_marks_it(place: Place, sign: dict[str, str]) -> None:
    for words in HUMAN:
        said = place.act(*words, environ=sign)
        assert (said.code, said.out) == (1, ""), words
        assert "only a person may do this" in said.err
        assert next(iter(sign)) in said.err
    assert place.events("decision") == place.events("human") == []


@pytest.mark.parametrize("words", GRANTING, ids=" ".join)
def test_granting_needs_a_terminal(place: Place, words: list[str]) -> None:
    place.config.unlink()
    said = place.act(*words)
    assert said.code == 1
    assert "needs a terminal on stdin" in said.err
    assert "authority.scripted = true" in said.err


def test_a_repository_cannot_allow_its_own_scripts_to_grant(place: Place) -> None:
    place.config.unlink()
    (place.root / ".ppgp" / "config.toml").write_text("authority.scripted = true\n")
    request = place.ask("Publish?")
    said = place.act("answer", request, "yes")
    assert said.code == 1
    assert "needs a terminal" in said.err


def test_a_person_at_a_terminal_grants_without_any_setting(place: Place) -> None:
    place.config.unlink()
    request = place.ask("Publish?")
    assert place.at_terminal("answer", request, "yes").code == 0
    assert len(place.events("decision.created")) == 1


def test_a_terminal_does_not_make_an_agents_shell_a_persons(place: Place) -> None:
    request = place.ask("Publish?")
    said = place.at_terminal("answer", request, "yes", environ=AGENT)
    assert said.code == 1
    assert "only a person" in said.err
    assert place.events("decision") == []


def test_what_runs_below_a_recorded_agent_is_refused(place: Place) -> None:
    request = place.ask("Publish?")
    heartbeat(place, os.getpid())
    for words in (["answer", request, "yes"], ["goal", "pause"], ["goal", "confirm"]):
        said = place.at_terminal(*words)
        assert said.code == 1
        assert "below the agent claude-1" in said.err
        assert str(os.getpid()) in said.err
    assert place.events("decision") == []


def test_what_runs_below_a_recorded_agent_acts_as_that_agent(place: Place) -> None:
    heartbeat(place, os.getpid())
    said = place.start("ask", "Publish?").end()
    assert said.code == 0
    assert place.events("authority.requested")[0]["actor"] == {"kind": "agent", "id": "claude-1"}


def test_a_session_that_has_ended_refuses_nobody(place: Place) -> None:
    heartbeat(place, os.getpid(), "ended")
    assert place.at_terminal("goal", "pause").code == 0


def test_pausing_needs_no_terminal(place: Place) -> None:
    place.config.unlink()
    assert place.act("goal", "pause").code == 0
    assert place.act("goal", "resume").code == 0


def test_the_refusal_is_a_result_too(place: Place) -> None:
    said = place.act("answer", "req_0123", "yes", "--json", environ=AGENT)
    result = json.loads(said.out)
    assert (said.code, said.err) == (1, "")
    assert (result["ok"], result["code"], result["action"]) == (False, "refused", "answer")
    assert "CLAUDECODE" in result["message"]


def test_agents_and_people_are_told_apart_in_the_log(place: Place) -> None:
    place.plan("a")
    place.act("blocker", "raise", "No database", "--class", "B")
    agent, person = place.events("todo.revised")[0], place.events("blocker.raised")[0]
    assert agent["actor"] == {"kind": "agent", "id": "claude-0f3a9c21"}
    assert person["actor"]["kind"] == "user"


def test_a_settings_file_that_makes_no_sense_is_named_and_grants_nothing(place: Place) -> None:
    place.config.write_text("[authority]\nscripted = 1\n")
    said = place.act("ask", "Publish?")
    assert said.code == 0
    assert f"{place.config}, line 2: authority.scripted: true or false is wanted" in said.err
    (request,) = place.json("requests")["data"]["requests"]
    said = place.act("answer", request["id"], "yes")
    assert said.code == 1
    assert "needs a terminal" in said.err


def test_a_root_that_is_none_is_named(bare: Place) -> None:
    nowhere = Path("/nowhere/at/all")
    for words in (["todo", "get"], ["goal", "pause"], ["init"]):
        said = bare.act(*words, "--root", nowhere)
        assert said.code == 1
        assert str(nowhere) in said.err
        result = json.loads(bare.act(*words, "--root", nowhere, "--json").out)
        assert (result["ok"], result["action"]) == (False, ".".join(words))
