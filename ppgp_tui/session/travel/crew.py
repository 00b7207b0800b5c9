"""Who worked, as the log alone tells it: runs, held calls, and what an agent recorded last.

Heartbeats and calls are of now and in no log; so an agent of the past is what its own events say,
and where they are silent its state is that nothing of it is known (`quiet`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ppgp_tui.gasp.envelope import Head
from ppgp_tui.session.log.facts import LogSays, is_work
from ppgp_tui.session.members import text
from ppgp_tui.session.model import Agent, AgentState, Control, Origin, Request
from ppgp_tui.session.picture.handshake import EVERYBODY, Handshake

CONTACT_MS = 15_000
"""So long after a sign of life an agent is said to work."""

_KEPT = 200
_KINDS = frozenset(
    {
        "run.started", "run.finished", "agent.held", "agent.released", "agent.limited",
        "human.interrupted", "tool.called",
    }
)  # fmt: skip


@dataclass(slots=True)
class Member:
    """One agent session as the log has told it so far; changed in place, event by event."""

    session: str
    agent: str = ""
    model: str | None = None
    version: str | None = None
    run: str = ""
    began_ms: int | None = None
    ended_ms: int | None = None
    over: bool = False
    contact_ms: int | None = None
    last_tool: str | None = None
    held_ms: int | None = None
    held_tool: str | None = None
    frozen_ms: int | None = None
    frozen: bool = False
    error: str | None = None
    error_ms: int | None = None
    origin: Origin | None = None


class Pause(NamedTuple):
    """The pause that was asked last."""

    hold: str = ""
    since_ms: int | None = None
    who: str = EVERYBODY
    reason: str = ""


class Crew:
    """The gathering; events come in the order of the log."""

    def __init__(self) -> None:
        self.members: dict[str, Member] = {}
        self.pause = Pause()
        self._of_run: dict[str, str] = {}

    def copied(self) -> Crew:
        """The gathering as it stands, to go on by itself."""
        other = Crew()
        other.members = {session: copy.copy(one) for session, one in self.members.items()}
        other.pause = self.pause
        other._of_run = dict(self._of_run)
        return other

    def take(self, head: Head, origin: Origin | None) -> None:
        """Take in one event; `origin` is the place of its line where a run begins."""
        if head.actor_kind == "agent" and (is_work(head.kind) or head.kind == "run.started"):
            self._sign_of_life(head.actor_id, head.ts_ms)
        if head.kind in _KINDS:
            payload = head.payload()
            said: dict[str, Any] = payload if isinstance(payload, dict) else {}
            if head.kind == "tool.called":
                self._called(head, said)
            else:
                self._take(head, said, origin)

    def _take(self, head: Head, said: dict[str, Any], origin: Origin | None) -> None:
        session = text(said.get("session")) or head.actor_id
        run = text(said.get("run_id"))
        if head.kind == "run.started":
            if head.actor_kind == "agent":
                self._started(head, said, run, origin)
        elif head.kind == "run.finished":
            self._change(self._of_run.get(run, ""), run, over=True, ended_ms=head.ts_ms)
        elif head.kind == "agent.held":
            tool = text(said.get("tool")) or None
            self._change(session, held_ms=head.ts_ms, held_tool=tool)
        elif head.kind == "agent.released":
            self._change(session, held_ms=None, held_tool=None)
        elif head.kind == "agent.limited":
            error = text(said.get("error")) or "its model failed"
            self._change(session, error=error, error_ms=head.ts_ms)
        else:
            self._interrupted(head, said)

    def _called(self, head: Head, said: dict[str, Any]) -> None:
        session = self._of_run.get(text(said.get("run_id")), "")
        member = self.members.get(session)
        if member is not None:
            member.last_tool = text(said.get("tool")) or None
            self._sign_of_life(session, head.ts_ms)

    def _started(self, head: Head, said: dict[str, Any], run: str, origin: Origin | None) -> None:
        metadata = said.get("metadata")
        about: dict[str, Any] = metadata if isinstance(metadata, dict) else {}
        session = head.actor_id
        self.members.pop(session, None)
        self.members[session] = Member(
            session,
            text(about.get("agent")) or session.partition("-")[0],
            text(about.get("model")) or None,
            text(about.get("version")) or None,
            run,
            began_ms=head.ts_ms,
            contact_ms=head.ts_ms,
            origin=origin,
        )
        self._of_run[run] = session
        for kept in (self.members, self._of_run):
            if len(kept) > _KEPT:
                del kept[next(iter(kept))]

    def _interrupted(self, head: Head, said: dict[str, Any]) -> None:
        what, session = text(said.get("what")), text(said.get("session"))
        if what == "pause":
            hold, reason = text(said.get("hold")), text(said.get("reason"))
            self.pause = Pause(hold, head.ts_ms, session or EVERYBODY, reason)
        elif what == "freeze":
            self._change(session, frozen=True, frozen_ms=head.ts_ms)
        elif what == "thaw":
            self._change(session, frozen=False, frozen_ms=None)
        elif what == "kill":
            self._change(session, over=True, ended_ms=head.ts_ms)

    def _sign_of_life(self, session: str, ts_ms: int | None) -> None:
        member = self.members.get(session)
        if member is not None and ts_ms is not None:
            member.contact_ms, member.error, member.error_ms = ts_ms, None, None

    def _change(self, session: str, run: str = "", **members: Any) -> None:
        member = self.members.get(session)
        if member is not None and (not run or member.run == run):
            for name, value in members.items():
                setattr(member, name, value)


def agents_then(
    crew: Crew, control: Control, requests: Iterable[Request], now_ms: int
) -> tuple[Agent, ...]:
    """The agents at a moment, in the order in which their runs began."""
    asked: dict[str, int | None] = {}
    for request in requests:
        if request.is_open and request.asker:
            asked.setdefault(request.asker, request.created_ms)
    broken = {one.session: one.since_ms for one in control.handshake if one.state == "violated"}
    return tuple(_agent(one, asked, broken, now_ms) for one in crew.members.values())


def _agent(
    member: Member, asked: dict[str, int | None], broken: dict[str, int | None], now_ms: int
) -> Agent:
    state, since = _state(member, asked, broken, now_ms)
    return Agent(
        session=member.session,
        agent=member.agent,
        state=state,
        since_ms=since,
        contact_ms=member.contact_ms,
        last_tool=member.last_tool,
        model=member.model,
        version=member.version,
        origin=member.origin,
        frozen_since_ms=member.frozen_ms if member.frozen else None,
        connected_ms=member.began_ms,
        held_tool=member.held_tool,
        error=member.error,
    )


def _state(
    member: Member, asked: dict[str, int | None], broken: dict[str, int | None], now_ms: int
) -> tuple[AgentState, int | None]:
    """The first that fits, as with the agents of now (`heartbeat.state_of`)."""
    if member.over:
        return "ended", member.ended_ms
    if member.session in asked:
        return "waiting_for_you", asked[member.session]
    if member.session in broken:
        return "violated", broken[member.session]
    if member.frozen:
        return "frozen", member.frozen_ms
    if member.held_ms is not None:
        return "held", member.held_ms
    if member.error is not None:
        return "limited", member.error_ms
    contact = member.contact_ms
    working = contact is not None and now_ms - contact < CONTACT_MS
    return ("working" if working else "quiet"), contact


def control_then(crew: Crew, says: LogSays) -> Control:
    """The pause that stood at a moment, and how the log says it was kept."""
    if says.hold is None:
        return Control()
    pause = crew.pause if crew.pause.hold == says.hold else Pause(says.hold)
    present = [one for one in crew.members.values() if not one.over]
    shaken = tuple(
        _shaken(one, pause, says) for one in present if pause.who in (EVERYBODY, one.session)
    )
    return Control(
        hold_id=says.hold,
        held_since_ms=pause.since_ms,
        hold_reason=pause.reason,
        hold_who=(pause.who,),
        handshake=shaken or (Handshake(EVERYBODY, "requested", pause.since_ms),),
    )


def _shaken(member: Member, pause: Pause, says: LogSays) -> Handshake:
    """Held and broken are recorded; that a pause was seen is not, so it stays asked."""
    held_ms = says.since_hold.held.get(member.session)
    if held_ms is None:
        return Handshake(member.session, "requested", pause.since_ms)
    deeds = says.since_hold.deeds.get(member.session, ())
    broken = [at for at in deeds if at is not None and at > held_ms]
    if broken:
        return Handshake(member.session, "violated", min(broken), len(broken))
    return Handshake(member.session, "held", held_ms)
