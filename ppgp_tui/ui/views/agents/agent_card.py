"""Everything known of one agent, each value with where it was read."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.model import Agent, Origin, SessionSnapshot
from ppgp_tui.session.picture.memories import memory_line
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.crew import Kind
from ppgp_tui.ui.looks.ages import age, when
from ppgp_tui.ui.looks.words import AGENTS, plain
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.agent_words import (
    alarms,
    continued,
    doing,
    handshake_of,
    note_state,
    pause_words,
)
from ppgp_tui.ui.views.prose import labelled, paragraph

_COLUMN = 11
_SAID = ("held", "violated", "frozen", "stopping", "limited", "idle", "gone")
"""States of which more is known than the word."""
_NOTES, _MEMORIES = 4, 4
"""At most so many of them."""


def agent_card(snapshot: SessionSnapshot, key: str, width: int, frame: Frame) -> list[Row]:
    """The rows for the agent with that row key; empty when it is no longer there."""
    agents = snapshot.agents.value
    agent = next((agent for agent in agents if key == f"agent:{agent.session}"), None)
    if agent is None:
        return []
    kind, now = frame.kind(agent.agent), frame.now_ms
    word = AGENTS[agent.state]
    title = Line(
        (Span(agent.agent or agent.session, "ink", bold=True),),
        (Span(word.text, word.role),),
        indent=1,
    )
    rows = [Row(key, (title,), agent.origin, agent.session)]
    rows += [_alarm(text, width) for text in alarms(agent)]
    rows += [
        labelled(name, text, width, origin=origin, column=_COLUMN, lives=True)
        for name, text, origin in _values(snapshot, agent, kind, now)
        if text
    ]
    for section in (
        _asked(snapshot, agent, now),
        _notes(agent, width, now),
        _memories(agent, width, now),
        _calls(agent, now),
        _abilities(agent, kind, width),
    ):
        rows += [blank(), *section] if section else []
    return rows


def _alarm(text: str, width: int) -> Row:
    return paragraph(f"! {text}", width, "stop", key=f"alarm:{text[:60]}")


def _values(
    snapshot: SessionSnapshot, agent: Agent, kind: Kind, now: int
) -> Iterator[tuple[str, str, Origin | None]]:
    file, word = agent.origin, AGENTS[agent.state]
    shaken = handshake_of(snapshot, agent)
    order, log = snapshot.control.origin, snapshot.events.origin

    def ago(since_ms: int | None) -> str:
        since = age(since_ms, now)
        return f"{since} ago" if since else ""

    since = age(agent.since_ms, now)
    started = "by ppgp-tui run" if agent.launched else "not by ppgp-tui run"
    frozen = f", frozen {age(agent.frozen_since_ms, now)}" if agent.frozen_since_ms else ""
    ended = f", exit code {agent.exit_code}" if agent.exit_code is not None else ""
    yield "state", f"{word.text} {since}" if since else word.text, file
    if shaken is not None:
        yield "pause", pause_words(shaken, agent, now), order
    elif agent.state in _SAID:
        yield "now", doing(snapshot, agent, now), file
    yield "agent", " ".join(filter(None, (kind.title, agent.version))), file
    yield "session", agent.session, file
    yield "connected", ago(agent.connected_ms) or "nobody recorded when", log
    yield "last call", agent.last_tool or "", file
    yield "heard of", ago(agent.contact_ms), file
    yield "model", agent.model or "not said", file
    yield "asks for", f"permissions in mode {agent.mode}" if agent.mode else "", file
    yield "pane", agent.pane or "not said", file
    yield "process", "" if agent.pid is None else str(agent.pid), file
    yield "started", f"{started}{frozen}{ended}", file
    yield "continued", continued(agent, snapshot.continue_limit).removeprefix("continued "), file
    strict = "waits where its orders cannot be read (--strict)" if agent.strict else ""
    yield "hook", strict, file
    yield "from", file.path if file else "", file


def _asked(snapshot: SessionSnapshot, agent: Agent, now: int) -> list[Row]:
    """Its open requests; Enter answers them in the inbox."""
    mine = [one for one in snapshot.inbox.value if one.asker == agent.session and one.is_open]
    if not mine:
        return []
    rows = [heading("Asks you", right=(Span(str(len(mine)), "soft"),))]
    for one in mine:
        since = Span(when(one.created_ms, now), "soft")
        words = Span(one_line(plain(one.question)))
        line = Line((words,), (since,), sign="for_you", sign_role="needs")
        rows.append(Row(f"req:{one.id}", (line,), one.origin, one.id, opens="answer"))
    return rows


def _notes(agent: Agent, width: int, now: int) -> list[Row]:
    if not agent.notes:
        return []
    head = heading("Notes", right=(Span(str(len(agent.notes)), "soft"),))
    return [
        head,
        *(
            _said(f"note:{note.number}", note_state(note, now), note.text, width, None)
            for note in agent.notes[:_NOTES]
        ),
    ]


def _memories(agent: Agent, width: int, now: int) -> list[Row]:
    """When its context began anew, and what it was told then."""
    if not agent.memories:
        return []
    rows = [heading("What it was told")]
    for at, one in enumerate(agent.memories[:_MEMORIES]):
        since = age(one.at_ms, now)
        when = f"{since} ago" if since else "at an unknown time"
        row = _said(f"memory:{at}", when, memory_line(one), width, one.origin)
        if one.stands_out:
            first, *rest = row.lines
            mark = (Span("! ", "stop"), *first.left)
            row = row._replace(lines=(first._replace(left=mark), *rest))
        rows.append(row)
    return rows


def _said(key: str, when: str, text: str, width: int, origin: Origin | None) -> Row:
    """A soft line, and under it what was said."""
    body = paragraph(text, width, indent=3)
    return Row(key, (Line((Span(when, "soft"),)), *body.lines), origin, text)


def _calls(agent: Agent, now: int) -> list[Row]:
    if not agent.calls:
        return []
    rows = [heading("Last calls")]
    path = agent.origin.path.removesuffix(".json") + ".calls" if agent.origin else ""
    for at, call in enumerate(agent.calls):
        over = agent.state in ("ended", "gone") and call.how in ("running", "held")
        how = "end not seen" if over else call.how  # nothing runs on in an agent that is gone
        right = (Span(how, "soft"), Span(when(call.at_ms, now).rjust(6), "soft"))
        line = Line((Span(one_line(call.tool)),), right)
        rows.append(Row(f"call:{at}", (line,), Origin(path) if path else None, call.tool))
    return rows


def _abilities(agent: Agent, kind: Kind, width: int) -> list[Row]:
    """What can be done with that kind of agent, in words."""
    if not kind.abilities:
        text = f"Nothing is known of what {agent.agent or 'this agent'} can be made to do: there "
        return [heading("What it can do"), paragraph(f"{text}is no adapter for it.", width)]
    tried = (Span(f"tried with {kind.tried}", "soft"),) if kind.tried else ()
    rows = [heading("What it can do", right=tried)]
    for one in kind.abilities:
        how = f": {one.how}" if one.how else ""
        label, text = "can" if one.can else "cannot", f"{one.what}{how}"
        rows.append(labelled(label, text, width, column=7))
    if not agent.launched:
        text = "be frozen or ended: it was not started by ppgp-tui run"
        rows.append(labelled("cannot", text, width, column=7))
    return rows
