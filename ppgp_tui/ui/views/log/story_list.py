"""Which rows a story has, as numbers: runs with the newest activity first, sentences below them.

Only so many events are joined into sentences by themselves; older runs are one row each until they
are opened, so a long log costs no more than its number of runs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.story import Group, Story
    from ppgp_tui.session.log.graph import Contents, Folded

SHOWN = 4_000
"""Events whose sentences are listed without being asked for."""
MOST = 4_000
"""Events of one run whose sentences are listed at all; those before are counted."""


class Entry(NamedTuple):
    """What one row tells: a group's heading, a sentence of it, or what is left out of it."""

    group: int
    events: tuple[int, ...] = ()
    """Of a sentence, the leading one first."""
    left_out: int = 0
    """Earlier events of the group that are not told."""

    @property
    def is_head(self) -> bool:
        """Whether this is the heading of its group."""
        return not self.events and not self.left_out


class StoryList(NamedTuple):
    """The rows of a story at one moment."""

    entries: Sequence[Entry]
    places: dict[str, int]
    """Where a row is, by its key."""
    opened: frozenset[int]
    """The groups whose sentences are listed."""
    groups: int
    runs: int
    """How many of them are runs."""


class StoryLists:
    """Remembers the last list, and the joined events of groups that did not grow."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._list = StoryList((), {}, frozenset(), 0, 0)
        self._joined: dict[int, tuple[int, list[tuple[int, ...]]]] = {}
        self._of: Folded | None = None

    def listed(
        self,
        folded: Folded,
        lines: int,
        turned: frozenset[str],
        found: Collection[int] | None,
    ) -> StoryList:
        """The rows of what is folded; only sentences of events in `found` where that is given.

        `turned` are the keys of groups that are opened though they would not be, or the reverse.
        """
        key = (folded, lines, turned, id(found), None if found is None else len(found))
        if key != self._key:
            if folded is not self._of:
                self._joined.clear()
                self._of = folded
            with folded.reading() as inside:
                self._list = self._made(inside, turned, None if found is None else set(found))
            self._key = key
        return self._list

    def sentence_of(self, inside: Contents, event: int) -> tuple[int, ...]:
        """The events that are told in one sentence with `event`; empty where none is told."""
        group = inside.story.group_of(event)
        if group is None:
            return ()
        sentences = self._sentences(inside.story, group)
        return next((events for events in sentences if event in events), ())

    def _made(self, inside: Contents, turned: frozenset[str], found: set[int] | None) -> StoryList:
        story = inside.story
        groups: Sequence[Group] = story.groups
        if found is not None:
            numbers = {group.number for at in found if (group := story.group_of(at)) is not None}
            groups = [groups[number] for number in numbers]
        ordered = sorted(groups, key=lambda group: -group.last)
        entries: list[Entry] = []
        opened = []
        room = SHOWN
        for group in ordered:
            key = group_key(inside, group)
            open_ = (room > 0) != (key in turned)
            entries.append(Entry(group.number))
            if not open_:
                continue
            opened.append(group.number)
            room -= min(group.count, MOST)
            entries += [
                Entry(group.number, told)
                for told in reversed(self._sentences(story, group))
                if found is None or not found.isdisjoint(told)
            ]
            if group.count > MOST and found is None:
                entries.append(Entry(group.number, (), group.count - MOST))
        places = {entry_key(inside, entry): at for at, entry in enumerate(entries)}
        runs = sum(group.run >= 0 for group in groups)
        return StoryList(entries, places, frozenset(opened), len(groups), runs)

    def _sentences(self, story: Story, group: Group) -> list[tuple[int, ...]]:
        from ppgp_tui.gasp.telling.joining import joined

        known = self._joined.get(group.number)
        if known is None or known[0] != group.count:
            told = joined(story.index, story.events(group, MOST))
            bounds = (group.started, group.finished)  # the heading tells of these
            sentences = [tuple(events) for at, events in told.items() if at not in bounds]
            known = self._joined[group.number] = (group.count, sentences)
        return known[1]


def group_key(inside: Contents, group: Group) -> str:
    """The key of a group's heading: the run's, as in `Row.thing`, or that of a stretch."""
    if group.run >= 0:
        return f"node:{inside.links.names[group.run]}"
    return f"stretch:{group.first}"


def entry_key(inside: Contents, entry: Entry) -> str:
    """The key of a row; that of a sentence is the one of its leading event."""
    if entry.events:
        return f"event:{entry.events[0]}"
    key = group_key(inside, inside.story.groups[entry.group])
    return f"earlier:{key}" if entry.left_out else key
