"""What every event of a log is linked to, as numbers: built in one pass, extended by new events.

Events have their index in the log (blank lines not counted), entities a number by first mention.
A *thing* is either of them as one number: an event's index, or `~number` of an entity. An event
that makes an entity and the graph changes paired with it are at home in that thing; any other
event is a thing of its own.
"""

from __future__ import annotations

from array import array
from typing import Final

from ppgp_tui.gasp.envelope import Envelope
from ppgp_tui.gasp.folding import ops
from ppgp_tui.gasp.tracing.chains import Chains
from ppgp_tui.gasp.tracing.edges import Edges
from ppgp_tui.gasp.tracing.entities import ABOUT, reasons, results, subject
from ppgp_tui.gasp.tracing.id_table import IdTable
from ppgp_tui.gasp.vocabulary import OPS_EVENT

NONE: Final = -1
"""No entity, no cause."""
NOT_IN_LOG: Final = -2
"""A cause that is no earlier event of this log."""
NO_TIME: Final = -(2**63)

_LINKS = (ops.CreateRelation, ops.DeleteRelation)
SOUND, DAMAGED, UNREADABLE, ONLY_LINKS = 0, 1, 2, 3
"""How an event is: a damaged line, operations that cannot be read, or operations that do nothing
but link nodes."""


class LogIndex:
    """About 80 bytes an event besides the ids of entities. One thread extends it."""

    def __init__(self) -> None:
        self.event_ids = IdTable()
        self.kind_names: list[str] = []
        self._kind_codes: dict[str, int] = {}
        self.kinds = array("i")
        self.states = bytearray()
        self.at_ms = array("q")
        self.causes = array("i")
        self.correlations = array("i")
        """Per event an entity, or `NONE`."""
        self.subjects = array("i")
        """Per event the entity that it makes, is about or changes first, or `NONE`."""
        self.members = bytearray()
        """Per event the member that names its subject, as a place in `ABOUT`."""
        self.homes = array("i")
        """Per event the thing where it is at home."""
        self.runs = array("i")
        """Per event the entity of its run, or `NONE`."""

        self.names: list[str] = []
        """The id of every entity."""
        self._numbers: dict[str, int] = {}
        self.entity_kinds = array("i")
        """Per entity its kind's code; `NONE` for an id that is only mentioned."""
        self.first_events = array("i")
        """Per entity the event that made it first, else that mentioned it first."""
        self.times_made = array("i")
        """Per entity how many operations made its node."""
        self.times_buried = array("i")
        """Per entity how many operations tombstoned it."""

        self.effects = Chains()
        """Per event those that name it as their cause."""
        self.correlated = Chains()
        """Per entity the events that name it as their correlation."""
        self.makers = Chains()
        """Per entity the events that made it."""
        self.made = Chains()
        """Per graph change the entities that nothing but it has made."""
        self.homed = Chains()
        """Per entity the events at home in it."""
        self.history = Chains()
        """Per entity the events that made it, are about it or changed its node."""
        self.relations = Edges()
        self.reasons = Edges()
        """Links from an entity to what its making event says that it comes from."""
        self.results = Edges()
        """Links from an entity to what its making event says that it bears on."""

    def __len__(self) -> int:
        return len(self.kinds)

    def number(self, entity: str) -> int | None:
        """The number of an entity by its id; None when the log never mentions it."""
        return self._numbers.get(entity)

    def knows(self, number: int) -> bool:
        """Whether that entity was made in this log, not only mentioned."""
        return self.entity_kinds[number] != NONE

    def kind(self, event: int) -> str:
        """The kind of an event."""
        return self.kind_names[self.kinds[event]]

    def entity_kind(self, number: int) -> str:
        """The kind of an entity; empty when it was not made in this log."""
        code = self.entity_kinds[number]
        return "" if code == NONE else self.kind_names[code]

    def first(self, thing: int) -> int:
        """The event with which a thing began."""
        return thing if thing >= 0 else self.first_events[~thing]

    def take(self, event: Envelope) -> int:
        """Add the next event of the log and return its index."""
        index = len(self.kinds)
        damaged = event.error is not None and not event.kind
        self.kinds.append(self._kind_code(event.kind))
        self.states.append(DAMAGED if damaged else SOUND)
        self.at_ms.append(NO_TIME if event.ts_ms is None else event.ts_ms)
        cause = self._cause(event)
        self.causes.append(cause)
        self.event_ids.add(event.id if event.id or not damaged else f"\0{index}")
        if cause >= 0:
            self.effects.add(cause, index)
        correlation = event.correlation_id
        about = NONE if correlation is None else self._entity(correlation, index)
        self.correlations.append(about)
        if about != NONE:
            self.correlated.add(about, index)
        self.subjects.append(NONE)
        self.members.append(0)
        self.homes.append(index)
        if event.kind == OPS_EVENT:
            self._take_operations(index, cause, event)
        elif not damaged:
            self._take_fact(index, event)
        self.runs.append(self._run(index, cause, about))
        return index

    def _cause(self, event: Envelope) -> int:
        if event.causation_id is None:
            return NONE
        found = self.event_ids.find(event.causation_id)
        return NOT_IN_LOG if found is None else found

    def _take_fact(self, index: int, event: Envelope) -> None:
        found = subject(event.kind, event.payload)
        if found is None:
            return
        number = self._entity(found.id, index)
        self.subjects[index] = number
        self.history.add(number, index)
        if not found.makes:
            self.members[index] = ABOUT.index(found.member)
            return
        self._make(number, found.kind, index)
        self.homes[index] = ~number
        self.homed.add(number, index)
        for links, named in (
            (self.reasons, reasons(event.kind, event.payload)),
            (self.results, results(event.kind, event.payload)),
        ):
            for member, name in named:
                links.link(number, member, self._entity(name, index), index)

    def _take_operations(self, index: int, cause: int, event: Envelope) -> None:
        try:
            batch = ops.decode(event.payload)
        except ops.MalformedOpsError:
            self.states[index] = UNREADABLE
            return
        touched = [self._apply(op, index, cause) for op in batch]
        # A link changes neither of its ends: what is said of a node comes before what it links.
        changed = (
            one for one, op in zip(touched, batch, strict=True) if not isinstance(op, _LINKS)
        )
        self.subjects[index] = next(changed, touched[0] if touched else NONE)
        if cause >= 0 and self._is_pair(cause, touched):
            home = self.homes[cause]
        else:
            home = next((~number for number in self.made.values(index)), index)
            if touched and all(isinstance(op, _LINKS) for op in batch):
                self.states[index] = ONLY_LINKS
        self.homes[index] = home
        if home < 0:
            self.homed.add(~home, index)

    def _is_pair(self, cause: int, touched: list[int]) -> bool:
        """Whether operations with that cause are its pair; a run causes others' links as well."""
        run = self.subjects[cause]
        return self.kind(cause) != "run.started" or run == NONE or run in touched

    def _apply(self, op: ops.Op, index: int, cause: int) -> int:
        """Take in one operation and return the entity it touches."""
        if isinstance(op, ops.CreateRelation):
            link = op.relation
            source, target = self._entity(link.source, index), self._entity(link.target, index)
            self.relations.link(source, link.rel, target, index)
            return source
        if isinstance(op, ops.DeleteRelation):
            source = self._entity(op.source, index)
            self.relations.cut(source, op.rel, self._entity(op.target, index))
            return source
        number = self._entity(op.id, index)
        self.history.add(number, index)
        if isinstance(op, ops.TombstoneNode):
            self.times_buried[number] += 1
        elif isinstance(op, ops.CreateNode):
            self.times_made[number] += 1
            if cause < 0 or self.homes[cause] != ~number:
                self.made.add(index, number)
                self._make(number, op.kind, index)
        return number

    def _make(self, number: int, kind: str, index: int) -> None:
        if not self.knows(number):
            self.first_events[number] = index
        self.entity_kinds[number] = self._kind_code(kind)
        self.makers.add(number, index)

    def _run(self, index: int, cause: int, correlation: int) -> int:
        """The run of an event: what it is about, what it is correlated with, its cause's."""
        for number in (self.subjects[index], correlation):
            if number != NONE and self.entity_kind(number) == "run":
                return number
        if cause >= 0 and self.runs[cause] != NONE:
            return self.runs[cause]
        known = correlation != NONE and self.knows(correlation)
        return NONE if known else correlation

    def _entity(self, name: str, index: int) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
            self.entity_kinds.append(NONE)
            self.first_events.append(index)
            self.times_made.append(0)
            self.times_buried.append(0)
        return number

    def _kind_code(self, kind: str) -> int:
        code = self._kind_codes.get(kind)
        if code is None:
            code = self._kind_codes[kind] = len(self.kind_names)
            self.kind_names.append(kind)
        return code
