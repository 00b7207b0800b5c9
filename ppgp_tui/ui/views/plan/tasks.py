"""Tasks as rows: one line each, made when it is looked at, and all that is known of one task."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.session.model import SessionSnapshot, Task
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import TASKS, task_word
from ppgp_tui.ui.rows.columns import cut, state_and_age, to_left
from ppgp_tui.ui.rows.row import Line, Row, RowsOnDemand, Span, heading
from ppgp_tui.ui.views.plan.dependencies import Graph, graph_of

STATE = 7
"""Cells of a task's state word; `running` and `for you` are the widest."""


def task_line(
    task: Task, key_width: int, look: Look, now_ms: int, *, roomy: bool = False, state: str = ""
) -> Line:
    """Sign, key, subject, state and age of `task`; `state` replaces its own state word."""
    word = task_word(task)
    text = cut(state or word.text, 12, look.sign("cut"))
    since = Span(when(task.changed_ms, now_ms), "soft")
    finished = task.state == "done"
    return Line(
        (
            *to_left(Span(task.key, "soft"), key_width),
            Span(" "),
            Span(task.subject, "soft" if finished else "text"),
        ),
        state_and_age(Span(text, word.role), since, STATE, roomy=roomy),
        word.sign,
        word.role,
    )


class TaskRows(RowsOnDemand):
    """Tasks of a plan as rows, each made when it is asked for."""

    def __init__(
        self,
        snapshot: SessionSnapshot,
        positions: Sequence[int],
        look: Look,
        now_ms: int,
        *,
        roomy: bool = False,
        opens: str = "",
    ) -> None:
        """`positions` says which tasks of the plan, in which order."""
        self._plan = snapshot.plan.value
        self._origin = snapshot.plan.origin
        self._graph = graph_of(self._plan)
        self._positions = positions
        self._look = look
        self._now_ms = now_ms
        self._roomy = roomy
        self._opens = opens

    def __len__(self) -> int:
        return len(self._positions)

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        at = self._positions[index]
        task, graph = self._plan.tasks[at], self._graph
        line = task_line(task, graph.key_width, self._look, self._now_ms, roomy=self._roomy)
        words = f"{task.key} {task.subject}"
        thing = f"node:todo:{task.key}"
        return Row(f"task:{graph.names[at]}", (line,), self._origin, words, self._opens, thing)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        at = self._graph.place.get(key.removeprefix("task:"))
        if at is None or isinstance(self._positions, range):
            return at
        return self._positions.index(at) if at in self._positions else None


def plan_counts(graph: Graph, look: Look) -> tuple[Span, ...]:
    """`✓4 ▸1 ▹1 ?1 ⊘2 ⋯3`: how many tasks are in each state; states nobody is in are left out."""
    spans: list[Span] = []
    for state in ("done", "running", "ready", "for_you", "blocked", "waits"):
        if number := graph.counts[state]:
            word = TASKS[state]
            spans.append(Span(f"{' ' if spans else ''}{look.sign(word.sign)}{number}", word.role))
    return tuple(spans)


def no_tasks(snapshot: SessionSnapshot) -> list[Row]:
    """What is said instead of a plan: an empty one, or where one was looked for."""
    plan = snapshot.plan.value
    if plan.source != "none":
        revision = "" if plan.revision is None else f" r{plan.revision}"
        said = "the plan has no tasks"
    else:
        revision, said = "", "no plan yet: looked for .ppgp/todo.json"
        if snapshot.moment is not None:
            said = "no plan was recorded by then"
    return [heading(f"Plan{revision}"), Row("", (Line((Span(said, "soft"),), indent=1),))]
