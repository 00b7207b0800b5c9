"""What follows from the dependencies of a plan: who unlocks whom, what is missing, what circles."""

from __future__ import annotations

from collections import Counter

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Plan, Task, TaskState
from ppgp_tui.ui.looks.words import TASKS
from ppgp_tui.ui.views.once import once


class Graph(NamedTuple):
    """A plan, looked up by key."""

    names: tuple[str, ...]
    """What each task's row is called: its key, with a number behind it where that is taken."""
    place: dict[str, int]
    """Position in the plan by name; a key that stands twice is the first of its tasks."""
    unlocks: dict[str, tuple[str, ...]]
    """Keys that need a key directly, in plan order."""
    missing: tuple[tuple[str, str], ...]
    """(task, dependency) where the dependency is not in the plan."""
    cycle: tuple[str, ...]
    """Keys that wait for each other in a circle, one circle only; empty when there is none."""
    counts: Counter[TaskState]
    yours: tuple[str, ...]
    """Keys of the tasks that wait for the person, in plan order."""
    urgent: tuple[int, ...]
    """Positions of the tasks in the order in which they matter to a person."""
    key_width: int


@once
def graph_of(plan: Plan) -> Graph:
    """Return what follows from the dependencies of `plan`."""
    place: dict[str, int] = {}
    for at, task in enumerate(plan.tasks):
        place[_name(task.key, place)] = at
    unlocks: dict[str, list[str]] = {}
    missing = []
    for task in plan.tasks:
        for needed in task.depends_on:
            if needed in place:
                unlocks.setdefault(needed, []).append(task.key)
            else:
                missing.append((task.key, needed))
    order = list(TASKS)
    return Graph(
        names=tuple(place),
        place=place,
        unlocks={key: tuple(dict.fromkeys(keys)) for key, keys in unlocks.items()},
        missing=tuple(missing),
        cycle=_cycle(plan, place),
        counts=Counter(task.state for task in plan.tasks),
        yours=tuple(dict.fromkeys(task.key for task in plan.tasks if _is_yours(task))),
        urgent=tuple(
            sorted(range(len(plan.tasks)), key=lambda at: order.index(plan.tasks[at].state))
        ),
        key_width=min(8, max((len(task.key) for task in plan.tasks), default=0)),
    )


def _is_yours(task: Task) -> bool:
    stopped = task.stopped_by or ""
    return task.state == "for_you" or (task.state == "blocked" and stopped.endswith(" you"))


def _name(key: str, taken: dict[str, int]) -> str:
    name, number = key, 1
    while name in taken:
        number += 1
        name = f"{key}#{number}"
    return name


def unlocked(graph: Graph, key: str, limit: int = 50) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys that `key` unlocks: directly, and then through those; at most `limit` of the latter."""
    direct = graph.unlocks.get(key, ())
    seen = {key, *direct}
    later: list[str] = []
    ahead = list(direct)
    while ahead and len(later) < limit:
        for follower in graph.unlocks.get(ahead.pop(0), ()):
            if follower not in seen:
                seen.add(follower)
                later.append(follower)
                ahead.append(follower)
    return direct, tuple(later[:limit])


def _cycle(plan: Plan, place: dict[str, int]) -> tuple[str, ...]:
    """One circle of keys, each needing the next, or nothing."""
    needs = {
        task.key: [needed for needed in task.depends_on if needed in place] for task in plan.tasks
    }
    done: set[str] = set()
    for start in needs:
        trail: list[str] = []
        on_trail: dict[str, int] = {}
        ahead = [(start, iter(needs[start]))] if start not in done else []
        if ahead:
            trail.append(start)
            on_trail[start] = 0
        while ahead:
            key, rest = ahead[-1]
            following = next(rest, None)
            if following is None:
                ahead.pop()
                done.add(key)
                del on_trail[trail.pop()]
            elif following in on_trail:
                return tuple(trail[on_trail[following] :])
            elif following not in done:
                ahead.append((following, iter(needs[following])))
                on_trail[following] = len(trail)
                trail.append(following)
    return ()
