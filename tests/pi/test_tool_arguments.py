"""What Pi makes of loosely written tool calls, and how it says what does not fit."""

from typing import Any

import pytest
from hypothesis import given

from ppgp_tui.pi.tools import Rejection, check
from tests.pi.test_plan_rules import JSON

TASK = {"key": "a", "subject": "A", "status": "pending"}
UNKNOWN = "9: unknown field, 10: unknown field, b: unknown field"
MISSING = (
    "tasks.0.key: missing, tasks.0.status: missing, tasks.0.subject: expected at least 1 characters"
)
STATUS = 'tasks.0.status: expected one of ["pending","in_progress","completed"]'


def depending_on(*keys: object) -> dict[str, Any]:
    return {"tasks": [TASK | {"dependsOn": list(keys)}]}


@pytest.mark.parametrize(
    ("given_call", "seen"),
    [
        ({"tasks": [], "baseRevision": "7"}, {"tasks": [], "baseRevision": 7}),
        ({"tasks": [], "baseRevision": 7.9}, {"tasks": [], "baseRevision": 7}),
        ({"tasks": [], "baseRevision": "0x10"}, {"tasks": [], "baseRevision": 16}),
        ({"tasks": [], "baseRevision": "12n"}, {"tasks": [], "baseRevision": 12}),
        ({"tasks": [], "baseRevision": True}, {"tasks": [], "baseRevision": 1}),
        ({"tasks": [], "baseRevision": "TRUE"}, {"tasks": [], "baseRevision": 1}),
        ({"tasks": [], "baseRevision": None, "remove": None}, {"tasks": []}),
        ({"tasks": TASK}, {"tasks": [TASK]}),
        ({"tasks": [TASK | {"key": 5}]}, {"tasks": [TASK | {"key": "5"}]}),
        ({"tasks": [TASK | {"key": None}]}, {"tasks": [TASK | {"key": "null"}]}),
        ({"tasks": [TASK | {"subject": 1e21}]}, {"tasks": [TASK | {"subject": "1e+21"}]}),
        ({"tasks": [TASK | {"description": None}]}, {"tasks": [TASK]}),
        ({"tasks": TASK | {"description": None}}, {"tasks": [TASK | {"description": "null"}]}),
        ({"tasks": [TASK | {"dependsOn": "b"}]}, {"tasks": [TASK | {"dependsOn": ["b"]}]}),
        ({"tasks": [TASK | {"owner": 1}]}, {"tasks": [TASK | {"owner": 1}]}),
        ({"tasks": [TASK | {"key": "🚀" * 256}]}, {"tasks": [TASK | {"key": "🚀" * 256}]}),
    ],
)
def test_a_loose_call_is_bent_towards_what_it_meant(given_call: Any, seen: Any) -> None:
    assert check("todo", given_call) == seen


@pytest.mark.parametrize(
    ("tool", "call", "lines"),
    [
        ("todo", [], "root: expected object, got array"),
        ("todo", None, "root: expected object, got null"),
        ("todo", {"tasks": "x"}, "tasks.0: expected object, got string"),
        (
            "todo",
            {"baseRevision": "x"},
            "tasks: missing, baseRevision: expected integer, got string",
        ),
        ("todo", {"tasks": [], "baseRevision": []}, "baseRevision: expected integer, got array"),
        ("todo", {"tasks": [], "baseRevision": -1}, "baseRevision: expected >= 0"),
        ("todo", {"tasks": [], "b": 1, "10": 1, "9": 1}, UNKNOWN),
        ("todo", {"tasks": [{"subject": ""}]}, MISSING),
        ("todo", depending_on("a", "b", "a"), "tasks.0.dependsOn: expected unique items"),
        ("todo", depending_on({}), "tasks.0.dependsOn.0: expected string, got object"),
        ("todo", depending_on("🚀" * 257), "tasks.0.dependsOn.0: expected at most 256 characters"),
        ("todo", {"tasks": [TASK | {"status": None}]}, STATUS),
        ("get_todo", {"x": 1}, "x: unknown field"),
        ("wait_goal", {"delaySeconds": 3601, "waitingFor": "x"}, "delaySeconds: expected <= 3600"),
        ("abandon_goal", {"reason": ""}, "reason: expected at least 1 characters"),
    ],
)
def test_what_does_not_fit_is_said_line_by_line(tool: str, call: Any, lines: str) -> None:
    rejection = check(tool, call)
    assert isinstance(rejection, Rejection)
    head, *said = rejection.text.split("\n  - ")
    assert head == f'Validation failed for tool "{tool}":'
    assert ", ".join(said) == lines


def test_the_whole_text_repeats_the_arguments_as_they_were_received() -> None:
    rejection = check("resume_goal", {"b": [1, {}], "1": "\ud800"})
    assert isinstance(rejection, Rejection)
    assert rejection.full_text.endswith(
        '\n\nReceived arguments:\n{\n  "1": "\\ud800",\n  "b": [\n    1,\n    {}\n  ]\n}'
    )


@given(JSON)
def test_any_json_value_is_taken_or_told_why_not(value: Any) -> None:
    for tool in ("todo", "propose_goal", "resume_goal"):
        taken = check(tool, value)
        assert not isinstance(taken, Rejection) or taken.problems
        if not isinstance(taken, Rejection):
            assert check(tool, taken) == taken
