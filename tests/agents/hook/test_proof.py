"""What a screen may say of a pause, from the files that real hooks leave (the pause's table)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time

import pytest

from ppgp_tui.session.actions import control, turns
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.scene import Scene as EngineScene
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Agent, Handshake, SessionSnapshot
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.picture.json_view import snapshot_json
from ppgp_tui.session.status.line import read_status
from ppgp_tui.ui.plain.picture import sentences
from tests.agents.hook.scene import DOCUMENT, Json, Scene
from tests.waiting import until


def shown(scene: Scene, later_s: float = 0) -> SessionSnapshot:
    """What an app that was opened just now shows, or will `later_s` seconds from now."""
    return LiveSession(
        scene.root, clock=lambda: time.time_ns() // 1_000_000 + int(later_s * 1000)
    ).read_all()


def handshake(scene: Scene, later_s: float = 0) -> list[tuple[str, int]]:
    return [(one.state, one.count) for one in shown(scene, later_s).control.value.handshake]


def run_lamp(scene: Scene) -> str:
    """The lamp of the app, which the status line repeats."""
    snapshot = shown(scene)
    lamp = glance(snapshot).run
    said = read_status(str(scene.root), None, os.environ, int(time.time() * 1000))
    assert said["run"] == lamp
    return lamp


def only(scene: Scene) -> Agent:
    (agent,) = shown(scene).agents.value
    return agent


@pytest.fixture
def payload(scene: Scene) -> Json:
    """A session of Claude Code whose turn has begun, and its next call."""
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
    return scene.payload("claude", "PreToolUse-Bash")


def after(scene: Scene, payload: Json) -> Json:
    return scene.payload("claude", "PostToolUse-Bash", tool_use_id=payload["tool_use_id"])


def test_an_agent_whose_turn_is_over_is_asked_and_never_said_not_to_have_seen_it(
    scene: Scene, payload: Json
) -> None:
    scene.hook("claude", scene.payload("claude", "Stop", stop_hook_active=True))
    scene.holds()
    assert handshake(scene) == [("requested", 0)]
    assert handshake(scene, later_s=600) == [("requested", 0)]


def test_inside_a_call_it_will_hold_at_the_next_and_has_seen_it_when_the_call_ends(
    scene: Scene, payload: Json
) -> None:
    scene.hook("claude", payload)
    scene.holds()
    assert handshake(scene) == [("will_hold", 0)]
    assert run_lamp(scene) == "pause_asked"
    scene.hook("claude", after(scene, payload))
    assert handshake(scene) == [("seen", 0)]
    assert run_lamp(scene) == "seen"


def test_without_a_sign_for_half_a_minute_it_is_not_seen(scene: Scene, payload: Json) -> None:
    scene.hook("claude", payload)
    scene.hook("claude", after(scene, payload))
    scene.holds()
    assert handshake(scene) == [("requested", 0)]
    assert handshake(scene, later_s=31) == [("not_seen", 0)]


def test_it_is_held_only_while_a_hook_waits_and_the_log_tells_how_long(
    scene: Scene, payload: Json
) -> None:
    scene.holds()
    hook = scene.start("claude", payload)
    until(scene.held)
    assert handshake(scene) == [("held", 0)]
    agent = only(scene)
    assert (agent.state, agent.held_tool) == ("held", "Bash")
    assert run_lamp(scene) == "held"
    time.sleep(0.3)
    scene.releases()
    assert scene.hear(hook).is_silent
    assert handshake(scene) == []
    assert only(scene).state == "working"
    _, released = scene.events("agent.held", "agent.released")
    assert released["payload"]["outcome"] == "resumed"
    lasted = released["payload"]["waited_ms"]
    assert lasted >= 300


def test_held_hooks_of_codex_before_a_model_request_count_as_well(scene: Scene) -> None:
    request = scene.payload("codex", "PreModelRequest")
    session = request["session_id"]
    scene.hook("codex", scene.payload("codex", "SessionStart", session_id=session))
    scene.holds()
    hook = scene.start("codex", request)
    until(scene.held)
    assert handshake(scene) == [("held", 0)]
    scene.releases()
    scene.hear(hook)


def test_a_hook_that_is_killed_holds_nothing_any_more(scene: Scene, payload: Json) -> None:
    scene.holds()
    hook = scene.start("claude", payload)
    until(scene.held)
    hook.send_signal(signal.SIGKILL)
    scene.hear(hook)
    assert handshake(scene)[0][0] == "seen"
    assert only(scene).state != "held"


def test_work_that_appears_while_it_is_held_breaks_the_pause(scene: Scene, payload: Json) -> None:
    scene.holds()
    hook = scene.start("claude", payload)
    (waits,) = until(scene.held)
    agent = Engine(scene.root, Actor("agent", waits["session"]))
    time.sleep(0.01)

    def works(_: EngineScene, draft: Draft) -> Json:
        draft.record("note.made", {"id": "note"})
        return {}

    result = agent.perform("work", works)
    assert result.ok, result
    assert handshake(scene) == [("violated", 1)]
    assert run_lamp(scene) == "violated"
    scene.releases()
    scene.hear(hook)


def test_one_agent_is_held_alone_and_the_others_work(scene: Scene, payload: Json) -> None:
    scene.hook("codex", scene.payload("codex", "SessionStart"))
    scene.hook("codex", scene.payload("codex", "UserPromptSubmit"))
    claude, codex = (agent.session for agent in shown(scene).agents.value)
    scene.wants()
    assert control.hold(scene.person, session=claude).ok
    hook = scene.start("claude", payload)
    until(scene.held)
    assert scene.hook("codex", scene.payload("codex", "PreToolUse-Bash")).is_silent
    snapshot = shown(scene)
    assert [(one.session, one.state) for one in snapshot.control.value.handshake] == [
        (claude, "held")
    ]
    assert {one.session: one.state for one in snapshot.agents.value} == {
        claude: "held", codex: "working",
    }  # fmt: skip
    assert snapshot.lifecycle.value.status == "active", "the goal goes on"
    scene.hook("codex", scene.payload("codex", "PostToolUse-Bash"))

    assert control.hold(scene.person, session=codex).ok
    other = scene.start("codex", scene.payload("codex", "PreToolUse-Bash", tool_use_id="other"))
    until(lambda: len({one["session"] for one in scene.held()}) == 2)
    assert sorted(handshake(scene)) == [("held", 0), ("held", 0)]

    assert control.release(scene.person, session=claude).ok
    assert scene.hear(hook).is_silent
    assert other.poll() is None
    assert [one.session for one in shown(scene).control.value.handshake] == [codex]
    assert control.release(scene.person, session=codex).ok
    assert scene.hear(other).is_silent
    assert handshake(scene) == []
    assert not shown(scene).problems


def test_one_of_all_that_are_held_is_not_released_alone(scene: Scene, payload: Json) -> None:
    scene.holds()
    key = only(scene).session
    refused = control.release(scene.person, session=key)
    assert (refused.code, "every agent is held" in refused.message) == ("refused", True)
    assert control.hold(scene.person, session=key).code == "unchanged"


def test_pausing_everybody_takes_over_from_the_pause_of_one(scene: Scene, payload: Json) -> None:
    key = only(scene).session
    assert control.hold(scene.person, session=key).ok
    hook = scene.start("claude", payload)
    until(scene.held)
    assert control.hold(scene.person).code == "done"
    assert shown(scene).control.value.hold_who == ("*",)
    time.sleep(0.3)
    assert hook.poll() is None
    scene.releases()
    assert scene.hear(hook).is_silent
    assert handshake(scene) == []


def test_a_note_waits_for_the_next_hook_point_and_is_then_delivered(
    scene: Scene, payload: Json
) -> None:
    key = only(scene).session
    assert turns.send_note(scene.person, "Use the staging host.", (key,)).ok
    (note,) = only(scene).notes
    assert (note.text, note.delivered_ms) == ("Use the staging host.", None)
    before_ms = time.time_ns() // 1_000_000
    heard = scene.hook("claude", payload)
    assert "Use the staging host." in heard.stdout
    (note,) = only(scene).notes
    assert note.delivered_ms is not None
    assert before_ms <= note.delivered_ms <= time.time() * 1000


def test_a_turn_that_is_to_end_is_stopping_until_it_did(scene: Scene, payload: Json) -> None:
    key = only(scene).session
    assert turns.stop_turn(scene.person, key).ok
    assert only(scene).state == "stopping"
    assert run_lamp(scene) == "stopping"
    scene.hook("claude", scene.payload("claude", "Stop", stop_hook_active=True))
    assert only(scene).state == "idle"


def test_a_model_that_refuses_leaves_its_agent_limited_until_it_goes_on(
    scene: Scene, payload: Json
) -> None:
    scene.hook("claude", scene.payload("claude", "StopFailure"))
    agent = only(scene)
    assert (agent.state, bool(agent.error)) == ("limited", True)
    assert run_lamp(scene) == "limited"
    scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
    assert only(scene).state == "working"


def test_what_a_hook_could_not_do_is_shown(scene: Scene, payload: Json) -> None:
    log = scene.root / "state/events.jsonl"
    kept = log.with_suffix(".kept")
    shutil.move(log, kept)
    os.mkfifo(log)
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    log.unlink()
    shutil.move(kept, log)
    assert only(scene).problems


def test_show_says_what_an_agent_was_told_and_who_waited(scene: Scene) -> None:
    scene.writes()
    scene.plans(("T1", "in_progress"))
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    scene.hook("claude", scene.payload("claude", "UserPromptSubmit"))
    scene.plans(("T1", "completed"))
    scene.writes(DOCUMENT.replace("No new dependency", "No dependency at all"))
    scene.hook("claude", scene.payload("claude", "PreCompact"))
    scene.hook("claude", scene.payload("claude", "SessionStart", source="compact"))
    snapshot = shown(scene)
    said = "\n".join(sentences(snapshot))
    assert "compacted: goal same, plan r1 → r2, constraints changed, boot packet injected (" in said
    assert "Since the log began: 1 interruption" in said
    told = json.loads(json.dumps(snapshot_json(snapshot)))
    newest, first = told["agents"][0]["memories"]
    assert (newest["happened"], newest["told"], newest["constraints"]) == (
        "compacted", True, "changed",
    )  # fmt: skip
    assert (first["happened"], first["goal"], first["characters"] > 0) == ("started", "first", True)
    assert told["human_load"]["acts"] == {"prompt": 1}


def test_after_the_control_folder_was_deleted_the_pause_is_lost_and_said_so(
    scene: Scene, payload: Json
) -> None:
    scene.holds()
    shutil.rmtree(scene.run)
    (one,) = until(lambda: _lost(scene))
    assert one.state == "lost"


def _lost(scene: Scene) -> tuple[Handshake, ...]:
    shaken = shown(scene).control.value.handshake
    return tuple(one for one in shaken if one.state == "lost")
