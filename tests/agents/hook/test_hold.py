"""A pause holds the next call, and lets it go as if nothing had been."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ppgp_tui.session.actions import control as orders
from tests.agents.hook.scene import Json, Scene
from tests.waiting import until


def change_order(scene: Scene, **changed: object) -> None:
    """Change the order by hand, as the engine would write it."""
    from ppgp_tui.session.canonical import canonical

    path = scene.run / "control.json"
    data = canonical({**json.loads(path.read_bytes()), **changed}) + b"\n"
    path.with_suffix(".new").write_bytes(data)
    path.with_suffix(".new").rename(path)


def begun(scene: Scene, agent: str = "claude") -> tuple[Json, str]:
    """A session that has started, its next call, and its key."""
    scene.hook(agent, scene.payload(agent, "SessionStart"))
    payload = scene.payload(agent, "PreToolUse-Bash")
    return payload, f"{agent}-{payload['session_id']}"


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_call_waits_while_a_pause_stands_and_then_goes_on(scene: Scene, agent: str) -> None:
    payload, key = begun(scene, agent)
    hold = scene.holds()
    hook = scene.start(agent, payload)
    (waiting,) = until(scene.held)
    assert waiting["hold"] == hold
    assert (waiting["session"], waiting["tool"]) == (key, "Bash")
    assert waiting["pid"] == hook.pid
    time.sleep(0.5)
    assert hook.poll() is None
    scene.releases()
    assert scene.hear(hook).is_silent
    assert scene.held() == []
    tool_use = payload["tool_use_id"]
    assert scene.calls(key) == [
        ["pre", "1", "held", tool_use, "-", "Bash"],
        ["pre", "2", "go", tool_use, "-", "Bash"],
    ]


def test_held_and_released_are_recorded_with_the_time_between(scene: Scene) -> None:
    payload, key = begun(scene)
    hold = scene.holds()
    hook = scene.start("claude", payload)
    until(lambda: scene.events("agent.held"))
    time.sleep(0.4)
    scene.releases()
    scene.hear(hook)
    (pause, *_) = scene.events("human.interrupted")
    (held,) = scene.events("agent.held")
    (released,) = scene.events("agent.released")
    (run,) = scene.events("run.started")
    assert held["causation_id"] == pause["id"]
    assert released["causation_id"] == held["id"]
    assert held["actor"] == {"kind": "agent", "id": key}
    assert held["payload"] == {
        "run_id": run["payload"]["run_id"], "session": key, "hold": hold, "tool": "Bash",
        "tool_use_id": payload["tool_use_id"],
    }  # fmt: skip
    assert released["payload"]["outcome"] == "resumed"
    assert released["payload"]["waited_ms"] >= 300


def test_a_request_to_the_model_waits_too_where_the_agent_tells_of_it(scene: Scene) -> None:
    begun(scene, "codex")
    scene.holds()
    hook = scene.start("codex", scene.payload("codex", "PreModelRequest"))
    (waiting,) = until(scene.held)
    assert waiting["tool"] == "PreModelRequest"
    scene.releases()
    assert scene.hear(hook).is_silent


@pytest.mark.parametrize(
    "written",
    [b"[" * 3000 + b"]" * 3000, b"1" * 6000, b'"\xff"', b'"\xed\xa0\x80"'],
    ids=["nested deep", "a long number", "no UTF-8", "half a character"],
)
def test_what_a_model_wrote_is_no_way_past_a_pause(scene: Scene, written: bytes) -> None:
    payload, _ = begun(scene)
    scene.holds()
    data = json.dumps({**payload, "tool_input": {"x": "HERE"}}).encode().replace(b'"HERE"', written)
    hook = scene.start("claude", data)
    until(scene.held)
    time.sleep(0.3)
    assert hook.poll() is None
    scene.releases()
    assert scene.hear(hook).is_silent


@pytest.mark.parametrize("name", ["PostToolUse-Bash", "PostToolUseFailure", "UserPromptSubmit"])
def test_nothing_else_waits(scene: Scene, name: str) -> None:
    begun(scene)
    scene.holds()
    assert scene.hook("claude", scene.payload("claude", name)).is_silent


def test_twenty_calls_wait_and_go_on_together(scene: Scene) -> None:
    payload, key = begun(scene)
    scene.holds()
    hooks = [
        scene.start("claude", {**payload, "tool_use_id": f"toolu_{number}"}) for number in range(20)
    ]
    until(lambda: len(scene.held()) == 20)
    scene.releases()
    assert all(scene.hear(hook).is_silent for hook in hooks)
    assert scene.held() == []
    gone = {line[3] for line in scene.calls(key) if line[2] == "go"}
    assert gone == {f"toolu_{number}" for number in range(20)}


def test_a_subagents_call_waits_under_its_own_name(scene: Scene) -> None:
    begun(scene)
    scene.holds()
    payload = scene.payload("claude", "PreToolUse-in-subagent")
    hook = scene.start("claude", payload)
    (waiting,) = until(scene.held)
    assert waiting["subagent"] == payload["agent_id"]
    scene.releases()
    scene.hear(hook)


class TestWho:
    def test_another_session_is_not_held(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        hold = scene.holds()
        change_order(
            scene, hold={"id": hold, "reason": "", "since_ms": 1, "who": ["claude-another"]}
        )
        assert scene.hook("claude", payload).is_silent

    def test_a_held_call_goes_on_when_the_next_pause_is_not_for_it(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(scene.held)
        other = f"hold_{'0' * 31}1"
        for promise in (scene.home / "state").rglob("pause.json"):
            promise.unlink()
        change_order(scene, hold={"id": other, "reason": "", "since_ms": 2, "who": ["claude-b"]})
        assert scene.hear(hook).is_silent

    def test_a_held_call_waits_on_for_the_next_pause(self, scene: Scene) -> None:
        payload, key = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(scene.held)
        other = f"hold_{'0' * 31}1"
        change_order(scene, hold={"id": other, "reason": "", "since_ms": 2, "who": [key]})
        until(lambda: [one for one in scene.held() if one["hold"] == other])
        assert hook.poll() is None
        hook.kill()
        hook.wait()


class TestTheLimit:
    @pytest.mark.parametrize("agent", ["claude", "codex"])
    def test_one_call_is_refused_with_one_line_and_the_next_waits_anew(
        self, scene: Scene, agent: str
    ) -> None:
        payload, key = begun(scene, agent)
        scene.holds()
        change_order(scene, hold_limit_s=1)
        heard = scene.hook(agent, payload)
        assert heard.code == 0
        assert heard.said == {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": "Paused by the operator. Do not retry; end your turn.",
            }
        }
        assert scene.calls(key)[-1][:3] == ["pre", "1", "deny"]
        assert [event["payload"]["outcome"] for event in scene.events("agent.released")] == [
            "limit"
        ]
        began = time.monotonic()
        scene.hook(agent, {**payload, "tool_use_id": "toolu_next"})
        assert time.monotonic() - began >= 1

    def test_is_that_of_the_settings(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        (scene.home / "config/ppgp-tui").mkdir(parents=True)
        (scene.home / "config/ppgp-tui/config.toml").write_text("hold.limit_s = 1\n")
        scene.holds()
        assert scene.hook("claude", payload).specific["permissionDecision"] == "deny"

    def test_of_a_changed_setting_counts_from_the_next_session_on(self, scene: Scene) -> None:
        scene.holds()
        scene.releases()
        (scene.home / "config/ppgp-tui").mkdir(parents=True)
        text = "hold.limit_s = 77\ncontinue.limit = 50\n"
        (scene.home / "config/ppgp-tui/config.toml").write_text(text)
        begun(scene)
        order = json.loads((scene.run / "control.json").read_bytes())
        assert (order["hold_limit_s"], order["continue"]["limit"]) == (77, 50)
        assert order["slow"] is False


class TestALostPause:
    def test_a_deleted_run_folder_is_waited_for_and_then_the_call_goes_on(
        self, scene: Scene
    ) -> None:
        payload, key = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(lambda: scene.held() and "event" in scene.held()[0])
        shutil.rmtree(scene.run)
        began = time.monotonic()
        time.sleep(2)
        assert hook.poll() is None
        heard = scene.hear(hook)
        assert heard.is_silent
        assert time.monotonic() - began > 8
        assert "lost" in " ".join(scene.told(key)["problems"])

    def test_an_order_given_again_in_time_holds_on(self, scene: Scene) -> None:
        payload, key = begun(scene)
        hold = scene.holds()
        hook = scene.start("claude", payload)
        until(lambda: scene.held() and "event" in scene.held()[0])
        shutil.rmtree(scene.run)
        time.sleep(0.5)
        assert orders.mend_hold(scene.person)
        (waiting,) = until(scene.held)
        assert waiting["hold"] == hold
        until((scene.run / "agents" / f"{key}.json").exists)  # or nobody would know whose it is
        assert scene.told(key)["state"] == "working"
        assert hook.poll() is None
        scene.releases()
        assert scene.hear(hook).is_silent

    def test_an_order_that_other_hands_took_back_is_not_a_release_at_once(
        self, scene: Scene
    ) -> None:
        payload, _ = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(scene.held)
        change_order(scene, hold=None, slow=False)
        time.sleep(1.5)
        assert hook.poll() is None
        orders.mend_hold(scene.person)
        scene.releases()
        assert scene.hear(hook).is_silent


class TestKilled:
    def test_a_killed_wait_is_cleared_away_and_refuses(self, scene: Scene) -> None:
        payload, key = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(lambda: scene.held() and "event" in scene.held()[0])
        hook.send_signal(signal.SIGTERM)
        heard = scene.hear(hook)
        assert heard.specific["permissionDecision"] == "deny"
        assert scene.held() == []
        assert [event["payload"]["outcome"] for event in scene.events("agent.released")] == [
            "killed"
        ]
        assert scene.calls(key)[-1][0] == "fail"
        assert scene.told(key)["state"] == "idle"

    def test_where_the_agent_does_not_tell_of_esc_the_hook_does(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(lambda: scene.held() and "event" in scene.held()[0])
        hook.send_signal(signal.SIGTERM)
        scene.hear(hook)
        assert "esc" in [event["payload"]["what"] for event in scene.events("human.interrupted")]

    def test_outright_is_recorded_by_the_next_hook(self, scene: Scene) -> None:
        payload, key = begun(scene)
        scene.holds()
        hook = scene.start("claude", payload)
        until(lambda: scene.held() and "event" in scene.held()[0])
        hook.kill()
        hook.wait()
        assert scene.held()
        scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
        assert scene.held() == []
        (released,) = scene.events("agent.released")
        assert released["payload"]["outcome"] == "killed"
        assert released["payload"]["session"] == key
        assert "waited_ms" not in released["payload"]

    def test_with_its_agent_ends_by_itself(self, scene: Scene, tmp_path: Path) -> None:
        payload, _ = begun(scene)
        scene.holds()
        script = tmp_path / "agent"
        file = tmp_path / "payload"
        file.write_text(json.dumps(payload))
        import sys

        from tests.agents.hook.scene import HOOK

        script.write_text(
            "import subprocess,sys\n"
            f"subprocess.Popen([{sys.executable!r}, '-I', '-S', {HOOK!r}, 'claude'],"
            f" stdin=open({str(file)!r}))\n"
            "sys.stdin.read()\n"
        )
        agent = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, env=scene.environ
        )
        until(lambda: scene.held() and "event" in scene.held()[0])
        agent.kill()
        agent.wait()
        until(lambda: scene.held() == [])
        (released,) = until(lambda: scene.events("agent.released"))
        assert released["payload"]["outcome"] == "killed"


class TestStrict:
    def test_where_the_order_cannot_be_read_the_call_waits(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        (scene.run / "control.json").write_text("{")
        hook = scene.start("claude", payload, "--strict")
        time.sleep(1)
        assert hook.poll() is None
        (scene.run / "control.json").unlink()
        scene.holds()
        until(scene.held)
        scene.releases()
        assert scene.hear(hook).is_silent

    def test_where_there_is_no_order_the_call_waits(self, scene: Scene) -> None:
        payload, _ = begun(scene)
        hook = scene.start("claude", payload, "--strict")
        time.sleep(1)
        assert hook.poll() is None
        scene.holds()
        scene.releases()
        assert scene.hear(hook).is_silent

    def test_without_a_session_nothing_waits(self, bare: Scene) -> None:
        payload = bare.payload("claude", "PreToolUse-Bash")
        assert bare.hook("claude", payload, "--strict").is_silent


def test_a_pause_holds_where_nothing_can_be_recorded(bare: Scene) -> None:
    bare.holds()
    hook = bare.start("claude", bare.payload("claude", "PreToolUse-Bash"))
    until(bare.held)
    bare.releases()
    assert bare.hear(hook).is_silent


def test_a_pause_holds_where_nothing_can_be_written(scene: Scene) -> None:
    payload, _ = begun(scene)
    scene.holds()
    shutil.rmtree(scene.run / "agents")
    (scene.run / "agents").write_text("a file where the folder was")
    (scene.run / "held").write_text("a file where the folder was")
    hook = scene.start("claude", payload)
    time.sleep(1)
    assert hook.poll() is None
    scene.releases()
    assert scene.hear(hook).is_silent


def test_waiting_costs_no_measurable_time(scene: Scene) -> None:
    payload, _ = begun(scene)
    scene.holds()
    hook = scene.start("claude", payload)
    until(lambda: scene.held() and "event" in scene.held()[0])
    time.sleep(0.3)
    ticks = os.sysconf("SC_CLK_TCK")

    def used() -> float:
        fields = Path(f"/proc/{hook.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    if not Path("/proc").is_dir():
        pytest.skip("the system does not tell what a process used")
    before = used()
    time.sleep(4)
    assert used() - before < 1  # what looks without a pause uses four of
    assert resource.getrusage(resource.RUSAGE_SELF)
    scene.releases()
    scene.hear(hook)
