"""What changed between any two revisions of a plan, and who changed a task."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.pi.plan import TodoState, TodoTask
from ppgp_tui.pi.plan_change import PlanChange
from ppgp_tui.session.plan_history.blame import blame, last_change
from ppgp_tui.session.plan_history.comparing import between, step
from ppgp_tui.session.plan_history.marks import compared
from tests.session.plan_history.plans import KEYS, history, states, task

STORY = (
    (task("T1"), task("T2", needs="T1")),
    (task("T1", "in_progress"), task("T2", needs="T1"), task("T3")),
    (task("T1", "completed"), task("T2", needs="T1", subject="Do T2 twice")),
)
REMOVED = {3: [{"key": "T3", "reason": "out of scope"}]}


def test_each_revision_says_what_it_changed_in_few_words() -> None:
    told = history(STORY).revisions

    assert [one.name for one in told] == ["r1", "r2", "r3"]
    assert [(one.added, one.changed, one.removed) for one in told] == [
        (2, 0, 0), (1, 1, 0), (0, 2, 1),
    ]  # fmt: skip
    assert [one.brief for one in told] == [
        "T1, T2 added",
        "T3 added; T1 started",
        "T3 removed; T1 done and more",
    ]


def test_two_revisions_are_compared_over_all_between_with_the_reasons_given_on_the_way() -> None:
    found = between(history(STORY, REMOVED), 0, 2)

    assert found is not None
    assert [one.after.key for one in found.change.reworded] == ["T2"]
    assert [(one.key, one.before, one.after) for one in found.change.restated] == [
        ("T1", "pending", "completed")
    ]
    assert (found.added, found.changed, found.removed) == (0, 2, 0)  # T3 came and left between


def test_a_task_that_left_is_told_with_its_reason() -> None:
    found = between(history(STORY, REMOVED), 1, 2)

    assert found is not None
    (left,) = found.change.removed
    assert (left.task.key, left.reason) == ("T3", "out of scope")


def test_the_order_in_which_two_are_named_does_not_matter() -> None:
    told = history(STORY, REMOVED)

    assert between(told, 2, 0) == between(told, 0, 2)


def test_before_the_first_revision_there_was_no_task() -> None:
    found = step(history(STORY), 0)

    assert found is not None
    assert [one.key for one in found.change.added] == ["T1", "T2"]


def test_blame_tells_every_change_of_a_task_the_newest_first() -> None:
    told = blame(history(STORY, REMOVED), "T3")

    assert [(one.revision.name, [touch.deed for touch in one.touches]) for one in told] == [
        ("r3", ["removed"]),
        ("r2", ["added"]),
    ]
    assert told[0].touches[0].why == "out of scope"


def test_blame_names_who_changed_a_task_last() -> None:
    last = last_change(history(STORY), "T2")

    assert last is not None
    assert (last.revision.name, last.revision.by) == ("r3", "claude")
    assert [(one.deed, one.was, one.now) for one in last.touches] == [
        ("reworded", "Do T2", "Do T2 twice")
    ]


def test_nobody_is_blamed_for_a_task_that_never_was() -> None:
    assert last_change(history(STORY), "T9") is None


def test_removed_tasks_stay_in_the_list_behind_what_stood_before_them() -> None:
    found = between(history(STORY), 1, 2)
    assert found is not None

    marked = compared(found.before, found.after, found.change)

    assert [(one.task.key, one.mark) for one in marked] == [
        ("T1", "restated"), ("T2", "reworded"), ("T3", "removed"),
    ]  # fmt: skip


# Properties --------------------------------------------------------------------------------------


def applied(before: dict[str, TodoTask], change: PlanChange) -> dict[str, TodoTask]:
    """The tasks `before` with what `change` says done to them."""
    tasks = dict(before)
    for left in change.removed:
        del tasks[left.task.key]
    for restated in change.restated:
        assert tasks[restated.key].status == restated.before
        tasks[restated.key] = tasks[restated.key]._replace(status=restated.after)
    for reworded in change.reworded:
        now = reworded.after
        tasks[now.key] = tasks[now.key]._replace(subject=now.subject, description=now.description)
    for rewired in change.rewired:
        tasks[rewired.key] = tasks[rewired.key]._replace(depends_on=rewired.after)
    return tasks | {one.key: one for one in change.added}


def by_key(state: TodoState) -> dict[str, TodoTask]:
    return {one.key: one for one in state.tasks}


Plans = Sequence[tuple[TodoTask, ...]]


@given(st.lists(states(), min_size=1, max_size=6))
def test_applying_every_revision_in_order_gives_the_newest_plan(plans: Plans) -> None:
    told = history(plans)
    tasks: dict[str, TodoTask] = {}
    for at in range(len(plans)):
        found = step(told, at)
        assert found is not None
        tasks = applied(tasks, found.change)
    assert tasks == {one.key: one for one in plans[-1]}


@given(st.lists(states(), min_size=1, max_size=5), st.data())
def test_the_changes_between_any_two_lead_from_one_to_the_other(
    plans: Plans, data: st.DataObject
) -> None:
    one, other = (data.draw(st.integers(-1, len(plans) - 1)) for _ in range(2))
    found = between(history(plans), one, other)

    assert found is not None
    assert applied(by_key(found.before), found.change) == by_key(found.after)


@given(st.lists(states(), min_size=1, max_size=5))
def test_counts_and_blame_agree_with_what_a_comparison_finds(plans: Plans) -> None:
    told = history(plans)
    for at, revision in enumerate(told.revisions):
        found = step(told, at)
        assert found is not None
        counts = (found.added, found.changed, found.removed)
        assert (revision.added, revision.changed, revision.removed) == counts
        assert revision.reordered == found.change.reordered
    for key in KEYS:
        touched = [one.at for one in blame(told, key)]
        assert touched == sorted(touched, reverse=True)
        assert set(touched) == {at for at, one in enumerate(told.revisions) if key in one.keys}


@given(st.lists(states(), min_size=2, max_size=4))
def test_every_task_of_both_plans_is_listed_once_with_its_mark(plans: Plans) -> None:
    found = between(history(plans), 0, len(plans) - 1)
    assert found is not None

    marked = compared(found.before, found.after, found.change)

    assert sorted(one.task.key for one in marked) == sorted(
        {*by_key(found.before), *by_key(found.after)}
    )
    assert [one.task for one in marked if one.mark != "removed"] == [*found.after.tasks]
    assert {one.task.key for one in marked if one.mark == "added"} == {
        one.key for one in found.change.added
    }
