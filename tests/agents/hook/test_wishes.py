"""What a person wants of one agent: that its turn ends, that it reads a note."""

from __future__ import annotations

import json

import pytest

from ppgp_tui.session.actions import turns
from tests.agents.hook.scene import Json, Scene

AGENTS = ("claude", "codex")


def key(scene: Scene, agent: str) -> str:
    return f"{agent}-{scene.payload(agent, 'Stop')['session_id']}"


def order(scene: Scene) -> Json:
    said: Json = json.loads((scene.run / "control.json").read_bytes())
    return said


class TestStopTurn:
    @pytest.mark.parametrize("agent", AGENTS)
    def test_refuses_further_calls_until_the_turn_is_over(self, scene: Scene, agent: str) -> None:
        scene.hook(agent, scene.payload(agent, "UserPromptSubmit"))
        assert turns.stop_turn(scene.person, key(scene, agent)).code == "done"
        heard = scene.hook(agent, scene.payload(agent, "PreToolUse-Bash"))
        assert heard.specific["permissionDecision"] == "deny"
        assert heard.specific["permissionDecisionReason"].startswith("Stopped by the operator.")
        assert scene.calls(key(scene, agent))[-1][:3] == ["pre", "1", "deny"]
        assert scene.hook(agent, scene.payload(agent, "Stop")).is_silent
        assert order(scene)["stop"] == []
        assert order(scene)["slow"] is False
        assert scene.hook(agent, scene.payload(agent, "PreToolUse-Bash")).is_silent

    @pytest.mark.parametrize("name", ["PostToolUse-Bash", "PostToolUseFailure", "PostToolBatch"])
    def test_ends_claudes_turn_after_the_call_under_way(self, scene: Scene, name: str) -> None:
        scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        turns.stop_turn(scene.person, key(scene, "claude"))
        heard = scene.hook("claude", scene.payload("claude", name))
        assert heard.said["continue"] is False
        assert heard.said["stopReason"].startswith("Stopped by the operator.")
        others = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash", tool_use_id="b"))
        if name != "PostToolBatch":  # a call of the same batch
            assert others.specific["permissionDecision"] == "deny"
            scene.hook("claude", scene.payload("claude", "PostToolBatch"))
        assert order(scene)["stop"] == []
        assert scene.told(key(scene, "claude"))["state"] == "idle"

    def test_says_nothing_to_codex_after_a_call_for_it_would_go_on(self, scene: Scene) -> None:
        turns.stop_turn(scene.person, key(scene, "codex"))
        assert scene.hook("codex", scene.payload("codex", "PostToolUse-Bash")).is_silent

    def test_concerns_nobody_else(self, scene: Scene) -> None:
        turns.stop_turn(scene.person, "claude-another")
        assert scene.hook("claude", scene.payload("claude", "PreToolUse-Bash")).is_silent

    def test_is_over_with_a_persons_next_prompt(self, scene: Scene) -> None:
        turns.stop_turn(scene.person, key(scene, "claude"))
        scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
        assert order(scene)["stop"] == []

    def test_does_not_go_on_with_the_goal(self, scene: Scene) -> None:
        scene.writes()
        scene.wants()
        scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
        turns.stop_turn(scene.person, key(scene, "claude"))
        assert scene.hook("claude", scene.payload("claude", "Stop")).is_silent

    def test_is_recorded_as_an_interruption(self, scene: Scene) -> None:
        turns.stop_turn(scene.person, key(scene, "claude"))
        (event,) = scene.events("human.interrupted")
        assert event["payload"] == {"what": "stop_turn", "session": key(scene, "claude")}

    def test_needs_no_log(self, bare: Scene) -> None:
        assert turns.stop_turn(bare.person, key(bare, "claude")).code == "done"
        heard = bare.hook("claude", bare.payload("claude", "PreToolUse-Bash"))
        assert heard.specific["permissionDecision"] == "deny"


class TestNotes:
    @pytest.mark.parametrize("agent", AGENTS)
    @pytest.mark.parametrize("name", ["PreToolUse-Bash", "PostToolUse-Bash", "UserPromptSubmit"])
    def test_reach_the_model_at_the_next_hook_point_once(
        self, scene: Scene, agent: str, name: str
    ) -> None:
        assert turns.send_note(scene.person, "Mind the clock.").code == "done"
        assert order(scene)["slow"] is True
        heard = scene.hook(agent, scene.payload(agent, name))
        assert heard.specific == {
            "hookEventName": name.split("-")[0],
            "additionalContext": "A note from the operator: Mind the clock.",
        }
        assert order(scene)["slow"] is False
        assert scene.hook(agent, scene.payload(agent, name)).is_silent
        (kept,) = (scene.run / "notes").iterdir()
        assert kept.name == f"1.{key(scene, agent)}.json"

    @pytest.mark.parametrize("agent", AGENTS)
    def test_begin_another_round_at_the_end_of_a_turn(self, scene: Scene, agent: str) -> None:
        turns.send_note(scene.person, "One more thing.")
        heard = scene.hook(agent, scene.payload(agent, "Stop"))
        reason = "A note from the operator: One more thing."
        assert heard.said == {"decision": "block", "reason": reason}

    def test_wait_for_the_session_they_are_for(self, scene: Scene) -> None:
        turns.send_note(scene.person, "For you alone.", (key(scene, "codex"),))
        assert scene.hook("claude", scene.payload("claude", "PreToolUse-Bash")).is_silent
        heard = scene.hook("codex", scene.payload("codex", "PreToolUse-Bash"))
        assert "For you alone." in heard.specific["additionalContext"]

    def test_come_in_the_order_they_were_written(self, scene: Scene) -> None:
        for text in ("one", "two", "three"):
            turns.send_note(scene.person, text)
        heard = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        words = heard.specific["additionalContext"].split("\n\n")
        assert [word.rpartition(" ")[2] for word in words] == ["one", "two", "three"]

    def test_wait_with_a_held_call_and_go_with_it(self, scene: Scene) -> None:
        from tests.waiting import until

        scene.holds()
        hook = scene.start("claude", scene.payload("claude", "PreToolUse-Bash"))
        until(scene.held)
        turns.send_note(scene.person, "Before you go on.")
        scene.releases()
        assert "Before you go on." in scene.hear(hook).specific["additionalContext"]

    def test_that_say_nothing_are_refused(self, scene: Scene) -> None:
        assert turns.send_note(scene.person, "  \n").code == "refused"
        assert turns.send_note(scene.person, "x" * 4001).code == "refused"

    def test_that_are_no_notes_stop_nobody(self, scene: Scene) -> None:
        (scene.run / "notes").mkdir()
        for number, text in enumerate(("", "[]", '{"to":7}', '{"schema":1,"to":["*"]}'), 1):
            (scene.run / "notes" / f"{number}.json").write_text(text)
        turns.send_note(scene.person, "A real one.")
        heard = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        assert heard.specific["additionalContext"].endswith("A real one.")


def test_only_a_person_wishes(scene: Scene) -> None:
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    agent = Engine(scene.root, Actor("agent", "claude-x"))
    assert turns.stop_turn(agent, "claude-y").code == "refused"
    assert turns.send_note(agent, "obey").code == "refused"
