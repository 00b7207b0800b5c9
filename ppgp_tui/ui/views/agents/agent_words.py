"""What a view says of an agent in a few words: what it does, what was done to it, what it can."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.model import Agent, Handshake, NoteSeen, SessionSnapshot
from ppgp_tui.session.picture.memories import memory_line
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.crew import Kind
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.words import count, plain

OVER = ("ended", "gone")
_SHORT = 8
_FRESH_NOTE_MS = 10 * 60_000
"""How long it is said in the list that a note was delivered."""


def doing(snapshot: SessionSnapshot, agent: Agent, now_ms: int) -> str:
    """What it does or waits for right now; empty where nobody knows."""
    shaken = handshake_of(snapshot, agent)
    if agent.state == "waiting_for_you":
        asked = (one for one in snapshot.inbox.value if one.asker == agent.session and one.is_open)
        oldest = min(asked, key=lambda one: one.created_ms or now_ms, default=None)
        if oldest is not None:
            return f"asks: {one_line(plain(oldest.question))}"
    if agent.state == "violated" and shaken is not None:
        return f"{work(shaken.count)} since it was to wait"
    if agent.state == "held":
        broken = shaken.count if shaken is not None else 0
        before = f"before {agent.held_tool}, " if agent.held_tool else ""
        return f"{before}{work(broken)} since"
    if agent.state == "frozen":
        return "its processes stand still"
    if agent.state == "stopping":
        return "ends its turn at its next hook point"
    if agent.state == "limited":
        return f"its model: {one_line(agent.error or '')}"
    if agent.state == "gone":
        return "its process is dead, and it said no goodbye"
    if agent.state == "idle" and agent.rests:
        return f"ended its turn: {one_line(agent.rests)}"
    return agent.last_tool or ""


def handshake_of(snapshot: SessionSnapshot, agent: Agent) -> Handshake | None:
    """How the pause that stands is with it."""
    shaken = snapshot.control.value.handshake
    return next((one for one in shaken if one.session == agent.session), None)


def work(number: int) -> str:
    """What was done in spite of a pause: calls that went on, and events."""
    return "1 call or event" if number == 1 else f"{number:,} calls or events"


def pause_words(shaken: Handshake, agent: Agent, now_ms: int) -> str:
    """How the pause stands with it, and what that rests on."""
    since = f" {age(shaken.since_ms, now_ms)}" if shaken.since_ms is not None else ""
    before = f"a hook waits before {agent.held_tool}, " if agent.held_tool else "a hook waits, "
    return {
        "requested": f"asked{since} ago, not heard of since",
        "will_hold": f"asked{since} ago, will hold at its next call",
        "seen": f"seen{since} ago by one of its hooks, no call waits",
        "held": f"held{since}, {before}{work(shaken.count)} since",
        "violated": f"violated: {work(shaken.count)} since it was to wait",
        "not_seen": "not seen: no hook of it was heard of",
        "lost": "the order was lost",
    }[shaken.state]


def continued(agent: Agent, limit: int | None) -> str:
    """`continued 6 of 20`; empty where it never went on by itself."""
    if not agent.continued:
        return ""
    of = f"{agent.continued:,} of {limit:,}" if limit else count(agent.continued, "time")
    return f"continued {of}"


def holding(kind: Kind) -> str:
    """Whether a hook can hold it; empty where nothing is known of that kind of agent."""
    if not kind.abilities:
        return ""
    return "cannot hold" if kind.cannot("hold_tool") else "can hold"


def facts(agent: Agent, kind: Kind, limit: int | None, *, roomy: bool) -> list[str]:
    """Where it is and what can be done with it, the telling first."""
    said = [f"pane {agent.pane}"] if agent.pane else []
    silent = agent.launched == agent.session
    can = "no hook heard of yet" if silent else holding(kind)
    can = "" if agent.state in OVER else can
    said += filter(None, (continued(agent, limit), can))
    if agent.exit_code is not None:
        said.append(f"exit code {agent.exit_code}")
    if agent.launched and agent.exit_code is None and agent.state not in ("frozen", *OVER):
        said.append("can be frozen")
    if agent.model and roomy:
        said.append(agent.model)
    if agent.pid is not None and (roomy or not said):
        said.append(f"pid {agent.pid}")
    return said or [f"session {agent.session}"]


def short_session(agent: Agent) -> str:
    """The beginning of its session's own name, as far as a person tells two apart by it."""
    own = agent.session.removeprefix(f"{agent.agent}-").removeprefix("run-")
    return own[:_SHORT] or agent.session


def alarms(agent: Agent) -> Iterator[str]:
    """What a person should not overlook."""
    if agent.state in OVER:
        return
    if agent.problems:
        more = len(agent.problems) - 1
        others = f", and {more} more" if more else ""
        yield f"its hook: {one_line(agent.problems[-1])}{others}"
    if agent.untold:
        yield "its memory was cut down; it is told anew with the next prompt"
    elif agent.memories and agent.memories[0].stands_out:
        yield memory_line(agent.memories[0])


def note_line(agent: Agent, now_ms: int) -> str:
    """What became of the newest note, while that is news."""
    if agent.state in OVER or not agent.notes:
        return ""
    note = agent.notes[0]
    delivered = note.delivered_ms
    if delivered is not None and now_ms - delivered > _FRESH_NOTE_MS:
        return ""
    return f"note {note_state(note, now_ms)}: {one_line(note.text)}"


def note_state(note: NoteSeen, now_ms: int) -> str:
    """`delivered 4s ago`, or that it waits."""
    if note.delivered_ms is not None:
        return f"delivered {age(note.delivered_ms, now_ms)} ago"
    whose = "the next hook point of any agent" if note.everybody else "its next hook point"
    return f"held until {whose}"
