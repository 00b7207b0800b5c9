"""The plan that is looked at: the recorded one, or the task nodes of the log where they say more.

A recorded plan holds some two hundred tasks at most; agents that write the log themselves may keep
more in its graph, as nodes of the kind `task` with `depends_on` between them (GASP reference
section 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Plan, SessionSnapshot, Task, TaskState, TaskStatus
from ppgp_tui.session.text import one_line

if TYPE_CHECKING:
    from ppgp_tui.gasp.folding.graph import Node
    from ppgp_tui.gasp.folding.props import Packed
    from ppgp_tui.session.log.graph import Contents, Folded

MOST_NODES = 10_000
"""Task nodes of a log that are read; more than that nobody looks through."""
FULL = 200
"""So many tasks a recorded plan may hold: one that has them may have had no room for more."""
_OURS = "todo:"
_STATUS: dict[str, TaskStatus] = {
    "Open": "pending",
    "InProgress": "in_progress",
    "Blocked": "pending",
    "Stale": "pending",
    "Done": "completed",
}
_GIVEN_UP = "Abandoned"
BLOCKED = "blocked"
"""What is said of a node that its log calls blocked: neither class nor who is known."""


class Looked(NamedTuple):
    """The plan on the screen, and where its tasks come from."""

    plan: Plan
    nodes: Mapping[str, str] = MappingProxyType({})
    """By key of a task the id of its node, where task nodes of the log are shown."""
    left_out: int = 0
    """Task nodes that were not read."""

    def thing(self, key: str) -> str:
        """What a task stands for in the log (`Row.thing`)."""
        return f"node:{self.nodes.get(key) or _OURS + key}"


class PlanLooks:
    """Remembers what was read of the graph: only nodes that changed are read again."""

    def __init__(self) -> None:
        self._plan = Plan()
        self._folded: Folded | None = None
        self._version = -1
        self._found = Looked(Plan())
        self._read: dict[str, tuple[Packed, Task]] = {}

    def of(self, snapshot: SessionSnapshot) -> Looked:
        """The recorded plan, or the log's task nodes where there are more of them.

        While the log is folded on, the nodes as they were last known. The graph is that of the
        whole log, so a moment before its last event has no nodes to show.
        """
        plan, graph, moment = snapshot.plan.value, snapshot.graph.value, snapshot.moment
        if moment is not None and not moment.is_last:
            return Looked(plan)
        if graph.folded is None or len(plan.tasks) not in (0, FULL):
            return Looked(plan)
        same = plan is self._plan and graph.folded is self._folded
        if graph.state != "folded":
            return self._found if same else Looked(plan)
        if not same or graph.version != self._version:
            if graph.folded is not self._folded:
                self._read.clear()
            self._plan, self._folded, self._version = plan, graph.folded, graph.version
            self._found = self._from_nodes(plan, graph.folded)
        return self._found

    def _from_nodes(self, plan: Plan, folded: Folded) -> Looked:
        with folded.reading() as contents:
            found, left_out = self._nodes(contents)
        if len(found) <= len(plan.tasks):
            return Looked(plan)
        keys = _keys(found)
        done = {name for name, (task, _) in found.items() if task.status == "completed"}
        tasks = []
        for name, (task, needs) in found.items():
            there = [one for one in needs if one in found]
            state = _state(task, all(one in done for one in there))
            depends = tuple(keys[one] for one in there)
            tasks.append(task._replace(key=keys[name], depends_on=depends, state=state))
        shown = plan._replace(tasks=tuple(tasks))
        return Looked(shown, {key: name for name, key in keys.items()}, left_out)

    def _nodes(self, contents: Contents) -> tuple[dict[str, tuple[Task, list[str]]], int]:
        """By id the living task nodes, in the order they were made, each with what it needs."""
        numbers, left_out = _task_entities(contents)
        links, nodes = contents.links, contents.graph.nodes
        found: dict[str, tuple[Task, list[str]]] = {}
        for number in numbers:
            node = nodes.get(links.names[number])
            if node is None or node.tombstoned or node.prop("status") == _GIVEN_UP:
                continue
            needs = [
                links.names[edge.target]
                for edge in links.relations.out(number)
                if edge.name == "depends_on"
            ]
            found[node.id] = self._task(node), list(dict.fromkeys(needs))
        return found, left_out

    def _task(self, node: Node) -> Task:
        """The node as a task; what did not change is not read again."""
        kept = self._read.get(node.id)
        if kept is not None and kept[0] is node.packed:
            return kept[1]
        status, title = str(node.prop("status") or "Open"), node.prop("title")
        meta = node.prop("metadata")
        key = meta.get("key") if isinstance(meta, dict) else None
        task = Task(
            key=one_line(key) if isinstance(key, str) else "",
            subject=one_line(title) if isinstance(title, str) and title else node.id,
            status=_STATUS.get(status, "pending"),
            description=_text(node.prop("summary")),
            stopped_by=BLOCKED if status == "Blocked" else None,
        )
        self._read[node.id] = node.packed, task
        return task


looked_at = PlanLooks().of
"""The plan that is looked at in a picture."""


def wants_nodes(snapshot: SessionSnapshot) -> bool:
    """Whether the log's graph may hold more tasks than the plan, and nobody asked for it yet."""
    tasks, log = len(snapshot.plan.value.tasks), snapshot.events.value.log
    may = log is not None and len(log) > 0 and (tasks == 0 or tasks == FULL)
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


def _keys(found: Mapping[str, tuple[Task, list[str]]]) -> dict[str, str]:
    """A key for each node: its own, else its id without what all ids begin with, else the id."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for name, (task, _) in found.items():
        short = name.removeprefix(_OURS).removeprefix("task_")
        key = next((one for one in (task.key, short) if one and one not in taken), name)
        taken.add(key)
        keys[name] = key
    return keys


def _state(task: Task, may_begin: bool) -> TaskState:
    if task.status == "completed":
        return "done"
    if task.stopped_by:
        return "blocked"
    if task.status == "in_progress":
        return "running"
    return "ready" if may_begin else "waits"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
