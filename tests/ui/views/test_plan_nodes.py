"""A plan kept as task nodes of the log, for agents that write the log themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.model import Part, Plan, SessionSnapshot, Task
from ppgp_tui.session.picture.moment import Moment
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.nodes import PlanLooks, wants_nodes
from ppgp_tui.ui.views.plan.plan import PlanView
from tests.ui import picture
from tests.ui.picture_story import Teller, link, node, ops, update
from tests.ui.pressing import press
from tests.ui.stand_in import seat
from tests.ui.views.drawn import frame, screen


def task(name: str, status: str = "Open", **props: Any) -> Any:
    return node(name, "task", title=f"Do {name}", status=status, **props)


class Log:
    """A log that grows, and its graph."""

    def __init__(self, folder: Path) -> None:
        self._log = Teller(folder, [])
        self._count = 0

    def add(self, made: Iterable[Any]) -> None:
        self._count += 1
        self._log.write(ops(f"event_{self._count}", None, 60 - self._count, *made))

    def shown(self, *planned: Task) -> SessionSnapshot:
        """The picture with that graph, and with a recorded plan of `planned`."""
        plan = picture.plan()._replace(tasks=planned) if planned else Plan()
        return replace(self._log.snapshot(), plan=Part(plan))


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def states(snapshot: SessionSnapshot) -> dict[str, str]:
    return {task.key: task.state for task in PlanLooks().of(snapshot).plan.tasks}


def test_task_nodes_are_a_plan_where_none_is_recorded(log: Log) -> None:
    log.add(
        [
            task("task_1", "Done"), task("task_2", "InProgress"), task("task_3"), task("task_4"),
            task("task_5", "Blocked"), link("task_2", "depends_on", "task_1"),
            link("task_3", "depends_on", "task_1"), link("task_4", "depends_on", "task_3"),
            node("goal_1", "goal", title="No task"), link("task_1", "serves", "goal_1"),
        ]
    )  # fmt: skip
    assert states(log.shown()) == {
        "1": "done", "2": "running", "3": "ready", "4": "waits", "5": "blocked",
    }  # fmt: skip
    lines = screen(PlanView(), log.shown(), frame(48, 24, cursor={"plan.list": "task:4"}))
    assert lines[0].startswith(" Plan  5 task nodes of the log")
    assert any("✓1" in line and "▸2" in line for line in lines)


def test_a_moment_before_the_last_event_shows_no_nodes_of_later(log: Log) -> None:
    log.add([task("task_1", "Done")])
    shown = log.shown()
    then = replace(shown, moment=Moment(at=0, of=7))
    assert states(then) == {}
    lines = screen(PlanView(), then, frame(48, 24))
    assert lines[1].strip() == "no plan was recorded by then"
    assert states(replace(shown, moment=Moment(at=6, of=7))) == {"1": "done"}


def test_what_was_given_up_buried_or_is_missing_is_no_part_of_it(log: Log) -> None:
    log.add([task("a"), task("b", "Abandoned"), task("c"), link("a", "depends_on", "b")])
    log.add([{"TombstoneNode": {"id": "c", "reason": "left"}}, link("a", "depends_on", "zzz")])
    assert states(log.shown()) == {"a": "ready"}


def test_a_recorded_plan_of_few_tasks_is_what_is_shown(log: Log) -> None:
    log.add([task(f"task_{at}") for at in range(50)])
    planned = Task("T1", "Start", "pending", state="ready")
    assert states(log.shown(planned)) == {"T1": "ready"}


def test_a_full_plan_gives_way_to_a_log_that_knows_more(log: Log) -> None:
    planned = [Task(f"T{at}", "x", "pending", state="ready") for at in range(200)]
    log.add([task(f"todo:T{at}") for at in range(200)])
    assert len(states(log.shown(*planned))) == 200
    assert PlanLooks().of(log.shown(*planned)).nodes == {}
    log.add([task(f"more_{at}") for at in range(60)])
    looked = PlanLooks().of(log.shown(*planned))
    assert len(looked.plan.tasks) == 260
    assert looked.thing("T7") == "node:todo:T7"
    assert looked.thing("more_7") == "node:more_7"


def test_a_node_is_called_by_its_own_key_unless_that_is_taken(log: Log) -> None:
    keyed = {"metadata": {"key": "T1"}}
    log.add(
        [task("task_a", **keyed), task("task_b", **keyed), link("task_b", "depends_on", "task_a")]
    )
    looked = PlanLooks().of(log.shown())
    assert [(one.key, one.depends_on) for one in looked.plan.tasks] == [("T1", ()), ("b", ("T1",))]
    assert looked.thing("b") == "node:task_b"


def test_a_change_of_a_node_is_seen(log: Log) -> None:
    looks = PlanLooks()
    log.add([task("task_1"), task("task_2"), link("task_2", "depends_on", "task_1")])
    first = looks.of(log.shown())
    assert looks.of(log.shown()).plan.keys_in("ready") == ("1",)
    log.add([update("task_1", status="Done")])
    second = looks.of(log.shown())
    assert second.plan.keys_in("ready") == ("2",)
    assert first.plan.keys_in("ready") == ("1",)


def test_the_graph_is_asked_for_only_where_it_may_hold_more(log: Log) -> None:
    log.add([task("task_1")])
    unasked = replace(log.shown(), graph=picture.full().graph)
    assert wants_nodes(unasked)
    planned = Part(Plan(tasks=(Task("T1", "Start", "pending"),)))
    assert not wants_nodes(replace(unasked, plan=planned))
    assert not wants_nodes(log.shown())
    of = press(seat(unasked, 80, 24, VIEWS), "2")
    assert of.session.wants  # type: ignore[attr-defined]
    of = press(seat(replace(unasked, plan=planned), 80, 24, VIEWS), "2")
    assert not of.session.wants  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", [300, 2_000])
def test_hundreds_of_nodes_are_drawn_by_what_is_near_the_cursor(log: Log, count: int) -> None:
    made = [task(f"task_{at}") for at in range(count)]
    made += [link(f"task_{at}", "depends_on", f"task_{at // 2}") for at in range(1, count)]
    log.add(made)
    room = frame(80, 24, cursor={"plan.list": "task:60"})
    lines = screen(PlanView(), log.shown(), room)
    assert lines[0].startswith(f" Plan  {count:,} task nodes of the log")
    assert any("⋯60─" in line for line in lines)
    assert any(f"near 60, of {count:,} tasks" in line for line in lines)
