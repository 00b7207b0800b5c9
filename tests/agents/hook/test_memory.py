"""Sessions as runs, the boot packet at their start, and what a compaction costs an agent."""

from __future__ import annotations

import subprocess

import pytest

from ppgp_tui.session.canonical import digest
from ppgp_tui.session.picture import briefing
from tests.agents.hook.scene import Scene
from tests.session.engine import checks

AGENTS = ("claude", "codex")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_begins_with_the_boot_packet_and_a_run(scene: Scene, agent: str) -> None:
    scene.writes()
    scene.wants()
    payload = scene.payload(agent, "SessionStart")
    heard = scene.hook(agent, payload)
    packet = heard.specific["additionalContext"]
    assert "Retry survives a timeout" in packet
    assert "No new dependency" in packet
    (run,) = scene.events("run.started")
    (goal,) = scene.events("goal.created")
    assert run["causation_id"] == goal["id"]
    assert run["correlation_id"] == run["payload"]["run_id"]
    assert run["payload"]["task"] == "session"
    about = run["payload"]["metadata"]
    assert (about["agent"], about["source"]) == (agent, "startup")
    assert about["injected"] == digest(packet)
    told = scene.told(f"{agent}-{payload['session_id']}")
    assert told["run"] == run["payload"]["run_id"]
    assert told["state"] == "idle"
    assert told["continued"] == 0


def test_nothing_is_said_where_there_is_nothing_to_go_on_with(scene: Scene) -> None:
    assert scene.hook("claude", scene.payload("claude", "SessionStart")).is_silent
    assert scene.events("run.started")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_ends_with_its_run(scene: Scene, agent: str) -> None:
    scene.hook(agent, scene.payload(agent, "SessionStart"))
    name = {"claude": "SessionEnd-exit", "codex": "SessionEnd"}[agent]
    payload = scene.payload(agent, name)
    assert scene.hook(agent, payload).is_silent
    (began,) = scene.events("run.started")
    (ended,) = scene.events("run.finished")
    assert ended["causation_id"] == began["id"]
    assert ended["payload"]["outcome"] == "completed"
    assert ended["payload"]["metadata"] == {"reason": payload["reason"]}
    assert scene.told(f"{agent}-{payload['session_id']}")["state"] == "ended"


def test_a_run_that_nobody_ended_was_interrupted(scene: Scene) -> None:
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    scene.hook("claude", scene.payload("claude", "SessionStart-resume"))
    first, second = scene.events("run.started")
    (ended,) = scene.events("run.finished")
    assert ended["payload"]["run_id"] == first["payload"]["run_id"]
    assert ended["payload"]["outcome"] == "interrupted"
    assert ended["actor"]["kind"] == "system"
    assert second["payload"]["metadata"]["resumed_from"] == first["payload"]["run_id"]


def test_two_sessions_have_runs_of_their_own(scene: Scene) -> None:
    scene.hook("claude", scene.payload("claude", "SessionStart", session_id="one"))
    scene.hook("claude", scene.payload("claude", "SessionStart", session_id="two"))
    assert len(scene.events("run.started")) == 2
    assert scene.events("run.finished") == []


class TestCompaction:
    @pytest.mark.parametrize("agent", AGENTS)
    def test_gives_the_packet_again_and_is_recorded(self, scene: Scene, agent: str) -> None:
        scene.writes()
        scene.hook(agent, scene.payload(agent, "SessionStart"))
        scene.hook(agent, scene.payload(agent, "PreCompact"))
        heard = scene.hook(agent, scene.payload(agent, "SessionStart", source="compact"))
        packet = heard.specific["additionalContext"]
        assert packet.startswith("# BOOT PACKET")
        (event,) = scene.events("context.compacted")
        (run,) = scene.events("run.started")
        about = event["payload"]
        assert event["causation_id"] == run["id"]
        assert about["run_id"] == run["payload"]["run_id"]
        assert about["trigger"] == "manual"
        assert about["before"] == about["after"] != ""
        assert about["injected"] == digest(packet)

    def test_says_when_the_contract_was_another_one_before(self, scene: Scene) -> None:
        scene.writes()
        scene.hook("claude", scene.payload("claude", "PreCompact"))
        scene.writes("# Goal\n\n## GOAL\nSomething else\n")
        scene.hook("claude", scene.payload("claude", "SessionStart", source="compact"))
        (event,) = scene.events("context.compacted")
        assert event["payload"]["before"] != event["payload"]["after"]

    def test_of_an_agent_that_does_not_start_anew_is_made_good_at_the_next_prompt(
        self, scene: Scene
    ) -> None:
        scene.writes()
        scene.hook("codex", scene.payload("codex", "PreCompact"))
        assert scene.hook("codex", scene.payload("codex", "PostCompact")).is_silent
        heard = scene.hook("codex", scene.payload("codex", "UserPromptSubmit"))
        assert heard.specific["additionalContext"].startswith("# BOOT PACKET")
        again = scene.hook("codex", scene.payload("codex", "UserPromptSubmit"))
        assert again.is_silent
        assert len(scene.events("context.compacted")) == 1

    def test_that_began_before_we_were_there_is_made_good_as_well(self, scene: Scene) -> None:
        scene.writes()
        scene.hook("codex", scene.payload("codex", "PostCompact"))
        heard = scene.hook("codex", scene.payload("codex", "UserPromptSubmit"))
        assert heard.specific["additionalContext"].startswith("# BOOT PACKET")

    def test_is_not_told_twice_of(self, scene: Scene) -> None:
        scene.writes()
        scene.hook("claude", scene.payload("claude", "PreCompact"))
        scene.hook("claude", scene.payload("claude", "SessionStart", source="compact"))
        scene.hook("claude", scene.payload("claude", "PostCompact"))
        assert scene.hook("claude", scene.payload("claude", "UserPromptSubmit")).is_silent
        assert len(scene.events("context.compacted")) == 1


class TestTheBound:
    def test_a_long_document_is_cut_and_says_so(self, scene: Scene) -> None:
        lines = "\n".join(f"- decision {number} 🙂" for number in range(4_000))
        scene.writes(f"# Goal\n\n## GOAL\nRetry\n\n## FROZEN_DECISIONS\n{lines}\n")
        heard = scene.hook("claude", scene.payload("claude", "SessionStart"))
        packet = heard.specific["additionalContext"]
        assert len(packet.encode("utf-16-le")) // 2 <= 10_000
        assert packet.rstrip().endswith("the rest is in docs/ACTIVE_GOAL.md)")

    @pytest.mark.parametrize("text", ["", "short\n", "x" * 10_000])
    def test_what_fits_stays_as_it_is(self, text: str) -> None:
        assert briefing.bounded(text, "G.md") == text

    @pytest.mark.parametrize("text", ["x" * 10_001, "🙂" * 5_001, "line\n" * 3_000])
    def test_what_does_not_fit_is_cut_at_whole_characters(self, text: str) -> None:
        cut = briefing.bounded(text, "G.md")
        assert len(cut.encode("utf-16-le")) // 2 <= 10_000
        assert "\ufffd" not in cut


def test_what_hooks_write_passes_the_checks_of_the_log(scene: Scene) -> None:
    scene.writes()
    scene.wants()
    for agent in AGENTS:
        end = {"claude": "SessionEnd-exit", "codex": "SessionEnd"}[agent]
        for name in (
            "SessionStart", "UserPromptSubmit", "PreToolUse-Bash", "PostToolUse-Bash", "PreCompact",
            "PostCompact", "UserPromptSubmit", "Stop", "SessionStart-resume", end,
        ):  # fmt: skip
            assert scene.hook(agent, scene.payload(agent, name)).code == 0
    commit = "git add -A && git -c user.name=a -c user.email=a@b.c commit -qm all"
    subprocess.run(commit, shell=True, cwd=scene.root, check=True)
    failed = checks.failures(scene.root)
    assert {number: failed[number] for number in failed if number in (1, 2, 3, 5, 7)} == {}


def test_calls_are_recorded_where_the_repository_asks_for_it(scene: Scene) -> None:
    (scene.root / ".ppgp/config.toml").write_text("events.tools = true\n")
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
    scene.hook("claude", scene.payload("claude", "PostToolUse-Bash"))
    scene.hook("claude", scene.payload("claude", "PostToolUseFailure"))
    good, bad = scene.events("tool.called")
    (run,) = scene.events("run.started")
    assert good["causation_id"] == run["id"]
    assert good["actor"] == {"kind": "tool", "id": "Bash"}
    assert good["payload"]["input_summary"] == "echo one > a.txt; ls"
    assert (good["payload"]["success"], bad["payload"]["success"]) == (True, False)
    (scene.root / ".ppgp/config.toml").write_text("")
    scene.hook("claude", scene.payload("claude", "SessionStart-resume"))
    scene.hook("claude", scene.payload("claude", "PostToolUse-Bash"))
    assert len(scene.events("tool.called")) == 2
