"""The causal chain of one thing, up (why it is) and down (what came of it), as a tree of hops.

What the log names and does not hold is no hop: it stands under `unlinked`, with the reason. Trees
end where a thing was shown above, and at a depth and breadth that are asked for; what is left out
is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ppgp_tui.gasp.tracing.hops import Direction, Hop, Way, hops, is_goal, is_weak, near_hops
from ppgp_tui.gasp.tracing.log_index import (
    DAMAGED,
    NONE,
    NOT_IN_LOG,
    ONLY_LINKS,
    UNREADABLE,
    LogIndex,
)
from ppgp_tui.gasp.tracing.things import Artifact, Thing, Things

DEPTH: Final = 12
BREADTH: Final = 40
SIZE: Final = 500
DEEPEST: Final = 200
"""No tree is deeper, whatever is asked for."""


class Unlinked(NamedTuple):
    """Something that could not be placed, and why."""

    id: str
    """What the log names; of an event or a node that hangs nowhere its own id."""
    reason: str
    event: int
    """Index of the event that says so."""


class Branch(NamedTuple):
    """One thing in the tree, and what is reached from it in the tree's direction."""

    thing: Thing
    key: int
    """The thing's number, to ask for its own lineage."""
    ways: tuple[Way, ...]
    """How the hop to it is known, the strongest first; empty at the root."""
    branches: tuple[Branch, ...] = ()
    more: int = 0
    """Hops from here that were left out, for depth or breadth."""
    shown_above: bool = False
    """Whether this thing stands earlier in the tree; its branches are there."""
    artifacts: tuple[Artifact, ...] = ()
    """Only downwards: what came of it outside the log."""
    too_many: bool = False
    """Whether so much hangs on the thing that it was not counted; there are at least `more`."""


class Lineage(NamedTuple):
    """Where a thing comes from and what came of it."""

    asked: str
    """The id that was asked for."""
    thing: Thing
    up: Branch
    down: Branch
    unlinked: tuple[Unlinked, ...]
    """What the things of both trees name and the log does not hold."""
    is_change_of: str
    """Set when the id asked for is a graph change at home in `thing`: the id of that event."""


def find(index: LogIndex, asked: str) -> int | None:
    """The thing with exactly that node id, event id or task key; a node before an event."""
    for name in (asked, f"todo:{asked}"):
        number = index.number(name)
        if number is not None and index.knows(number):
            return ~number
    event = index.event_ids.find(asked)
    if event is not None:
        return index.homes[event]
    number = index.number(asked)
    return None if number is None else ~number


def lineage(
    things: Things, thing: int, asked: str = "", *, depth: int = DEPTH, breadth: int = BREADTH
) -> Lineage:
    """Return the lineage of a thing; `depth` hops each way, `breadth` hops from each thing."""
    up = tree(things, thing, "up", depth=depth, breadth=breadth)
    down = tree(things, thing, "down", depth=depth, breadth=breadth)
    seen = dict.fromkeys((*keys(up), *keys(down)))
    lost = dict.fromkeys(one for key in seen for one in unlinked_ends(things, key))
    event = things.index.event_ids.find(asked)
    change = event is not None and event not in (thing, things.index.first(thing))
    return Lineage(asked or up.thing.id, up.thing, up, down, tuple(lost), asked if change else "")


def tree(
    things: Things,
    thing: int,
    direction: Direction,
    *,
    depth: int = DEPTH,
    breadth: int = BREADTH,
    size: int = SIZE,
) -> Branch:
    """Return everything reached from `thing` in one direction, at most about `size` things."""
    return _Tree(things, direction, breadth, size).grow(Hop(thing, ()), min(depth, DEEPEST))


class _Tree:
    """One tree while it grows."""

    def __init__(self, things: Things, direction: Direction, breadth: int, size: int) -> None:
        self._things = things
        self._direction: Direction = direction
        self._breadth = breadth
        self._room = size
        self._seen: set[int] = set()

    def grow(self, hop: Hop, depth: int) -> Branch:
        shown = self._things.thing(hop.thing)
        if hop.thing in self._seen:
            return Branch(shown, hop.thing, hop.ways, shown_above=True)
        self._seen.add(hop.thing)
        onward, rest, too_many = near_hops(
            self._things.index, hop.thing, self._direction, self._breadth
        )
        branches = []
        if depth > 0 and not self._is_another_story(hop):
            for one in onward:
                if self._room <= 0:
                    break
                self._room -= 1
                branches.append(self.grow(one, depth - 1))
        artifacts = shown.artifacts if self._direction == "down" else ()
        more = rest + len(onward) - len(branches)
        return Branch(
            shown,
            hop.thing,
            hop.ways,
            tuple(branches),
            more,
            artifacts=artifacts,
            too_many=too_many,
        )

    def _is_another_story(self, hop: Hop) -> bool:
        """Whether this is a goal below the run that wrote it down; its work is not the run's."""
        down = bool(hop.ways) and self._direction == "down"
        return down and is_goal(self._things.index, hop.thing) and is_weak(hop)


def keys(branch: Branch) -> Iterator[int]:
    """The numbers of all things in a tree, from the root on."""
    yield branch.key
    for one in branch.branches:
        yield from keys(one)


def unlinked_ends(things: Things, thing: int) -> Iterator[Unlinked]:
    """What a thing's events and relations name that is not in this log."""
    index = things.index
    if thing < 0:
        yield from _lost_relations(index, ~thing)
        events: Sequence[int] = index.makers.values(~thing)
    else:
        events = (thing,)
    for event in events:
        if index.causes[event] == NOT_IN_LOG:
            name = things.event_at(event).causation_id or ""
            yield Unlinked(name, f"cause `{name}` is no earlier event of this log", event)
        correlation = index.correlations[event]
        if correlation != NONE and not index.knows(correlation):
            name = index.names[correlation]
            yield Unlinked(name, f"correlation `{name}` is not in this log", event)
    if thing >= 0 and (about := index.subjects[thing]) != NONE and not index.knows(about):
        name = index.names[about]
        yield Unlinked(name, f"`{name}`, which it is about, is not in this log", thing)


def _lost_relations(index: LogIndex, number: int) -> Iterator[Unlinked]:
    for edge in index.relations.out(number):
        if not index.knows(edge.target):
            name = index.names[edge.target]
            yield Unlinked(
                name, f"relation {edge.name} ends at `{name}`, not in this log", edge.event
            )
    for edge in index.relations.into(number):
        if not index.knows(edge.source):
            name = index.names[edge.source]
            yield Unlinked(
                name, f"relation {edge.name} begins at `{name}`, not in this log", edge.event
            )
    for links in (index.reasons, index.results):
        for edge in links.out(number):
            if not index.knows(edge.target):
                name = index.names[edge.target]
                yield Unlinked(
                    name, f"member {edge.name} names `{name}`, not in this log", edge.event
                )


def all_things(index: LogIndex) -> Iterator[int]:
    """Every thing of a log: entities that it makes, and events that are at home in none.

    Graph changes that only link are no things: they are the hops between others.
    """
    for number in range(len(index.names)):
        if index.knows(number):
            yield ~number
    for event, home in enumerate(index.homes):
        if home == event and index.states[event] != ONLY_LINKS:
            yield event


def unlinked(things: Things) -> Iterator[Unlinked]:
    """Whatever of a whole log hangs nowhere or names what is not there; costs a pass over all."""
    index = things.index
    for thing in all_things(index):
        yield from unlinked_ends(things, thing)
        event = index.first(thing)
        if thing >= 0 and index.states[event] == DAMAGED:
            yield Unlinked(things.id(thing), f"damaged line: {things.event_at(event).error}", event)
        elif thing >= 0 and index.states[event] == UNREADABLE:
            yield Unlinked(things.id(thing), "its operations cannot be read", event)
        elif not hops(index, thing, "up") and not hops(index, thing, "down"):
            yield Unlinked(things.id(thing), "nothing in this log links it to anything", event)
    for edge in index.relations:
        if not index.knows(edge.source) and not index.knows(edge.target):
            name, other = index.names[edge.source], index.names[edge.target]
            why = f"relation {edge.name} to `{other}`: neither end is in this log"
            yield Unlinked(name, why, edge.event)
