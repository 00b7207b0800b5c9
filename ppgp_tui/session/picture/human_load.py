"""How much agents take of a person, and a person of them: worked out of the log, never guessed.

`LoadLog` gathers what the log says, line by line; `human_load` turns it into the last hour's
numbers. Both are lower bounds: a turn that ends without a question is not recorded, so the time
between two signs of it counts for nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.members import text, whole

if TYPE_CHECKING:
    from ppgp_tui.session.model import SessionSnapshot

HOUR_MS: Final = 3_600_000

_KEPT_MS: Final = 2 * HOUR_MS
_MOST: Final = 4_000
"""Of each kind of entry; nobody makes more of them in an hour."""
_ENDS_A_TURN: Final = ("resume", "thaw")
"""Acts of a person that only end what an earlier act began."""
_HANDS_OVER: Final = ("prompt", "resume", "thaw", "note")

KINDS: Final = frozenset(
    {
        "human.interrupted", "agent.held", "agent.released", "run.finished",
        "authority.requested", "authority.withdrawn", "decision.created", "decision.status_changed",
    }
)  # fmt: skip
"""The kinds of event that `LoadLog.take` wants."""


class Span(NamedTuple):
    """A time of one session, in Unix milliseconds."""

    session: str
    start_ms: int
    end_ms: int


class LoadRecord(NamedTuple):
    """What the log says of it, up to one of its lines."""

    first_ms: int | None = None
    """Time of the first event; None: there is none."""
    acts: tuple[tuple[int, str], ...] = ()
    """When a person did something about agents, and what; an answer is an `answer`."""
    waited: tuple[Span, ...] = ()
    """Times in which an agent is known to have waited for a person."""
    waits: tuple[Span, ...] = ()
    """Waits that last: since when, and of whom; the end is the beginning."""
    worked: tuple[Span, ...] = ()
    """Times in which a person had handed over to an agent."""
    works: tuple[Span, ...] = ()
    """Such times that may last: up to the last thing the agent recorded."""


class HumanLoad(NamedTuple):
    """The numbers of the last hour, or of the time since the log began."""

    since_ms: int
    is_hour: bool
    """The log goes back that far; else nothing is worked out per hour."""
    acts: tuple[tuple[str, int], ...]
    """What the person did and how often, the most frequent first."""
    agents_waited_ms: int
    """Of all agents together, at least."""
    you_waited_ms: int
    """While nothing waited for the person, at least."""
    waiting: int
    """Agents that wait right now."""

    @property
    def interruptions(self) -> int:
        """How often the person had to turn to an agent, or did."""
        return sum(number for _, number in self.acts)


class LoadLog:
    """The gathering; lines come in the order of the log."""

    def __init__(self) -> None:
        self.first_ms: int | None = None
        """Time of the first event; whoever takes in events of every kind sets it."""
        self._acts: list[tuple[int, str]] = []
        self._waited: list[Span] = []
        self._waits: dict[str, tuple[str, int]] = {}
        self._worked: list[Span] = []
        self._works: dict[str, tuple[int, int]] = {}
        self._deeds: dict[str, int] = {}
        self._askers: dict[str, str] = {}

    def deed(self, session: str, ts_ms: int) -> None:
        """An agent recorded something, so at that time it did not wait."""
        self._deeds[session] = ts_ms
        works = self._works.get(session)
        if works is not None and ts_ms > works[1]:
            self._works[session] = (works[0], ts_ms)
        _forget_oldest(self._deeds)

    def take(
        self, kind: str, actor_kind: str, actor_id: str, ts_ms: int | None, said: Mapping[str, Any]
    ) -> None:
        """Take in an event of one of `KINDS`; one without a time tells nothing."""
        if ts_ms is None:
            return
        if kind == "human.interrupted":
            self._interrupted(text(said.get("what")), text(said.get("session")), ts_ms)
        elif kind == "agent.held":
            session = text(said.get("session")) or actor_id
            self._stops(session, ts_ms)
            self._begins(_call(session, said), session, ts_ms)
        elif kind == "agent.released":
            session = text(said.get("session")) or actor_id
            self._ends(_call(session, said), ts_ms)
        elif kind == "run.finished":
            self._finished(actor_id, actor_kind, ts_ms)
        elif kind == "authority.requested":
            self._asked(said, actor_kind, actor_id, ts_ms)
        elif kind == "authority.withdrawn":
            self._ends(text(said.get("id")), ts_ms)
        elif kind == "decision.created":
            self._decided(said, actor_kind, ts_ms)
        self._trim(ts_ms)

    def record(self) -> LoadRecord:
        """Everything gathered so far."""
        return LoadRecord(
            first_ms=self.first_ms,
            acts=tuple(self._acts),
            waited=tuple(self._waited),
            waits=tuple(
                Span(session, max(since, self._deeds.get(session, 0)), since)
                for session, since in self._waits.values()
            ),
            worked=tuple(self._worked),
            works=tuple(Span(session, *span) for session, span in self._works.items()),
        )

    # What happened --------------------------------------------------------------------------------

    def _interrupted(self, what: str, session: str, ts_ms: int) -> None:
        if what and what not in _ENDS_A_TURN:
            self._acts.append((ts_ms, what))
        if not session:
            return
        if what in _HANDS_OVER:
            self._hands_over(session, ts_ms)
        else:
            self._stops(session, None)

    def _asked(self, said: Mapping[str, Any], actor_kind: str, actor_id: str, ts_ms: int) -> None:
        request, given = text(said.get("id")), said.get("request")
        if not request or actor_kind != "agent":
            return
        created = whole(given.get("created_ms")) if isinstance(given, dict) else None
        since = ts_ms if created is None else min(ts_ms, created)
        self._stops(actor_id, since)
        self._askers[request] = actor_id
        _forget_oldest(self._askers)
        self._begins(request, actor_id, since)

    def _decided(self, said: Mapping[str, Any], actor_kind: str, ts_ms: int) -> None:
        metadata = said.get("metadata")
        request = text(metadata.get("request")) if isinstance(metadata, dict) else ""
        if not request or actor_kind != "user":
            return
        self._acts.append((ts_ms, "answer"))
        self._ends(request, ts_ms)
        if request in self._askers:
            self._hands_over(self._askers[request], ts_ms)

    def _finished(self, actor_id: str, actor_kind: str, ts_ms: int) -> None:
        if actor_kind == "agent":
            self._stops(actor_id, ts_ms)
            for key, (session, _) in list(self._waits.items()):
                if session == actor_id:
                    self._ends(key, ts_ms)

    # Spans ----------------------------------------------------------------------------------------

    def _begins(self, key: str, session: str, since: int) -> None:
        self._waits[key] = (session, since)
        _forget_oldest(self._waits)

    def _ends(self, key: str, ts_ms: int) -> None:
        session, since = self._waits.pop(key, ("", 0))
        if not session:
            return
        did = self._deeds.get(session, 0)
        start = max(since, did if did < ts_ms else 0)
        if start < ts_ms:
            self._waited.append(Span(session, start, ts_ms))

    def _hands_over(self, session: str, ts_ms: int) -> None:
        self._stops(session, None)
        self._works[session] = (ts_ms, ts_ms)
        _forget_oldest(self._works)

    def _stops(self, session: str, ts_ms: int | None) -> None:
        """The agent's time ends; None: nobody knows when, at the last thing it recorded."""
        works = self._works.pop(session, None)
        if works is None:
            return
        end = works[1] if ts_ms is None else max(ts_ms, works[0])
        if end > works[0]:
            self._worked.append(Span(session, works[0], end))

    def _trim(self, ts_ms: int) -> None:
        """Forget what no hour from now on can hold."""
        if len(self._acts) + len(self._waited) + len(self._worked) <= _MOST:
            return
        past = ts_ms - _KEPT_MS
        self._acts = [act for act in self._acts if act[0] > past][-_MOST:]
        self._waited = [span for span in self._waited if span.end_ms > past][-_MOST:]
        self._worked = [span for span in self._worked if span.end_ms > past][-_MOST:]


def human_load(record: LoadRecord, now_ms: int, working: Collection[str] = ()) -> HumanLoad | None:
    """The numbers at `now_ms`; None where the log says nothing.

    `working` are the sessions known to work right now.
    """
    if record.first_ms is None:
        return None
    since = max(record.first_ms, now_ms - HOUR_MS)
    acts = Counter(what for at_ms, what in record.acts if since <= at_ms <= now_ms)
    waits = [Span(one.session, one.start_ms, now_ms) for one in record.waits]
    waited = _within((*record.waited, *waits), since, now_ms)
    works = (one._replace(end_ms=now_ms) if one.session in working else one for one in record.works)
    worked = _within((*record.worked, *works), since, now_ms)
    sessions = {span.session for span in waited}
    agents = sum(
        _length(_united(one for one in waited if one.session == session)) for session in sessions
    )
    for_you = _united(waited)
    return HumanLoad(
        since_ms=since,
        is_hour=record.first_ms <= now_ms - HOUR_MS,
        acts=tuple(sorted(acts.items(), key=lambda one: (-one[1], one[0]))),
        agents_waited_ms=agents,
        you_waited_ms=_length(_without(_united(worked), for_you)),
        waiting=len({one.session for one in record.waits}),
    )


def load_now(snapshot: SessionSnapshot, now_ms: int) -> HumanLoad | None:
    """The numbers of a picture at this moment."""
    working = {agent.session for agent in snapshot.agents.value if agent.state == "working"}
    return human_load(snapshot.load.value, now_ms, working)


_Times = list[tuple[int, int]]
"""From and to, in order, none touching the next."""


def _within(spans: Iterable[Span], since: int, until: int) -> list[Span]:
    cut = (
        span._replace(start_ms=max(since, span.start_ms), end_ms=min(until, span.end_ms))
        for span in spans
    )
    return [span for span in cut if span.start_ms < span.end_ms]


def _united(spans: Iterable[Span]) -> _Times:
    times: _Times = []
    for start, end in sorted((span.start_ms, span.end_ms) for span in spans):
        if times and start <= times[-1][1]:
            times[-1] = (times[-1][0], max(end, times[-1][1]))
        else:
            times.append((start, end))
    return times


def _without(times: _Times, others: _Times) -> _Times:
    return [part for start, end in times for part in _left(start, end, others)]


def _left(start: int, end: int, others: _Times) -> Iterator[tuple[int, int]]:
    for other_start, other_end in others:
        if other_end <= start or other_start >= end:
            continue
        if other_start > start:
            yield start, other_start
        start = max(start, other_end)
    if start < end:
        yield start, end


def _length(times: _Times) -> int:
    return sum(end - start for start, end in times)


def _call(session: str, said: Mapping[str, Any]) -> str:
    """A key for one held call."""
    call = text(said.get("tool_use_id")) or text(said.get("tool"))
    return f"held {session} {text(said.get('hold'))} {call}"


def _forget_oldest(kept: dict[str, Any]) -> None:
    if len(kept) > _MOST:
        del kept[next(iter(kept))]
