"""Check 7, domain↔ops consistency: what creates an entity has one operation that makes its node.

A pair may come later than its event, so what is missing now may be there after the next line.
Entities are judged again when something about them came, and only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from ppgp_tui.gasp import ops, strict_json
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.event_text import read_event
from ppgp_tui.gasp.checks.report import CheckResult, Finding, Place
from ppgp_tui.gasp.vocabulary import CREATES, OPS_EVENT

Json = Any
_ABSENT: Final = object()
_AS_READ: Final = (str, bool, type(None), type(_ABSENT))
"""Types that the fast decoder reads as the protocol does; some numbers it does not."""


class _Entity(NamedTuple):
    """An event that creates an entity."""

    place: Place
    kind: str
    id: str | None
    """The payload's; None where it has none."""
    status: Json


class _Claim(NamedTuple):
    """An event with operations that says what it was caused by."""

    place: Place
    made: tuple[tuple[str, str, Json], ...]
    """Id, kind and status of every CreateNode."""
    malformed: str | None


class Pairing:
    """Follows a log event by event."""

    def __init__(self) -> None:
        self._entities: dict[str, list[_Entity]] = {}
        self._claims: dict[str, list[_Claim]] = {}
        self._to_judge: dict[int, _Entity] = {}
        self._found: dict[int, list[tuple[str, str]]] = {}
        self._is_ops: dict[str, bool] = {}
        self._chained: dict[int, _Claim] = {}
        self._judged: dict[int, _Entity] = {}

    def take(self, event: Event, line: int, physical: int, text: bytes) -> None:
        """Look at the next event; `text` is its line. Not for `state.ops_applied`."""
        name = event.id
        if event.kind in CREATES:
            entity = _entity(event, Place(line, physical, name), text)
            self._entities.setdefault(name, []).append(entity)
            self._to_judge[line] = entity
        self._seen(name, is_ops=False)

    def take_ops(
        self, operations: Iterable[ops.Op], event: Event, line: int, physical: int, text: bytes
    ) -> None:
        """Look at the next event, which is `state.ops_applied` with these operations."""
        cause = event.causation_id
        if cause is not None:
            made = _made(operations)
            if not all(isinstance(status, _AS_READ) for _, _, status in made):
                made = _made(ops.decode(read_event(text)[0].payload))
            self._claim(cause, _Claim(Place(line, physical, event.id), made, None))
        self._seen(event.id, is_ops=True)

    def malformed(self, detail: str, event: Event, line: int, physical: int) -> None:
        """Look at the next event, which is `state.ops_applied` and holds no operations."""
        if event.causation_id is not None:
            place = Place(line, physical, event.id)
            self._claim(event.causation_id, _Claim(place, (), detail))
        self._seen(event.id, is_ops=True)

    def result(self) -> CheckResult:
        """What was found so far."""
        for line, entity in self._to_judge.items():
            found = list(_judge(entity, self._claims.get(entity.place.event or "", ())))
            if found:
                self._found[line] = found
                self._judged[line] = entity
            elif self._found.pop(line, None):
                del self._judged[line]
        self._to_judge.clear()
        findings = [
            Finding(7, rule, f"line {line}: {text}", place=self._judged[line].place)
            for line in sorted(self._found)
            for rule, text in self._found[line]
        ]
        for line in sorted(self._chained):
            place = self._chained[line].place
            text = f"ops event {place.event} chained to another ops event, not a domain event"
            findings.append(Finding(7, "chained", text, place=place))
        return CheckResult(7, findings=tuple(findings))

    def _claim(self, cause: str, claim: _Claim) -> None:
        self._claims.setdefault(cause, []).append(claim)
        for entity in self._entities.get(cause, ()):
            self._to_judge[entity.place.line] = entity
        if self._is_ops.get(cause):
            self._chained[claim.place.line] = claim

    def _seen(self, name: str, *, is_ops: bool) -> None:
        """Of several events with one id the last decides what it names."""
        before = self._is_ops.get(name, False)
        self._is_ops[name] = is_ops
        if before is not is_ops:
            for claim in self._claims.get(name, ()):
                if is_ops:
                    self._chained[claim.place.line] = claim
                else:
                    self._chained.pop(claim.place.line, None)


def _entity(event: Event, place: Place, text: bytes) -> _Entity:
    payload = event.payload
    if not isinstance(payload, dict):
        return _Entity(place, event.kind, None, _ABSENT)
    name = payload.get("id")
    status = payload.get("status", _ABSENT)
    if not isinstance(status, _AS_READ):
        status = read_event(text)[0].payload["status"]
    return _Entity(place, event.kind, name if isinstance(name, str) else None, status)


def _made(operations: Iterable[ops.Op]) -> tuple[tuple[str, str, Json], ...]:
    return tuple(
        (op.id, op.kind, op.props.get("status", _ABSENT) if isinstance(op.props, dict) else _ABSENT)
        for op in operations
        if isinstance(op, ops.CreateNode)
    )


def _judge(entity: _Entity, claims: Iterable[_Claim]) -> Iterator[tuple[str, str]]:
    """Rule and text of everything that is wrong with one entity."""
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
            words = f"paired ops event {claim.place.event} has malformed payload"
            yield "malformed_pair", f"{words}: {claim.malformed}"
            continue
        for made, kind, status in claim.made:
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
    return one is _ABSENT or other is _ABSENT or strict_json.equal(one, other)
