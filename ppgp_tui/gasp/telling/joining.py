"""Which events of a group are told in one sentence.

A leader (a patch, a question, a revised plan) takes in what followed it: graph changes paired with
it, evals and decisions of it, changes of its status.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from ppgp_tui.gasp.tracing.log_index import NONE, ONLY_LINKS, LogIndex
from ppgp_tui.gasp.vocabulary import OPS_EVENT

_JUDGED_BY: Final = frozenset({"validated_by", "approved_by", "rejected_by", "references"})
_LEADERS: Final = frozenset({"patch.proposed", "authority.requested"})
_OF_ITS_SUBJECT: Final = frozenset({
    "patch.status_changed", "artifact.attached", "authority.delivered", "authority.consumed",
    "authority.withdrawn", "blocker.cleared", "decision.status_changed",
})  # fmt: skip
_OF_ITS_CAUSE: Final = {
    "task.created": "todo.revised",
    "task.status_changed": "todo.revised",
    "agent.released": "agent.held",
}
_OF_WHAT_IT_NAMES: Final = frozenset({"goal.claimed", "eval.finished", "authority.requested"})


def joined(index: LogIndex, events: Iterable[int]) -> dict[int, list[int]]:
    """Return for every leader of a group its events, itself first; each event stands once.

    `events` are those of the group, in the order of the log.
    """
    leading = _Leading(index)
    leaders: dict[int, int] = {}
    told: dict[int, list[int]] = {}
    for event in events:
        leader = leaders.get(leading.of(event), event)
        leaders[event] = leader
        told.setdefault(leader, []).append(event)
    return told


class _Leading:
    """Who leads each event of one group; what is asked of an entity is looked up once."""

    def __init__(self, index: LogIndex) -> None:
        self._index = index
        self._makers: dict[int, list[int]] = {}
        self._judged: dict[int, list[tuple[int, frozenset[str]]]] = {}

    def of(self, event: int) -> int:
        """The earlier event that `event` is told with, `NONE` when it stands for itself."""
        index = self._index
        kind = index.kind(event)
        cause = index.causes[event]
        if kind == OPS_EVENT:
            if cause >= 0 and index.homes[event] == index.homes[cause]:
                return cause
            if index.states[event] == ONLY_LINKS:
                return self._maker(index.subjects[event], event)
            return NONE
        if kind in _OF_ITS_CAUSE:
            follows = cause >= 0 and index.kind(cause) == _OF_ITS_CAUSE[kind]
            return cause if follows else NONE
        if kind in _OF_ITS_SUBJECT:
            return self._maker(index.subjects[event], event)
        return self._what_it_judges(event) if index.homes[event] < 0 else NONE

    def _what_it_judges(self, event: int) -> int:
        """What an eval or a decision is about."""
        number = ~self._index.homes[event]
        if number not in self._judged:
            self._judged[number] = list(dict.fromkeys(_judged_by(self._index, number)))
        for one, kinds in self._judged[number]:
            found = self._maker(one, event)
            if found != NONE and self._index.kind(found) in kinds:
                return found
        return NONE

    def _maker(self, number: int, event: int) -> int:
        """The newest event before `event` that made an entity."""
        if number == NONE:
            return NONE
        makers = self._makers.get(number)
        if makers is None:
            makers = self._makers[number] = self._index.makers.values(number)
        place = bisect_left(makers, event)
        return makers[place - 1] if place else NONE


def _judged_by(index: LogIndex, number: int) -> Iterator[tuple[int, frozenset[str]]]:
    """The entities that an eval or a decision may be about, and what must have made them."""
    for edge in index.relations.into(number):
        if edge.name in _JUDGED_BY:
            yield edge.source, _LEADERS
    for edge in index.reasons.out(number):
        if edge.name.startswith("metadata."):
            yield edge.target, _OF_WHAT_IT_NAMES
