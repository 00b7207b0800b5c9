"""What the log says about phases, plan, blockers and requests, gathered line by line.

Only the kinds listed in `_HANDLERS` are decoded whole; everything else is counted. What was
gathered leaves as one immutable `LogSays`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from ppgp_tui.gasp.envelope import Head, read_line
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.log import pauses
from ppgp_tui.session.log.audits import AuditLog
from ppgp_tui.session.log.plans import PlanLog
from ppgp_tui.session.log.plans import RecordedPlan as RecordedPlan
from ppgp_tui.session.log.requests import RequestLog, task_key
from ppgp_tui.session.members import text, texts
from ppgp_tui.session.model import Lifecycle, Origin, PhaseSpan, Request
from ppgp_tui.session.picture import human_load
from ppgp_tui.session.picture.audit_state import AuditRecord
from ppgp_tui.session.picture.handshake import Recorded
from ppgp_tui.session.picture.human_load import LoadLog, LoadRecord
from ppgp_tui.session.picture.memories import Facts, Memory, MemoryLog

if TYPE_CHECKING:
    from ppgp_tui.session.log.lifecycle import GoalLog

_T = TypeVar("_T")

PHASES = ("THINK", "FREEZE", "EXECUTE", "HARDEN", "SHIP", "DISTILL", "CLOSED")
"""In the order a goal goes through them (PPGP reference section 3)."""

_KEPT = 10_000
_PHASES_KEPT = 200
_EARLY_KEPT = 32
_MINUTE = 60_000


class RecordedBlocker(NamedTuple):
    """A blocker raised and not cleared."""

    id: str
    klass: str
    text: str
    scope: str
    until: str
    blocks: tuple[str, ...]
    """Keys of the tasks it stops."""
    actor: str
    since_ms: int | None
    origin: Origin | None = None


class LogSays(NamedTuple):
    """Everything gathered, as it stood after one line."""

    phases: tuple[PhaseSpan, ...] = ()
    plan: RecordedPlan | None = None
    blockers: tuple[RecordedBlocker, ...] = ()
    requests: tuple[Request, ...] = ()
    """Open ones, and the newest of those that are closed; oldest first."""
    asked: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
    """Open requests as they were recorded, by id."""
    lifecycle: Lifecycle = Lifecycle()
    hold: str | None = None
    """The pause that was asked last and not released."""
    since_hold: Recorded = Recorded({}, {})
    """What agents recorded since then."""
    released: tuple[str, ...] = ()
    """The pauses released last."""
    load: LoadRecord = LoadRecord()
    """Who waited for whom."""
    memories: Mapping[str, tuple[Memory, ...]] = MappingProxyType({})
    """By session, newest first, when its context began anew."""
    runs: Mapping[str, int | None] = MappingProxyType({})
    """By session, when its newest run began."""
    audits: AuditRecord = AuditRecord()
    """Verdicts, and what a person took in spite of them."""
    minutes: Mapping[int, int] = MappingProxyType({})
    names: Mapping[str, str] = MappingProxyType({})
    """Short words for ids of nodes; for ids of events what they changed."""

    def pulse(self, now_ms: int) -> tuple[int, ...]:
        """Events in each of the last 60 minutes, oldest first, the current minute last."""
        last = now_ms // _MINUTE
        return tuple(self.minutes.get(minute, 0) for minute in range(last - 59, last + 1))


class LogFacts:
    """The gathering itself; used by the thread that reads the log only."""

    def __init__(self, now_ms: int, path: str) -> None:
        self._path = path
        self._first_minute = now_ms // _MINUTE - 60
        self._minutes: dict[int, int] = {}
        self._phases: list[PhaseSpan] = []
        self._plan = PlanLog()
        self._taken = 0
        """Events taken so far: the index of the next one."""
        self._blockers: dict[str, RecordedBlocker] = {}
        self._cleared_early: list[str] = []
        self._requests = RequestLog()
        self._goal: GoalLog | None = None
        self._audits = AuditLog()
        self._pauses = pauses.nothing()
        self._load = LoadLog()
        self._memories = MemoryLog()
        self._runs: dict[str, int | None] = {}
        self._status: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def take(self, head: Head, origin: Callable[[], Origin]) -> None:
        """Add what one event says; `origin` tells where its line is."""
        self._taken += 1
        if self._load.first_ms is None:
            self._load.first_ms = head.ts_ms
        if head.ts_ms is not None and (minute := head.ts_ms // _MINUTE) >= self._first_minute:
            self._minutes[minute] = self._minutes.get(minute, 0) + 1
            _trim(self._minutes)
            if head.actor_kind == "agent" and is_work(head.kind):
                self._load.deed(head.actor_id, head.ts_ms)
        paused = self._pauses["hold"] is not None and head.actor_kind == "agent"
        if paused and pauses.is_deed(head.kind):
            pauses.count(self._pauses, head.actor_id, head.ts_ms)
        handler = _HANDLERS.get(head.kind)
        if handler is not None:
            payload = head.payload()
            if isinstance(payload, dict):
                handler(self, head, payload, origin)
                if head.kind in human_load.KINDS:
                    self._load.take(head.kind, head.actor_kind, head.actor_id, head.ts_ms, payload)

    def says(self) -> LogSays:
        """Everything gathered so far."""
        return LogSays(
            phases=tuple(self._phases),
            plan=self._plan.now,
            blockers=tuple(self._blockers.values()),
            requests=self._requests.now(),
            asked=self._requests.whole(),
            lifecycle=self._goal.now if self._goal else Lifecycle(),
            hold=self._pauses["hold"],
            since_hold=pauses.recorded(self._pauses, self._pauses["hold"]),
            released=tuple(self._pauses["released"]),
            load=self._load.record(),
            memories=self._memories.found(),
            runs=dict(self._runs),
            audits=self._audits.record(),
            minutes=dict(self._minutes),
            names=MappingProxyType(self._names),
        )

    def copied(self) -> LogFacts:
        """The gathering as it stands, to go on by itself; neither changes the other."""
        other = _with_own_members(self)
        other._requests = self._requests.copied()
        other._goal = self._goal.copied() if self._goal else None
        other._pauses = pauses.copied(self._pauses)
        other._load = _with_own_members(self._load)
        other._memories = _with_own_members(self._memories)
        other._plan = copy.copy(self._plan)
        other._audits = copy.copy(self._audits)
        return other

    def with_heads(self, heads: Iterable[Head], origin: Callable[[], Origin]) -> LogSays:
        """Everything gathered, as it would stand with these events after the log."""
        further = self.copied()
        for head in heads:
            further.take(head, origin)
        return further.says()

    # What each kind says

    def _phase_changed(self, head: Head, payload: dict[str, Any], _: Callable[[], Origin]) -> None:
        phase = text(payload.get("to"))
        if not phase or head.ts_ms is None:
            return
        by, observed = f"{head.actor_kind}:{head.actor_id}", payload.get("observed") is True
        span = PhaseSpan(phase, head.ts_ms, None, by=by, observed=observed, event=head.id)
        self._phases.append(span)
        if len(self._phases) > 1 and self._phases[-2].since_ms > head.ts_ms:
            self._phases.sort(key=lambda span: span.since_ms)  # a line that was put back later
            self._phases = [*_following(self._phases)]
        else:
            self._phases[-2:] = _following(self._phases[-2:])
        del self._phases[:-_PHASES_KEPT]

    def _revised(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        step = self._plan.take(head, payload, self._taken - 1, origin)
        if step is not None:
            counts = (("+", step.added), ("~", step.changed), ("/", step.removed))
            self._name(head.id, " ".join(f"{sign}{len(keys)}" for sign, keys in counts if keys))

    def _created(self, _: Head, payload: dict[str, Any], __: Callable[[], Origin]) -> None:
        node = text(payload.get("id"))
        self._name(node, text(payload.get("title")))
        self._status[node] = text(payload.get("status"))
        _trim(self._status)

    def _run_started(
        self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]
    ) -> None:
        run = text(payload.get("run_id"))
        self._name(run, text(payload.get("task")))
        if run:
            self._name(f"by:{run}", short_actor(head.actor_kind, head.actor_id))
        if head.actor_kind == "agent":
            self._runs.pop(head.actor_id, None)
            self._runs[head.actor_id] = head.ts_ms
            _trim(self._runs)
            self._memories.started(head.actor_id, payload, head.ts_ms, self._facts(), origin())

    def _compacted(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        self._memories.compacted(head.actor_id, payload, head.ts_ms, self._facts(), origin())

    def _counted(self, _: Head, __: dict[str, Any], ___: Callable[[], Origin]) -> None:
        """Only who waited for whom is told by it."""

    def _facts(self) -> Facts:
        """What stands now, for telling what an agent was told before."""
        goal = self._goal.now if self._goal else Lifecycle()
        plan = self._plan.now
        return Facts(
            goal=f"{goal.id} {goal.objective}" if goal.id else "",
            revision=plan.revision if plan else None,
            plan=plan.digest if plan else "",
        )

    def _status_changed(self, head: Head, payload: dict[str, Any], _: Callable[[], Origin]) -> None:
        node = text(payload.get("task_id")) or text(payload.get("goal_id"))
        self._name(head.id, self._status.get(node, ""))
        self._status[node] = text(payload.get("status"))
        _trim(self._status)

    def _raised(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        blocker = text(payload.get("id"))
        self._name(blocker, text(payload.get("text")))
        if blocker in self._cleared_early:
            self._cleared_early.remove(blocker)
            return
        self._blockers[blocker] = RecordedBlocker(
            id=blocker,
            klass=text(payload.get("class")),
            text=text(payload.get("text")),
            scope=text(payload.get("scope")),
            until=text(payload.get("until")),
            blocks=tuple(task_key(node) for node in texts(payload.get("blocks"))),
            actor=short_actor(head.actor_kind, head.actor_id),
            since_ms=head.ts_ms,
            origin=origin(),
        )

    def _cleared(self, _: Head, payload: dict[str, Any], __: Callable[[], Origin]) -> None:
        blocker = text(payload.get("id"))
        if self._blockers.pop(blocker, None) is None:
            self._cleared_early = [*self._cleared_early, blocker][-_EARLY_KEPT:]

    def _requested(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        request = self._requests.ask(payload, head.actor_id, head.ts_ms, origin())
        if request is not None:
            self._name(request.id, request.question)

    def _became(self, head: Head, payload: dict[str, Any], _: Callable[[], Origin]) -> None:
        self._requests.take(head.kind, payload, head.actor_id, head.ts_ms)

    def _audited(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        actor = head.actor_kind, head.actor_id
        self._audits.take(head.kind, actor, head.ts_ms, payload, origin)

    def _decided(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        self._became(head, payload, origin)
        self._audited(head, payload, origin)

    def _paused(self, head: Head, payload: dict[str, Any], _: Callable[[], Origin]) -> None:
        pauses.take(self._pauses, head.kind, head.actor_id, head.ts_ms, payload)

    def _lived(self, head: Head, payload: dict[str, Any], origin: Callable[[], Origin]) -> None:
        if head.kind == "goal.created":
            self._created(head, payload, origin)
        elif head.kind == "goal.status_changed":
            self._status_changed(head, payload, origin)
        if self._goal is None:
            from ppgp_tui.session.log.lifecycle import GoalLog  # no log without a goal pays for it

            self._goal = GoalLog()
        self._goal.take(head.kind, head.id, head.actor_id, head.ts_ms, payload, origin)

    def _name(self, key: str, words: str) -> None:
        if key and words:
            self._names.pop(key, None)
            self._names[key] = words[:200]
            _trim(self._names)


_Handler = Callable[[LogFacts, Head, dict[str, Any], Callable[[], Origin]], None]

_HANDLERS: dict[str, _Handler] = {
    "goal.created": LogFacts._lived,
    "goal.status_changed": LogFacts._lived,
    "goal.tweaked": LogFacts._lived,
    "goal.claimed": LogFacts._lived,
    "goal.phase_changed": LogFacts._phase_changed,
    "task.created": LogFacts._created,
    "patch.proposed": LogFacts._created,
    "task.status_changed": LogFacts._status_changed,
    "todo.revised": LogFacts._revised,
    "run.started": LogFacts._run_started,
    "blocker.raised": LogFacts._raised,
    "blocker.cleared": LogFacts._cleared,
    "authority.requested": LogFacts._requested,
    "authority.delivered": LogFacts._became,
    "authority.consumed": LogFacts._became,
    "authority.withdrawn": LogFacts._became,
    "decision.created": LogFacts._decided,
    "eval.finished": LogFacts._audited,
    "decision.status_changed": LogFacts._became,
    pauses.ASKED: LogFacts._paused,
    pauses.HELD: LogFacts._paused,
    "agent.released": LogFacts._counted,
    "run.finished": LogFacts._counted,
    "context.compacted": LogFacts._compacted,
}


def is_work(kind: str) -> bool:
    """Whether an agent's event of this kind shows that it went on: an answer it got does not."""
    return pauses.is_deed(kind) and not kind.startswith("authority.")


def _following(spans: list[PhaseSpan]) -> Iterator[PhaseSpan]:
    """The spans one after the other: each ends where the next begins."""
    for at, span in enumerate(spans):
        until = spans[at + 1].since_ms if at + 1 < len(spans) else None
        back = span.backwards if not at else _rank(span.phase) < _rank(spans[at - 1].phase)
        yield span._replace(until_ms=until, backwards=back)


def _rank(phase: str) -> int:
    return PHASES.index(phase) if phase in PHASES else len(PHASES)


def plain_head(line: bytes) -> Head:
    """What the fast decoder gives, without loading it: for a few lines."""
    said = read_line(line)
    return Head(
        said.id,
        said.ts_ms,
        said.actor_kind,
        said.actor_id,
        said.kind,
        lambda: said.payload,
        said.error,
    )


def _with_own_members(gathered: _T) -> _T:
    """A copy with lists and dictionaries of its own; what they hold is never changed in place."""
    other = copy.copy(gathered)
    for name, value in vars(gathered).items():
        if isinstance(value, list | dict):
            setattr(other, name, copy.copy(value))
    return other


def _trim(kept: dict[Any, Any]) -> None:
    """Forget the oldest entry once there are too many."""
    if len(kept) > _KEPT:
        del kept[next(iter(kept))]
