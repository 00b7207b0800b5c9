"""Stored plans read for looking at: nothing is lost, everything odd is named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.pi.plan import TodoTask
from ppgp_tui.pi.todo import TodoReading, find_circle, read_todo, standing


def plan(*tasks: Any, **members: Any) -> dict[str, Any]:
    return {"schemaVersion": 1, "revision": 3, "tasks": list(tasks), **members}


def task(key: str, status: str = "pending", needs: tuple[str, ...] = (), **more: Any) -> Any:
    raw: dict[str, Any] = {"key": key, "subject": key.upper(), "status": status, **more}
    return {**raw, "dependsOn": list(needs)} if needs else raw


def read(*tasks: Any, **members: Any) -> TodoReading:
    reading = read_todo(plan(*tasks, **members))
    assert reading is not None
    return reading


def test_a_sound_plan_has_no_problems() -> None:
    reading = read(task("a", "completed", description="why"), task("b", needs=("a",)))
    assert reading.problems == ()
    assert reading.revision == 3
    assert reading.tasks == (
        TodoTask("a", "A", "completed", "why"),
        TodoTask("b", "B", "pending", None, ("a",)),
    )


def test_a_task_is_ready_when_all_it_needs_is_done() -> None:
    reading = read(
        task("a", "completed"), task("b", "in_progress"), task("c", needs=("a",)),
        task("d", needs=("a", "b")), task("e"),
    )  # fmt: skip
    assert standing(reading.tasks) == ("done", "running", "ready", "waits", "ready")


def test_keys_used_twice_are_both_kept_and_the_first_counts() -> None:
    reading = read(task("a", "completed"), task("a"), task("b", needs=("a",)))
    assert [t.key for t in reading.tasks] == ["a", "a", "b"]
    assert [(p.code, p.number) for p in reading.problems] == [("duplicate-key", 2)]
    assert standing(reading.tasks) == ("done", "ready", "ready")


def test_a_missing_dependency_is_named_and_never_done() -> None:
    reading = read(task("a", needs=("ghost",)))
    assert [(p.code, p.text) for p in reading.problems] == [
        ("missing-dependency", "a depends on ghost, which is not in the plan")
    ]
    assert standing(reading.tasks) == ("waits",)


def test_a_circle_is_named_by_its_keys() -> None:
    reading = read(task("x", needs=("a",)), task("a", needs=("b",)), task("b", needs=("a",)))
    assert [p.text for p in reading.problems] == ["dependencies run in a circle: a -> b -> a"]
    assert standing(reading.tasks) == ("waits", "waits", "waits")


def test_a_task_that_needs_itself_is_a_circle() -> None:
    assert [p.code for p in read(task("a", needs=("a",))).problems] == ["circle"]


def test_a_very_long_chain_is_no_circle_and_no_crash() -> None:
    tasks = {f"t{n}": TodoTask(f"t{n}", "s", depends_on=(f"t{n + 1}",)) for n in range(5_000)}
    assert find_circle(tasks) == ()


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (None, "task"),
        ("text", "task"),
        ({"subject": "s", "status": "pending"}, "key"),
        ({"key": " ", "subject": "s", "status": "pending"}, "key"),
        ({"key": "a", "status": "pending"}, "subject"),
        ({"key": "a", "subject": "s", "status": "paused"}, "status"),
        ({"key": "a", "subject": "s", "status": []}, "status"),
        ({"key": "a", "subject": "s", "status": "pending", "dependsOn": "b"}, "dependencies"),
        ({"key": "a", "subject": "s", "status": "pending", "dependsOn": [5]}, "dependencies"),
    ],
)
def test_a_damaged_task_is_named_and_the_others_stay(raw: Any, code: str) -> None:
    reading = read(raw, task("z"))
    assert [p.code for p in reading.problems] == [code]
    assert reading.tasks[-1].key == "z"


def test_another_schema_and_a_strange_revision_are_named() -> None:
    reading = read(task("a"), schemaVersion=2, revision=-1)
    assert [p.code for p in reading.problems] == ["schema", "revision"]
    assert reading.revision is None


@pytest.mark.parametrize("value", [None, [], "x", 5, {}, {"tasks": None}, {"tasks": {}}])
def test_what_holds_no_tasks_is_no_plan(value: Any) -> None:
    assert read_todo(value) is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["a", "b", "done"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)
loose_tasks = st.fixed_dictionaries(
    {},
    optional={
        "key": st.sampled_from(["a", "b", "c"]) | values,
        "subject": st.text(max_size=3) | values,
        "status": st.sampled_from(["pending", "completed", "in_progress"]) | values,
        "dependsOn": st.lists(st.sampled_from(["a", "b", "c", "d"])) | values,
        "description": values,
    },
)


@given(st.lists(loose_tasks | values, max_size=6))
def test_any_list_of_tasks_can_be_shown(tasks: list[Any]) -> None:
    reading = read(*tasks)
    stands = standing(reading.tasks)
    assert len(stands) == len(reading.tasks)
    done = {t.key for t, stand in zip(reading.tasks, stands, strict=True) if stand == "done"}
    for found, stand in zip(reading.tasks, stands, strict=True):
        if stand == "ready":
            assert set(found.depends_on) <= done
