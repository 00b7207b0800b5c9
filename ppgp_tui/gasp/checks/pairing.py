"""Check 7, domain↔ops consistency: what creates an entity has one operation that makes its node.

A pair may come later than its event, so what is missing now may be there after the next line.
Entities are judged again when something about them came, and only then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ppgp_tui.gasp import strict_json
from ppgp_tui.gasp.checks.batch import ABSENT, Batch
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.event_text import read_event
from ppgp_tui.gasp.checks.report import CheckResult, Finding, Place
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.vocabulary import CREATES, OPS_EVENT

Json = Any


class _Entity(msgspec.Struct, gc=False):
    """An event that creates an entity."""

    line: int
    physical: int
    event: str
    kind: str
    id: str | None
    """The payload's; None where it has none."""
    status: Json
    before: _Entity | None
    """The event before this one with the same id that creates an entity."""

    def __deepcopy__(self, _: object) -> _Entity:
        """Nothing in it is changed, and copies would go down the whole chain."""
        return self


class _Claim(msgspec.Struct, gc=False):
    """An event with operations that says what it was caused by."""

    line: int
    physical: int
    event: str
    created: list[tuple[int, str, str, Json]]
    """As in `Batch`."""
    malformed: str | None
    before: _Claim | None
    """The claim before this one with the same cause."""

    def __deepcopy__(self, _: object) -> _Claim:
        """Nothing in it is changed, and copies would go down the whole chain."""
        return self


class Pairing:
    """Follows a log event by event."""

    def __init__(self) -> None:
        self._entities: dict[str, _Entity] = {}
        """The last one by the id of its event."""
        self._claims: dict[str, _Claim] = {}
        """The last one by its cause."""
        self._ops_events: set[str] = set()
        self._to_judge: dict[int, _Entity] = {}
        self._wrong: dict[int, tuple[_Entity, list[tuple[str, str]]]] = {}
        self._chained: set[str] = set()
        """Causes that are events with operations."""

    def take(self, event: Event, line: int, physical: int, text: bytes) -> None:
        """Look at the next event; `text` is its line. Not for `state.ops_applied`."""
        name = event.id
        if event.kind in CREATES:
            payload = event.payload
            node, status = None, ABSENT
            if type(payload) is dict:
                node, status = payload.get("id"), payload.get("status", ABSENT)
                if type(node) is not str:
                    node = None
                if type(status) is not str and not _is_read_right(status):
                    status = read_event(text)[0].payload["status"]
            before = self._entities.get(name)
            entity = _Entity(line, physical, name, event.kind, node, status, before)
            self._entities[name] = self._to_judge[line] = entity
        if name in self._ops_events:  # of several events with one id the last one counts
            self._ops_events.remove(name)
            self._chained.discard(name)

    def take_ops(self, batch: Batch, event: Event, line: int, physical: int, text: bytes) -> None:
        """Look at the next event, which is `state.ops_applied` with these operations."""
        created = batch.created
        for place, (index, name, kind, status) in enumerate(created):
            if type(status) is not str and not _is_read_right(status):
                created[place] = (index, name, kind, _exact_status(text, index))
        self._claim(event, line, physical, created, None)

    def malformed(self, detail: str, event: Event, line: int, physical: int) -> None:
        """Look at the next event, which is `state.ops_applied` and holds no operations."""
        self._claim(event, line, physical, [], detail)

    def result(self) -> CheckResult:
        """What was found so far."""
        for line, entity in self._to_judge.items():
            found = _judge(entity, self._claims.get(entity.event))
            if found:
                self._wrong[line] = (entity, found)
            elif self._wrong:
                self._wrong.pop(line, None)
        self._to_judge.clear()
        findings = []
        for line, (entity, wrong) in sorted(self._wrong.items(), key=lambda item: item[0]):
            place = Place(line, entity.physical, entity.event)
            findings += [
                Finding(7, rule, f"line {line}: {text}", place=place) for rule, text in wrong
            ]
        chained = [claim for cause in self._chained for claim in self._claims_of(cause)]
        for claim in sorted(chained, key=lambda claim: claim.line):
            text = f"ops event {claim.event} chained to another ops event, not a domain event"
            place = Place(claim.line, claim.physical, claim.event)
            findings.append(Finding(7, "chained", text, place=place))
        return CheckResult(7, findings=tuple(findings))

    def _claim(
        self,
        event: Event,
        line: int,
        physical: int,
        created: list[tuple[int, str, str, Json]],
        malformed: str | None,
    ) -> None:
        name, cause = event.id, event.causation_id
        if cause is not None:
            before = self._claims.get(cause)
            claim = _Claim(line, physical, name, created, malformed, before)
            self._claims[cause] = claim
            entity = self._entities.get(cause)
            if entity is not None and (
                before is not None
                or entity.before is not None
                or not _is_pair(entity, created)
                or self._to_judge.pop(entity.line, None) is None  # it was found unpaired
            ):
                self._judge_again(entity)
            if cause in self._ops_events:
                self._chained.add(cause)
        if name not in self._ops_events:
            self._ops_events.add(name)
            if name in self._claims:
                self._chained.add(name)

    def _judge_again(self, last: _Entity | None) -> None:
        while last is not None:
            self._to_judge[last.line] = last
            last = last.before

    def _claims_of(self, cause: str) -> Iterator[_Claim]:
        """The last one first."""
        claim = self._claims.get(cause)
        while claim is not None:
            yield claim
            claim = claim.before


def _is_read_right(status: Json) -> bool:
    """Whether the fast decoder has read a status as the protocol does: some numbers it has not."""
    return status is ABSENT or status is None or isinstance(status, str | bool)


def _exact_status(text: bytes, index: int) -> Json:
    """The status in one operation of a line, numbers read exactly."""
    op = ops.decode(read_event(text)[0].payload)[index]
    assert isinstance(op, ops.CreateNode)
    return op.props["status"]


def _judge(entity: _Entity, last: _Claim | None) -> list[tuple[str, str]]:
    """Rule and text of everything that is wrong with one entity."""
    if last is not None and last.before is None and _is_pair(entity, last.created):
        return []
    claims = []
    while last is not None:
        claims.append(last)
        last = last.before
    return list(_faults(entity, claims[::-1]))


def _is_pair(entity: _Entity, created: list[tuple[int, str, str, Json]]) -> bool:
    """Whether the nodes that one event makes are the entity's own, and plainly in order."""
    if len(created) != 1:
        return False
    ((_, name, kind, status),) = created
    return name == entity.id and kind == CREATES[entity.kind] and _agree(entity.status, status)


def _faults(entity: _Entity, claims: Sequence[_Claim]) -> Iterator[tuple[str, str]]:
    name = entity.id
    if name is None:
        yield "no_id", f"{entity.kind} payload has no `id`"
        return
    if not claims:
        yield "unpaired", f"{entity.kind} `{name}` has no paired {OPS_EVENT}"
        return
    implied = CREATES[entity.kind]
    creators = 0
    for claim in claims:
        if claim.malformed is not None:
            words = f"paired ops event {claim.event} has malformed payload"
            yield "malformed_pair", f"{words}: {claim.malformed}"
            continue
        for _, made, kind, status in claim.created:
            if made != name:
                continue
            creators += 1
            if kind != implied:
                words = f"`{name}` created as kind `{kind}`, domain event implies `{implied}`"
                yield "wrong_kind", words
            if not _agree(entity.status, status):
                both = f"{strict_json.encode(entity.status)} vs {strict_json.encode(status)}"
                yield "status_differs", f"`{name}` status contradicts domain event ({both})"
    if not creators:
        yield "not_created", f"paired ops for {entity.kind} do not create node `{name}`"
    elif creators > 1:
        words = f"`{name}` created by {creators} ops events (pairing must be exactly one)"
        yield "created_often", words


def _agree(one: Json, other: Json) -> bool:
    if type(one) is str and type(other) is str:
        return one == other
    return one is ABSENT or other is ABSENT or strict_json.equal(one, other)
