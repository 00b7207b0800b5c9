"""Every recorded payload, and broken, missing, huge and foreign ones, through the whole process."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.agents.hook.main import respond
from tests.agents.hook.scene import DATA, FOLDERS, GENEROUS_S, Json, Scene, recorded

RECORDED = [
    (agent, path.stem)
    for agent in ("claude", "codex")
    for path in sorted((DATA / FOLDERS[agent]).glob("*.json"))
]

CODEX_KEYS: dict[str, set[str]] = {
    "PreToolUse": {
        "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput",
        "additionalContext",
    },
    "PostToolUse": {"hookEventName", "additionalContext"},
    "UserPromptSubmit": {"hookEventName", "additionalContext"},
    "SessionStart": {"hookEventName", "additionalContext"},
    "PermissionRequest": {"hookEventName", "decision"},
}  # fmt: skip
"""What Codex knows below `hookSpecificOutput`; one key more and it drops the whole answer."""


def is_known_to_codex(event: str, answer: Json) -> bool:
    """Whether Codex would take the answer."""
    if not answer:
        return True
    if answer.keys() == {"decision", "reason"}:
        return event == "Stop" and answer["decision"] == "block" and bool(answer["reason"].strip())
    if answer.keys() != {"hookSpecificOutput"}:
        return False
    inner = answer["hookSpecificOutput"]
    if inner.get("hookEventName") != event or not inner.keys() <= CODEX_KEYS[event]:
        return False
    if inner.get("permissionDecision") == "deny":
        return bool(inner["permissionDecisionReason"].strip())
    decision = inner.get("decision", {"behavior": "allow"})
    return decision.keys() <= {"behavior", "message"}


@pytest.mark.parametrize(("agent", "name"), RECORDED)
def test_an_agent_goes_on_at_every_event_where_nobody_wants_anything(
    scene: Scene, agent: str, name: str
) -> None:
    scene.writes()
    if name.startswith("PermissionRequest"):
        (scene.home / "config/ppgp-tui").mkdir(parents=True)
        (scene.home / "config/ppgp-tui/config.toml").write_text('permission.mode = "off"\n')
    heard = scene.hook(agent, scene.payload(agent, name))
    assert (heard.code, heard.stderr) == (0, "")
    assert heard.took_s < GENEROUS_S
    if heard.stdout:
        assert name.startswith("SessionStart")
        assert heard.specific["additionalContext"].startswith("# BOOT PACKET")
    if agent == "codex":
        assert is_known_to_codex(name.split("-")[0], heard.said)


@pytest.mark.parametrize(("agent", "name"), RECORDED)
def test_nothing_is_made_where_no_session_was_begun(bare: Scene, agent: str, name: str) -> None:
    before = sorted(bare.home.rglob("*"))
    assert bare.hook(agent, bare.payload(agent, name)).is_silent
    assert sorted(bare.home.rglob("*")) == before


def test_every_answer_to_codex_has_only_keys_it_knows(scene: Scene) -> None:
    scene.writes()
    scene.wants()
    as_codex = {"program": subprocess.Popen}
    start = scene.hook("codex", scene.payload("codex", "SessionStart"), **as_codex)
    stop = scene.hook("codex", scene.payload("codex", "Stop"), **as_codex)
    assert start.said
    assert stop.said
    assert is_known_to_codex("SessionStart", start.said)
    assert is_known_to_codex("Stop", stop.said)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" \n",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b"not JSON at all",
        b"\xff\xfe\x00",
        b'{"hook_event_name": "PreToolUse"',
        b'{"hook_event_name": "PreToolUse"}',
        b'{"session_id": "s"}',
        b'{"hook_event_name": 7, "session_id": []}',
        b'{"hook_event_name": "PreToolUse", "session_id": null, "tool_name": "Bash"}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
    ids=lambda data: ascii(data[:40]),
)
@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_rubbish_stops_no_agent(scene: Scene, agent: str, data: bytes) -> None:
    assert scene.hook(agent, data, PPGP_ROOT=str(scene.root)).is_silent


def test_rubbish_that_is_no_call_is_never_refused(scene: Scene) -> None:
    """A refused end of a turn would be another turn."""
    for data in (b"{", b'{"hook_event_name": "Stop", "session_id": "s1"'):
        assert scene.hook("claude", data, "--strict", PPGP_ROOT=str(scene.root)).is_silent


def test_a_call_cut_off_is_refused_where_the_hook_is_strict(scene: Scene) -> None:
    cut = b'{"hook_event_name": "PreToolUse", "session_id": "s1", "tool_na'
    heard = scene.hook("claude", cut, "--strict", PPGP_ROOT=str(scene.root))
    assert heard.code == 2
    assert heard.stdout == ""
    assert "could not look at the pause" in heard.stderr


@pytest.mark.parametrize("agent", ["claude", "codex"])
@pytest.mark.parametrize(
    "missing", ["cwd", "tool_use_id", "tool_input", "transcript_path", "permission_mode"]
)
def test_a_call_is_seen_whatever_it_does_not_say(scene: Scene, agent: str, missing: str) -> None:
    payload = scene.payload(agent, "PreToolUse-Bash", **{missing: None})
    assert scene.hook(agent, payload, program=subprocess.Popen).is_silent
    key = f"{agent}-{payload['session_id']}"
    (line,) = scene.calls(key)
    assert line[:3] == ["pre", "0", "go"]
    assert line[-1] == "Bash"


@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "SessionStart", "SessionEnd"])
def test_members_of_another_type_stop_no_agent(
    scene: Scene, event: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.wants()
    monkeypatch.setenv("PPGP_ROOT", str(scene.root))
    name = {"PreToolUse": "PreToolUse-Bash", "SessionEnd": "SessionEnd-exit"}.get(event, event)
    base = scene.payload("claude", name)
    for member in base.keys() - {"hook_event_name", "session_id"}:
        for odd in (None, 7, [], {}, "half \ud800", 1e400, True):
            if (member, odd) != ("cwd", "half \ud800"):
                answer = respond("claude", json.dumps({**base, member: odd}).encode())
                assert (answer.code, answer.stderr) == (0, ""), (member, odd)


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_an_event_nobody_knows_is_let_go(scene: Scene, agent: str) -> None:
    payload = scene.payload(agent, "PreToolUse-Bash", hook_event_name="BeforeBreakfast")
    assert scene.hook(agent, payload).is_silent


def test_what_another_agent_sends_is_let_go(scene: Scene) -> None:
    for name in ("BeforeTool", "SessionStart"):
        payload = {**recorded("gemini", name), "cwd": str(scene.root)}
        heard = scene.hook("claude", payload)
        assert (heard.code, heard.stderr) == (0, "")


@pytest.mark.parametrize("words", [[], ["nobody"], ["--strict"], ["claude", "nonsense"]])
def test_other_words_on_the_command_line_stop_no_agent(scene: Scene, words: list[str]) -> None:
    import sys

    from tests.agents.hook.scene import HOOK

    data = json.dumps(scene.payload("claude", "PreToolUse-Bash")).encode()
    ran = subprocess.run(
        [sys.executable, "-I", "-S", HOOK, *words],
        input=data, capture_output=True, env=scene.environ, timeout=GENEROUS_S, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "text",
    ["x" * 5_000_000, '"\\\n' * 1_500_000, "日本語🙂" * 500_000],
    ids=["plain", "all of it escaped", "far from ASCII"],
)
def test_five_megabytes_are_read(scene: Scene, text: str) -> None:
    payload = scene.payload("claude", "PreToolUse-Write")
    payload["tool_input"] = {"file_path": "a", "content": text}
    heard = scene.hook("claude", payload)
    assert heard.is_silent
    assert heard.took_s < GENEROUS_S
    (line,) = scene.calls(f"claude-{payload['session_id']}")
    assert line == ["pre", "0", "go", payload["tool_use_id"], "-", "Write"]


def test_twenty_calls_side_by_side_are_all_written_down(scene: Scene) -> None:
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    payloads = [
        scene.payload("claude", "PreToolUse-Bash", tool_use_id=f"toolu_{number}")
        for number in range(20)
    ]
    hooks = [scene.start("claude", payload) for payload in payloads]
    assert all(scene.hear(hook).is_silent for hook in hooks)
    ids = {line[3] for line in scene.calls(f"claude-{payloads[0]['session_id']}")}
    assert ids == {f"toolu_{number}" for number in range(20)}


def test_a_subagents_call_carries_its_name(scene: Scene) -> None:
    payload = scene.payload("claude", "PreToolUse-in-subagent")
    scene.hook("claude", payload)
    (line,) = scene.calls(f"claude-{payload['session_id']}")
    assert line[4] == payload["agent_id"]


@pytest.mark.parametrize(
    "session",
    ["../../../etc/passwd", "a b", "ü", "x" * 200, "new\nline", "\ud800", "a/b"],
    ids=["upwards", "blank", "accent", "long", "line", "half", "slash"],
)
def test_no_session_id_leads_out_of_the_folder(scene: Scene, session: str) -> None:
    payload = scene.payload("claude", "PreToolUse-Bash", session_id=session)
    assert scene.hook("claude", payload).is_silent
    names = {path.suffix for path in (scene.run / "agents").iterdir()}
    assert names == {".calls", ".json"}
    assert sorted(path.name for path in scene.home.iterdir() if path.is_file()) == []


def test_the_environment_is_never_written_anywhere(scene: Scene) -> None:
    scene.writes()
    scene.wants()
    secret = "sk-ant-very-secret"
    for name in ("SessionStart", "UserPromptSubmit", "PreToolUse-Bash", "Stop", "SessionEnd-exit"):
        heard = scene.hook("claude", scene.payload("claude", name), ANTHROPIC_API_KEY=secret)
        assert secret not in heard.stdout + heard.stderr
    for path in scene.home.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path


class TestTheRoot:
    def test_is_the_nearest_folder_upwards_with_a_session(self, scene: Scene) -> None:
        below = scene.root / "src" / "deep"
        below.mkdir(parents=True)
        payload = scene.payload("codex", "PreToolUse-Bash", cwd=str(below))
        scene.hook("codex", payload)
        assert scene.calls(f"codex-{payload['session_id']}")

    def test_is_not_above_the_top_of_the_repository(self, scene: Scene) -> None:
        inner = scene.root / "vendor"
        inner.mkdir()
        os.system(f"git init -q {inner}")
        payload = scene.payload("codex", "PreToolUse-Bash", cwd=str(inner))
        assert scene.hook("codex", payload).is_silent
        assert not scene.calls(f"codex-{payload['session_id']}")

    def test_is_the_agents_project_before_its_working_directory(self, scene: Scene) -> None:
        payload = scene.payload("claude", "PreToolUse-Bash", cwd="/")
        scene.hook("claude", payload, CLAUDE_PROJECT_DIR=str(scene.root))
        assert scene.calls(f"claude-{payload['session_id']}")

    def test_is_never_the_project_of_an_agent_around_this_one(self, scene: Scene) -> None:
        payload = scene.payload("codex", "PreToolUse-Bash", cwd="/")
        scene.hook("codex", payload, CLAUDE_PROJECT_DIR=str(scene.root))
        assert not scene.calls(f"codex-{payload['session_id']}")

    def test_named_by_the_person_comes_first(self, scene: Scene, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        (elsewhere / ".ppgp").mkdir(parents=True)
        payload = scene.payload("claude", "PreToolUse-Bash")
        scene.hook("claude", payload, PPGP_ROOT=str(elsewhere))
        assert not scene.calls(f"claude-{payload['session_id']}")
        assert (elsewhere / ".ppgp/run/agents").is_dir()


class TestHostileFolders:
    def test_a_link_in_place_of_the_run_folder_is_not_followed(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (scene.root / ".ppgp/run").rename(scene.root / "moved")
        (scene.root / ".ppgp/run").symlink_to(outside)
        heard = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        assert heard.is_silent
        assert list(outside.iterdir()) == []

    def test_a_link_in_place_of_the_calls_is_not_followed(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        target = tmp_path / "target"
        target.touch()
        payload = scene.payload("claude", "PreToolUse-Bash")
        (scene.run / "agents").mkdir(exist_ok=True)
        (scene.run / "agents" / f"claude-{payload['session_id']}.calls").symlink_to(target)
        assert scene.hook("claude", payload).is_silent
        assert target.read_bytes() == b""

    def test_a_pipe_in_place_of_the_order_holds_nobody_up(self, scene: Scene) -> None:
        os.mkfifo(scene.run / "control.json")
        assert scene.hook("claude", scene.payload("claude", "PreToolUse-Bash")).is_silent

    @pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
    def test_a_read_only_run_folder_stops_no_agent(self, scene: Scene) -> None:
        scene.run.chmod(0o500)
        try:
            heard = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        finally:
            scene.run.chmod(0o700)
        assert heard.is_silent


def test_a_damaged_order_holds_nobody(scene: Scene) -> None:
    for data in (b"", b"{", b"[]", b'{"hold":7,"schema":1}', b'{"schema":2}', b"\xff" * 99):
        (scene.run / "control.json").write_bytes(data)
        heard = scene.hook("claude", scene.payload("claude", "PreToolUse-Bash"))
        assert heard.is_silent, data


def test_a_damaged_file_of_the_session_is_written_anew(scene: Scene) -> None:
    payload: dict[str, Any] = scene.payload("claude", "UserPromptSubmit")
    key = f"claude-{payload['session_id']}"
    (scene.run / "agents").mkdir(exist_ok=True)
    for data in ("", "[]", '{"continued":"many"}', '{"problems":[7],"continued":0}', '{"x":1.5}'):
        (scene.run / "agents" / f"{key}.json").write_text(data)
        assert scene.hook("claude", payload).is_silent
        assert scene.told(key)["state"] == "working", data
