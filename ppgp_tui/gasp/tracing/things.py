"""What a thing of a log is called and how it stands, worded when somebody looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple, TypeVar

from ppgp_tui.gasp.envelope import Envelope
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.folding.graph import Node
from ppgp_tui.gasp.telling.phrases import SentenceSign, text
from ppgp_tui.gasp.telling.sentence import sentence
from ppgp_tui.gasp.tracing.log_index import UNREADABLE, LogIndex
from ppgp_tui.gasp.vocabulary import CREATES, OPS_EVENT

EventAt = Callable[[int], Envelope]
"""Gives the event at an index of the log, 0 the oldest."""

_T = TypeVar("_T")
_TITLES = (
    "title", "question", "summary", "text", "reason", "command", "task", "tool", "model", "name",
)  # fmt: skip
_PAIRED = frozenset(CREATES.values())
"""Kinds of entities that a sound log has a node of."""
_KEPT = 256
"""Entities of which is kept how far they were read."""
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


class Artifact(NamedTuple):
    """Something outside the log that came of a node."""

    how: str
    """`artifact` or `references_commit`."""
    kind: str
    """As the log says: `git-commit`; `commit` where a property names one."""
    uri: str
    commit: str
    """The commit's hash, empty when it is none."""


class Thing(NamedTuple):
    """An entity or an event, as a row shows it. The words are not cleaned for a terminal."""

    id: str
    """Of the node, or of the event; may be empty for a damaged line."""
    is_event: bool
    kind: str
    """`patch`, `run`; of an event its kind, such as `patch.status_changed`."""
    title: str
    """A few words; empty when the log has none."""
    status: str
    """As the log spells it: `Promoted`, `started`; empty when there is none."""
    sign: SentenceSign
    event: int
    """Index of the event with which it began."""
    ts_ms: int | None
    """When that event says it was; advisory."""
    actor: str
    notes: tuple[str, ...]
    """What else is to know, such as `tombstoned: no longer needed`."""
    artifacts: tuple[Artifact, ...]


class Things:
    """Words for the things of one index. Costs what the thing's own events cost to read."""

    def __init__(
        self,
        index: LogIndex,
        event_at: EventAt,
        node_at: Callable[[str], Node | None] | None = None,
    ) -> None:
        """`node_at`: nodes of a folded graph; without it the one node is folded when asked for."""
        self.index = index
        self.event_at = event_at
        self._node_at = node_at
        self._folds: dict[int, tuple[int, Fold]] = {}
        """By number of an entity the last event that was folded, and the fold of its node."""
        self._tellings: dict[int, tuple[int, str]] = {}
        """The last event that was looked at for a title, and the title."""
        self.names = Titles(self)

    def id(self, thing: int) -> str:
        """The id of a thing."""
        return self.index.names[~thing] if thing < 0 else self.event_at(thing).id

    def thing(self, thing: int) -> Thing:
        """Everything about a thing."""
        return self._entity(~thing) if thing < 0 else self._event(thing)

    def node(self, number: int) -> Node | None:
        """The node of an entity as the log left it, None when there is none."""
        name = self.index.names[number]
        known = self._node_at(name) if self._node_at else None
        return known or self._fold_one(number, name)

    def title(self, number: int) -> str:
        """The first telling words about an entity; empty when there are none."""
        node = self.node(number)
        if (
            node is not None
            and isinstance(node.props, dict)
            and (said := text(node.props, *_TITLES))
        ):
            return said
        return self._told(number)

    def _fold_one(self, number: int, name: str) -> Node | None:
        """The fold of the operations on one node (GASP reference section 7).

        Goes on from where it ended: a log may work on one node with every line.
        """
        last, fold = self._folds.pop(number) if number in self._folds else (-1, Fold())
        for event in dict.fromkeys(self.index.history.newer(number, last)):
            last = event
            if self.index.kind(event) == OPS_EVENT and self.index.states[event] != UNREADABLE:
                mine = [one for one in _list(self.event_at(event).payload) if _is_on(name, one)]
                try:
                    fold.take_ops(ops.decode(deepcopy(mine)), 0)
                except ops.MalformedOpsError:  # the file was changed after the index was made
                    continue
        _keep(self._folds, number, (last, fold))
        return fold.graph.nodes.get(name)

    def _told(self, number: int) -> str:
        """The title in the first telling event that made an entity without a telling node.

        Goes on from where it ended, as the fold does.
        """
        last, told = self._tellings.pop(number) if number in self._tellings else (-1, "")
        for event in () if told else self.index.makers.newer(number, last):
            last, told = event, _title_in(self.event_at(event).payload)
            if told:
                break
        _keep(self._tellings, number, (last, told))
        return told

    def _entity(self, number: int) -> Thing:
        index = self.index
        node = self.node(number)
        event = index.first_events[number]
        made = self.event_at(event)
        kind = node.kind if node is not None else index.entity_kind(number)
        status = node.prop("status") if node is not None else None
        if not isinstance(status, str):
            payload = made.payload if isinstance(made.payload, dict) else {}
            status = text(payload, "status") if index.subjects[event] == number else ""
        said = sentence(made, {})
        return Thing(
            id=index.names[number],
            is_event=False,
            kind=kind,
            title=self.title(number),
            status=status,
            sign=said.sign,
            event=event,
            ts_ms=made.ts_ms,
            actor=said.actor,
            notes=tuple(self._notes(number, node)),
            artifacts=tuple(_artifacts(node)),
        )

    def _notes(self, number: int, node: Node | None) -> Iterator[str]:
        index = self.index
        if not index.knows(number):
            yield "only mentioned: nothing in this log makes it"
            return
        if node is None:
            if index.entity_kind(number) in _PAIRED:
                yield "no node: no graph change creates it"
        elif node.tombstoned:
            yield ": ".join(filter(None, ("tombstoned", _word(node.prop("tombstone_reason")))))
        if node is not None and node.stale:
            yield ": ".join(filter(None, ("stale", _word(node.prop("stale_reason")))))
        if (times := index.times_made[number]) > 1:
            buried = index.times_buried[number] and not (node is not None and node.tombstoned)
            before = "tombstoned" if buried else "replaced"
            yield f"created {times} times, {before} before"
        if index.entity_kind(number) == "run" and not _has_finished(index, number):
            yield "open: no run.finished"

    def _event(self, event: int) -> Thing:
        said = self.event_at(event)
        words = sentence(said, self.names)
        notes: tuple[str, ...] = ()
        if said.error is not None:
            notes = (f"damaged line: {said.error}",)
        elif self.index.states[event] == UNREADABLE:
            notes = ("its operations cannot be read",)
        return Thing(
            id=said.id, is_event=True, kind=said.kind, title=words.words, status="",
            sign=words.sign, event=event, ts_ms=said.ts_ms, actor=words.actor, notes=notes,
            artifacts=(),
        )  # fmt: skip


class Titles(Mapping[str, str]):
    """What entities are called, by their ids, for sentences."""

    def __init__(self, things: Things) -> None:
        self._things = things

    def __getitem__(self, name: str) -> str:
        number = self._things.index.number(name)
        if number is None or not self._things.index.knows(number):
            raise KeyError(name)
        if not (said := self._things.title(number)):
            raise KeyError(name)
        return said

    def __iter__(self) -> Iterator[str]:
        return iter(self._things.index.names)

    def __len__(self) -> int:
        return len(self._things.index.names)


def _keep(kept: dict[int, _T], number: int, value: _T) -> None:
    """Keep a value that is new, in place of the one that was not asked for the longest."""
    while len(kept) >= _KEPT:
        del kept[next(iter(kept))]
    kept[number] = value


def _title_in(payload: Any) -> str:
    """The first telling words of an event that makes an entity."""
    if not isinstance(payload, dict):
        return ""
    request = payload.get("request")
    return text(payload, *_TITLES) or (
        text(request, "question") if isinstance(request, dict) else ""
    )


def _has_finished(index: LogIndex, number: int) -> bool:
    return any(index.kind(event) == "run.finished" for event in index.history.values(number))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_on(name: str, operation: Any) -> bool:
    """Whether an operation is one on the node of that name."""
    bodies = operation.values() if isinstance(operation, dict) else ()
    return any(isinstance(body, dict) and body.get("id") == name for body in bodies)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _artifacts(node: Node | None) -> Iterator[Artifact]:
    if node is None:
        return
    for one in node.artifacts:
        kind, uri, digest = (_word(one.get(name)) for name in ("kind", "uri", "hash"))
        after = uri.rpartition("@")[2]
        commit = (
            next(filter(_COMMIT.fullmatch, (digest, after)), "") if kind == "git-commit" else ""
        )
        yield Artifact("artifact", kind, uri, commit)
    if named := _word(node.prop("references_commit")):
        commit = named if _COMMIT.fullmatch(named) else ""
        yield Artifact("references_commit", "commit", named, commit)
