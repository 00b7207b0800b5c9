"""The person's part of the seat: the request in hand, its card, what is typed and confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Request
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts.on_agent import with_agent
from ppgp_tui.ui.looks.words import plain
from ppgp_tui.ui.rows.cells import shorten, steady
from ppgp_tui.ui.rows.row import Line, Row, Span, blank
from ppgp_tui.ui.screen.body import drawn
from ppgp_tui.ui.seat.answers import advised, letters, takes_words
from ppgp_tui.ui.seat.painted import SETTLE_MS, Painted, Reading
from ppgp_tui.ui.seat.place import Asks, Place
from ppgp_tui.ui.views.inbox.requests import why_closed

if TYPE_CHECKING:
    from ppgp_tui.ui.acts.forms import Confirmation, Form
    from ppgp_tui.ui.seat.seat import Seat

Purpose = Literal["words", "note"]
"""What the line that is typed into a card is for."""
ARMED_MS = 10_000
"""How long `Y` means the option that was chosen before it."""
GONE = "this request is no longer there"
WIDE, _ADVISED = 100, 24
"""From this width on an option is named in the key line, in so many cells; else its row does."""


class Armed(NamedTuple):
    """An option of an irreversible request that was chosen once."""

    digest: str = ""
    option: str = ""
    at_ms: int = 0


class Acting:
    """What is under way between the person and the engine."""

    def __init__(self) -> None:
        self.painted = Painted()
        self.reading = Reading()
        self.late_ms = 0
        """How long the key under way had waited until it was looked at."""
        self.order: tuple[str, ...] = ()
        """Ids of the requests that wait, in the order in which they are listed."""
        self.card = ""
        """Id of the request whose card is or was open."""
        self.note = ""
        """Goes with the next answer to that request."""
        self.words = ""
        """Own words for that request that were typed and not taken."""
        self.purpose: Purpose = "words"
        self.form: Form | None = None
        self.loops_before: frozenset[str] = frozenset()
        """The restart loops that there were when a new one was asked for."""
        self.awaits_loop: str | None = None
        """The row under the cursor when the new one was started, until it is there."""
        self.said: dict[str, tuple[str, ...]] = {}
        """By title of a form what was last typed into it, until it was done."""
        self.confirmation: Confirmation | None = None
        self.armed = Armed()
        self.warned_ms = 0
        """When the person was told that agents stay held."""


# --- the request in hand ------------------------------------------------------------------------


def request_in_hand(seat: Seat) -> Request | None:
    """The request a key would answer: that of the open card, else the one under the cursor."""
    if seat.sheet is None:
        return request_under_cursor(seat)
    return _request(seat, seat.acting.card) if seat.sheet.kind == "card" else None


def request_under_cursor(seat: Seat) -> Request | None:
    """The request of the row under the cursor, or the one whose detail has the focus."""
    pane = next((at.pane for at in seat.stay.placed if at.pane.id == seat.stay.focus), None)
    for key in (seat.row.key if seat.row else "", pane.about if pane else ""):
        if key.startswith("req:"):
            return _request(seat, key.removeprefix("req:"))
    return None


def _request(seat: Seat, wanted: str) -> Request | None:
    inbox = seat.snapshot.inbox.value
    return next((request for request in inbox if request.id == wanted), None)


def listed(seat: Seat) -> tuple[str, ...]:
    """Ids of the requests that wait, as they are listed.

    While one of them has the focus nothing changes its place: newer ones come last, and the one
    under the cursor stays when it is answered.
    """
    acting, under = seat.acting, request_under_cursor(seat)
    waits = [request.id for request in seat.snapshot.inbox.value if request.is_open]
    if under is None or under.id not in acting.order:
        acting.order = tuple(waits)
    else:
        kept = [one for one in acting.order if one in waits or one == under.id]
        acting.order = (*kept, *(one for one in waits if one not in kept))
    return acting.order


def changed(seat: Seat) -> str:
    """Id of the request under the cursor if it changed there, else empty."""
    request = request_under_cursor(seat)
    return request.id if request and seat.acting.painted.is_changed(request) else ""


# --- what keys do with it -----------------------------------------------------------------------


def in_view(seat: Seat, place: Place) -> Place:
    """`place` with what the row under the cursor, the session and the order allow."""
    place = with_agent(seat, _with_session(seat, place))
    request = request_under_cursor(seat)
    if request is not None:
        return _with_request(seat, place, request)
    vanished = seat.row is not None and seat.row.key.startswith("req:")
    return place._replace(closed=GONE, opens="") if vanished and not place.typing else place


def in_card(seat: Seat, place: Place) -> Place:
    """`place` with what the request of the open card allows."""
    request = _request(seat, seat.acting.card)
    place = place._replace(acts=seat.can_act)
    return place._replace(closed=GONE) if request is None else _with_request(seat, place, request)


def asks(request: Request, now_ms: int) -> Asks:
    """What `y` does with it."""
    if why_closed(request, now_ms):
        return ""
    if not request.options:
        return "yes_no"
    return "advised" if advised(request) else "open"


def _with_request(seat: Seat, place: Place, request: Request) -> Place:
    acting, now = seat.acting, seat.at_ms
    asked = asks(request, now)
    armed = acting.armed
    stands = armed.digest == request.digest and now - armed.at_ms <= ARMED_MS
    unsettled, narrow = not acting.painted.is_settled(request, now), seat.width < WIDE
    return place._replace(
        asks=asked,
        closed=why_closed(request, now),
        advised="" if narrow else _words(seat, request, request.recommended or ""),
        options=letters(request),
        words=takes_words(request),
        final=request.irreversible,
        armed=_armed(seat, request, narrow) if stands else "",
        settling=acting.painted.is_changed(request) and unsettled,
        answered=request.state == "answered" and seat.can_act,
        finds="" if asked == "yes_no" and place.finds == "finding" else place.finds,
        opens=place.opens if place.typing or place.sheet or not asked else _opens(seat),
    )


def _opens(seat: Seat) -> str:
    return "answer" if seat.journey is None else "read"


def _words(seat: Seat, request: Request, key: str) -> str:
    """An option in the few words that the key line has room for."""
    label = next((option.label for option in request.options if option.key == key), "")
    return shorten(one_line(plain(label)), _ADVISED, "end", seat.look.sign("cut"))


def _armed(seat: Seat, request: Request, narrow: bool) -> str:
    option = seat.acting.armed.option
    return option if narrow else _words(seat, request, option) or option


def _with_session(seat: Seat, place: Place) -> Place:
    shown = seat.snapshot
    control, events = shown.control.value, shown.events.value
    sources = {source.name: source.state for source in shown.sources}
    log = sources.get("events")
    goal = shown.lifecycle.value
    status = goal.status if goal.source == "log" else "none"
    return place._replace(
        acts=seat.can_act,
        held=control.hold_id is not None or control.lost,
        goal=status if log in ("found", "absent") else "unread",
        edited=shown.plan.value.hand_edit,
        cut=events.cut is None or events.cut > 0,
        begun=log == "found" and "found" in (sources.get("control"), sources.get("plan")),
    )


# --- what was painted ---------------------------------------------------------------------------


def note_painted(seat: Seat) -> None:
    """The screen was painted: remember what could be read, and since when."""
    acting, now = seat.acting, seat.clock()
    acting.painted.note_order(seat.snapshot.control.value, now)
    request = None if seat.small or seat.journey else request_in_hand(seat)
    if request is not None and (seat.sheet is not None or _row_in_view(seat)):
        acting.painted.note(request, _is_whole(seat, request), now)
    else:
        acting.painted.note(None, False, now)


def settles_in_s(seat: Seat) -> float:
    """How soon keys that are grey now will act; 0 where none is."""
    painted, request = seat.acting.painted, request_in_hand(seat)
    if request is None or not painted.is_changed(request):
        return 0.0
    return 0.0 if painted.is_settled(request, seat.clock()) else (SETTLE_MS + 10) / 1000


def _row_in_view(seat: Seat) -> bool:
    rows = seat.stay.lists[seat.stay.focus]
    at = rows.index
    return at is not None and rows.top <= rows.pile.start(at) < rows.top + rows.height


def _is_whole(seat: Seat, request: Request) -> bool:
    """The card or the pane of its detail was read to its end, or its row says all there is."""
    reading = seat.acting.reading
    if seat.sheet is not None:
        text = ("card", request.digest, seat.sheet_width)
        return seat.entry is None and reading.note(text, seat.sheet.rows)
    for place in seat.stay.placed:
        if place.pane.about == f"req:{request.id}":
            text = (place.pane.id, request.digest, place.width)
            return reading.note(text, seat.stay.lists[place.pane.id])
    return _is_brief(request) and _row_says(seat, request.question)


def _is_brief(request: Request) -> bool:
    """There is no more to it than its question."""
    more = (
        request.options, request.why, request.evidence, request.tool, request.tool_input,
        request.for_session,
    )  # fmt: skip
    return not any(more) and not request.irreversible


def _row_says(seat: Seat, question: str) -> bool:
    row, rows = seat.row, seat.stay.lists[seat.stay.focus]
    width = next(at.width for at in seat.stay.placed if at.pane.id == seat.stay.focus)
    if row is None or rows.pile.start(rows.index or 0) < rows.top:
        return False
    said = drawn(row.lines[0], width, seat.look).text
    return steady(one_line(plain(question))) in said


# --- what sheets say ----------------------------------------------------------------------------


def card_rows(seat: Seat, width: int) -> tuple[Row, ...]:
    """What is being typed, then the whole request as it is now; one that is gone says so."""
    from ppgp_tui.ui.acts.forms import typed_rows
    from ppgp_tui.ui.views.inbox.request_card import card_body

    acting = seat.acting
    request = _request(seat, acting.card)
    rows: list[Row] = []
    if seat.entry is not None:
        noted = "your note, it goes with the answer you give next"
        label = noted if acting.purpose == "note" else "your answer"
        rows += [*typed_rows(label, seat.entry, width), blank()]
    if request is None:
        return (*rows, Row("", (Line((Span(GONE, "stop"),), indent=1),)))
    changed = acting.painted.is_changed(request)
    body = card_body(request, width, seat.clock(), seat.keymap.first, changed=changed)
    if acting.note and seat.entry is None:
        said = (Span("note  ", "soft"), Span(acting.note))
        body += [blank(), Row("", (Line(said, indent=1),))]
    return (*rows, *body)


def card_head(seat: Seat) -> tuple[str, str]:
    """Words at the left and right of the card's first line."""
    request = _request(seat, seat.acting.card)
    if request is None:
        return "Gone", ""
    if why := why_closed(request, seat.at_ms):
        return why.capitalize(), ""
    return "For you", "cannot be undone" if request.irreversible else ""
