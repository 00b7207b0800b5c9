"""A permission prompt in the inbox: whoever answers first, here or in the agent's window."""

from __future__ import annotations

import shutil
import signal
import subprocess
from typing import Any

import pytest

from tests.agents.hook.scene import Json, Scene
from tests.waiting import until

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed; install OpenSSH"
)


@pytest.fixture
def keyed(scene: Scene) -> Scene:
    """The person has a key."""
    make_key(scene)
    return scene


def make_key(scene: Scene) -> None:
    from ppgp_tui.session.authority.keys import SigningKey
    from ppgp_tui.session.authority.pins import Pins
    from ppgp_tui.session.files import places

    SigningKey(Pins(places.data_folder(), scene.root)).pin()


def asks(
    scene: Scene, agent: str = "claude", name: str = "", **changed: Any
) -> tuple[subprocess.Popen[bytes], Json]:
    """The agent begins a call and asks for permission; returns the hook and the request."""
    name = name or {"claude": "PermissionRequest-Bash", "codex": "PermissionRequest"}[agent]
    scene.hook(agent, scene.payload(agent, "PreToolUse-Bash"))
    hook = scene.start(agent, scene.payload(agent, name, **changed))
    (request,) = until(scene.requests)
    return hook, request


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_yes_lets_the_call_run(keyed: Scene, agent: str) -> None:
    hook, request = asks(keyed, agent)
    assert request["kind"] == "permission"
    assert request["tool"]["name"] == "Bash"
    assert request["tool"]["input"]["command"] == "echo ran > ran.txt"
    assert request["question"] == "Allow Bash: echo ran > ran.txt"
    assert request["asker"]["pid"] == hook.pid
    keyed.answers(request["id"], "allow_once")
    heard = keyed.hear(hook)
    assert heard.code == 0
    assert heard.said == {
        "hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "allow"},
        }
    }
    assert keyed.requests() == []


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_no_reaches_the_model_with_its_note(keyed: Scene, agent: str) -> None:
    hook, request = asks(keyed, agent)
    keyed.answers(request["id"], "deny", note="Use the sandbox.")
    decision = keyed.hear(hook).specific["decision"]
    assert decision == {"behavior": "deny", "message": "Use the sandbox."}


def test_a_no_without_a_note_says_who_refused(keyed: Scene) -> None:
    hook, request = asks(keyed)
    keyed.answers(request["id"], "deny")
    assert keyed.hear(hook).specific["decision"]["message"] == "Denied by the operator."


def test_for_the_session_adds_what_claude_offers_and_for_the_session_only(keyed: Scene) -> None:
    hook, request = asks(
        keyed,
        permission_suggestions=[
            {
                "type": "addRules",
                "rules": [{"toolName": "Bash", "ruleContent": "echo:*"}],
                "behavior": "allow",
                "destination": "localSettings",
            }
        ],
    )
    assert request["tool"]["session"] == ["Bash(echo:*)"]
    keyed.answers(request["id"], "allow_session")
    (rule,) = keyed.hear(hook).specific["decision"]["updatedPermissions"]
    assert rule["destination"] == "session"
    assert rule["rules"] == [{"toolName": "Bash", "ruleContent": "echo:*"}]


@pytest.mark.parametrize(
    ("suggestion", "said"),
    [
        ({"type": "addRules", "rules": [{"toolName": "Read"}], "behavior": "allow"}, "Read"),
        (
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            '{"type": "setMode", "mode": "acceptEdits"}',
        ),
        (
            {"type": "addRules", "rules": [{"toolName": "Read", "x": "y"}], "behavior": "allow"},
            '{"type": "addRules", "rules": [{"toolName": "Read", "x": "y"}], "behavior": "allow"}',
        ),
    ],
)
def test_all_that_would_be_allowed_for_the_session_stands_in_the_request(
    keyed: Scene, suggestion: dict[str, object], said: str
) -> None:
    _, request = asks(keyed, permission_suggestions=[suggestion])
    assert request["tool"]["session"] == [said]


@pytest.mark.parametrize("rules", [0, 1, 41])
def test_what_cannot_be_shown_whole_is_not_offered(keyed: Scene, rules: int) -> None:
    rule = {"toolName": "Bash", "ruleContent": "x" * (3000 if rules == 1 else 1)}
    suggestion = {"type": "addRules", "rules": [rule] * rules, "behavior": "allow"}
    _, request = asks(keyed, permission_suggestions=[suggestion])
    assert "session" not in request["tool"]


def test_what_was_decided_is_recorded_from_asking_to_use(keyed: Scene) -> None:
    keyed.hook("claude", keyed.payload("claude", "SessionStart"))
    hook, request = asks(keyed)
    assert keyed.events("authority.requested") == []
    keyed.answers(request["id"], "allow_once")
    keyed.hear(hook)
    keyed.hook("claude", keyed.payload("claude", "PostToolUse-Bash"))
    keyed.hook("claude", keyed.payload("claude", "Stop"))
    (asked,) = keyed.events("authority.requested")
    (decided,) = keyed.events("decision.created")
    (delivered,) = keyed.events("authority.delivered")
    (consumed,) = keyed.events("authority.consumed")
    assert asked["actor"]["kind"] == "agent"
    assert asked["payload"]["request"] == request
    assert decided["causation_id"] == asked["id"]
    assert decided["actor"]["kind"] == "user"
    assert delivered["causation_id"] == decided["id"]
    assert consumed["causation_id"] == delivered["id"]


def test_where_there_is_no_log_it_is_answered_all_the_same(bare: Scene) -> None:
    (bare.root / ".ppgp").mkdir()
    make_key(bare)
    hook, request = asks(bare)
    bare.answers(request["id"], "allow_once")
    assert bare.hear(hook).specific["decision"] == {"behavior": "allow"}
    assert not (bare.root / "state").exists()


def test_an_answer_nobody_signed_lets_nothing_run(keyed: Scene) -> None:
    from ppgp_tui.session.authority import answer_files
    from ppgp_tui.session.authority.answer import Answer, signed_text
    from ppgp_tui.session.canonical import digest, new_id
    from ppgp_tui.session.files.safe import Folder

    hook, request = asks(keyed)
    about: Json = {
        "request": request["id"], "digest": digest(request), "attempt": 1,
        "answered_ms": request["created_ms"], "option": "allow_once",
    }  # fmt: skip
    signed = signed_text(repo=request["repo"], **about)
    forged = Answer(**about, decision=new_id("dec"), by="user:dev", signed=signed)
    with Folder.open(keyed.root, ".ppgp", "run") as run:
        answer_files.create_answer(run, forged)
    with pytest.raises(subprocess.TimeoutExpired):
        hook.wait(timeout=2)
    keyed.answers(request["id"], "deny")
    assert keyed.hear(hook).specific["decision"]["behavior"] == "deny"


class TestElsewhere:
    def test_a_call_that_ran_was_allowed_in_the_agents_window(self, keyed: Scene) -> None:
        hook, _ = asks(keyed)
        keyed.hook("claude", keyed.payload("claude", "PostToolUse-Bash"))
        assert keyed.hear(hook).is_silent
        assert keyed.requests() == []
        assert keyed.events("authority.requested") == []

    def test_another_calls_result_says_nothing(self, keyed: Scene) -> None:
        hook, request = asks(keyed)
        keyed.hook("claude", keyed.payload("claude", "PostToolUse-Bash", tool_use_id="toolu_other"))
        with pytest.raises(subprocess.TimeoutExpired):
            hook.wait(timeout=1)
        keyed.answers(request["id"], "allow_once")
        assert keyed.hear(hook).said

    def test_a_turn_that_ended_asks_nothing_any_more(self, keyed: Scene) -> None:
        hook, _ = asks(keyed)
        keyed.hook("claude", keyed.payload("claude", "UserPromptSubmit"))
        assert keyed.hear(hook).is_silent
        assert keyed.requests() == []

    def test_a_killed_hook_asks_nothing_any_more(self, keyed: Scene) -> None:
        hook, _ = asks(keyed)
        hook.send_signal(signal.SIGTERM)
        assert keyed.hear(hook).is_silent
        assert keyed.requests() == []

    def test_codex_is_handed_back_its_prompt_after_a_while(self, keyed: Scene) -> None:
        (keyed.home / "config/ppgp-tui").mkdir(parents=True)
        (keyed.home / "config/ppgp-tui/config.toml").write_text("permission.codex_wait_s = 1\n")
        hook, _ = asks(keyed, "codex")
        assert keyed.hear(hook).is_silent
        assert keyed.requests() == []
        key = f"codex-{keyed.payload('codex', 'Stop')['session_id']}"
        assert keyed.told(key)["asks"]["tool"] == "Bash"
        keyed.hook("codex", keyed.payload("codex", "Stop"))
        assert "asks" not in keyed.told(key)


def test_a_deleted_run_folder_loses_no_prompt(keyed: Scene) -> None:
    hook, request = asks(keyed)
    shutil.rmtree(keyed.run)
    assert until(keyed.requests) == [request]
    keyed.answers(request["id"], "allow_once")
    assert keyed.hear(hook).specific["decision"] == {"behavior": "allow"}


def test_switched_off_the_prompt_stays_with_the_agent(keyed: Scene) -> None:
    (keyed.home / "config/ppgp-tui").mkdir(parents=True)
    (keyed.home / "config/ppgp-tui/config.toml").write_text('permission.mode = "off"\n')
    heard = keyed.hook("claude", keyed.payload("claude", "PermissionRequest-Bash"))
    assert heard.is_silent


def test_a_call_too_large_to_be_shown_whole_stays_with_the_agent(keyed: Scene) -> None:
    payload = keyed.payload(
        "claude", "PermissionRequest-Bash", tool_input={"command": "x" * 300_000}
    )
    assert keyed.hook("claude", payload).is_silent
    key = f"claude-{payload['session_id']}"
    assert "stays with the agent" in " ".join(keyed.told(key)["problems"])


def test_numbers_no_canonical_form_has_are_shown_as_text(keyed: Scene) -> None:
    hook, request = asks(keyed, tool_input={"heat": 0.5, "command": "cook"})
    assert request["tool"]["input"] == {"json": '{"heat": 0.5, "command": "cook"}'}
    keyed.answers(request["id"], "deny")
    keyed.hear(hook)


def test_a_plan_is_a_permission_with_the_plan_to_read(keyed: Scene) -> None:
    hook, request = asks(keyed, name="PermissionRequest-ExitPlanMode")
    assert request["tool"]["input"]["plan"] == "1. Do A\n2. Do B"
    keyed.answers(request["id"], "allow_once")
    assert keyed.hear(hook).specific["decision"] == {"behavior": "allow"}


class TestQuestionsOfClaude:
    def test_an_option_is_its_label(self, keyed: Scene) -> None:
        payload = keyed.payload("claude", "PermissionRequest-AskUserQuestion")
        hook, request = asks(keyed, name="PermissionRequest-AskUserQuestion")
        assert request["question"] == "Which database?"
        assert [option["label"] for option in request["options"]] == ["SQLite", "Postgres"]
        keyed.answers(request["id"], "b")
        decision = keyed.hear(hook).specific["decision"]
        assert decision == {
            "behavior": "allow",
            "updatedInput": {
                "questions": payload["tool_input"]["questions"],
                "answers": {"Which database?": "Postgres"},
            },
        }

    def test_words_are_an_answer_too(self, keyed: Scene) -> None:
        hook, request = asks(keyed, name="PermissionRequest-AskUserQuestion")
        keyed.answers(request["id"], None, text="Neither, use files.")
        updated = keyed.hear(hook).specific["decision"]["updatedInput"]
        assert updated["answers"] == {"Which database?": "Neither, use files."}

    def test_answered_in_its_window_it_is_withdrawn(self, keyed: Scene) -> None:
        keyed.hook("claude", keyed.payload("claude", "PreToolUse-AskUserQuestion"))
        hook = keyed.start("claude", keyed.payload("claude", "PermissionRequest-AskUserQuestion"))
        until(keyed.requests)
        keyed.hook("claude", keyed.payload("claude", "PostToolUse-AskUserQuestion"))
        assert keyed.hear(hook).is_silent
        (withdrawn,) = keyed.events("authority.withdrawn")
        assert withdrawn["payload"]["reason"] == "answered_in_agent"

    def test_a_killed_hook_withdraws_it(self, keyed: Scene) -> None:
        hook, _ = asks(keyed, name="PermissionRequest-AskUserQuestion")
        hook.send_signal(signal.SIGTERM)
        assert keyed.hear(hook).is_silent
        (withdrawn,) = keyed.events("authority.withdrawn")
        assert withdrawn["payload"]["reason"] == "asker_gone"

    def test_several_questions_are_answered_together(self, keyed: Scene) -> None:
        one = keyed.payload("claude", "PermissionRequest-AskUserQuestion")["tool_input"][
            "questions"
        ][0]
        two = {**one, "question": "Which port?"}
        keyed.hook("claude", keyed.payload("claude", "PreToolUse-AskUserQuestion"))
        payload = keyed.payload("claude", "PermissionRequest-AskUserQuestion")
        payload["tool_input"] = {"questions": [one, two]}
        hook = keyed.start("claude", payload)
        until(lambda: len(keyed.requests()) == 2)
        for request in keyed.requests():
            keyed.answers(request["id"], "a" if request["question"] == "Which port?" else "b")
        answers = keyed.hear(hook).specific["decision"]["updatedInput"]["answers"]
        assert answers == {"Which database?": "Postgres", "Which port?": "SQLite"}
