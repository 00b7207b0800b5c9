"""What the keys of a request do to the seat: its card, the answer, a note, taking back."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.session.model import Request
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.keys.action import OPTION_KEYS
from ppgp_tui.ui.seat.answers import advised, by_letter, word
from ppgp_tui.ui.seat.asking import ARMED_MS, GONE, Armed, Purpose, request_in_hand
from ppgp_tui.ui.seat.entry import Entry
from ppgp_tui.ui.seat.painted import SETTLE_MS
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.views.inbox.requests import why_closed

TWICE_MS = 3_000
"""How soon the same key must come again to count as `Y`; a key that is held down never does."""


def send(seat: Seat, deed: Deed) -> None:
    """Have a deed done; how it went is said when it is."""
    seat.say("sending")
    seat.outside.do(deed)


def open_card(seat: Seat) -> None:
    """Show the whole request in hand, with its options."""
    request, acting = request_in_hand(seat), seat.acting
    if request is None:
        return
    if acting.card != request.id:
        acting.card, acting.note, acting.words = request.id, "", ""
    seat.sheet, seat.entry = OpenSheet("card"), None


def yes(seat: Seat) -> None:
    """Say yes, or take the advised option; without advice show the options."""
    request = request_in_hand(seat)
    if request is None:
        return
    if request.options and advised(request) is None:
        if seat.sheet is None:
            open_card(seat)
        else:
            seat.say("none of the options is advised: choose one by its letter")
    else:
        _choose(seat, advised(request) or word(request, "yes"))


def no(seat: Seat) -> None:
    """Say no."""
    request = _ready(seat)
    if request is not None:
        _answer(seat, request, option=word(request, "no"))


def _final(seat: Seat) -> None:
    """Do what cannot be undone: the option chosen a moment ago, else the advised one, or yes."""
    request = _ready(seat)
    if request is None:
        return
    armed = seat.acting.armed
    if armed.digest != request.digest:
        option = advised(request) or word(request, "yes")
        _answer(seat, request, option=option)
    elif seat.clock() - armed.at_ms <= ARMED_MS:
        _answer(seat, request, option=armed.option)
    else:
        seat.acting.armed = Armed()
        seat.say("that was chosen a while ago: choose again, then confirm it")


def _option(letter: str) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        request = request_in_hand(seat)
        if request is not None:
            _choose(seat, by_letter(request, letter))

    return act


def _choose(seat: Seat, option: str) -> None:
    """Answer with `option`; what cannot be undone must be chosen twice, or confirmed."""
    request = _ready(seat)
    if request is None:
        return
    now, armed = seat.clock(), seat.acting.armed
    same = (armed.digest, armed.option) == (request.digest, option)
    if not request.irreversible or (same and SETTLE_MS <= now - armed.at_ms <= TWICE_MS):
        _answer(seat, request, option=option)
    else:
        seat.acting.armed = Armed(request.digest, option, now)
        seat.say(f"cannot be undone: {seat.key('answer.final')}, or the same key again, does it")


def _ready(seat: Seat) -> Request | None:
    """The request a key may answer now; else the card opens, or the reason is said."""
    request, painted = request_in_hand(seat), seat.acting.painted
    why = GONE if request is None else why_closed(request, seat.clock())
    if request is None or why:
        seat.say(why)
        return None
    if painted.is_settled(request, seat.clock() - seat.acting.late_ms):
        return request
    if painted.is_read(request):
        seat.say("just painted or changed: look, then press again")
    elif seat.sheet is None:
        open_card(seat)
        seat.say(
            "changed: read it again"
            if painted.is_changed(request)
            else "read it whole, then press again"
        )
    else:
        seat.say("read it to its end first")
    return None


def _answer(
    seat: Seat, request: Request, option: str | None = None, text: str | None = None
) -> None:
    """Send the answer to exactly what was painted."""
    note = seat.acting.note if seat.acting.card == request.id else ""
    seat.sheet = seat.entry = None
    seat.acting.armed = Armed()
    send(seat, deeds.Answer(request.id, request.digest, option, text, note or None))


def _write(purpose: Purpose) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        acting = seat.acting
        text = acting.note if purpose == "note" else acting.words
        acting.purpose, seat.entry = purpose, Entry(text, len(text))
        if seat.sheet is not None:
            seat.sheet.rows.scroll(-seat.sheet.rows.top)

    return act


def typed_out(seat: Seat, text: str) -> None:
    """Enter, while `text` is typed in a card: keep the note, or send the answer."""
    acting = seat.acting
    if acting.purpose == "note":
        acting.note, seat.entry = text, None
        return
    acting.words = text
    if not text:
        seat.say("an answer needs a word")
    elif (request := _ready(seat)) is not None:
        _answer(seat, request, text=text)


def _later(seat: Seat) -> None:
    """Go on to the next request; this one stays where it is."""
    rows = seat.rows
    if rows is not None:
        rows.move(1)
    seat.say("left for later; it stays in the inbox")


def _take_back(seat: Seat) -> None:
    request = request_in_hand(seat)
    if request is not None:
        send(seat, deeds.TakeBack(request.id))


ACTS: dict[str, Callable[[Seat], None]] = {
    "answer.final": _final,
    "answer.words": _write("words"),
    "answer.note": _write("note"),
    "answer.later": _later,
    "answer.back": _take_back,
    **{f"answer.{letter}": _option(letter) for letter in OPTION_KEYS},
}
"""By action id; `answer.yes` and `answer.no` also confirm an effect (`confirming`)."""
