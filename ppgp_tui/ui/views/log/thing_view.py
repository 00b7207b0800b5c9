"""What is opened in view 4: a thing with its lineage, or a commit; and the way that led there."""

from __future__ import annotations

from ppgp_tui.session.model import Event, EventLog, GraphLook, SessionSnapshot
from ppgp_tui.ui.rows.columns import width_of
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.log.crumbs import crumbs_row
from ppgp_tui.ui.views.log.event_detail import (
    cause_rows,
    commit_row,
    exact_rows,
    is_damaged,
    the_event,
)
from ppgp_tui.ui.views.log.event_rows import EventRows, log_path
from ppgp_tui.ui.views.log.lineage_rows import (
    Room,
    kind_word,
    lineage_rows,
    short_name,
    status_span,
    unlinked_rows,
)
from ppgp_tui.ui.views.log.story_list import StoryLists
from ppgp_tui.ui.views.log.story_rows import plain_quotes
from ppgp_tui.ui.views.log.tracing import Traced, Tracer
from ppgp_tui.ui.views.prose import labelled, paragraph
from ppgp_tui.ui.views.room import THREE_COLUMNS, TWO_COLUMNS, split

_DEPTH, _BREADTH = 12, 24
"""Hops each way, and from each thing, of what is opened."""
_BRIEF = (3, 8)
"""The same of what is only under the cursor."""
LIST_SHARE = 0.6
LIST_OF_THREE = 58
"""How wide the list beside the thing is: its share of two columns, or the first of three."""
_MORE = 4
"""How many times as many are shown each time more is asked for."""


class ThingView:
    """Lays out one thing, opened or under the cursor."""

    def __init__(self, stories: StoryLists) -> None:
        self._tracer = Tracer(stories)

    def tree(self, snapshot: SessionSnapshot, frame: Frame, thing: str, width: int) -> list[Row]:
        """The way here, how the thing came about and what came of it, and what is not linked."""
        if not thing:
            return []
        if thing.startswith("stretch:"):
            said = "These events belong to no run; each can be opened by itself."
            return [paragraph(said, width, "soft", key="stretch")]
        room = _room(snapshot, frame, width)
        traced = self._trace(snapshot, frame, thing)
        rows = self._crumbs(snapshot, frame, thing, traced, width)
        if traced is not None and width_of(traced.sentence) > _room_in_list(frame):
            words = plain_quotes(traced.sentence, frame.look)
            rows += [paragraph(words, width, "ink", key="sentence", bold=True), blank()]
        look = snapshot.graph.value
        right = (Span(_progress(look), "wait"),) if look.state == "folding" else ()
        rows.append(heading("How it came about", right=right))
        if traced is None:
            return rows + _without_graph(snapshot, frame, thing, room)
        rows += lineage_rows(traced.lineage, room, thing)
        if unlinked := unlinked_rows(traced.lineage, room):
            rows += [blank(), heading("Not linked", str(len(unlinked))), *unlinked]
        return rows

    def detail(self, snapshot: SessionSnapshot, frame: Frame, thing: str, width: int) -> list[Row]:
        """The thing itself: the event's line, or the node as the log left it."""
        log = snapshot.events.value.log
        event = _event_of(log, thing)
        if log is not None and event is not None:
            return the_event(log, event, width, log_path(snapshot))
        traced = self._trace(snapshot, frame, thing)
        return [] if traced is None else _node_rows(snapshot, frame, traced, width)

    def commit(self, frame: Frame, snapshot: SessionSnapshot, width: int) -> list[Row]:
        """The commit that is opened, or why it cannot be shown."""
        from ppgp_tui.ui.views.log.commit_rows import commit_rows

        name = (frame.opened or "").partition(":")[2]
        rows = self._crumbs(snapshot, frame, frame.opened or "", None, width)
        found = frame.commits.get(name)
        if found is None:
            return [*rows, heading(f"Commit {name[:7]}"), _soft("reading it")]
        if isinstance(found, str):
            return [*rows, heading(f"Commit {name[:7]}"), paragraph(found, width, key="why")]
        return [*rows, *commit_rows(found, width, frame.now_ms)]

    def _trace(self, snapshot: SessionSnapshot, frame: Frame, thing: str) -> Traced | None:
        depth, breadth = (_DEPTH, _BREADTH) if frame.opened == thing else _BRIEF
        return self._tracer.trace(snapshot, thing, depth, breadth * _MORE**frame.more)

    def _crumbs(
        self, snapshot: SessionSnapshot, frame: Frame, thing: str, traced: Traced | None, width: int
    ) -> list[Row]:
        if not frame.trail or frame.opened != thing:
            return []

        def name(one: str) -> str:
            kind, _, rest = one.partition(":")
            if kind == "commit":
                return f"commit {rest[:7]}"
            found = self._tracer.name(snapshot, one)
            return found or rest.removeprefix("todo:")[:24]

        here = short_name(traced.lineage.thing) if traced is not None else name(thing)
        return [crumbs_row(frame.trail, here, name, width, frame.look), blank()]


def _room(snapshot: SessionSnapshot, frame: Frame, width: int) -> Room:
    ahead = snapshot.moment is not None
    return Room(width, frame.look, frame.now_ms, log_path(snapshot), ahead)


def _room_in_list(frame: Frame) -> int:
    """Cells that a sentence has in the list; a longer one is told in full here."""
    listed = frame.width
    if frame.width >= THREE_COLUMNS:
        listed = LIST_OF_THREE
    elif frame.width >= TWO_COLUMNS:
        listed, _ = split(frame.width, LIST_SHARE)
    return listed - 18 if listed >= 60 else listed - 12


def _progress(look: GraphLook) -> str:
    done = "" if look.progress is None else f" {int(look.progress * 100)} %"
    return f"reading the graph{done}"


def _event_of(log: EventLog | None, thing: str) -> Event | None:
    kind, _, number = thing.partition(":")
    if log is None or kind != "event" or not number.isdecimal() or int(number) >= len(log):
        return None
    return log.event(int(number))


def _without_graph(snapshot: SessionSnapshot, frame: Frame, thing: str, room: Room) -> list[Row]:
    """The causes alone, which the log itself tells; or that nothing is known of the thing."""
    events, look = snapshot.events.value, snapshot.graph.value
    event = _event_of(events.log, thing)
    if events.log is not None and event is not None:
        if is_damaged(event):
            return [_soft("nothing of this line could be read")]
        return cause_rows(
            events.log, event, events.names, room.path, frame.look, frame.now_ms, ahead=room.ahead
        )
    name = thing.partition(":")[2].removeprefix("todo:")
    if look.state == "folded":
        return [paragraph(f"{name} is not in this log", room.width, key="absent")]
    said = "the graph is not read yet" if look.state == "unasked" else "it is looked for"
    return [_soft(said)]


def _node_rows(snapshot: SessionSnapshot, frame: Frame, traced: Traced, width: int) -> list[Row]:
    """Everything about a node: its members, commits that came of it, properties, its events."""
    thing = traced.lineage.thing
    path = log_path(snapshot)
    status = status_span(thing)
    rows = [heading(f"The {kind_word(thing)}", right=(status,))]
    about = (("id", thing.id), ("status", thing.status), ("by", thing.actor))
    rows += [labelled(name, text, width, column=8) for name, text in about if text]
    rows += [labelled("note", note, width, column=8) for note in thing.notes]
    commits = dict.fromkeys(one.commit for one in thing.artifacts if one.commit)
    rows += [commit_row(commit, width) for commit in commits]
    if traced.node is not None:
        rows += exact_rows(traced.node.props.split("\n"), width, None)
    log = snapshot.events.value.log
    if log is None:
        return rows
    known = [at for at in traced.events if at < len(log)]
    listed = EventRows(
        log, snapshot.events.value.names, frame.look, frame.now_ms, min(width, 60), path,
        indexes=known, opens="read",
    )  # fmt: skip
    rows += [blank(), heading("Its events", str(len(known) + traced.more_events))]
    rows += [row._replace(key=f"its:{row.key}", leads=True) for row in listed]
    if traced.more_events:
        rows.append(_soft(f"and {traced.more_events:,} earlier ones"))
    return rows


def _soft(text: str) -> Row:
    return Row("", (Line((Span(text, "soft"),), indent=1),))
