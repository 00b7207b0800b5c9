"""The plan that is looked at: the recorded one, or the task nodes of the log where they say more.

A recorded plan holds some two hundred tasks at most; agents that write the log themselves may keep
more in its graph, as nodes of the kind `task` with `depends_on` between them (GASP reference
section 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ppgp_tui.session.model import GraphLook, Plan, SessionSnapshot, Task, TaskState, TaskStatus
from ppgp_tui.session.text import one_line

if TYPE_CHECKING:
    from ppgp_tui.gasp.folding.graph import Node
    from ppgp_tui.gasp.folding.props import Packed
    from ppgp_tui.session.log.graph import Contents

MOST_NODES = 10_000
"""Task nodes of a log that are read; more than that nobody looks through."""
FULL = 200
"""Tasks from which on a recorded plan may have had no room for more."""
_OURS = "todo:"
_STATUS: dict[str, TaskStatus] = {
    "Open": "pending",
    "InProgress": "in_progress",
    "Blocked": "pending",
    "Stale": "pending",
    "Done": "completed",
}
_GIVEN_UP = "Abandoned"


class Looked(NamedTuple):
    """The plan on the screen, and where its tasks come from."""

    plan: Plan
    nodes: bool = False
    """They are task nodes of the log, not the recorded plan."""
    left_out: int = 0
    """Task nodes that were not read."""


class PlanLooks:
    """Remembers what was read of the graph: only nodes that changed are read again."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._found = Looked(Plan())
        self._read: dict[str, tuple[Packed, Task]] = {}

    def of(self, snapshot: SessionSnapshot) -> Looked:
        """The recorded plan, or the log's task nodes where there are more of them."""
        plan, graph = snapshot.plan.value, snapshot.graph.value
        if graph.folded is None or 0 < len(plan.tasks) < FULL:
            return Looked(plan)
        if graph.state != "folded" and self._key[:2] != (id(plan), id(graph.folded)):
            return Looked(plan)
        key = (id(plan), id(graph.folded), graph.version)
        if key != self._key and graph.state == "folded":
            self._key, self._found = key, self._from_nodes(plan, graph)
        return self._found

    def _from_nodes(self, plan: Plan, graph: GraphLook) -> Looked:
        assert graph.folded is not None
        with graph.folded.reading() as contents:
            tasks, left_out = self._tasks(contents)
        if len(tasks) <= len(plan.tasks):
            return Looked(plan)
        return Looked(plan._replace(tasks=tasks), True, left_out)

    def _tasks(self, contents: Contents) -> tuple[tuple[Task, ...], int]:
        """The living task nodes in the order they were made, with where each stands."""
        numbers, left_out = _task_entities(contents)
        links, nodes = contents.links, contents.graph.nodes
        found: list[Task] = []
        for number in numbers:
            node = nodes.get(links.names[number])
            if node is None or node.tombstoned or node.prop("status") == _GIVEN_UP:
                continue
            needs = (
                links.names[edge.target]
                for edge in links.relations.out(number)
                if edge.name == "depends_on"
            )
            depends = tuple(dict.fromkeys(key_of(one) for one in needs))
            found.append(self._task(node)._replace(depends_on=depends))
        done = {task.key for task in found if task.status == "completed"}
        there = {task.key for task in found}
        tasks = tuple(
            task._replace(
                depends_on=tuple(key for key in task.depends_on if key in there),
                state=_state(task, done, there),
            )
            for task in found
        )
        return tasks, left_out

    def _task(self, node: Node) -> Task:
        """The node as a task; what did not change is not read again."""
        kept = self._read.get(node.id)
        if kept is not None and kept[0] is node.packed:
            return kept[1]
        status = str(node.prop("status") or "Open")
        title = node.prop("title")
        task = Task(
            key=key_of(node.id),
            subject=one_line(title) if isinstance(title, str) and title else key_of(node.id),
            status=_STATUS.get(status, "pending"),
            description=_text(node.prop("summary")),
            stopped_by="blocked" if status == "Blocked" else None,
        )
        self._read[node.id] = node.packed, task
        return task


looked_at = PlanLooks().of
"""The plan that is looked at in a picture."""


def wants_nodes(snapshot: SessionSnapshot) -> bool:
    """Whether the log's graph may hold more tasks than the plan, and nobody asked for it yet."""
    tasks, log = len(snapshot.plan.value.tasks), snapshot.events.value.log
    may = log is not None and len(log) > 0 and (tasks == 0 or tasks >= FULL)
    return may and snapshot.graph.value.state == "unasked"


def _task_entities(contents: Contents) -> tuple[list[int], int]:
    """Numbers of the task nodes, the first `MOST_NODES`, and how many more there are."""
    links = contents.links
    try:
        code = links.kind_names.index("task")
    except ValueError:
        return [], 0
    kinds, start = links.entity_kinds, 0
    found: list[int] = []
    count = kinds.count(code)
    while len(found) < min(count, MOST_NODES):
        start = kinds.index(code, start)
        found.append(start)
        start += 1
    return found, count - len(found)


def key_of(node_id: str) -> str:
    """The key of a task by the id of its node; another's id as it is."""
    return node_id.removeprefix(_OURS)


def _state(task: Task, done: set[str], there: set[str]) -> TaskState:
    if task.status == "completed":
        return "done"
    if task.stopped_by:
        return "blocked"
    if task.status == "in_progress":
        return "running"
    return "ready" if all(key in done for key in task.depends_on if key in there) else "waits"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
