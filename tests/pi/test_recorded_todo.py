"""Recorded todo calls: the same plan, the same words, by the rules alone and through Pi's check."""

import json
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.pi.mutation import Accepted, Outcome, Refused, apply_call, call_todo
from ppgp_tui.pi.plan import TodoState, read_state, state_json

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "pi" / "todo-cases.json").read_text(encoding="utf-8")
)


def before(case: dict[str, Any]) -> TodoState:
    state = read_state(case["state_before"])
    assert state is not None
    return state


def told(outcome: Outcome, state: TodoState) -> dict[str, Any]:
    """An outcome in the words of the cases."""
    if isinstance(outcome, Refused):
        return {
            "ok": False,
            "kind": outcome.kind,
            "error": outcome.text,
            "state_after": state_json(state),
        }
    return {"ok": True, "text": outcome.text, "state_after": state_json(outcome.state)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_rules_alone_decide_as_recorded(case: dict[str, Any]) -> None:
    expected = dict(case["expected"])
    outcome = apply_call(before(case), case["call"])
    if expected["ok"] is None:
        assert isinstance(outcome, Refused)
        assert outcome.kind == "malformed"
        return
    changed = expected.pop("changed", None)
    answer = told(outcome, before(case))
    answer.pop("text", None)
    assert answer == expected
    assert changed is None or isinstance(outcome, Accepted) == changed


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_real_tool_call_is_answered_as_recorded(case: dict[str, Any]) -> None:
    expected = dict(case["through_pi"])
    appended, events = expected.pop("entries_appended"), expected.pop("events", [])
    outcome = call_todo(before(case), case["call"])
    assert told(outcome, before(case)) == expected
    assert isinstance(outcome, Accepted) == bool(appended) == bool(events)
