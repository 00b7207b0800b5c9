"""The person's part of the seat: the request in hand, its card, what is typed and confirmed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from ppgp_tui.session.model import Request
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.forms import Confirmation, Form
from ppgp_tui.ui.keys import Asks, Place
from ppgp_tui.ui.painted import Painted
from ppgp_tui.ui.rows import GUTTER, Line, Row, Span, blank
from ppgp_tui.ui.views.requests import OPEN, class_words, request_detail

if TYPE_CHECKING:
    from ppgp_tui.ui.seat import Seat

Purpose = Literal["find", "words", "note", "form"]
"""What the line being typed is for."""
_ROW_AGE = 8
"""Cells at the right of a request's row that are not for its question."""


@dataclass(slots=True)
class Acting:
    """What is under way between the person and the engine."""

    painted: Painted = field(default_factory=Painted)
    card: str = ""
    """Id of the request whose card is open."""
    read: bool = False
    """The end of the open card has been on the screen."""
    note: str = ""
    """Goes with the next answer to the open card."""
    purpose: Purpose = "find"
    form: Form | None = None
    confirmation: Confirmation | None = None
    armed: tuple[str, str, int] = ("", "", 0)
    """The irreversible request whose option was chosen once, that option, and when."""
    warned_ms: int = 0
    """When the person was told that agents stay held."""


def request_in_hand(seat: Seat) -> Request | None:
    """The request a key would answer: that of the open card, else the one under the cursor."""
    if seat.sheet is not None:
        wanted = seat.acting.card if seat.sheet.kind == "card" else ""
    else:
        row = seat.row
        wanted = row.key.removeprefix("req:") if row and row.key.startswith("req:") else ""
    inbox = seat.snapshot.inbox.value
    return next((request for request in inbox if wanted and request.id == wanted), None)


def asks(request: Request | None) -> Asks:
    """What `y` does with it."""
    if request is None or request.state not in OPEN:
        return ""
    if not request.options:
        return "yes_no"
    return "advised" if request.recommended else "open"


def with_request(seat: Seat, place: Place) -> Place:
    """`place` with what the request in hand and the order that stands allow."""
    request = request_in_hand(seat)
    held = seat.snapshot.control.value.hold_id is not None
    if request is None:
        return place._replace(held=held, acts=seat.can_act)
    return place._replace(
        asks=asks(request) if seat.can_act else "",
        advised=_advised(request),
        options=len(request.options),
        final=request.irreversible,
        answered=request.state == "answered" and seat.can_act,
        held=held,
        acts=seat.can_act,
    )


def _advised(request: Request) -> str:
    label = next((o.label for o in request.options if o.key == request.recommended), "")
    words = one_line(label).split()
    return " ".join(words[:3]).lower()


def note_painted(seat: Seat) -> None:
    """The screen was painted: remember which requests could be read whole."""
    acting, now = seat.acting, seat.clock()
    request = request_in_hand(seat)
    if request is None:
        acting.painted.note((), now)
        return
    if seat.sheet is not None and seat.sheet.kind == "card":
        rows = seat.sheet.rows
        acting.read = acting.read or rows.top + rows.height >= rows.pile.height
        whole = acting.read
    else:
        whole = _whole_in_view(seat, request)
    acting.painted.note((request,) if whole else (), now)


def _whole_in_view(seat: Seat, request: Request) -> bool:
    """The pane beside or below shows all of it, or there is no more to it than its row says."""
    if seat.small:
        return False
    key = f"req:{request.id}"
    for place in seat.stay.placed:
        if place.pane.about == key:
            rows = seat.stay.lists[place.pane.id]
            return rows.top + rows.height >= rows.pile.height and rows.top == 0
    more = request.options or request.why or request.evidence or request.irreversible
    pane = next((p.pane for p in seat.stay.placed if p.pane.id == seat.stay.focus), None)
    room = pane.width - GUTTER - _ROW_AGE if pane else 0
    return not more and cell_len(one_line(request.question)) <= room


def card_rows(seat: Seat, width: int) -> tuple[Row, ...]:
    """The whole request as it is now; one that is gone or answered says so."""
    request = request_in_hand(seat)
    if request is None:
        return (Row("", (Line((Span("this request is no longer there", "soft"),), indent=1),)),)
    rows = request_detail(request, width, seat.clock())
    if seat.acting.note:
        said = (Span("note  ", "soft"), Span(seat.acting.note))
        rows = [*rows, blank(), Row("", (Line(said, indent=1),))]
    return tuple(rows)


def card_head(seat: Seat) -> tuple[str, str]:
    """Words at the left and right of the card's first line."""
    request = request_in_hand(seat)
    if request is None:
        return "Request", ""
    final = "cannot be undone" if request.irreversible else ""
    return class_words(request.klass), final
