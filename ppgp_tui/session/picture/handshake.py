"""A pause as a handshake: asked, seen, held, or broken, of every session it concerns.

Everything is worked out from files and the log, so it is the same after the app was killed in
between. Pure, and cheap to import: the status line asks too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.members import text, texts, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ppgp_tui.session.sources.heartbeat import Heartbeat

HandshakeState = Literal["requested", "will_hold", "seen", "held", "violated", "not_seen", "lost"]

UNSEEN_MS: Final = 30_000
"""After so long without a sign a session is said not to have seen the pause."""

SETTLE_MS: Final = 500
"""One act writes both files of a pause; until then a difference between them says nothing."""

EVERYBODY: Final = "*"

_ASKS_MODEL: Final = ("PreModelRequest", "BeforeModel")
"""Hooks after which an agent is known to wait for its model, until it is heard of again."""


class Hold(NamedTuple):
    """A pause that stands."""

    id: str
    since_ms: int | None
    generation: int | None
    """Of the first order that held this; every later one holds it too."""
    who: tuple[str, ...] = (EVERYBODY,)

    def concerns(self, session: str) -> bool:
        """Whether that session is to wait."""
        return EVERYBODY in self.who or session in self.who


class Handshake(NamedTuple):
    """How a pause stands with one session.

    `session` is `*` while none is known. `since_ms` is when the pause was asked, was first seen,
    began to hold or was first broken; None where nobody knows.
    """

    session: str
    state: HandshakeState
    since_ms: int | None
    count: int = 0  # type: ignore[assignment]  # instead of the method of tuples
    """Calls that went on and events that were recorded in spite of it."""


class Calls(NamedTuple):
    """What the calls of one session say about a hold (`sources.calls`)."""

    first_ms: int | None = None
    """When a hook that had read the order first wrote a line."""
    passed: int = 0
    """Calls that were let through although their hook had read the order."""
    passed_ms: int | None = None
    """When the first of them was."""
    earlier_ms: int | None = None
    """Start of the newest call that began before the hold and of which no end is known."""
    freed_ms: int | None = None
    """When the last call that began before the hold ended."""


class Recorded(NamedTuple):
    """What the log says about a hold (`log.pauses`), by session."""

    deeds: Mapping[str, Sequence[int | None]]
    """Times of the events that an agent recorded after the pause."""
    held: Mapping[str, int]
    """When a call was first held."""


def hold_of(said: Mapping[str, Any]) -> Hold | None:
    """The pause in the content of `control.json` or `pause.json`."""
    hold = said.get("hold")
    if not isinstance(hold, dict) or not text(hold.get("id")):
        return None
    since, generation = whole(hold.get("since_ms")), whole(said.get("generation"))
    return Hold(hold["id"], since, generation, tuple(texts(hold.get("who"))) or (EVERYBODY,))


def standing(
    ordered: Hold | None,
    kept: Hold | None,
    *,
    released: Collection[str],
    written: Iterable[int | None],
    now_ms: int,
) -> tuple[Hold | None, bool]:
    """Return the pause that stands, and whether its order was lost.

    `ordered` is what `control.json` says and `kept` what `pause.json` says; `written` is when the
    files were. `released` are the pauses whose release is recorded.
    """
    if kept is None or kept.id in released:
        return ordered, False
    if ordered is None or ordered.id != kept.id:
        fresh = any(moment is not None and now_ms - moment < SETTLE_MS for moment in written)
        return (ordered, False) if fresh else (kept, True)
    known = [hold.generation for hold in (ordered, kept) if hold.generation is not None]
    return ordered._replace(generation=min(known, default=None)), False


def handshakes(
    hold: Hold,
    sessions: Iterable[tuple[Heartbeat, bool]],
    calls: Mapping[str, Calls],
    held: Mapping[str, int | None],
    recorded: Recorded,
    now_ms: int,
    *,
    lost: bool = False,
) -> tuple[Handshake, ...]:
    """Return how `hold` stands with every session it concerns, never an empty tuple.

    `sessions` says of each whether it still runs; one that does not is left out, unless it broke
    the pause before. `held` says since when a call waits right now, by session.
    """
    concerned = [(beat, runs) for beat, runs in sessions if hold.concerns(beat.session)]
    found = list(_unconnected(hold, {beat.session for beat, _ in concerned}, recorded, now_ms))
    for beat, runs in concerned:
        told = calls.get(beat.session, Calls())
        first_ms = _first_contact(hold, beat, told, held, recorded)
        broken = list(_broken(beat, told, first_ms, recorded.deeds.get(beat.session, ())))
        if told.passed or broken:
            since = min(broken if told.passed_ms is None else [*broken, told.passed_ms])
            count = told.passed + len(broken)
            found.append(Handshake(beat.session, "violated", since, count))
        elif runs:
            found.append(_kept(hold, beat, told, first_ms, held, now_ms))
    found = found or [Handshake(EVERYBODY, _asked(hold, None, now_ms), hold.since_ms)]
    return tuple(_without_order(one) if lost else one for one in found)


def _without_order(shaken: Handshake) -> Handshake:
    """While the order is lost nobody is told to wait: only what was broken before stays true."""
    return shaken if shaken.state == "violated" else Handshake(shaken.session, "lost", None)


def _kept(
    hold: Hold,
    beat: Heartbeat,
    calls: Calls,
    first_ms: int | None,
    held: Mapping[str, int | None],
    now_ms: int,
) -> Handshake:
    session = beat.session
    if session in held:
        return Handshake(session, "held", _since(hold, held[session]))
    if first_ms is not None:
        return Handshake(session, "seen", first_ms)
    return Handshake(session, _unanswered(hold, beat, calls, now_ms), hold.since_ms)


def _first_contact(
    hold: Hold,
    beat: Heartbeat,
    calls: Calls,
    held: Mapping[str, int | None],
    recorded: Recorded,
) -> int | None:
    """When the session first knew of the pause; None while nothing proves that it does.

    A turn that began or ended since is a proof: the hooks of both read the order.
    """
    asked = hold.since_ms
    signs = [calls.first_ms, recorded.held.get(beat.session)]
    if beat.session in held:
        signs.append(_since(hold, held[beat.session]))
    if asked is not None and beat.since_ms is not None and beat.since_ms > asked:
        signs.append(beat.since_ms)
    return min((sign for sign in signs if sign is not None), default=None)


def _broken(
    beat: Heartbeat, calls: Calls, first_ms: int | None, deeds: Sequence[int | None]
) -> Iterator[int]:
    """Times of recorded events that are no result of a call which began before the pause."""
    if first_ms is None:
        return
    free_ms = max(first_ms, calls.freed_ms or 0)
    if _is_open(beat, calls):
        return
    if calls.earlier_ms is not None and beat.since_ms is not None:
        free_ms = max(free_ms, beat.since_ms)
    for moment in deeds:
        if moment is not None and moment > free_ms:
            yield moment


def _is_open(beat: Heartbeat, calls: Calls) -> bool:
    """Whether a call that began before the pause still runs; one of an earlier turn does not."""
    began = calls.earlier_ms
    return began is not None and (beat.since_ms is None or beat.since_ms <= began)


def _unanswered(hold: Hold, beat: Heartbeat, calls: Calls, now_ms: int) -> HandshakeState:
    if beat.is_idle:
        return "requested"
    asks = beat.last_event in _ASKS_MODEL and (beat.told_ms or 0) >= (beat.called_ms or 0)
    if beat.open_call or asks or _is_open(beat, calls):
        return "will_hold"
    return _asked(hold, beat.contact_ms, now_ms)


def _unconnected(
    hold: Hold, known: set[str], recorded: Recorded, now_ms: int
) -> Iterator[Handshake]:
    """Agents without a heartbeat: those that recorded something, and those that were named."""
    for session, deeds in recorded.deeds.items():
        if session not in known and hold.concerns(session):
            yield Handshake(session, "not_seen", hold.since_ms, len(deeds))
    for session in hold.who:
        if session not in (EVERYBODY, *known, *recorded.deeds):
            yield Handshake(session, _asked(hold, None, now_ms), hold.since_ms)


def _asked(hold: Hold, contact_ms: int | None, now_ms: int) -> HandshakeState:
    if hold.since_ms is None:
        return "requested"
    last = max(hold.since_ms, contact_ms or 0)
    return "not_seen" if now_ms - last >= UNSEEN_MS else "requested"


def _since(hold: Hold, since_ms: int | None) -> int | None:
    """A call that waited before this pause was asked waits for it since then."""
    if since_ms is None or hold.since_ms is None:
        return since_ms
    return max(since_ms, hold.since_ms)
