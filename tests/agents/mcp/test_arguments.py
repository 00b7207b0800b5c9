"""What a client is told a tool takes is what the tool takes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ppgp_tui.agents.mcp.arguments import BadArgumentsError
from ppgp_tui.agents.mcp.tools import TOOLS, Tool

MOST = 7
BY_NAME = {tool.name: tool for tool in TOOLS}
EACH = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)

words = st.sampled_from(["", "a", "A", "C", "yes", "2026-12-01", "x" * 300, "x" * 5000, "😀"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 4000) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=2),
    max_leaves=6,
)


def fits(tool: Tool, received: dict[str, Any]) -> bool:
    try:
        tool.takes.check(received, MOST)
    except BadArgumentsError:
        return False
    return True


@EACH
def test_the_schema_is_one_and_describes_every_member(tool: Tool) -> None:
    schema = tool.takes.schema(MOST)
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert all("description" in member for member in schema["properties"].values())
    assert "title" not in schema
    assert "anyOf" not in str(schema)


@EACH
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_the_schema_allows_the_tool_takes(tool: Tool, data: st.DataObject) -> None:
    schema = tool.takes.schema(MOST)
    names = st.sampled_from([*schema["properties"], "other"])
    received = data.draw(st.dictionaries(names, values, max_size=4))
    if Draft202012Validator(schema).is_valid(received):
        assert fits(tool, received)


def test_pis_tools_bend_arguments_as_pi_does() -> None:
    task = {"key": "a", "subject": "Do a", "status": "pending", "description": None}
    taken = BY_NAME["todo"].takes.check({"baseRevision": "3", "tasks": [task]}, MOST)
    assert taken["baseRevision"] == 3
    assert taken["tasks"] == [{"key": "a", "subject": "Do a", "status": "pending"}]


def test_the_repositorys_limit_of_tasks_is_in_schema_and_check() -> None:
    tasks = [{"key": str(n), "subject": "x", "status": "pending"} for n in range(MOST + 1)]
    todo = BY_NAME["todo"]
    assert todo.takes.schema(MOST)["properties"]["tasks"]["maxItems"] == MOST
    assert fits(todo, {"tasks": tasks[:-1]})
    with pytest.raises(BadArgumentsError, match="expected at most 7 items"):
        todo.takes.check({"tasks": tasks}, MOST)


def test_every_fault_is_named_with_its_place() -> None:
    with pytest.raises(BadArgumentsError) as refused:
        BY_NAME["request_authority"].takes.check(
            {"options": ["a", ""], "expiresInSeconds": 0, "why_now": 1}, MOST
        )
    text = str(refused.value)
    assert text.startswith('Validation failed for tool "request_authority":\n')
    for place in ("question", "options.1", "expiresInSeconds", "why_now"):
        assert f"\n  - {place}: " in text
