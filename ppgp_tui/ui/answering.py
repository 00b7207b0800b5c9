"""What the person's own keys do to the seat: answers, pause, forms and their confirmation."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.session.model import Request
from ppgp_tui.ui import deeds, forms
from ppgp_tui.ui.asking import Purpose, asks, request_in_hand
from ppgp_tui.ui.entry import Entry
from ppgp_tui.ui.forms import Confirmation, Form
from ppgp_tui.ui.keys import OPTION_KEYS
from ppgp_tui.ui.seat import OpenSheet, Seat

TWICE_MS = 2_000
"""How soon the same key must come again to count as `Y`."""
ARMED_MS = 10_000
"""How long `Y` means the option that was chosen before it."""
WARNED_MS = 10_000
"""How long the word that agents stay held counts as said."""


# --- answering ----------------------------------------------------------------------------------


def open_card(seat: Seat) -> None:
    """Show the whole request in hand, with its options."""
    request = request_in_hand(seat)
    if request is None:
        return
    seat.acting.card, seat.acting.read, seat.acting.note = request.id, False, ""
    seat.sheet, seat.entry = OpenSheet("card"), None


def _yes(seat: Seat) -> None:
    if seat.sheet is not None and seat.sheet.kind == "confirm":
        _confirmed(seat)
        return
    request = request_in_hand(seat)
    if request is None:
        return
    if asks(request) == "open":
        if seat.sheet is None:
            open_card(seat)
        else:
            seat.say("none of the options is advised: choose one by its letter")
    else:
        _choose(seat, request, _advised(request))


def _final(seat: Seat) -> None:
    """Do what cannot be undone: the option chosen a moment ago, else the advised one or yes."""
    request = request_in_hand(seat)
    if request is None:
        return
    armed, option, at_ms = seat.acting.armed
    if armed == request.id and seat.clock() - at_ms <= ARMED_MS:
        _answer(seat, request, option)
    elif asks(request) == "open":
        seat.say("none of the options is advised: choose one by its letter, then Y")
    else:
        _answer(seat, request, _advised(request))


def _option(at: int) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        request = request_in_hand(seat)
        if request is not None:
            _choose(seat, request, request.options[at].key)

    return act


def _choose(seat: Seat, request: Request, option: str) -> None:
    """Answer with `option`; what cannot be undone must be chosen twice, or confirmed by Y."""
    if not _was_read(seat, request):
        return
    now = seat.clock()
    armed, chosen, at_ms = seat.acting.armed
    again = (armed, chosen) == (request.id, option) and now - at_ms <= TWICE_MS
    if request.irreversible and not again:
        seat.acting.armed = (request.id, option, now)
        seat.say("cannot be undone: Y, or the same key again, does it")
    else:
        _answer(seat, request, option)


def _advised(request: Request) -> str:
    return request.recommended or _word(request, "yes")


def _no(seat: Seat) -> None:
    if seat.sheet is not None and seat.sheet.kind == "confirm":
        seat.sheet = None
        return
    request = request_in_hand(seat)
    if request is not None:
        _answer(seat, request, _word(request, "no"))


def _word(request: Request, word: str) -> str:
    """`yes` and `no` as this kind of request has them."""
    if request.kind == "permission":
        return {"yes": "allow_once", "no": "deny"}[word]
    return word


def _answer(
    seat: Seat, request: Request, option: str | None = None, text: str | None = None
) -> None:
    """Send the answer to exactly what was painted, or say why it cannot be sent yet."""
    if not _was_read(seat, request):
        return
    note = seat.acting.note or None
    seat.sheet = seat.entry = None
    seat.acting.card = seat.acting.note = ""
    seat.acting.armed = ("", "", 0)
    seat.say("sending")
    seat.outside.do(deeds.Answer(request.id, request.digest, option, text, note))


def _was_read(seat: Seat, request: Request) -> bool:
    """Whether a key may answer; if not, the card opens or the reason is said."""
    why = seat.acting.painted.refuses(request, seat.clock())
    if why and seat.sheet is None and not seat.acting.painted.is_whole(request):
        open_card(seat)
    if why:
        seat.say(why)
    return not why


def _write(purpose: Purpose) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        seat.acting.purpose = purpose
        seat.entry = Entry()

    return act


def typed_out(seat: Seat) -> None:
    """Enter, while a line is typed in a card or a form."""
    if seat.entry is None:
        return
    text, acting = seat.entry.text.strip(), seat.acting
    if seat.sheet is not None and seat.sheet.kind == "form" and acting.form is not None:
        confirmation = acting.form.take(text)
        seat.entry = Entry()
        if confirmation is not None:
            confirm(seat, confirmation)
        return
    request = request_in_hand(seat)
    seat.entry = None
    if acting.purpose == "note":
        acting.note = text
    elif text and request is not None:
        _answer(seat, request, text=text)


def _later(seat: Seat) -> None:
    """Go on to the next request; this one stays where it is."""
    seat.sheet = seat.entry = None
    rows = seat.rows
    if rows is not None:
        rows.move(1)
    seat.say("left for later; it stays in the inbox")


def _take_back(seat: Seat) -> None:
    request = request_in_hand(seat)
    if request is not None:
        seat.outside.do(deeds.TakeBack(request.id))


# --- agents -------------------------------------------------------------------------------------


def _pause(seat: Seat) -> None:
    control = seat.snapshot.control.value
    if control.hold_id is not None:
        seat.outside.do(deeds.Release(control.generation))
    else:
        seat.outside.do(deeds.Hold(control.generation))


def may_leave(seat: Seat) -> bool:
    """Quitting while agents are held says once that they stay so."""
    now, acting = seat.clock(), seat.acting
    if seat.snapshot.control.value.hold_id is None or now - acting.warned_ms < WARNED_MS:
        return True
    acting.warned_ms = now
    seat.say("agents stay held when you leave: q again leaves, p lets them go on")
    return False


# --- forms --------------------------------------------------------------------------------------


def ask(seat: Seat, form: Form) -> None:
    """Ask the first question of a form."""
    seat.acting.form, seat.acting.purpose = form, "form"
    seat.sheet, seat.entry = OpenSheet("form"), Entry()


def confirm(seat: Seat, confirmation: Confirmation) -> None:
    """State the exact effect and wait for a yes."""
    seat.acting.form, seat.acting.confirmation = None, confirmation
    seat.sheet, seat.entry = OpenSheet("confirm"), None


def _confirmed(seat: Seat) -> None:
    confirmation, seat.acting.confirmation = seat.acting.confirmation, None
    seat.sheet = None
    if confirmation is not None:
        seat.outside.do(confirmation.deed)


def _form(make: Callable[[], Form]) -> Callable[[Seat], None]:
    return lambda seat: ask(seat, make())


def _edit(make: Callable[[str], Confirmation]) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        if seat.snapshot.plan.value.hand_edit:
            confirm(seat, make("todo.json"))
        else:
            seat.say("the plan's file holds no edit")

    return act


def _restore(seat: Seat) -> None:
    cut = seat.snapshot.events.value.cut
    if cut:
        confirm(seat, forms.restore(cut))
    else:
        seat.say("nothing was cut out of the log")


def _init(seat: Seat) -> None:
    confirm(seat, forms.init((".ppgp/", ".ppgp/.gitignore", "state/events.jsonl")))


ACTS: dict[str, Callable[[Seat], None]] = {
    "answer.yes": _yes,
    "answer.no": _no,
    "answer.final": _final,
    "answer.words": _write("words"),
    "answer.note": _write("note"),
    "answer.later": _later,
    "answer.back": _take_back,
    **{f"answer.{key}": _option(at) for at, key in enumerate(OPTION_KEYS)},
    "agents.pause": _pause,
    "goal.new": _form(forms.new_goal),
    "goal.tweak": _form(forms.tweak),
    "goal.block": _form(forms.block),
    "goal.abandon": _form(forms.abandon),
    "goal.unblock": lambda seat: confirm(seat, forms.unblock()),
    "todo.adopt": _edit(forms.adopt),
    "todo.drop": _edit(forms.drop),
    "log.restore": _restore,
    "session.init": _init,
}
"""By action id."""
