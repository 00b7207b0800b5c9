"""Where a person is in the past, and how that decides what keys do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.ui.seat.place import Place

if TYPE_CHECKING:
    from ppgp_tui.session.travel.destination import Destination
    from ppgp_tui.ui.rows.row_list import RowList
    from ppgp_tui.ui.seat.seat import Seat


class Journey:
    """What a person does in the past. It ends with the way back to now."""

    def __init__(
        self,
        *,
        recorded: bool = False,
        speed: float = 1.0,
        starts: bool = False,
        left: tuple[tuple[RowList, str, int], ...] = (),
    ) -> None:
        """`recorded`: the session is a recording, there is no now to go back to.

        `starts`: to be played from where it begins. `left` are the lists as they were left in the
        present: cursor and scroll of each.
        """
        self.target: int | None = None
        """The event whose moment was asked for; None: it is being looked for."""
        self.playing = False
        """One moment follows the other by itself."""
        self.speed = speed
        """How many times faster than it was recorded."""
        self.recorded = recorded
        self.left = left
        self.pending: Destination | None = None
        """Where to begin, once the log is read."""
        self.starts = starts
        self.unasked = False
        """Git was not yet asked about the first moment: no first picture waits for that."""


def with_news(shown: SessionSnapshot, live: SessionSnapshot) -> SessionSnapshot:
    """The picture of a moment while the log grows: it stays, and counts what came since."""
    if shown.moment is None:
        return live
    log = live.events.value.log
    count = len(log) if log is not None else shown.moment.of
    names = live.events.value.names
    moment = shown.moment._replace(of=count, log=log or shown.moment.log, names=names)
    return replace(
        shown, moment=moment, graph=live.graph, sources=live.sources, watching=live.watching
    )


def document(seat: Seat) -> bytes:
    """The goal document of what is shown: that of now, or of the past as Git has it."""
    if seat.journey is None:
        return seat.session.document()
    from ppgp_tui.session.picture.moment import Committed  # no start travels

    moment = seat.snapshot.moment
    found = None if moment is None else moment.document
    return found.data or b"" if isinstance(found, Committed) else b""


def is_gone(shown: SessionSnapshot, live: SessionSnapshot) -> bool:
    """Whether the log was written anew, so that the moment shown is no longer in it."""
    moment, log = shown.moment, live.events.value.log
    if moment is None or moment.event is None or log is None:
        return False
    return moment.at >= len(log) or log.event(moment.at).id != moment.event.id


def by_id(live: SessionSnapshot) -> dict[str, Request]:
    """The requests of a picture by id."""
    return {request.id: request for request in live.inbox.value}


def in_past(seat: Seat, place: Place) -> Place:
    """`place` with where in time it is, and whether one can travel from it."""
    log, journey = seat.live.events.value.log, seat.journey
    return place._replace(
        past="" if journey is None else "replay" if journey.recorded else "moment",
        travels=log is not None and len(log) > 0,
        pointed=not place.sheet and pointer(seat) is not None,
        playing=journey is not None and journey.playing,
    )


def pointer(seat: Seat) -> dict[str, int | str] | None:
    """What `Destination` the thing under the cursor is; None where it has no moment in the log."""
    row = seat.row
    if row is None:
        return None
    for key in (row.key, row.thing):
        kind, _, name = key.partition(":")
        if kind == "event" and name.isdecimal():
            return {"at": int(name)}
        if kind in ("task", "now") and name:
            return {"task": name}
        if kind == "agent" and name:
            return {"session": name}
    origin = row.origin
    if origin is not None and origin.offset is not None and origin.path == _log_path(seat):
        return {"offset": origin.offset}
    kind, _, name = row.thing.partition(":")
    if kind == "node" and name:
        key = name.removeprefix("todo:")
        return {"task": key} if key != name else {"node": name}
    return None


def _log_path(seat: Seat) -> str:
    sources = seat.live.sources
    return next((source.path for source in sources if source.name == "events"), "")
