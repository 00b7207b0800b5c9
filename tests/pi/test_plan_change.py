"""What one plan changed in another."""

from hypothesis import given

from ppgp_tui.pi.plan import Removal, TodoState, TodoTask
from ppgp_tui.pi.plan_change import PlanChange, Removed, Restated, Rewired, Reworded, compare
from tests.pi.test_plan_rules import plans

BEFORE = TodoState(
    1,
    (
        TodoTask("api", "Build the API", "completed"),
        TodoTask("ui", "Build the UI", "pending", None, ("api",)),
        TodoTask("docs", "Write docs", "pending"),
    ),
)


def test_every_kind_of_change_is_told_apart() -> None:
    after = TodoState(
        2,
        (
            TodoTask("ui", "Build the screen", "in_progress", None, ("test",)),
            TodoTask("api", "Build the API", "completed"),
            TodoTask("test", "Test it"),
        ),
    )
    change = compare(BEFORE, after, [Removal("docs", "not asked for")])
    api, ui, docs = BEFORE.tasks
    assert change == PlanChange(
        added=(after.tasks[2],),
        removed=(Removed(docs, "not asked for"),),
        reworded=(Reworded(ui, after.tasks[0]),),
        restated=(Restated("ui", "pending", "in_progress"),),
        rewired=(Rewired("ui", ("api",), ("test",)),),
        reordered=True,
    )
    assert change.rewired[0].tied == ("test",)
    assert change.rewired[0].cut == ("api",)
    assert api not in change.added


def test_a_finished_task_may_leave_without_a_reason() -> None:
    change = compare(BEFORE, TodoState(2, BEFORE.tasks[1:]))
    assert change.removed == (Removed(BEFORE.tasks[0], None),)


def test_a_changed_description_is_another_wording() -> None:
    described = TodoTask("docs", "Write docs", "pending", "for users")
    change = compare(BEFORE, TodoState(2, (*BEFORE.tasks[:2], described)))
    assert change == PlanChange(reworded=(Reworded(BEFORE.tasks[2], described),))


@given(plans())
def test_a_plan_changed_nothing_in_itself(state: TodoState) -> None:
    assert not compare(state, state)


@given(plans(), plans())
def test_no_change_means_the_same_tasks(before: TodoState, after: TodoState) -> None:
    assert bool(compare(before, after)) == (before.tasks != after.tasks)


@given(plans(), plans())
def test_what_was_added_there_was_removed_here(before: TodoState, after: TodoState) -> None:
    there, back = compare(before, after), compare(after, before)
    assert there.added == tuple(gone.task for gone in back.removed)
    assert {change.key for change in there.restated} == {change.key for change in back.restated}
