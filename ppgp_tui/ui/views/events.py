"""View 4: what happened, the newest first, and how it came about."""

from __future__ import annotations

from ppgp_tui.session.model import EventLog, SessionSnapshot
from ppgp_tui.ui.ages import age
from ppgp_tui.ui.columns import joined
from ppgp_tui.ui.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows import Line, Row, Span, heading
from ppgp_tui.ui.views.event_detail import event_detail
from ppgp_tui.ui.views.event_rows import EventRows, log_path
from ppgp_tui.ui.views.found_events import EventSearch, Found
from ppgp_tui.ui.views.room import list_and_detail, opens, tall, under_cursor


class EventsView:
    """The log, one line an event."""

    name = "events"

    def __init__(self) -> None:
        self._search = EventSearch()

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the events, and the one under the cursor in full."""
        log = snapshot.events.value.log
        if log is None or not len(log):
            return ((Pane("events.list", _nothing(snapshot, frame), frame.width),),)
        found = self._search.find(log, frame.filter) if frame.filter else None
        names, path = snapshot.events.value.names, log_path(snapshot)

        def rows(width: int) -> EventRows:
            return EventRows(
                log, names, frame.look, frame.now_ms, width, path,
                indexes=found.indexes if found else None, opens=opens(frame),
            )  # fmt: skip

        def panes(width: int) -> tuple[Pane, ...]:
            head = _head(snapshot, frame, found)
            return (
                Pane("events.head", head, width, height=tall(head)),
                Pane("events.list", rows(width), width, uniform=True, newest_first=True),
            )

        key = under_cursor(frame, "events.list", rows(frame.width))
        following = "events.list" not in frame.newer and not frame.opened

        def detail(width: int) -> Pane:
            shown = _detail(log, key, snapshot, frame, width)
            return Pane("events.detail", shown, width, about="" if following else key)

        return list_and_detail(frame, panes, detail, share=0.6, detail_share=0.35, below=0)


def _detail(
    log: EventLog, key: str, snapshot: SessionSnapshot, frame: Frame, width: int
) -> list[Row]:
    number = key.removeprefix("event:")
    if not number.isdecimal() or int(number) >= len(log):
        return []
    event = log.event(int(number))
    return event_detail(
        log, event, snapshot.events.value.names, width, log_path(snapshot), frame.look, frame.now_ms
    )


def _head(snapshot: SessionSnapshot, frame: Frame, found: Found | None) -> list[Row]:
    """How many, whether the newest is followed, and what is still being read or written."""
    events = snapshot.events.value
    note = f"{len(events.log) if events.log else 0:,}"
    if found is not None:
        note = f"{len(found.indexes):,} of {note}"
    newer = frame.newer.get("events.list")
    follows = "follows the newest" if newer is None else f"{newer:,} newer, G"
    searching = Span("searching" if found is not None and not found.whole else "", "wait")
    right = joined(
        (searching, _reading(snapshot), Span(follows, "soft" if newer is None else "wait")), 2
    )
    rows = [heading("Events", note, right)]
    if events.torn is not None:
        since = age(events.torn.since_ms, frame.now_ms)
        words = f"a line of {events.torn.bytes:,} bytes so far"
        state = (Span("in flight", "soft"), Span(f" {since}", "soft"))
        rows.append(Row("", (Line((Span(words, "soft"),), state, "waits"),)))
    if found is not None and not found.indexes and found.whole:
        rows.append(Row("", (Line((Span("no event says that", "soft"),), indent=1),)))
    return rows


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
    head = _head(snapshot, frame, None)[1:]
    return [
        heading("Events", right=(_reading(snapshot),)),
        *head,
        Row("", (Line((Span(said, "soft"),), indent=1),)),
    ]
