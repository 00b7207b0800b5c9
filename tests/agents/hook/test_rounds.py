"""Whether an agent goes on with the goal at the end of its turn."""

from __future__ import annotations

import subprocess

import pytest

from ppgp_tui.session.actions import asking, goal
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.agents.hook.scene import Heard, Json, Scene
from tests.waiting import until

AGENTS = ("claude", "codex")


@pytest.fixture
def at_work(scene: Scene) -> Scene:
    """An active goal and a document."""
    scene.writes()
    scene.wants()
    return scene


def prompt(scene: Scene, agent: str = "claude", **changed: object) -> None:
    """A person writes a prompt."""
    scene.hook(agent, scene.payload(agent, "UserPromptSubmit", **changed))


def call(scene: Scene, agent: str = "claude") -> None:
    """The agent makes a call."""
    for name in ("PreToolUse-Bash", "PostToolUse-Bash"):
        scene.hook(agent, scene.payload(agent, name))


def stop(
    scene: Scene, answer: str = "All done.", agent: str = "claude", **changed: object
) -> Heard:
    """The agent's turn ends with these words."""
    return scene.hook(agent, scene.payload(agent, "Stop", last_assistant_message=answer, **changed))


def moves(scene: Scene, number: int) -> None:
    """Something happens in the repository."""
    scene.writes(f"# Goal\n\n## GOAL\nRetry\n\n## NEXT_EXECUTABLE_ACTION\nStep {number}.\n")


def told(scene: Scene, agent: str = "claude") -> Json:
    """The session's file."""
    return scene.told(f"{agent}-{scene.payload(agent, 'Stop')['session_id']}")


@pytest.mark.parametrize("agent", AGENTS)
def test_an_agent_goes_on_with_the_next_open_item(at_work: Scene, agent: str) -> None:
    prompt(at_work, agent)
    heard = stop(at_work, agent=agent)
    assert heard.code == 0
    assert heard.said == {
        "decision": "block",
        "reason": "Continue the Goal.\nNext: Write the test of the counter.",
    }
    assert told(at_work, agent)["continued"] == 1
    assert told(at_work, agent)["state"] == "working"


def test_the_plan_says_what_comes_next_until_it_is_done(at_work: Scene) -> None:
    at_work.plans(("impl", "completed"), ("test", "pending"))
    prompt(at_work)
    assert stop(at_work).said["reason"].endswith("Next: test: Do test")
    at_work.plans(("impl", "completed"), ("test", "completed"))
    assert stop(at_work, "And the test.").is_silent
    assert told(at_work)["rests"] == "nothing is left open"
    assert told(at_work)["state"] == "idle"


class TestNotWithout:
    def test_a_goal_in_the_log(self, scene: Scene) -> None:
        scene.writes()
        prompt(scene)
        assert stop(scene).is_silent

    def test_an_active_goal(self, at_work: Scene) -> None:
        agent = Engine(at_work.root, Actor("agent", "claude-x"))
        assert goal.abandon(agent, "no use").ok
        prompt(at_work)
        assert stop(at_work).is_silent

    def test_a_log(self, bare: Scene) -> None:
        bare.writes()
        (bare.root / ".ppgp").mkdir()
        assert stop(bare).is_silent

    def test_the_setting(self, at_work: Scene) -> None:
        (at_work.home / "config/ppgp-tui").mkdir(parents=True)
        (at_work.home / "config/ppgp-tui/config.toml").write_text("continue.on = false\n")
        assert stop(at_work).is_silent

    def test_the_repository_having_a_say(self, at_work: Scene) -> None:
        (at_work.root / ".ppgp/config.toml").write_text("continue.on = false\n")
        assert stop(at_work).said

    def test_the_order_allowing_it(self, at_work: Scene) -> None:
        at_work.holds()
        at_work.releases()
        from tests.agents.hook.test_hold import change_order

        change_order(at_work, **{"continue": {"limit": 25, "on": False, "text": ""}})
        assert stop(at_work).is_silent

    def test_the_count_of_rounds_that_went_before(self, at_work: Scene) -> None:
        """A missing flag counts as one that is set."""
        assert stop(at_work, stop_hook_active=True).is_silent
        (at_work.run / "agents").rename(at_work.run / "gone")
        assert stop(at_work, stop_hook_active=None).is_silent


class TestNotWhile:
    def test_a_pause_stands(self, at_work: Scene) -> None:
        prompt(at_work)
        at_work.holds()
        assert stop(at_work).is_silent

    def test_a_pause_was_and_is_over_it_goes_on(self, at_work: Scene) -> None:
        prompt(at_work)
        at_work.holds()
        at_work.releases()
        assert stop(at_work).said

    def test_it_waits_for_a_person(self, at_work: Scene) -> None:
        prompt(at_work)
        key = f"claude-{at_work.payload('claude', 'Stop')['session_id']}"
        engine = Engine(at_work.root, Actor("agent", key))
        assert asking.ask(engine, Question("Publish?")).ok
        assert stop(at_work).is_silent
        assert told(at_work)["rests"] == "it waits for a person"

    def test_another_waits_for_a_person_it_goes_on(self, at_work: Scene) -> None:
        prompt(at_work)
        engine = Engine(at_work.root, Actor("agent", "codex-other"))
        assert asking.ask(engine, Question("Publish?")).ok
        assert stop(at_work).said

    def test_something_runs_in_the_background(self, at_work: Scene) -> None:
        prompt(at_work)
        assert stop(at_work, background_tasks=[{"id": "b1", "status": "running"}]).is_silent
        assert stop(at_work, "Later.", background_tasks=[{"id": "b1", "status": "completed"}]).said

    def test_the_goal_is_claimed(self, at_work: Scene) -> None:
        subprocess.run(
            "git add -A && git -c user.name=a -c user.email=a@b commit -qm first",
            shell=True, cwd=at_work.root, check=True,
        )  # fmt: skip
        prompt(at_work)
        engine = Engine(at_work.root, Actor("agent", "claude-x"))
        assert goal.claim(engine, "it is done").ok
        assert stop(at_work).is_silent


class TestTheCount:
    @pytest.mark.parametrize("agent", AGENTS)
    def test_ends_it_at_the_limit(self, at_work: Scene, agent: str) -> None:
        (at_work.home / "config/ppgp-tui").mkdir(parents=True)
        (at_work.home / "config/ppgp-tui/config.toml").write_text("continue.limit = 3\n")
        prompt(at_work, agent)
        went = []
        for number in range(6):
            moves(at_work, number)
            call(at_work, agent)
            went.append(bool(stop(at_work, f"Answer {number}", agent).said))
        assert went == [True, True, True, False, False, False]

    def test_begins_anew_with_a_persons_prompt(self, at_work: Scene) -> None:
        (at_work.home / "config/ppgp-tui").mkdir(parents=True)
        (at_work.home / "config/ppgp-tui/config.toml").write_text("continue.limit = 1\n")
        prompt(at_work)
        assert stop(at_work, "One").said
        moves(at_work, 1)
        assert stop(at_work, "Two").is_silent
        prompt(at_work)
        moves(at_work, 2)
        assert stop(at_work, "Three").said

    def test_does_not_begin_anew_with_what_codex_calls_a_prompt(self, at_work: Scene) -> None:
        prompt(at_work, "codex")
        stop(at_work, agent="codex")
        prompt(at_work, "codex", prompt='<hook_prompt hook_run_id="1">Continue</hook_prompt>')
        assert told(at_work, "codex")["continued"] == 1

    def test_stays_below_claudes_own_cap_where_no_call_is_made(self, at_work: Scene) -> None:
        prompt(at_work)
        went = 0
        for number in range(12):
            moves(at_work, number)
            went += bool(stop(at_work, f"Answer {number}").said)
        assert went == 7
        assert told(at_work)["rests"] == "it went on without a single call"

    def test_of_rounds_without_a_call_begins_anew_with_each_call(self, at_work: Scene) -> None:
        prompt(at_work)
        went = 0
        for number in range(10):
            moves(at_work, number)
            call(at_work)
            went += bool(stop(at_work, f"Answer {number}").said)
        assert went == 10

    def test_follows_a_cap_that_the_person_set_for_claude(self, at_work: Scene) -> None:
        prompt(at_work)
        went = 0
        for number in range(4):
            moves(at_work, number)
            payload = at_work.payload("claude", "Stop", last_assistant_message=f"Answer {number}")
            heard = at_work.hook("claude", payload, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP="3")
            went += bool(heard.said)
        assert went == 2


def test_the_same_answer_twice_ends_it(at_work: Scene) -> None:
    prompt(at_work)
    assert stop(at_work, "I cannot.").said
    moves(at_work, 1)
    assert stop(at_work, "I cannot.").is_silent
    assert told(at_work)["rests"] == "its answer is the same as before"


def test_rounds_in_which_nothing_moves_end_it(at_work: Scene) -> None:
    prompt(at_work)
    went = [bool(stop(at_work, f"Answer {number}").said) for number in range(5)]
    assert went == [True, True, True, False, False]
    moves(at_work, 1)
    assert stop(at_work, "A new answer").said


def test_what_the_hooks_record_is_no_progress(at_work: Scene) -> None:
    prompt(at_work)
    went = []
    for number in range(5):
        at_work.hook("claude", at_work.payload("claude", "PreCompact"))
        at_work.hook("claude", at_work.payload("claude", "SessionStart", source="compact"))
        went.append(bool(stop(at_work, f"Answer {number}").said))
    assert went == [True, True, True, False, False]


def test_a_failure_of_the_model_is_recorded_and_nothing_goes_on(at_work: Scene) -> None:
    at_work.hook("claude", at_work.payload("claude", "SessionStart"))
    assert at_work.hook("claude", at_work.payload("claude", "StopFailure")).is_silent
    (event,) = at_work.events("agent.limited")
    assert event["payload"]["error"] == "unknown"
    assert told(at_work)["state"] == "idle"


def test_a_failure_told_late_does_not_call_an_ended_session_back(at_work: Scene) -> None:
    at_work.hook("claude", at_work.payload("claude", "SessionStart"))
    at_work.hook("claude", at_work.payload("claude", "SessionEnd-exit"))
    at_work.hook("claude", at_work.payload("claude", "StopFailure"))
    assert told(at_work)["state"] == "ended"
    at_work.hook("claude", at_work.payload("claude", "SessionStart", source="resume"))
    assert told(at_work)["state"] == "idle"


def test_codex_tells_of_a_failure_after_the_request(at_work: Scene) -> None:
    payload = at_work.payload("codex", "PostModelRequest", status="failed", error="rate limited")
    assert at_work.hook("codex", payload).is_silent
    (event,) = at_work.events("agent.limited")
    assert event["payload"]["error"] == "rate limited"


def test_calls_that_nobody_saw_end_are_over_with_the_turn(at_work: Scene) -> None:
    at_work.hook("claude", at_work.payload("claude", "PreToolUse-Bash"))
    stop(at_work)
    key = f"claude-{at_work.payload('claude', 'Stop')['session_id']}"
    assert [line[0] for line in at_work.calls(key)] == ["pre", "fail"]


def test_esc_in_codex_is_recorded(at_work: Scene) -> None:
    at_work.hook("codex", at_work.payload("codex", "SessionStart"))
    assert at_work.hook("codex", at_work.payload("codex", "Interrupt")).is_silent
    (event,) = at_work.events("human.interrupted")
    assert event["payload"]["what"] == "esc"
    assert event["actor"]["kind"] == "user"
    until(lambda: told(at_work, "codex")["state"] == "idle")


def test_a_codex_call_that_is_killed_with_its_turn_is_released_and_the_session_rests(
    at_work: Scene,
) -> None:
    at_work.hook("codex", at_work.payload("codex", "SessionStart"))
    payload = at_work.payload("codex", "PreToolUse-Bash")
    key = f"codex-{payload['session_id']}"
    at_work.holds()
    hook = at_work.start("codex", payload)
    until(lambda: at_work.held() and "event" in at_work.held()[0])
    hook.kill()  # as Codex does it: nothing is left to say for itself
    hook.wait()
    interrupt = at_work.payload("codex", "Interrupt") | {"session_id": payload["session_id"]}
    assert at_work.hook("codex", interrupt).is_silent
    (released,) = at_work.events("agent.released")
    assert released["payload"]["outcome"] == "killed"
    assert at_work.held() == []
    last = (at_work.run / "agents" / f"{key}.calls").read_text().splitlines()[-1]
    assert int(last.split()[0]) <= at_work.told(key)["since_ms"]
