"""Which events somebody wants to see, as a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from ppgp_tui.gasp.envelope import Envelope
from ppgp_tui.gasp.tracing.goals import Goals
from ppgp_tui.gasp.tracing.log_index import NONE, LogIndex


class Filter(NamedTuple):
    """Every member that is set narrows what is shown; an empty filter shows all."""

    kind: str = ""
    """A kind of event, or a pattern with `*` and `?`: `patch.*`."""
    actor: str = ""
    """An actor's kind, id or both, or a pattern: `agent`, `claude*`, `user:dev`."""
    run: str = ""
    """The id of a run, or a pattern."""
    goal: str = ""
    """The id of a goal, or a pattern."""
    since_ms: int | None = None
    """Events at this time or later; those without a time are left out."""
    until_ms: int | None = None
    """Events before this time; those without a time are left out."""
    text: str = ""
    """Words that stand in any text of the event; letter case does not count."""

    @property
    def needs_index(self) -> bool:
        """Whether it asks what an event is linked to."""
        return bool(self.run or self.goal)

    def parts(self) -> tuple[Filter, ...]:
        """One filter for each thing that is asked for, the two times together."""
        times = Filter(since_ms=self.since_ms, until_ms=self.until_ms)
        single = (
            Filter(kind=self.kind), Filter(actor=self.actor), Filter(run=self.run),
            Filter(goal=self.goal), times, Filter(text=self.text),
        )  # fmt: skip
        return tuple(one for one in single if one != Filter())


Matches = Callable[[int, Envelope], bool]


def matcher(wanted: Filter, index: LogIndex | None = None) -> Matches:
    """Return whether an event, by its index and value, is wanted.

    `index` is needed where `wanted.needs_index`.
    """
    tests: list[Matches] = []
    if wanted.kind:
        tests.append(lambda _, event: fnmatchcase(event.kind, wanted.kind))
    if wanted.actor:
        tests.append(lambda _, event: _is_actor(event, wanted.actor))
    if wanted.since_ms is not None or wanted.until_ms is not None:
        tests.append(lambda _, event: _is_between(event.ts_ms, wanted.since_ms, wanted.until_ms))
    if wanted.needs_index:
        assert index is not None
        tests += _linked(wanted, index)
    if wanted.text:
        words = wanted.text.casefold()
        tests.append(lambda _, event: any(words in one.casefold() for one in texts(event)))
    return lambda index, event: all(test(index, event) for test in tests)


def _linked(wanted: Filter, index: LogIndex) -> Iterator[Matches]:
    if wanted.run:
        yield lambda at, _: _is_named(index, index.runs[at], wanted.run)
    if wanted.goal:
        goals = Goals(index)
        yield lambda at, _: any(
            _is_named(index, ~goal, wanted.goal) for goal in goals.of(index.homes[at])
        )


def _is_named(index: LogIndex, number: int, pattern: str) -> bool:
    return number != NONE and (
        index.names[number] == pattern or fnmatchcase(index.names[number], pattern)
    )


def _is_actor(event: Envelope, pattern: str) -> bool:
    both = f"{event.actor_kind}:{event.actor_id}"
    return any(fnmatchcase(one, pattern) for one in (event.actor_id, event.actor_kind, both))


def _is_between(ts_ms: int | None, since_ms: int | None, until_ms: int | None) -> bool:
    if ts_ms is None:
        return False
    return (since_ms is None or since_ms <= ts_ms) and (until_ms is None or ts_ms < until_ms)


def texts(event: Envelope) -> Iterator[str]:
    """Every text in an event: of its envelope, and names and values in its payload."""
    yield from (event.id, event.kind, event.actor_kind, event.actor_id)
    yield from filter(None, (event.causation_id, event.correlation_id, event.error))
    waiting: list[Any] = [event.payload]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += (*value.keys(), *value.values())
        elif isinstance(value, list):
            waiting += value
