"""What always holds when a plan is replaced, whatever the call says."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.pi.javascript import trim, utf8_size
from ppgp_tui.pi.mutation import Accepted, Refused, Unchanged, apply_call, call_todo
from ppgp_tui.pi.plan import (
    STATUSES,
    Limits,
    TaskStatus,
    TodoState,
    TodoTask,
    read_state,
    render_todo,
    state_json,
)
from ppgp_tui.pi.plan_change import compare
from ppgp_tui.pi.todo import find_circle

KEYS = st.sampled_from(["a", "b", "c", "d", "é", "e\u0301"])
STATUS: st.SearchStrategy[TaskStatus] = st.sampled_from(STATUSES)
TEXT = st.text('ab 0\n"\\é🚀\ufeff\x85\ud800', max_size=12).map(lambda text: f"s{text}")
WORD = st.text("a1.- \ud800", max_size=4) | st.sampled_from(["tasks", "key", "status"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def plans(draw: st.DrawFn, max_tasks: int = 4) -> TodoState:
    """A plan that could stand: dependencies run backwards and nothing started too early."""
    keys = draw(st.lists(KEYS, unique=True, max_size=max_tasks))
    tasks: list[TodoTask] = []
    for key in keys:
        done = [task.key for task in tasks if task.status == "completed"]
        earlier = [task.key for task in tasks]
        status = draw(STATUS)
        needs = draw(
            st.lists(st.sampled_from(pool), unique=True, max_size=2)
            if (pool := earlier if status == "pending" else done)
            else st.just([])
        )
        description = draw(st.none() | TEXT.map(trim))
        subject = trim(draw(TEXT))
        tasks.append(TodoTask(key, subject, status, description, tuple(needs)))
    return TodoState(draw(st.integers(0, 120)), tuple(tasks))


def members(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=optional)


CALLS = st.fixed_dictionaries(
    {
        "tasks": st.lists(
            st.builds(
                lambda required, rest: required | rest,
                st.fixed_dictionaries({"key": KEYS, "subject": TEXT, "status": STATUS}),
                members(
                    description=TEXT | st.none(),
                    dependsOn=st.lists(KEYS, max_size=3),
                    owner=JSON,
                ),
            ),
            max_size=5,
        )
    },
    optional={
        "baseRevision": st.integers(0, 3) | JSON,
        "remove": st.lists(st.fixed_dictionaries({"key": KEYS, "reason": TEXT}), max_size=2),
    },
)


def call_for(state: TodoState) -> dict[str, Any]:
    return {"baseRevision": state.revision, "tasks": state_json(state)["tasks"]}


@given(plans(), CALLS)
def test_an_accepted_plan_is_valid_and_the_next_revision(
    state: TodoState, call: dict[str, Any]
) -> None:
    outcome = apply_call(state, call)
    if not isinstance(outcome, Accepted):
        return
    after = outcome.state
    assert after.revision == state.revision + 1
    assert read_state(state_json(after)) == after
    keys = [task.key for task in after.tasks]
    assert len(set(keys)) == len(keys)
    assert all(set(task.depends_on) <= set(keys) for task in after.tasks)
    assert not find_circle({task.key: task for task in after.tasks})


@given(plans(), CALLS)
def test_nothing_unfinished_leaves_without_a_reason(state: TodoState, call: dict[str, Any]) -> None:
    outcome = apply_call(state, call)
    if not isinstance(outcome, Accepted):
        return
    for gone in compare(state, outcome.state, outcome.removed).removed:
        assert gone.reason or gone.task.status == "completed"


@given(plans(), CALLS | JSON)
def test_neither_the_plan_nor_the_call_is_touched(state: TodoState, call: Any) -> None:
    plan_before, call_before = state_json(state), copy.deepcopy(call)
    for outcome in (apply_call(state, call), call_todo(state, call)):
        assert isinstance(outcome, Accepted | Unchanged | Refused)
        assert outcome.text
    assert state_json(state) == plan_before
    assert repr(call) == repr(call_before)


@given(plans(), CALLS)
def test_the_same_plan_asked_for_again_is_unchanged(state: TodoState, call: dict[str, Any]) -> None:
    first = apply_call(state, call)
    if isinstance(first, Accepted):
        again = {"tasks": call["tasks"]}
        assert apply_call(first.state, again) == Unchanged(first.state)


@given(plans(), CALLS)
def test_a_removal_repeated_is_refused(state: TodoState, call: dict[str, Any]) -> None:
    first = apply_call(state, call)
    if isinstance(first, Accepted) and first.removed:
        again = apply_call(first.state, {**call, "baseRevision": first.state.revision})
        assert isinstance(again, Refused)
        assert again.kind == "remove_unknown"


@given(plans(), plans())
def test_a_call_for_an_older_revision_is_stale(state: TodoState, other: TodoState) -> None:
    outcome = apply_call(state, call_for(other))
    assert (state.revision != other.revision) == (
        isinstance(outcome, Refused) and outcome.kind == "stale_revision"
    )


@given(plans(), st.integers(-3, 3))
def test_the_budget_counts_every_byte_of_the_new_plan(state: TodoState, slack: int) -> None:
    wanted = TodoState(1, state.tasks)
    budget = utf8_size(state_json(wanted)) + slack
    outcome = apply_call(TodoState(), {"tasks": state_json(wanted)["tasks"]}, Limits(200, budget))
    if not wanted.tasks:
        assert outcome == Unchanged(TodoState())
    elif slack < 0:
        assert isinstance(outcome, Refused)
        assert outcome.text == (
            f"Todo plan exceeds the {budget}-byte serialized UTF-8 byte budget."
        )
    else:
        assert outcome == Accepted(wanted, ())


def test_the_number_of_tasks_can_be_set() -> None:
    tasks = [{"key": f"t{n}", "subject": "x", "status": "pending"} for n in range(201)]
    many = Limits(max_tasks=201, max_bytes=100_000)
    assert isinstance(call_todo(TodoState(), {"tasks": tasks}, many), Accepted)
    refused = call_todo(TodoState(), {"tasks": tasks})
    assert isinstance(refused, Refused)
    assert refused.text.endswith("tasks: expected at most 200 items")


def test_a_revision_beyond_what_javascript_can_count_is_refused() -> None:
    last = TodoState(2**53 - 1)
    outcome = apply_call(last, {"tasks": [{"key": "a", "subject": "A", "status": "pending"}]})
    assert outcome == Refused(
        "contract", "Todo mutation exceeds the exported producer state contract."
    )


def test_stale_revisions_are_named_as_javascript_prints_them() -> None:
    for base, said in ((None, "null"), ("0", "0"), (True, "true"), (0.5, "0.5"), (1e21, "1e+21")):
        outcome = apply_call(TodoState(4), {"baseRevision": base, "tasks": []})
        assert outcome.text.startswith(f"Stale Todo revision {said}; current revision is 4.")


def test_through_pi_a_revision_may_be_text_a_fraction_or_null() -> None:
    for base in ("0", 0.5, None, False, " 0x0 "):
        outcome = call_todo(TodoState(), {"baseRevision": base, "tasks": []})
        assert outcome == Unchanged(TodoState())


def test_a_stored_plan_with_untrimmed_keys_equals_its_trimmed_call() -> None:
    stored = TodoState(2, (TodoTask(" a", "A "),))
    outcome = apply_call(stored, {"tasks": [{"key": "a", "subject": "A", "status": "pending"}]})
    assert isinstance(outcome, Refused), "its key is another key, so it was left out"
    outcome = apply_call(
        TodoState(2, (TodoTask("a", "A "),)),
        {"tasks": [{"key": "a", "subject": " A", "status": "pending"}]},
    )
    assert isinstance(outcome, Unchanged)


def test_a_call_the_rules_cannot_read_is_refused_with_what_does_not_fit() -> None:
    task = {"key": "a", "subject": "A", "status": "pending"}
    for call, said in (
        ({"remove": None}, "tasks: missing"),
        ([], "root: expected object, got array"),
        ({"tasks": [task | {"key": 5}]}, "tasks.0.key: expected string, got integer"),
        ({"tasks": [task], "remove": [3]}, "remove.0: expected object, got integer"),
    ):
        outcome = apply_call(TodoState(), call)
        expected = f'Validation failed for tool "todo":\n  - {said}'
        assert outcome == Refused("malformed", expected)


def test_the_plan_is_rendered_with_marks_dependencies_and_descriptions() -> None:
    state = TodoState(
        3,
        (
            TodoTask("implement", "Implement the bridge", "in_progress"),
            TodoTask("verify", "Verify it", "pending", "With the real one.", ("implement",)),
            TodoTask("plan", "Plan it", "completed"),
        ),
    )
    assert render_todo(state) == (
        "Your todo list, as you authored:\n"
        "Revision: 3\n"
        "[>] implement: Implement the bridge\n"
        "[ ] verify: Verify it (after: implement)\n"
        "    With the real one.\n"
        "[x] plan: Plan it"
    )


@given(JSON)
def test_any_json_value_is_a_plan_or_is_not(raw: Any) -> None:
    read_state(raw)
    read_state({"schemaVersion": 1, "revision": 1, "tasks": [raw]})


def test_stored_plans_pi_would_refuse() -> None:
    task = {"key": "a", "subject": "A", "status": "pending"}
    good = {"schemaVersion": 1, "revision": 1, "tasks": [task]}
    assert read_state(good) == TodoState(1, (TodoTask("a", "A"),))
    for broken in (
        good | {"extra": 1},
        good | {"schemaVersion": True},
        good | {"revision": -1},
        good | {"revision": 1.5},
        good | {"tasks": [task] * 201},
        good | {"tasks": [task | {"owner": "me"}]},
        good | {"tasks": [task | {"status": "blocked"}]},
        good | {"tasks": [task | {"description": None}]},
        good | {"tasks": [task | {"description": " "}]},
        good | {"tasks": [task | {"dependsOn": [" a"]}]},
        good | {"tasks": [task | {"dependsOn": ["a", "a"]}]},
        good | {"tasks": [task | {"description": "x" * 16_384}]},
    ):
        assert read_state(broken) is None, broken
