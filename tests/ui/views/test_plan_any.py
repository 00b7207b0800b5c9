"""Any plan is drawn, however it is looked at; whatever is pressed, one stands on something."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import Task
from ppgp_tui.ui.seat.plan_choice import FOLD, STATES, ZOOMS, PlanLook, PlanStay
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.plan import PlanView
from ppgp_tui.ui.views.plan.tree import tree_of
from tests.ui.pressing import press
from tests.ui.stand_in import seat, text
from tests.ui.views import plans
from tests.ui.views.drawn import ASCII, PLAIN, frame, screen
from tests.ui.views.made_words import HOSTILE

KEYS = [f"T{number}" for number in range(1, 90)]
STATUS = {"done": "completed", "running": "in_progress"}


@st.composite
def some_tasks(draw: st.DrawFn, most: int = 80) -> list[Task]:
    """Tasks with dependencies of every kind: on others, on none, on themselves, in circles."""
    made = []
    for key in KEYS[: draw(st.integers(1, most))]:
        needs = draw(st.lists(st.sampled_from(KEYS), max_size=3, unique=True))
        state = draw(st.sampled_from(["done", "running", "ready", "waits", "blocked", "for_you"]))
        stopped = (
            draw(st.sampled_from(["C you", "B 02:00", "D", "B"])) if state == "blocked" else None
        )
        subject = draw(st.sampled_from(["Write it", "Test all of it thoroughly", *HOSTILE[:6]]))
        status = STATUS.get(state, "pending")
        made.append(Task(key, subject, status, tuple(needs), None, state, stopped))  # type: ignore[arg-type]
    return made


stays = st.builds(
    PlanStay,
    look=st.builds(PlanLook, st.sampled_from(["", *ZOOMS]), st.booleans()),
    family=st.sampled_from(["", "", "T1", "T7", "T99"]),
    states=st.sampled_from(STATES),
    chain=st.booleans(),
    pan=st.tuples(st.just("task:T2"), st.integers(-50, 500)),
)


@settings(max_examples=40, deadline=None)
@given(some_tasks(), stays, st.sampled_from([40, 48, 60, 80, 100, 120, 160]), st.integers(8, 60))
def test_any_plan_is_drawn_in_any_room(
    tasks: list[Task], stay: PlanStay, width: int, height: int
) -> None:
    for look in (PLAIN, ASCII):
        room = frame(
            width, height + 4, plan=stay, look=look, cursor={"plan.list": "task:T2"},
            turned=frozenset((FOLD,)) if height % 2 else frozenset(),
        )  # fmt: skip
        assert screen(PlanView(), plans.shown(*tasks), room)


@settings(max_examples=40, deadline=None)
@given(some_tasks())
def test_the_tree_holds_every_task_once_and_every_place_where_it_is_needed(
    tasks: list[Task],
) -> None:
    plan = plans.shown(*tasks).plan.value
    lines = tree_of(plan)
    own = [branch.at for branch in lines if not branch.again]
    assert sorted(own) == list(range(len(tasks)))
    there = {task.key for task in tasks}
    edges = {
        (key, task.key) for task in tasks for key in task.depends_on if key in there - {task.key}
    }
    drawn = {(branch.above, tasks[branch.at].key) for branch in lines if branch.above}
    assert drawn == edges
    assert len({(branch.at, branch.above) for branch in lines}) == len(lines)


PRESSED = [
    "z", "t", "space", "f", "left", "right", "H", "L", "j", "k", "G", "g", "enter", "esc",
    *(("'", letter) for letter in "rbpucy"),
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    some_tasks(40), st.lists(st.sampled_from(PRESSED), max_size=12), st.sampled_from([48, 80, 120])
)
def test_after_any_keys_one_stands_on_something_or_nothing_is_listed(
    tasks: list[Task], keys: list[str | tuple[str, str]], width: int
) -> None:
    of = press(seat(plans.shown(*tasks), width, 30, VIEWS), "2")
    for key in keys:
        press(of, *((key,) if isinstance(key, str) else key))
        assert len(text(of)) == 30
        if of.views[of.current].name == "plan" and of.stay.opened is None:
            rows = of.stay.lists["plan.list"]
            assert rows.row is not None or not any(row.selectable for row in rows.pile.rows)
