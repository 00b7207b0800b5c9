"""What the hooks of connected agents leave behind: who is there and what each was last seen doing.

`.ppgp/run/agents/KEY.json` says who a session is, `KEY.calls` has one line a tool call, and
`.ppgp/run/held/` one file for every call that is being held.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from ppgp_tui.session.files import CannotReadError, open_inside
from ppgp_tui.session.log.requests import text, whole
from ppgp_tui.session.model import Agent, Origin, Problem, Request
from ppgp_tui.session.process import is_alive
from ppgp_tui.session.sources.document import Document, Look
from ppgp_tui.session.sources.jsonfile import json_object

AGENTS: Final = ".ppgp/run/agents"
HELD: Final = ".ppgp/run/held"

FRESH_MS: Final = 15_000
"""An agent heard of within this time is working."""

_MOST = 200
_TAIL = 16 * 1024
_KEY = re.compile(r"([A-Za-z0-9._-]{1,160})\.json", re.ASCII)


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """One session's files, as read."""

    session: str
    agent: str
    state: Literal["idle", "working", "ended"] | None
    since_ms: int | None
    contact_ms: int | None
    called_ms: int | None
    """When the last line of the calls was written."""
    open_call: bool
    """A call began and its end has not been seen."""
    last_tool: str | None
    model: str | None
    pane: str | None
    pid: int | None
    pid_start: int | None
    continued: int
    path: str


@dataclass(frozen=True, slots=True)
class Held:
    """A call that waits before it may run."""

    session: str
    since_ms: int | None
    pid: int | None
    pid_start: int | None


@dataclass(frozen=True, slots=True)
class AgentsLook:
    """All sessions after a look."""

    heartbeats: tuple[Heartbeat, ...] = ()
    held: tuple[Held, ...] = ()
    problems: tuple[Problem, ...] = ()
    found: bool = False
    settled: bool = True
    seen_ms: int | None = None


class AgentsSource:
    """Follows the folder of sessions. Not thread-safe."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._files: dict[str, Document[dict[str, Any] | None]] = {}

    def look(self) -> AgentsLook:
        """Read the files of all sessions."""
        names = _newest(self._root / AGENTS)
        self._files = {
            name: self._files.get(name) or self._follow(f"{AGENTS}/{name}") for name in names or ()
        }
        looks = [(name, document.look()) for name, document in self._files.items()]
        return AgentsLook(
            heartbeats=tuple(
                self._heartbeat(name, look) for name, look in looks if look.value is not None
            ),
            held=tuple(self._held()),
            problems=tuple(
                Problem("agent-file", look.path, look.line, look.why, look.mend)
                for _, look in looks
                if look.state == "unread"
            ),
            found=names is not None,
            settled=all(look.settled for _, look in looks),
            seen_ms=self._clock(),
        )

    def _follow(self, path: str) -> Document[dict[str, Any] | None]:
        return Document(
            self._root,
            path,
            self._clock,
            lambda data: None if data is None else json_object(data, path),
        )

    def _heartbeat(self, name: str, look: Look[dict[str, Any] | None]) -> Heartbeat:
        said = look.value or {}
        session = name.removesuffix(".json")
        called_ms, tool, open_call = _calls(self._tail(f"{AGENTS}/{session}.calls"))
        state = said.get("state")
        times = [look.changed_ms, whole(said.get("since_ms")), called_ms]
        return Heartbeat(
            session=session,
            agent=text(said.get("agent")) or session.partition("-")[0],
            state=state if state in ("idle", "working", "ended") else None,
            since_ms=whole(said.get("since_ms")),
            contact_ms=max((ms for ms in times if ms is not None), default=None),
            called_ms=called_ms,
            open_call=open_call,
            last_tool=tool,
            model=text(said.get("model")) or None,
            pane=text(said.get("pane")) or None,
            pid=whole(said.get("pid")),
            pid_start=whole(said.get("pid_start")),
            continued=whole(said.get("continued")) or 0,
            path=look.path,
        )

    def _held(self) -> Iterator[Held]:
        for name in _newest(self._root / HELD) or ():
            said = self._follow(f"{HELD}/{name}").look().value or {}
            if session := text(said.get("session")):
                since_ms, pid = whole(said.get("since_ms")), whole(said.get("pid"))
                yield Held(session, since_ms, pid, whole(said.get("pid_start")))

    def _tail(self, path: str) -> bytes:
        """The last bytes of a file that only grows; empty when it cannot be read."""
        try:
            descriptor = open_inside(self._root, path)
        except CannotReadError:
            return b""
        if descriptor is None:
            return b""
        with os.fdopen(descriptor, "rb") as file:
            size = os.fstat(descriptor).st_size
            file.seek(max(0, size - _TAIL))
            data = file.read(_TAIL)
        return data if size <= _TAIL else data[data.find(b"\n") + 1 :]


def _newest(folder: Path) -> list[str] | None:
    """Names of the newest JSON files in a folder, oldest name first; None without the folder."""
    try:
        with os.scandir(folder) as entries:
            found = [
                (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                for entry in entries
                if _KEY.fullmatch(entry.name)
            ]
    except OSError:
        return None
    return sorted(name for _, name in sorted(found)[-_MOST:])


def _calls(tail: bytes) -> tuple[int | None, str | None, bool]:
    """When the last call was written of, its tool, and whether one is still open.

    Lines are `MS pre|post|fail GENERATION go|held|deny ID|- SUBAGENT|- TOOL`.
    """
    open_calls: dict[str, int] = {}
    last_ms, tool = None, None
    for line in tail.split(b"\n")[:-1]:
        words = line.decode("ascii", "replace").split(" ")
        if len(words) != 7 or not words[0].isdigit():
            continue
        moment, what, _, _, call, subagent, name = words
        last_ms, tool = int(moment), name
        key = call if call != "-" else f"{subagent} {name}"
        if what == "pre":
            open_calls[key] = last_ms
        else:
            open_calls.pop(key, None)
    return last_ms, tool, bool(open_calls)


def agents_now(look: AgentsLook, requests: tuple[Request, ...], now_ms: int) -> tuple[Agent, ...]:
    """Every session with its state at this moment.

    A session that ended or whose process is dead can be in no other state; then the first of
    waiting, held, idle, working, quiet that is true.
    """
    held = {held.session: held for held in look.held if _lives(held.pid, held.pid_start)}
    waiting = {
        request.asker: request.created_ms
        for request in requests
        if request.state == "waiting" and request.asker
    }
    return tuple(_agent(beat, held.get(beat.session), waiting, now_ms) for beat in look.heartbeats)


def _agent(
    beat: Heartbeat, held: Held | None, waiting: dict[str, int | None], now_ms: int
) -> Agent:
    contact = beat.contact_ms
    if beat.state == "ended":
        state, since = "ended", beat.since_ms
    elif beat.pid is not None and not _lives(beat.pid, beat.pid_start):
        state, since = "gone", contact
    elif beat.session in waiting:
        state, since = "waiting_for_you", waiting[beat.session]
    elif held is not None:
        state, since = "held", held.since_ms
    elif beat.state == "idle" and (beat.called_ms or 0) <= (beat.since_ms or 0):
        state, since = "idle", beat.since_ms
    elif beat.open_call or (contact is not None and now_ms - contact < FRESH_MS):
        state, since = "working", beat.since_ms
    else:
        state, since = "quiet", contact
    return Agent(
        session=beat.session,
        agent=beat.agent,
        state=state,  # type: ignore[arg-type]  # every word above is a state
        since_ms=since,
        contact_ms=contact,
        last_tool=beat.last_tool,
        model=beat.model,
        pane=beat.pane,
        pid=beat.pid,
        continued=beat.continued,
        origin=Origin(beat.path),
    )


def _lives(pid: int | None, started: int | None) -> bool:
    return pid is not None and is_alive(pid, started)
