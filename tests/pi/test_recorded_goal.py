"""Recorded lives of goals, step by step: results, entries, announcements, messages and states."""

import json
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.pi import goal_session, goal_tools
from ppgp_tui.pi.block_proof import decode, label_of
from ppgp_tui.pi.goal import GoalState, state_json
from ppgp_tui.pi.goal_machine import (
    AuditOrder,
    Done,
    Event,
    GoalMachine,
    Question,
    Refused,
    Step,
)
from ppgp_tui.pi.goal_reading import read_state
from ppgp_tui.pi.goal_text import status_text, system_prompt
from ppgp_tui.pi.goal_tools import Decision
from ppgp_tui.pi.javascript import iso_time
from ppgp_tui.pi.verdict import AuditResult, is_approval

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "pi" / "goal-cases.json").read_text(encoding="utf-8")
)
STARTED_MS = 1_790_000_000_000
FRESH_ID = "1b4e28ba-2fa1-4d3b-a3f5-ef19b5a7633b"
FORM = {
    "messageFormat": "markdown",
    "inputLabel": "Comments or reservations (optional)",
    "inputPlaceholder": "Write additional comments or reservations here…",
}


class Life:
    """Plays one recorded script; every step takes place at the same moment."""

    def __init__(self, start: str) -> None:
        self.machine = GoalMachine()
        if start != "fresh":
            state = read_state(CASES["starts"][start])
            assert state is not None
            restored = goal_session.restore(state)
            self.machine = goal_session.idle(restored.machine).machine

    def play(self, do: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if "tool" in do:
            step = self.tool(do, told)
        elif "command" in do:
            step = self.command(do, told)
        else:
            step = self.event(do, told)
        self.machine = step.machine
        result = told.pop("result", None)
        return {
            "result": result or spoken(step, is_tool="tool" in do),
            "entries_appended": [
                {"customType": entry.custom_type, "data": entry.data} for entry in step.entries
            ],
            "events": [channel(event) for event in step.events],
            "sent": [
                {
                    "customType": message.custom_type,
                    "content": message.content,
                    "options": {"deliverAs": "followUp", "triggerTurn": True},
                }
                for message in step.sent
            ],
            "state_after": {
                "label": label_of(step.machine.state.goal),
                **state_json(step.machine.state),
            },
            **told,
        }

    def tool(self, do: dict[str, Any], told: dict[str, Any]) -> Step:
        call = goal_tools.run_tool if do.get("skip_schema") else goal_tools.call_tool
        step = call(self.machine, do["tool"], do["args"], now_ms=STARTED_MS)
        match step.result:
            case Question():
                return self.decide(step, step.result, do, told)
            case AuditOrder():
                return self.audit(step, do["audit"])
        return step

    def decide(
        self, step: Step, question: Question, do: dict[str, Any], told: dict[str, Any]
    ) -> Step:
        if do.get("no_ui"):
            return goal_tools.cannot_ask(step.machine).after(step)
        asked: dict[str, Any] = {"title": question.title, "message": question.message}
        told["confirm_requests"] = [asked | FORM if "comment" in do else asked]
        decision = Decision(do["confirm"], do.get("comment"))
        decided = goal_tools.decide(step.machine, decision, goal_id=FRESH_ID, now_ms=STARTED_MS)
        return decided.after(step)

    def audit(self, step: Step, audit: dict[str, Any]) -> Step:
        if audit.get("pause_meanwhile"):
            paused = goal_session.pause(step.machine, "Stop", now_ms=STARTED_MS)
            step = paused.after(step)
        if "throws" in audit:
            failed = goal_tools.fail_audit(step.machine, audit["throws"], now_ms=STARTED_MS)
            return failed.after(step)
        result = AuditResult(audit["approved"], audit["output"], audit.get("error"))
        return goal_tools.finish_audit(step.machine, result, now_ms=STARTED_MS).after(step)

    def command(self, do: dict[str, Any], told: dict[str, Any]) -> Step:
        text = do.get("args", "")
        match do["command"]:
            case "goal-pause":
                return goal_session.pause(self.machine, text, now_ms=STARTED_MS)
            case "goal-resume":
                return goal_session.resume(self.machine, now_ms=STARTED_MS)
            case "goal-abandon":
                return goal_session.abandon(self.machine, text, now_ms=STARTED_MS)
        said = {"message": status_text(self.machine.state), "level": "info"}
        told["notifications"] = [said]
        return Step(self.machine)

    def event(self, do: dict[str, Any], told: dict[str, Any]) -> Step:
        payload = do.get("payload", {})
        match do["event"]:
            case "idle":
                return goal_session.idle(self.machine)
            case "agent_settled":
                return goal_session.settled(self.machine, now_ms=STARTED_MS)
            case "session_compact":
                return goal_session.compacted(self.machine)
            case "turn_end":
                tokens = goal_session.turn_tokens(payload["message"])
                return goal_session.turn_ended(self.machine, tokens, now_ms=STARTED_MS)
            case "agent_end":
                stop = payload["messages"][-1]["stopReason"]
                return Step(goal_session.run_ended(self.machine, stop))
            case "before_agent_start":
                prompt = system_prompt(payload["systemPrompt"], self.machine.state)
                if prompt != payload["systemPrompt"]:
                    told["result"] = {"ok": True, "returned": {"systemPrompt": prompt}}
                return goal_session.run_started(self.machine, now_ms=STARTED_MS)
        assert do["event"] == "tool_call"
        if refused := goal_tools.refusal_of_tools(self.machine):
            told["result"] = {"ok": True, "returned": {"block": True, "reason": refused}}
        return Step(self.machine)


def spoken(step: Step, *, is_tool: bool) -> dict[str, Any]:
    if isinstance(step.result, Refused):
        return {"ok": False, "error": step.result.text}
    assert isinstance(step.result, Done)
    if not is_tool:
        return {"ok": True}
    return {"ok": True, "text": step.result.text, "terminate": step.result.ends_run}


def channel(event: Event) -> str:
    """An announcement as the cases name it: the channel and what it is about."""
    payload = event.payload
    match event.channel:
        case "pi-goal:proposal":
            about = payload["proposal"]["kind"] if payload["proposal"] else "null"
        case "pi-goal:transcript-event":
            about = payload["kind"]
        case "pi-goal:audit":
            about = str(payload["active"]).lower()
        case _:
            return event.channel
    return f"{event.channel}:{about}"


def filled(recorded: Any) -> Any:
    """What was recorded, with the moment and the id of this test for the placeholders."""
    text = json.dumps(recorded)
    return json.loads(text.replace("<now>", iso_time(STARTED_MS)).replace("<uuid>", FRESH_ID))


@pytest.mark.parametrize("case", CASES["transitions"], ids=lambda case: case["name"])
def test_every_step_of_a_recorded_life_is_the_same(case: dict[str, Any]) -> None:
    life = Life(case["start"])
    for recorded in case["steps"]:
        expected = filled(recorded)
        do = expected.pop("do")
        assert life.play(do) == expected, do


@pytest.mark.parametrize("case", CASES["blocked_pause_decoding"], ids=lambda case: case["name"])
def test_only_a_pause_that_reads_back_exactly_is_a_block(case: dict[str, Any]) -> None:
    raw = CASES["starts"]["blocked"]
    state = read_state({**raw, "goal": {**raw["goal"], "pause": case["pause"]}})
    blocked = state is not None and label_of(state.goal) == "blocked"
    assert blocked == case["blocked"]


@pytest.mark.parametrize("case", CASES["state_validation"], ids=lambda case: case["name"])
def test_a_stored_state_is_valid_or_not_as_recorded(case: dict[str, Any]) -> None:
    state = read_state(case["state"])
    assert (state is not None) == case["valid"]
    if state is not None:
        assert state_json(state) == case["state"]


@pytest.mark.parametrize("case", CASES["auditor_verdict"], ids=lambda case: repr(case["output"]))
def test_only_a_closing_tag_approves(case: dict[str, Any]) -> None:
    assert is_approval(case["output"]) == case["approved"]


def test_every_start_is_a_state_and_reads_back() -> None:
    for name, raw in CASES["starts"].items():
        state = read_state(raw)
        assert isinstance(state, GoalState), name
        assert state_json(state) == raw, name


def test_the_proof_of_the_recorded_block_splits_into_its_parts() -> None:
    state = read_state(CASES["starts"]["blocked"])
    assert state is not None
    assert state.goal is not None
    proof = decode(state.goal.pause)
    assert proof is not None
    assert proof.blocker == "No key."
    assert proof.evidence == "Lookup failed."
    assert proof.why_no_autonomous_path_remains == "All steps need it."
    assert proof.unblock_condition == "Key exists."
