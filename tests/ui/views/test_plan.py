"""View 2: the plan."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.session.model import Part, Plan, SessionSnapshot, Task
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.dependencies import graph_of, unlocked
from ppgp_tui.ui.views.plan.list import PlanRows
from ppgp_tui.ui.views.plan.plan import PlanView
from tests.ui import picture
from tests.ui.views.drawn import frame, screen

VIEW = PlanView()


def with_plan(*tasks: Task, **changed: object) -> SessionSnapshot:
    plan = picture.plan()._replace(tasks=tasks, **changed)  # type: ignore[arg-type]
    return replace(picture.full(), plan=Part(plan, 14, picture.full().plan.origin))


def lines(
    snapshot: SessionSnapshot, width: int = 48, height: int = 40, **given: object
) -> list[str]:
    return screen(VIEW, snapshot, frame(width, height, **given))


def listed(shown: list[str], key: str = "T1") -> int:
    """The line of the list on which a task stands, below the graph."""
    return next(at for at, line in enumerate(shown) if line[1:].split()[1:2] == [key])


def test_tasks_stand_in_the_order_of_the_plan() -> None:
    shown = lines(picture.full())
    first = listed(shown)
    keys = [line.split()[1] for line in shown[first : first + 12]]
    assert keys == [f"T{number}" for number in range(1, 13)]


def test_the_heading_says_revision_age_and_author() -> None:
    assert lines(picture.full())[0] == " Plan r14  8m ago, claude         newest   keys"
    unknown = replace(picture.full(), plan=Part(picture.plan()._replace(changed_ms=None)))
    assert lines(unknown)[0].startswith(" Plan r14  claude  ")


def test_a_task_whose_change_nobody_recorded_has_no_age() -> None:
    shown = lines(with_plan(Task("T1", "Start", "pending", state="ready")))
    assert shown[listed(shown)] == " ▹ T1 Start                         ready"


@pytest.mark.parametrize(
    ("stopped_by", "said"),
    [
        ("C you", "C, your answer"), ("B 02:00", "B external, until 02:00"), ("D", "D dependency"),
        ("B", "B external"),
    ],
)  # fmt: skip
def test_the_detail_spells_out_what_stops_a_task(stopped_by: str, said: str) -> None:
    task = Task("T1", "Start", "pending", state="blocked", stopped_by=stopped_by)
    shown = lines(with_plan(task), width=120, height=40, cursor={"plan.list": "task:T1"})
    assert any(line.rstrip().endswith(f"stopped  {said}") for line in shown)


def test_a_stopped_task_says_class_and_who_instead_of_blocked() -> None:
    shown = lines(picture.full())
    assert shown[listed(shown, "T8")].split()[-3:] == ["C", "you", "6m"]
    bare = lines(with_plan(Task("T1", "Start", "pending", state="blocked")))
    assert bare[listed(bare)].endswith("blocked")


def test_below_60_columns_the_last_rows_tell_what_stops_the_task_and_what_it_hangs_on() -> None:
    on_t8 = lines(picture.full(), cursor={"plan.list": "task:T8"}, keys={"row.open": "Enter"})
    assert on_t8[-2] == " ⊘ C, your answer: Drop the old cursor…   Enter"
    assert on_t8[-1] == " T8 needs T3 ✓ T4 ✓  unlocks T11 T12"
    on_t3 = lines(picture.full(), cursor={"plan.list": "task:T3"})
    assert on_t3[-1].startswith(" T3 needs T2 ✓  unlocks T5 ")
    alone = lines(with_plan(Task("T1", "Start", "pending")))
    assert alone[-1] == " T1 needs nothing and unlocks nothing"


def test_a_dependency_that_is_not_in_the_plan_is_said_twice() -> None:
    shown = lines(with_plan(Task("T1", "Start", "pending", ("T0",)), Task("T2", "Go", "pending")))
    assert shown[1] == " ! T1 needs T0, which is not in the plan"
    assert shown[-1] == " T1 needs T0 not in the plan"


def test_tasks_that_wait_for_each_other_are_named() -> None:
    shown = lines(
        with_plan(
            Task("T1", "a", "pending", ("T3",)),
            Task("T2", "b", "pending", ("T1",)),
            Task("T3", "c", "pending", ("T2",)),
        )
    )
    assert shown[1] == " ! wait for each other: T1, T3, T2"


def test_a_hand_edit_is_said_under_the_heading() -> None:
    edited = replace(picture.full(), plan=Part(picture.plan()._replace(hand_edit=True)))
    assert lines(edited)[1:3] == [
        " ~ todo.json was edited by hand and differs",
        "   from the log",
    ]


def test_without_a_plan_it_says_where_one_was_looked_for() -> None:
    none = replace(picture.full(), plan=Part(Plan()))
    assert lines(none) == [" Plan", " no plan yet: looked for .ppgp/todo.json"]
    bare = replace(picture.full(), plan=Part(Plan(source="todo.json", revision=3)))
    assert lines(bare) == [" Plan r3", " the plan has no tasks"]


def test_the_detail_names_the_very_question_that_stops_a_task() -> None:
    shown = "\n".join(lines(picture.full(), 130, 50, cursor={"plan.list": "task:T8"}))
    assert "stopped  C, your answer: Drop the old cursor" in shown
    assert "says     Nothing reads import_cursor.pos since T3." in shown


def test_enter_gives_the_detail_the_whole_room_where_it_has_none() -> None:
    shown = lines(picture.full(), opened="task:T8")
    assert shown[0] == " ⊘ T8  Drop old cursor column        blocked 6m"
    assert not any("Map the import pipeline" in line for line in shown)


def test_finding_words_keeps_the_tasks_that_say_them() -> None:
    shown = lines(picture.full(), 80, filter="CURSOR")
    assert shown[0].startswith(' Plan r14  1 of 12 with "CURSOR"')
    assert shown[listed(shown, "T8")].startswith(" ⊘ T8  Drop old cursor column")
    assert lines(picture.full(), filter="zzz")[0].startswith(' Plan r14  0 of 12 with "zzz"')


def test_ten_thousand_tasks_are_made_only_where_they_are_looked_at() -> None:
    tasks = tuple(Task(f"K{at}", f"Step {at}", "pending", (f"K{at - 1}",)) for at in range(10_000))
    snapshot = with_plan(*tasks)
    layout = VIEW.layout(snapshot, frame(120, 40, cursor={"plan.list": "task:K7000"}))
    pane = layout[0][-1]
    assert pane.uniform
    assert len(pane.rows) == 10_000
    assert isinstance(pane.rows, PlanRows)
    assert pane.rows.place("task:K7000") == 7_000
    assert layout[1][-1].about == "K7000"


def test_two_tasks_with_one_key_are_two_rows() -> None:
    snapshot = with_plan(Task("T1", "a", "pending"), Task("T1", "b", "pending"))
    rows = next(
        pane.rows for pane in VIEW.layout(snapshot, frame(48, 24))[0] if pane.id == "plan.list"
    )
    assert [rows[at].key for at in range(2)] == ["task:T1", "task:T1#2"]
    assert lines(snapshot, 48, opened="task:T1#2")[0].startswith(" ⋯ T1  b")


def test_what_a_task_unlocks_is_told_directly_and_then_further_on() -> None:
    graph = graph_of(picture.plan())
    assert unlocked(graph, "T8") == (("T11",), ("T12",))
    assert unlocked(graph, "T12") == ((), ())
    assert graph.missing == ()
    assert graph.cycle == ()


def session_at(width: int, under: str = "", snapshot: SessionSnapshot | None = None) -> str:
    cursor = {"session.main": under} if under else {}
    view = next(view for view in VIEWS if view.name == "session")
    return "\n".join(screen(view, snapshot or picture.full(), frame(width, 50, cursor=cursor)))


def test_a_session_screen_with_three_columns_shows_the_plan_as_keys() -> None:
    assert "✓T1┬─ ✓T2┬─ ✓T3" in session_at(160, f"req:{picture.requests()[0].id}")
    assert "✓T1┬" not in session_at(120)
    alone = with_plan(Task("T1", "Start", "pending", state="ready"))
    assert "▹T1" not in session_at(160, snapshot=alone)


def test_a_plan_too_wide_for_the_column_is_not_shown_as_keys() -> None:
    tasks = [Task(f"K{at}", "x", "pending", (f"K{at - 1}",) if at else ()) for at in range(40)]
    assert "K0─" not in session_at(160, snapshot=with_plan(*tasks))
