"""The spine of a log: every patch with its goal, task, run, eval, decision, artifacts, failures.

The recipe of GASP reference section 15. What is not in the log is an empty list, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ppgp_tui.gasp.tracing.hops import Direction, hops
from ppgp_tui.gasp.tracing.log_index import NONE, LogIndex
from ppgp_tui.gasp.tracing.things import Artifact, Things

_DECIDED = ("approved_by", "rejected_by", "references")


class Linked(NamedTuple):
    """Another entity, and how it is known to belong here."""

    id: str
    how: str


class Row(NamedTuple):
    """One patch."""

    patch: str
    title: str
    status: str
    promoted: bool
    goals: tuple[Linked, ...]
    tasks: tuple[Linked, ...]
    run: Linked | None
    evals: tuple[tuple[Linked, str], ...]
    """Each with its status."""
    decisions: tuple[Linked, ...]
    failures: tuple[Linked, ...]
    artifacts: tuple[Artifact, ...]

    def as_json(self) -> dict[str, Any]:
        """The row as JSON; `goal`, `eval` and `decision` are lists, for there may be several."""
        return {
            "patch": self.patch,
            "status": self.status,
            "goal": [one.id for one in self.goals],
            "run": self.run.id if self.run else None,
            "eval": [[one.id, status] for one, status in self.evals],
            "decision": [[one.id, one.how] for one in self.decisions],
            "artifacts": [one.uri for one in self.artifacts],
            "task": [[one.id, one.how] for one in self.tasks],
            "failures": [[one.id, one.how] for one in self.failures],
        }


def spine(things: Things) -> Iterator[Row]:
    """Yield a row for every patch, in the order of the log, worded as they are asked for."""
    index = things.index
    patches = (n for n in range(len(index.names)) if index.entity_kind(n) == "patch")
    for number in sorted(patches, key=index.first_events.__getitem__):
        yield row(things, number)


def row(things: Things, number: int) -> Row:
    """The spine of one patch, by its number in the index."""
    index = things.index
    patch = things.thing(~number)
    out = [edge for edge in index.relations.out(number) if index.knows(edge.target)]

    def related(*relations: str, kind: str) -> tuple[Linked, ...]:
        return tuple(
            Linked(index.names[edge.target], edge.name)
            for edge in out
            if edge.name in relations and index.entity_kind(edge.target) == kind
        )

    evals = related("validated_by", kind="eval")
    run = run_of(index, number)
    return Row(
        patch=patch.id,
        title=patch.title,
        status=patch.status,
        promoted=patch.status == "Promoted",
        goals=related("advances", kind="goal"),
        tasks=tuple(_tasks(index, number, run)),
        run=run,
        evals=tuple((one, _status(things, one.id)) for one in evals),
        decisions=related(*_DECIDED, kind="decision"),
        failures=related("addresses", kind="failure") or _by_suffix(index, number, "failure"),
        artifacts=patch.artifacts,
    )


def run_of(index: LogIndex, number: int) -> Linked | None:
    """The run of an entity: its correlation, else its ancestor, else a relation."""
    for event in index.makers.values(number):
        correlation = index.correlations[event]
        if correlation != NONE and index.entity_kind(correlation) == "run":
            return Linked(index.names[correlation], "correlation")
    for event in index.makers.values(number):
        cause = index.causes[event]
        while cause >= 0:
            if index.kind(cause) == "run.started" and index.subjects[cause] != NONE:
                return Linked(index.names[index.subjects[cause]], "cause")
            cause = index.causes[cause]
    for edge in index.relations.out(number):
        if edge.name in ("produced_by", "observes") and index.entity_kind(edge.target) == "run":
            return Linked(index.names[edge.target], f"relation {edge.name}")
    return None


def _tasks(index: LogIndex, number: int, run: Linked | None) -> Iterator[Linked]:
    """An explicit relation if any, else the same suffix, else the run's tasks."""
    found = False
    directions: tuple[Direction, ...] = ("up", "down")
    for direction in directions:
        for hop in hops(index, ~number, direction):
            way = hop.ways[0]
            is_task = hop.thing < 0 and index.entity_kind(~hop.thing) == "task"
            if is_task and way.how in ("relation", "same suffix"):
                found = True
                yield Linked(index.names[~hop.thing], way.words)
    if found or run is None or (at := index.number(run.id)) is None:
        return
    subjects = (index.subjects[event] for event in index.correlated.values(at))
    for task in dict.fromkeys(subjects):
        if task != NONE and index.entity_kind(task) == "task":
            yield Linked(index.names[task], "correlation")


def _by_suffix(index: LogIndex, number: int, kind: str) -> tuple[Linked, ...]:
    return tuple(
        Linked(index.names[~hop.thing], "same suffix")
        for hop in hops(index, ~number, "down")
        if hop.thing < 0
        and index.entity_kind(~hop.thing) == kind
        and hop.ways[0].how == "same suffix"
    )


def _status(things: Things, name: str) -> str:
    number = things.index.number(name)
    return "" if number is None else things.thing(~number).status
