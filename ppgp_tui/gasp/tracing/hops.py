"""From one thing of a log to the next, upwards (why) and downwards (what came of it).

Every hop says how it is known, and nothing is guessed: what a log names but does not hold is no
hop. `up` and `down` are each other's reverse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from ppgp_tui.gasp.tracing.entities import ABOUT
from ppgp_tui.gasp.tracing.log_index import NONE, ONLY_LINKS, LogIndex
from ppgp_tui.gasp.vocabulary import OPS_EVENT

How = Literal[
    "relation", "same suffix", "cause", "member", "operation", "correlation", "artifact",
    "references_commit",
]  # fmt: skip
Direction = Literal["up", "down"]

_TARGET_CAME_OF_IT: Final = frozenset(
    {"blocks", "modifies", "validated_by", "approved_by", "rejected_by"}
)
"""Relations whose far end is a result; every other one points at what came first."""

_SAME_SUFFIX: Final = (("task_", "patch_"), ("patch_", "failure_"))
"""Prefixes of ids that belong together when the rest is equal: what came first, what came of it
(GASP reference sections 14 and 15)."""

_WEAK: Final = frozenset({"cause", "member", "operation", "correlation"})


MOST: Final = 2_000
"""Of what hangs on one thing in one way the newest so many are looked at."""
_EXACT: Final = 500
"""Up to so many hops it is counted exactly how many are left out."""


class Way(NamedTuple):
    """How a hop is known."""

    how: How
    name: str = ""
    """The relation, or the member of a payload; empty otherwise."""
    event: int | None = None
    """Index of the event that says so."""

    @property
    def words(self) -> str:
        """As a row says it: `relation serves`, `cause`, `member goal_id`."""
        return f"{self.how} {self.name}" if self.how in ("relation", "member") else self.how


class Hop(NamedTuple):
    """One step to another thing, with every way it is known, the strongest first."""

    thing: int
    ways: tuple[Way, ...]


def hops(index: LogIndex, thing: int, direction: Direction) -> list[Hop]:
    """Return the hops from `thing`, in the order of the log.

    A hop that only repeats two others is left out: what a patch caused in a run stands below the
    patch, not once more below the run.
    """
    found = _all(index, thing, direction)
    return [
        Hop(other, tuple(found[other]))
        for other in sorted(found, key=index.first)
        if not _is_shortcut(index, thing, other, found, direction)
    ]


def near_hops(
    index: LogIndex, thing: int, direction: Direction, most: int
) -> tuple[list[Hop], int, bool]:
    """Return the first `most` hops, how many more there are, and whether too many to count.

    Costs little however much hangs on the thing: a run may have a million events.
    """
    found = _all(index, thing, direction)
    is_many = len(found) > _EXACT
    kept: list[Hop] = []
    for place, other in enumerate(sorted(found, key=index.first)):
        if is_many and len(kept) == most:
            return kept, len(found) - place, True
        if not _is_shortcut(index, thing, other, found, direction):
            kept.append(Hop(other, tuple(found[other])))
    return kept[:most], max(0, len(kept) - most), False


def _is_shortcut(
    index: LogIndex, thing: int, other: int, found: dict[int, list[Way]], direction: Direction
) -> bool:
    """Whether a weak hop leads where a hop to a thing between these two, and one more, lead too."""
    if not is_weak(Hop(other, tuple(found[other]))):
        return False
    earlier, later = (other, thing) if direction == "up" else (thing, other)
    first, last = index.first(earlier), index.first(later)

    def is_between(middle: int) -> bool:
        # What serves a goal did not come of the run that wrote the goal down.
        return first < index.first(middle) < last and not is_goal(index, middle)

    if direction == "down":
        return any(middle in found and is_between(middle) for middle, _ in _up(index, other))
    return any(
        is_between(middle) and any(other == above for above, _ in _up(index, middle))
        for middle in found
    )


def _all(index: LogIndex, thing: int, direction: Direction) -> dict[int, list[Way]]:
    """Every hop from `thing`, with its ways from the strongest to the weakest."""
    steps = _up(index, thing) if direction == "up" else _down(index, thing)
    found: dict[int, list[Way]] = {}
    for other, way in steps:
        if other != thing:
            ways = found.setdefault(other, [])
            if not any(known[:2] == way[:2] for known in ways):
                ways.append(way)
    return found


def _up(index: LogIndex, thing: int) -> Iterator[tuple[int, Way]]:
    if thing < 0:
        yield from _related(index, ~thing, "up")
        yield from _same_suffix(index, ~thing, "up")
    for event in _making(index, thing):
        cause = index.causes[event]
        if cause >= 0:
            yield index.homes[cause], Way("cause", event=event)
    if thing < 0:
        yield from _named(index, ~thing, "up")
    elif (about := index.subjects[thing]) != NONE and index.knows(about):
        yield ~about, _about(index, thing)
    for event in _making(index, thing):
        correlation = index.correlations[event]
        if correlation != NONE and index.knows(correlation):
            yield ~correlation, Way("correlation", event=event)


def _down(index: LogIndex, thing: int) -> Iterator[tuple[int, Way]]:
    if thing < 0:
        yield from _related(index, ~thing, "down")
        yield from _same_suffix(index, ~thing, "down")
    for event in at_home(index, thing):
        for effect in index.effects.values(event, MOST):
            for other in _made_by(index, effect):
                yield other, Way("cause", event=effect)
    if thing >= 0:
        return
    yield from _named(index, ~thing, "down")
    if not index.knows(~thing):
        return
    for event in index.history.values(~thing, MOST):
        if index.homes[event] == event and index.subjects[event] == ~thing:
            yield event, _about(index, event)
    for event in index.correlated.values(~thing, MOST):
        for other in _made_by(index, event):
            yield other, Way("correlation", event=event)


def is_goal(index: LogIndex, thing: int) -> bool:
    """Whether a thing is a goal."""
    return thing < 0 and index.entity_kind(~thing) == "goal"


def is_weak(hop: Hop) -> bool:
    """Whether a hop is known only by who recorded what when, not by a link between the two."""
    return all(way.how in _WEAK for way in hop.ways)


def at_home(index: LogIndex, thing: int) -> Iterator[int]:
    """The events at home in a thing: those that made it, and the graph changes paired with them."""
    if thing < 0:
        yield from index.homed.values(~thing)
        return
    waiting = [thing]
    while waiting:
        event = waiting.pop()
        yield event
        effects = index.effects.values(event, MOST)
        waiting += (one for one in effects if index.homes[one] == thing)


def _about(index: LogIndex, event: int) -> Way:
    """How an event that is a thing of its own is known to be about its subject."""
    if index.kind(event) == OPS_EVENT:
        return Way("operation", event=event)
    return Way("member", ABOUT[index.members[event]], event)


def _making(index: LogIndex, thing: int) -> Sequence[int]:
    """The events whose cause and correlation are those of a thing."""
    return index.makers.values(~thing) if thing < 0 else (thing,)


def _made_by(index: LogIndex, event: int) -> Iterator[int]:
    """The things whose cause and correlation are those of an event."""
    if index.kind(event) != OPS_EVENT:
        yield index.homes[event]
        return
    if index.homes[event] == event and index.states[event] != ONLY_LINKS:
        yield event
    for number in index.made.values(event):
        yield ~number


def _related(index: LogIndex, number: int, direction: Direction) -> Iterator[tuple[int, Way]]:
    if not index.knows(number):
        return
    for edge in index.relations.out(number):
        if index.knows(edge.target) and _leads(index, edge.name, edge.target) == direction:
            yield ~edge.target, Way("relation", edge.name, edge.event)
    for edge in index.relations.into(number, MOST):
        if index.knows(edge.source) and _leads(index, edge.name, number) != direction:
            yield ~edge.source, Way("relation", edge.name, edge.event)


def _leads(index: LogIndex, relation: str, target: int) -> Direction:
    """Which way a relation leads from its source.

    A decision that is neither approval nor rejection is linked by `references` (section 5).
    """
    if relation in _TARGET_CAME_OF_IT:
        return "down"
    decided = relation == "references" and index.entity_kind(target) == "decision"
    return "down" if decided else "up"


def _same_suffix(index: LogIndex, number: int, direction: Direction) -> Iterator[tuple[int, Way]]:
    """The entity with the same rest of the id, unless a relation says which one belongs to it."""
    for before, after in _SAME_SUFFIX:
        mine, other = (after, before) if direction == "up" else (before, after)
        rest = index.names[number].removeprefix(mine)
        found = index.number(other + rest)
        if found is None or index.names[number] == rest:
            continue
        if index.entity_kind(number) == mine[:-1] and index.entity_kind(found) == other[:-1]:
            result, reason = (number, found) if direction == "up" else (found, number)
            if not _has_related(index, result, index.entity_kind(reason)):
                yield ~found, Way("same suffix")


def _has_related(index: LogIndex, number: int, kind: str) -> bool:
    """Whether a relation, either way, links an entity to one of that kind."""
    ends = (edge.target for edge in index.relations.out(number))
    begins = (edge.source for edge in index.relations.into(number))
    return any(index.entity_kind(other) == kind for other in (*ends, *begins))


def _named(index: LogIndex, number: int, direction: Direction) -> Iterator[tuple[int, Way]]:
    outward, inward = (
        (index.reasons, index.results) if direction == "up" else (index.results, index.reasons)
    )
    if not index.knows(number):
        return
    for edge in outward.out(number):
        if index.knows(edge.target):
            yield ~edge.target, Way("member", edge.name, edge.event)
    for edge in inward.into(number, MOST):
        yield ~edge.source, Way("member", edge.name, edge.event)
