"""Which events of a group are told in one sentence.

A leader (a patch, a question, a revised plan) takes in what followed it: graph changes paired with
it, evals and decisions of it, changes of its status.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ppgp_tui.gasp.log_index import NONE, ONLY_LINKS, LogIndex
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
    leaders: dict[int, int] = {}
    told: dict[int, list[int]] = {}
    for event in events:
        leader = leaders.get(_leader(index, event), event)
        leaders[event] = leader
        told.setdefault(leader, []).append(event)
    return told


def _leader(index: LogIndex, event: int) -> int:
    """The earlier event that `event` is told with, `NONE` when it stands for itself."""
    kind = index.kind(event)
    cause = index.causes[event]
    if kind == OPS_EVENT:
        if cause >= 0 and index.homes[event] == index.homes[cause]:
            return cause
        if index.states[event] == ONLY_LINKS:
            return _maker(index, index.subjects[event], event, None)
        return NONE
    if kind in _OF_ITS_CAUSE:
        follows = cause >= 0 and index.kind(cause) == _OF_ITS_CAUSE[kind]
        return cause if follows else NONE
    if kind in _OF_ITS_SUBJECT:
        return _maker(index, index.subjects[event], event, None)
    return _judged(index, event) if index.homes[event] < 0 else NONE


def _judged(index: LogIndex, event: int) -> int:
    """What an eval or a decision is about."""
    number = ~index.homes[event]
    for edge in index.relations.into(number):
        if edge.name in _JUDGED_BY:
            found = _maker(index, edge.source, event, _LEADERS)
            if found != NONE:
                return found
    for edge in index.reasons.out(number):
        if edge.name.startswith("metadata."):
            found = _maker(index, edge.target, event, _OF_WHAT_IT_NAMES)
            if found != NONE:
                return found
    return NONE


def _maker(index: LogIndex, number: int, event: int, kinds: frozenset[str] | None) -> int:
    """The newest event before `event` that made an entity, if it is of one of those kinds."""
    if number == NONE:
        return NONE
    newest = NONE
    for maker in index.makers.values(number):
        if maker < event:
            newest = maker
    wanted = newest != NONE and (kinds is None or index.kind(newest) in kinds)
    return newest if wanted else NONE
