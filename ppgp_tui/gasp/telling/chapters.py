"""A story as chapters of sentences: worded when somebody looks, never kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

from ppgp_tui.gasp.telling.filters import Filter, matcher
from ppgp_tui.gasp.telling.joined_words import joined_words
from ppgp_tui.gasp.telling.joining import joined
from ppgp_tui.gasp.telling.phrases import SentenceSign, text
from ppgp_tui.gasp.telling.sentence import sentence
from ppgp_tui.gasp.telling.story import Group, Story
from ppgp_tui.gasp.tracing.log_index import NONE
from ppgp_tui.gasp.tracing.things import Things


class Chapter(NamedTuple):
    """One group of events, as a heading says it."""

    group: int
    """Its place in the story."""
    run: str
    """The run's id; empty for a stretch of events that belong to no run."""
    title: str
    state: Literal["open", "finished", "unknown", "no run"]
    """`unknown`: the log has neither begin nor end of it."""
    outcome: str
    """As the log has it; empty when it has none."""
    started_ms: int | None
    """When its first event says it was."""
    ended_ms: int | None
    """When its `run.finished` says it was."""
    duration_ms: int | None
    """None when a time is missing, or when time went backwards."""
    starts: int
    """How many times the run was started: more than one when it was resumed."""
    first: int
    last: int
    events: int
    """Events in the group."""
    begins: int = 0
    """The event that starts the run, from which its title is read; without one the first."""

    @property
    def time_words(self) -> str:
        """How long it took: `took 4m`, `open`, `time unknown`."""
        if self.state == "open":
            return "open"
        if self.duration_ms is None:
            return "time unknown"
        return f"took {span(self.duration_ms)}"


class Telling(NamedTuple):
    """One sentence, and the events it tells."""

    sign: SentenceSign
    words: str
    actor: str
    ts_ms: int | None
    """Of the first event; advisory."""
    events: tuple[int, ...]
    """Indexes, the first is the one that leads; each event of a group is in one sentence."""
    thing: int
    """What it is about, for its lineage."""


class Chapters:
    """Words for a story."""

    def __init__(
        self, things: Things, story: Story, names: Mapping[str, str] | None = None
    ) -> None:
        """`names` are asked before the log's own: `user:LOGIN`, what a revision changed."""
        self._things = things
        self.story = story
        self._names = _Names(names or {}, things.names)

    def chapter(self, group: Group) -> Chapter:
        """The heading of a group; reads two of its events."""
        begun = self._things.event_at(group.first if group.started == NONE else group.started)
        ended = None if group.finished == NONE else self._things.event_at(group.finished)
        payload = begun.payload if isinstance(begun.payload, dict) else {}
        final = ended.payload if ended is not None and isinstance(ended.payload, dict) else {}
        run = "" if group.run == NONE else self._things.index.names[group.run]
        ended_ms = None if ended is None else ended.ts_ms
        started = group.started != NONE
        return Chapter(
            group=group.number,
            run=run,
            title=text(payload, "task") if started else "",
            state=_state(group),
            outcome=text(final, "outcome"),
            started_ms=begun.ts_ms,
            ended_ms=ended_ms,
            duration_ms=_duration(begun.ts_ms if started else None, ended_ms),
            starts=group.starts,
            first=group.first,
            last=group.last,
            events=group.count,
            begins=group.started if started else group.first,
        )

    def tellings(self, group: Group) -> Iterator[Telling]:
        """The sentences of a group in the order of the log; every event is in exactly one."""
        told = joined(self.story.index, self.story.events(group))
        for events in told.values():
            yield self.telling(events)

    def wanted(self, wanted: Filter) -> Callable[[Telling], bool]:
        """Return whether a sentence is one that `wanted` asks for.

        Whatever is asked for must be true of some event in it; text may stand in its words too.
        """
        event_at = self._things.event_at
        tests = [(one, matcher(one, self.story.index)) for one in wanted.parts()]
        return lambda telling: all(
            (one.text and one.text.casefold() in telling.words.casefold())
            or any(matches(event, event_at(event)) for event in telling.events)
            for one, matches in tests
        )

    def telling(self, events: list[int]) -> Telling:
        """The sentence about events that are told together, the leading one first."""
        read = [self._things.event_at(event) for event in events]
        leader = read[0]
        said = sentence(leader, self._names)
        sign, words = (
            (said.sign, said.words)
            if leader.error is not None and not leader.kind
            else joined_words(read, self._names)
        )
        home = self.story.index.homes[events[0]]
        return Telling(sign, words, said.actor, leader.ts_ms, tuple(events), home)


class _Names(Mapping[str, str]):
    """The first of two that has a name."""

    def __init__(self, first: Mapping[str, str], second: Mapping[str, str]) -> None:
        self._both = (first, second)

    def __getitem__(self, name: str) -> str:
        for names in self._both:
            if (found := names.get(name)) is not None:
                return found
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for names in self._both for name in names)

    def __len__(self) -> int:
        return sum(map(len, self._both))


def span(ms: int) -> str:
    """A duration in the units that tell something: `350ms`, `12s`, `4m`, `3h05`, `2d 4h`."""
    if ms < 1000:
        return f"{ms}ms"
    seconds = ms // 1000
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes}m"
    hours = minutes // 60
    return f"{hours}h{minutes % 60:02}" if hours < 48 else f"{hours // 24}d {hours % 24}h"


def _state(group: Group) -> Literal["open", "finished", "unknown", "no run"]:
    if group.run == NONE:
        return "no run"
    if group.is_open:
        return "open"
    return "unknown" if group.finished == NONE else "finished"


def _duration(started_ms: int | None, ended_ms: int | None) -> int | None:
    if started_ms is None or ended_ms is None or ended_ms < started_ms:
        return None
    return ended_ms - started_ms
