"""Plans of every size and shape to draw: real ones in small, layered ones made by a fixed rule."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import Part, Plan, SessionSnapshot, Task, TaskState, TaskStatus
from tests.ui import picture

VERBS = ("Read", "Write", "Check", "Move", "Test", "Name", "Drop", "Merge")
THINGS = ("the batch header", "old rows", "the checkpoint", "retry limits", "the schema", "logs")


def shown(*tasks: Task, **changed: object) -> SessionSnapshot:
    """The full picture with these tasks as its plan."""
    plan = picture.plan()._replace(tasks=tasks, **changed)  # type: ignore[arg-type]
    return replace(picture.full(), plan=Part(plan, 14, picture.full().plan.origin))


def layered(count: int, per_layer: int = 5) -> SessionSnapshot:
    """`count` tasks in layers; each needs one or two of the layer before, half of them are done."""
    tasks: list[Task] = []
    for at in range(count):
        layer, place = divmod(at, per_layer)
        before = [(layer - 1) * per_layer + one % per_layer for one in (place, place * 2 + 1)]
        needs = tuple(dict.fromkeys(f"K{one + 1}" for one in before)) if layer else ()
        tasks.append(_task(at, needs, count // 2, per_layer))
    return shown(*tasks)


def _task(at: int, needs: tuple[str, ...], done: int, per_layer: int) -> Task:
    subject = f"{VERBS[at % len(VERBS)]} {THINGS[at % len(THINGS)]}"
    status: TaskStatus = "completed" if at < done else "pending"
    state: TaskState = "done" if at < done else "waits"
    if done <= at < done + 2:
        state, status = "running", "in_progress"
    elif at < done + per_layer and at >= done:
        state = "ready"
    return Task(f"K{at + 1}", subject, status, needs, None, state)


def circle() -> SessionSnapshot:
    """Three tasks that wait for each other, and one that waits for them."""
    return shown(
        Task("T1", "Settle the format", "pending", ("T3",)),
        Task("T2", "Write the reader", "pending", ("T1",)),
        Task("T3", "Write the writer", "pending", ("T2",)),
        Task("T4", "Compare both", "pending", ("T3",)),
    )


def missing() -> SessionSnapshot:
    """A task that needs one that is not in the plan."""
    return shown(
        Task("T1", "Start", "completed", state="done"),
        Task("T2", "Go on", "pending", ("T1", "T0")),
    )


def one() -> Plan:
    """A single task that is ready."""
    return Plan("log", 1, tasks=(Task("T1", "Start", "pending", state="ready"),))
