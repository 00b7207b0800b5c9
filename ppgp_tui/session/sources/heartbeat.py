"""What one agent session leaves behind, and the state that follows from it.

`.ppgp/run/agents/KEY.json` says who a session is, `KEY.calls` has one line a tool call, and
`.ppgp/run/held/` one file for every call that is being held. Cheap to import: the status line
asks for the same states as the app.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.launched import Launch, launch_of
from ppgp_tui.session.members import text, whole
from ppgp_tui.session.process import is_alive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

AGENTS: Final = ".ppgp/run/agents"
HELD: Final = ".ppgp/run/held"

FRESH_MS: Final = 15_000
"""An agent heard of within this time is working."""

TAIL: Final = 16 * 1024
"""Bytes at the end of the calls that are read."""

_MOST = 200
_LONGEST = 160
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class Heartbeat(NamedTuple):
    """One session's files, as read."""

    session: str
    agent: str
    state: str | None
    """`idle`, `working` or `ended`."""
    since_ms: int | None
    contact_ms: int | None
    told_ms: int | None
    """When the session's file was written."""
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
    last_event: str | None
    """The hook that wrote the session's file."""
    launched: str | None = None
    """The launch it belongs to (`session.launched`)."""
    launch: Launch | None = None
    error: str | None = None
    """What its model refused or failed with, until a turn begins."""

    @property
    def is_idle(self) -> bool:
        """Its turn ended, and no call began since."""
        return self.state == "idle" and (self.called_ms or 0) <= (self.since_ms or 0)


class Held(NamedTuple):
    """A call that waits before it may run."""

    session: str
    since_ms: int | None
    pid: int | None
    pid_start: int | None
    tool: str = ""


class Calls(NamedTuple):
    """What the last calls say."""

    last_ms: int | None
    tool: str | None
    open_call: bool


def sessions(folder: str) -> list[str] | None:
    """Names (without `.json`) of the newest JSON files in a folder; None without the folder."""
    try:
        with os.scandir(folder) as entries:
            found = [
                (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name[:-5])
                for entry in entries
                if entry.name.endswith(".json") and is_session_name(entry.name[:-5])
            ]
    except OSError:
        return None
    return sorted(name for _, name in sorted(found)[-_MOST:])


def heartbeat(
    session: str, said: Mapping[str, Any], changed_ms: int | None, calls: bytes
) -> Heartbeat:
    """Return what a session's file (`said`, written at `changed_ms`) and its last calls tell.

    A file that says nothing of a session is no sign of life, however new it is.
    """
    last = calls_of(calls)
    state, since = said.get("state"), whole(said.get("since_ms"))
    written = changed_ms if says_of_session(said) else None
    times = [ms for ms in (written, since, last.last_ms) if ms is not None]
    return Heartbeat(
        session=session,
        agent=text(said.get("agent")) or session.partition("-")[0],
        state=state if state in ("idle", "working", "ended") else None,
        since_ms=since,
        contact_ms=max(times, default=None),
        told_ms=changed_ms,
        called_ms=last.last_ms,
        open_call=last.open_call,
        last_tool=last.tool,
        model=text(said.get("model")) or None,
        pane=text(said.get("pane")) or None,
        pid=whole(said.get("pid")),
        pid_start=whole(said.get("pid_start")),
        continued=whole(said.get("continued")) or 0,
        last_event=text(said.get("last_event")) or None,
        launched=text(said.get("launched")) or None,
        launch=launch_of(said),
        error=text(said.get("error")) or None,
    )


def joined(beats: Iterable[Heartbeat]) -> tuple[Heartbeat, ...]:
    """The sessions, each with the launch it belongs to; a launch of which one tells is no other."""
    found = tuple(beats)
    launches = {beat.session: beat for beat in found if beat.launch is not None}
    if not launches:
        return found
    told = {beat.launched for beat in found if beat.session not in launches}
    return tuple(
        _of_launch(beat, launches.get(beat.launched or ""))
        for beat in found
        if beat.session not in launches or beat.session not in told
    )


def _of_launch(beat: Heartbeat, launch: Heartbeat | None) -> Heartbeat:
    if launch is None or beat.launch is not None:
        return beat
    return beat._replace(launch=launch.launch, pane=beat.pane or launch.pane)


def says_of_session(said: Mapping[str, Any]) -> bool:
    """Whether a session's file names its agent, its session or its state."""
    return any(text(said.get(member)) for member in ("agent", "session", "state"))


def held_call(said: Mapping[str, Any]) -> Held | None:
    """Return the held call that a file tells of; None when it names no session."""
    session = text(said.get("session"))
    times = whole(said.get("since_ms")), whole(said.get("pid"))
    started, tool = whole(said.get("pid_start")), text(said.get("tool"))
    return Held(session, *times, started, tool) if session else None


def calls_of(tail: bytes) -> Calls:
    """When the last call was written of, its tool, and whether one is still open.

    Lines are `MS pre|post|fail GENERATION go|held|deny ID|- SUBAGENT|- TOOL`.
    """
    open_calls = set()
    last_ms, tool = None, None
    for line in tail.split(b"\n")[:-1]:
        words = line.decode("ascii", "replace").split(" ")
        if len(words) != 7 or not (words[0].isdecimal() and len(words[0]) < 19):
            continue
        moment, what, _, decision, call, subagent, name = words
        last_ms, tool = int(moment), name
        key = call if call != "-" else f"{subagent} {name}"
        if what == "pre" and decision != "deny":
            open_calls.add(key)
        else:
            open_calls.discard(key)
    return Calls(last_ms, tool, bool(open_calls))


def live_holds(held: Iterable[Held]) -> dict[str, Held]:
    """The call that waits longest of each session: whoever holds it is alive."""
    live = [call for call in held if _lives(call.pid, call.pid_start)]
    live.sort(key=lambda call: (call.since_ms is not None, -(call.since_ms or 0)))
    return {call.session: call for call in live}


def waiting_for_you(requests: Iterable[Any]) -> dict[str, int | None]:
    """Who asked a person and has no answer, and since when; requests as in the snapshot."""
    waiting: dict[str, int | None] = {}
    for one in requests:
        if one.state in ("waiting", "taken_back") and one.asker:
            since = waiting.get(one.asker)
            known = [ms for ms in (since, one.created_ms) if ms is not None]
            waiting[one.asker] = min(known, default=None)
    return waiting


def is_there(beat: Heartbeat) -> bool:
    """Whether a session runs, as far as anybody can tell."""
    if beat.state == "ended":
        return False
    return beat.pid is None or _lives(beat.pid, beat.pid_start)


def state_of(
    beat: Heartbeat,
    held: Held | None,
    waiting: Mapping[str, int | None],
    broken: Mapping[str, int | None],
    now_ms: int,
    stop: Collection[str] = (),
) -> tuple[str, int | None]:
    """Return a session's state at this moment, and since when.

    A session that ended or whose process is dead can be in no other state; then the first of
    waiting, violated (`waiting` and `broken` say since when by session), frozen, held, stopping
    (`stop` are those whose turn is to end), limited, idle, working, quiet that is true.
    """
    contact = beat.contact_ms
    if beat.state == "ended":
        return "ended", beat.since_ms
    if not is_there(beat):
        return "gone", contact
    if beat.session in waiting:
        return "waiting_for_you", waiting[beat.session]
    if beat.session in broken:
        return "violated", broken[beat.session]
    if beat.launch is not None and beat.launch.frozen_ms is not None:
        return "frozen", beat.launch.frozen_ms
    if held is not None:
        return "held", held.since_ms
    if beat.session in stop and not beat.is_idle:
        return "stopping", contact
    if beat.error is not None and beat.is_idle:
        return "limited", beat.since_ms
    if beat.is_idle:
        return "idle", beat.since_ms
    if beat.open_call or (contact is not None and abs(now_ms - contact) < FRESH_MS):
        return "working", beat.since_ms  # a time still to come proves nothing
    return "quiet", contact


def is_session_name(name: str) -> bool:
    """Whether a session can be called so, and a file after it."""
    return 0 < len(name) <= _LONGEST and _LETTERS.issuperset(name)


def _lives(pid: int | None, started: int | None) -> bool:
    return pid is not None and is_alive(pid, started)
