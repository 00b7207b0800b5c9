"""View 4: what happened, the newest first, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.session.model import EventLog, SessionSnapshot
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import joined
from ppgp_tui.ui.rows.layout import GAP, Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.seat.query import heading_words
from ppgp_tui.ui.views.log.event_panes import DETAIL, EVENT, LIST, is_raw
from ppgp_tui.ui.views.log.event_rows import EventRows, log_path
from ppgp_tui.ui.views.log.found_events import EventSearch, Found
from ppgp_tui.ui.views.log.story_list import StoryList, StoryLists
from ppgp_tui.ui.views.log.story_rows import StoryRows, StoryWords
from ppgp_tui.ui.views.log.thing_view import LIST_OF_THREE, LIST_SHARE, ThingView
from ppgp_tui.ui.views.past import whole_log
from ppgp_tui.ui.views.prose import paragraph
from ppgp_tui.ui.views.room import (
    THREE_COLUMNS,
    TWO_COLUMNS,
    list_and_detail,
    opens,
    split,
    tall,
    under_cursor,
)

if TYPE_CHECKING:
    from ppgp_tui.session.log.graph import Folded

_SECOND = 50
"""Width of the second of three columns; the third takes the rest."""


class EventsView:
    """The log, one line an event, and what is opened of it."""

    name = "events"

    def __init__(self) -> None:
        self._search = EventSearch()
        self._stories = StoryLists()
        self._things = ThingView(self._stories)
        self._words = StoryWords()

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the events beside the one under the cursor, or what is opened."""
        snapshot = whole_log(snapshot)
        if frame.opened and frame.opened.startswith("commit:"):
            rows = self._things.commit(frame, snapshot, frame.width)
            return ((Pane(DETAIL, rows, frame.width, about=frame.opened),),)
        if frame.opened and frame.width < TWO_COLUMNS:
            return (self._stacked(snapshot, frame, frame.opened, frame.width),)
        log = snapshot.events.value.log
        if log is None or not len(log):
            nothing = Pane(LIST, _nothing(snapshot, frame), frame.width)
            if not frame.opened:
                return ((nothing,),)
            left, right = split(frame.width, LIST_SHARE)
            beside = self._stacked(snapshot, frame, frame.opened, right)
            return ((nothing._replace(width=left),), beside)
        return self._list_and_thing(log, snapshot, frame)

    def _list_and_thing(self, log: EventLog, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        folded = _whole_graph(snapshot)
        found = None
        if frame.filter:
            found = self._search.find(log, frame.filter, frame.now_ms, folded)
        story = None
        moment = snapshot.moment
        raw = is_raw(frame.raw, len(log)) or (moment is not None and frame.raw is None)
        if folded is not None and not raw:
            hits = None if found is None else found.indexes
            lines = snapshot.graph.value.lines
            story = self._stories.listed(folded, lines, frame.turned, hits)
        names, path = snapshot.events.value.names, log_path(snapshot)

        def rows(width: int) -> EventRows | StoryRows:
            if story is not None and folded is not None:
                return StoryRows(
                    story, folded, self._words, log, names, frame.look, frame.now_ms, width, path,
                    opens(frame), frame.keys.get("story", "v"), ahead=moment is not None,
                )  # fmt: skip
            return EventRows(
                log, names, frame.look, frame.now_ms, width, path,
                indexes=found.indexes if found else None, opens=opens(frame),
                moment=moment.at if moment else None,
            )  # fmt: skip

        def panes(width: int) -> tuple[Pane, ...]:
            head = _head(snapshot, frame, found, story, width)
            return (
                Pane("events.head", head, width, height=tall(head)),
                Pane(
                    LIST, rows(width), width, uniform=True, newest_first=True,
                    reveal=f"event:{moment.at}" if moment else "",
                ),
            )  # fmt: skip

        key = under_cursor(frame, LIST, rows(frame.width))
        following = LIST not in frame.newer and not frame.opened
        about = "" if following else key
        if frame.width >= THREE_COLUMNS:
            third = frame.width - LIST_OF_THREE - _SECOND - 2 * GAP
            tree = Pane(DETAIL, self._things.tree(snapshot, frame, key, _SECOND), _SECOND)
            itself = Pane(EVENT, self._things.detail(snapshot, frame, key, third), third)
            beside = (tree._replace(about=about),), (itself._replace(about=about),)
            return (panes(LIST_OF_THREE), *beside)
        if frame.width >= TWO_COLUMNS:
            left, right = split(frame.width, LIST_SHARE)
            (pane,) = self._stacked(snapshot, frame, key, right)
            return (panes(left), (pane._replace(about=about),))

        def detail(width: int) -> Pane:
            return self._stacked(snapshot, frame, key, width)[0]._replace(about=about)

        return list_and_detail(frame, panes, detail, detail_share=0.35, below=0)

    def _stacked(
        self, snapshot: SessionSnapshot, frame: Frame, thing: str, width: int
    ) -> tuple[Pane, ...]:
        """The tree and the thing itself, one below the other."""
        rows = self._things.tree(snapshot, frame, thing, width)
        if itself := self._things.detail(snapshot, frame, thing, width):
            rows += [blank(), *itself]
        return (Pane(DETAIL, rows, width, about=thing),)


def _whole_graph(snapshot: SessionSnapshot) -> Folded | None:
    """The folded log, once it is folded as far as it was read."""
    look = snapshot.graph.value
    return look.folded if look.state == "folded" else None


def _head(
    snapshot: SessionSnapshot,
    frame: Frame,
    found: Found | None,
    story: StoryList | None,
    width: int,
) -> list[Row]:
    """How many, whether the newest is followed, and what is still being read or written."""
    events = snapshot.events.value
    log = events.log
    note = f"{len(log) if log else 0:,}"
    if found is not None:
        note = f"{len(found.indexes):,} of {note}"
        note = ", ".join(filter(None, (note, heading_words(found.query))))
    elif story is not None:
        note = f"{note} events in {count(story.runs, 'run')}" if width >= 56 else f"{note} events"
    newer = frame.newer.get(LIST)
    follows = "follows the newest" if newer is None else f"{newer:,} newer, G"
    if newer == 0:
        follows = "G follows the newest" if width >= 56 else "G newest"
    if snapshot.moment is not None:
        follows = f"moment at {snapshot.moment.at + 1:,}"
    searching = Span("searching" if found is not None and not found.whole else "", "wait")
    wants_story = log is not None and story is None and not is_raw(frame.raw, len(log))
    folding = Span(_folding(snapshot) if wants_story or (found and found.waits) else "", "wait")
    waits = [span for span in (searching, _reading(snapshot), folding) if span.text]
    following = Span(follows, "wait" if newer or snapshot.moment else "soft")
    has_room = width >= 70 or not (waits or (found is not None and newer is None))
    right = joined((*waits, *([following] if has_room else [])), 2)
    rows = [heading("Events" if story is None else "Story", note, right)]
    if events.torn is not None:
        since = age(events.torn.since_ms, frame.now_ms)
        words = f"a line of {events.torn.bytes:,} bytes so far"
        state = (Span("in flight", "soft"), Span(f" {since}", "soft"))
        rows.append(Row("", (Line((Span(words, "soft"),), state, "waits"),)))
    if found is not None:
        rows += [paragraph(wrong, width, "wait") for wrong in found.query.wrong]
        if not found.indexes and found.whole and not found.waits:
            rows.append(Row("", (Line((Span("no event says that", "soft"),), indent=1),)))
    return rows


def _folding(snapshot: SessionSnapshot) -> str:
    look = snapshot.graph.value
    done = "" if look.progress is None else f" {int(look.progress * 100)} %"
    return f"reading the story{done}" if look.state != "unasked" else ""


def _reading(snapshot: SessionSnapshot) -> Span:
    for source in snapshot.sources:
        if source.name == "events" and source.state == "reading" and source.progress is not None:
            return Span(f"reading {int(source.progress * 100)} %", "wait")
    return Span("")


def _nothing(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    path = log_path(snapshot)
    source = next((found for found in snapshot.sources if found.name == "events"), None)
    said = f"no events yet: looked for {path}"
    if source is not None and source.state == "found":
        said = f"no events yet: {path} is empty"
    elif source is not None and source.state == "unread":
        said = f"{path} cannot be read: {source.why}"
    head = _head(snapshot, frame, None, None, frame.width)[1:]
    return [
        heading("Events", right=(_reading(snapshot),)),
        *head,
        Row("", (Line((Span(said, "soft"),), indent=1),)),
    ]
