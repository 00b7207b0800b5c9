"""Who is there: the agent sessions that leave heartbeats, followed file by file."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.reading import CannotReadError, open_inside
from ppgp_tui.session.files.room import no_room
from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.members import text, texts
from ppgp_tui.session.model import (
    Agent,
    AgentState,
    CallSeen,
    NoteSeen,
    Origin,
    Problem,
    Request,
)
from ppgp_tui.session.picture.handshake import Calls, Handshake, Hold
from ppgp_tui.session.process import is_alive
from ppgp_tui.session.sources.document import Document, Look
from ppgp_tui.session.sources.heartbeat import (
    AGENTS,
    HELD,
    TAIL,
    Heartbeat,
    Held,
    heartbeat,
    held_call,
    joined,
    live_holds,
    says_of_session,
    sessions,
    state_of,
    waiting_for_you,
)
from ppgp_tui.session.sources.jsonfile import json_object
from ppgp_tui.session.sources.last_calls import last_calls
from ppgp_tui.session.sources.notes import EVERYBODY, notes_seen

if TYPE_CHECKING:
    from ppgp_tui.session.sources.calls import CallsSince

__all__ = ["AGENTS", "HELD", "AgentsLook", "AgentsSource", "agents_now"]


class Told(NamedTuple):
    """What a session's file says beside what its state follows from."""

    version: str | None = None
    mode: str | None = None
    rests: str | None = None
    strict: bool = False
    untold: bool = False
    problems: tuple[str, ...] = ()


class AgentsLook(NamedTuple):
    """All sessions after a look."""

    heartbeats: tuple[Heartbeat, ...] = ()
    held: tuple[Held, ...] = ()
    problems: tuple[Problem, ...] = ()
    found: bool = False
    settled: bool = True
    seen_ms: int | None = None
    hold: Hold | None = None
    calls: Mapping[str, Calls] = MappingProxyType({})
    """What the calls of each session say about that hold."""
    told: Mapping[str, Told] = MappingProxyType({})
    last_calls: Mapping[str, tuple[CallSeen, ...]] = MappingProxyType({})
    notes: Mapping[str, tuple[NoteSeen, ...]] = MappingProxyType({})


class AgentsSource:
    """Follows the folder of sessions. Not thread-safe."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._files: dict[str, Document[dict[str, Any] | None]] = {}
        self._since: dict[str, CallsSince] = {}
        self._unread: list[Problem] = []
        self._last_calls: dict[str, tuple[CallSeen, ...]] = {}

    def look(self, hold: Hold | None = None) -> AgentsLook:
        """Read the files of all sessions; of their calls also what they say about `hold`."""
        names = sessions(str(self._root / AGENTS))
        self._files = {
            name: self._files.get(name) or self._follow(f"{AGENTS}/{name}.json")
            for name in names or ()
        }
        looks = [(name, document.look()) for name, document in self._files.items()]
        self._unread, self._last_calls = [], {}
        heartbeats = joined(
            self._heartbeat(name, look) for name, look in looks if look.value is not None
        )
        unread = (
            Problem("agent-file", look.path, look.line, look.why, look.mend)
            for _, look in looks
            if look.state == "unread"
        )
        return AgentsLook(
            heartbeats=heartbeats,
            held=tuple(self._held()),
            problems=(*unread, *self._unread, *filter(None, (no_room(self._root),))),
            found=names is not None,
            settled=all(look.settled for _, look in looks),
            seen_ms=self._clock(),
            hold=hold,
            calls=self._calls_since(hold) if hold else {},
            told={name: _told(look.value) for name, look in looks if look.value is not None},
            last_calls=self._last_calls,
            notes=notes_seen(self._root),
        )

    def _follow(self, path: str) -> Document[dict[str, Any] | None]:
        return Document(
            self._root,
            path,
            self._clock,
            lambda data: None if data is None else json_object(data, path),
        )

    def _heartbeat(self, session: str, look: Look[dict[str, Any] | None]) -> Heartbeat:
        calls = self._tail(f"{AGENTS}/{session}.calls")
        self._last_calls[session] = last_calls(calls)
        if look.value is not None and not says_of_session(look.value):
            why = f"{look.path} names neither agent nor state"
            self._unread.append(Problem("agent-file", look.path, 1, why, "its hook writes it anew"))
        return heartbeat(session, look.value or {}, look.changed_ms, calls)

    def _calls_since(self, hold: Hold) -> dict[str, Calls]:
        from ppgp_tui.session.sources.calls import CallsSince  # seldom is anybody held

        known = self._since
        self._since = {
            name: known[name] if name in known and known[name].hold == hold else CallsSince(hold)
            for name in self._files
        }
        found = {}
        for name, since in self._since.items():
            descriptor = self._open(f"{AGENTS}/{name}.calls")
            if descriptor is not None:
                with os.fdopen(descriptor, "rb"):
                    found[name] = since.read(descriptor)
        return found

    def _held(self) -> Iterator[Held]:
        for name in sessions(str(self._root / HELD)) or ():
            said = self._follow(f"{HELD}/{name}.json").look().value
            call = held_call(said or {})
            if call is not None:
                yield call

    def _tail(self, path: str) -> bytes:
        """The last bytes of a file that only grows; empty when it cannot be read."""
        try:
            descriptor = open_inside(self._root, path)
        except CannotReadError as error:
            self._unread.append(Problem("agent-file", path, None, error.why, error.mend))
            return b""
        if descriptor is None:
            return b""
        with os.fdopen(descriptor, "rb") as file:
            size = os.fstat(descriptor).st_size
            file.seek(max(0, size - TAIL))
            data = file.read(TAIL)
        return data if size <= TAIL else data[data.find(b"\n") + 1 :]

    def _open(self, path: str) -> int | None:
        try:
            return open_inside(self._root, path)
        except CannotReadError:
            return None


def agents_now(
    look: AgentsLook,
    requests: tuple[Request, ...],
    now_ms: int,
    handshake: tuple[Handshake, ...] = (),
    stop: Collection[str] = (),
    says: LogSays | None = None,
) -> tuple[Agent, ...]:
    """Every session with its state at this moment (`heartbeat.state_of`).

    `stop` are the sessions whose turns are to end, `says` is what the log says.
    """
    held = live_holds(look.held)
    waiting = waiting_for_you(requests)
    broken = {one.session: one.since_ms for one in handshake if one.state == "violated"}
    return tuple(
        _agent(
            beat,
            *state_of(beat, held.get(beat.session), waiting, broken, now_ms, stop),
            look.told.get(beat.session, Told()),
            says or LogSays(),
        )._replace(
            held_tool=held[beat.session].tool or None if beat.session in held else None,
            calls=look.last_calls.get(beat.session, ()),
            notes=_notes(look, beat.session),
        )
        for beat in look.heartbeats
    )


def asker_now(
    request: Request, look: AgentsLook, now_ms: int
) -> tuple[AgentState | None, int | None]:
    """How the one that asked is, and since when it has done nothing (None: it works, or unknown).

    It waits while the process that asked runs; else its session says.
    """
    pid = request.asker_pid
    if pid is not None and is_alive(pid, request.asker_pid_start):
        return "waiting_for_you", request.created_ms
    beat = next((beat for beat in look.heartbeats if beat.session == request.asker), None)
    if beat is None:
        return None, None
    held = live_holds(look.held).get(beat.session)
    state, since = state_of(beat, held, {}, {}, now_ms)
    return state, None if state in ("working", "ended", "gone") else since  # type: ignore[return-value]  # every word of `state_of` is a state


def _notes(look: AgentsLook, session: str) -> tuple[NoteSeen, ...]:
    """Those for this session, and those that wait for whoever comes first."""
    found = (*look.notes.get(session, ()), *look.notes.get(EVERYBODY, ()))
    return tuple(sorted(found, key=lambda note: note.number, reverse=True))


def _told(said: Mapping[str, Any]) -> Told:
    return Told(
        version=text(said.get("version")) or None,
        mode=text(said.get("mode")) or None,
        rests=text(said.get("rests")) or None,
        strict=said.get("strict") is True,
        untold=bool(said.get("compacted")),
        problems=tuple(texts(said.get("problems"))),
    )


def _agent(beat: Heartbeat, state: str, since: int | None, told: Told, says: LogSays) -> Agent:
    launch = beat.launch
    return Agent(
        session=beat.session,
        agent=beat.agent,
        state=state,  # type: ignore[arg-type]  # every word of `state_of` is a state
        since_ms=since,
        contact_ms=beat.contact_ms,
        last_tool=beat.last_tool,
        model=beat.model,
        pane=beat.pane,
        pid=beat.pid,
        continued=beat.continued,
        origin=Origin(f"{AGENTS}/{beat.session}.json"),
        launched=beat.launched or (beat.session if beat.launch else None),
        frozen_since_ms=launch.frozen_ms if launch and launch.is_there else None,
        exit_code=launch.exit_code if launch else None,
        connected_ms=says.runs.get(beat.session),
        version=told.version,
        mode=told.mode,
        rests=told.rests if beat.is_idle else None,
        error=beat.error,
        strict=told.strict,
        untold=told.untold,
        problems=told.problems,
        memories=says.memories.get(beat.session, ()),
    )
