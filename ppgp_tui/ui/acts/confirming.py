"""Forms, the effect to confirm, pause and resume, leaving: what else a person's keys do."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import Lifecycle
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts import answering, deeds, forms
from ppgp_tui.ui.acts.answering import send
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.acts.forms import Confirmation, Form
from ppgp_tui.ui.keys.table.travelling import PAST, REPLAY
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet

WARNED_MS = 10_000
"""How long the word that agents stay held counts as said."""


# --- agents -------------------------------------------------------------------------------------


def _pause(seat: Seat) -> None:
    """Turn the order round that is on the screen, and no other one."""
    control, acting = seat.snapshot.control.value, seat.acting
    if not acting.painted.is_order_settled(seat.clock() - acting.late_ms):
        seat.say("the order to the agents just changed: look, then press again")
    elif control.hold_id is not None or control.lost:
        send(seat, deeds.Release(control.generation))
    else:
        send(seat, deeds.Hold(control.generation))


def may_leave(seat: Seat) -> bool:
    """Quitting while agents are held says once that they stay so."""
    now, acting, control = seat.clock(), seat.acting, seat.live.control.value
    held = control.hold_id is not None or control.lost
    if seat.outside.under_way():
        from ppgp_tui.ui.acts.auditing import asks_before_leaving

        return not asks_before_leaving(seat)
    if not held or 0 <= now - acting.warned_ms < WARNED_MS:
        return True
    acting.warned_ms = now
    again, resume = seat.key("quit"), seat.key("agents.pause")
    seat.say(f"agents stay held: {again} again leaves, {resume} resumes")
    return False


# --- forms --------------------------------------------------------------------------------------


def _ask(form: Callable[[Lifecycle], Form]) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        ask(seat, form(seat.snapshot.lifecycle.value))

    return act


def ask(seat: Seat, form: Form) -> None:
    """Ask the questions of a form; what was typed the last time stands there."""
    if told_past(seat):
        return
    acting = seat.acting
    form.earlier = acting.said.get(form.title, form.earlier)
    acting.form = form
    seat.sheet, seat.entry = OpenSheet("form"), form.entry()


def typed_out(seat: Seat) -> None:
    """Enter, while a line is typed in a card or a form."""
    assert seat.entry is not None
    text, acting = seat.entry.text.strip(), seat.acting
    form = acting.form
    if seat.sheet is None or seat.sheet.kind != "form" or form is None:
        answering.typed_out(seat, text)
        return
    made = form.take(text)
    acting.said[form.title] = (*form.answers, *form.earlier[len(form.answers) :])
    if made is None:
        seat.entry = form.entry()
    elif isinstance(made, Confirmation):
        confirm(seat, made)
    else:
        acting.form = seat.sheet = seat.entry = None
        made(seat) if callable(made) else send(seat, made)


def one_back(seat: Seat) -> bool:
    """Ask the question before again, with what was answered; whether there is one."""
    form, entry = seat.acting.form, seat.entry
    if seat.sheet is None or seat.sheet.kind != "form" or form is None or entry is None:
        return False
    if form.answers:
        form.back(entry.text)
        seat.entry = form.entry()
        seat.arrange()
    return True


def stop_typing(seat: Seat) -> None:
    """Esc: what was typed is kept for the next time, except a note."""
    acting, entry = seat.acting, seat.entry
    form = acting.form
    if entry is not None and seat.sheet is not None:
        if seat.sheet.kind == "form" and form is not None:
            answers = (*form.answers, entry.text)
            acting.said[form.title] = (*answers, *form.earlier[len(answers) :])
        elif seat.sheet.kind == "card" and acting.purpose == "words":
            acting.words = entry.text
    seat.entry = None


def told_past(seat: Seat) -> bool:
    """Say why nothing is done, if the person is in the past."""
    if seat.journey is not None:
        seat.say(REPLAY if seat.journey.recorded else PAST)
    return seat.journey is not None


# --- confirming ---------------------------------------------------------------------------------


def confirm(seat: Seat, confirmation: Confirmation) -> None:
    """State the exact effect and wait for a yes; the cursor rests on no.

    What was found out beside the screen may come when the person has gone to the past: nothing is
    done from there but leaving, and opening a file.
    """
    changes = not isinstance(confirmation.deed, deeds.Edit | deeds.Leave)
    if changes and told_past(seat):
        return
    seat.acting.form, seat.acting.confirmation = None, confirmation
    seat.sheet, seat.entry = OpenSheet("confirm"), None


def chosen(seat: Seat) -> None:
    """Enter on one of the two answers."""
    row = seat.sheet.rows.row if seat.sheet is not None else None
    if row is not None and row.key == "yes":
        _do(seat)
    elif seat.sheet is not None:
        seat.sheet = seat.sheet.under


def _do(seat: Seat) -> None:
    sheet = seat.sheet
    if sheet is not None and seat.acting.confirmation is not None:
        unread = sum(len(row.lines) for row in sheet.rows.pile.rows) > sheet.seen
        if seat.acting.confirmation.read_whole and unread:
            seat.say(f"read it to its end first: {seat.key('move.page_down')} goes on")
            return
    confirmation, seat.acting.confirmation = seat.acting.confirmation, None
    seat.sheet = None
    if confirmation is None:
        return
    if isinstance(confirmation.deed, deeds.Leave):
        seat.outside.leave()
    elif isinstance(confirmation.deed, deeds.Edit):
        seat.outside.open_file(confirmation.deed.path, confirmation.deed.line)
    else:
        send(seat, confirmation.deed)


def _yes(seat: Seat) -> None:
    is_effect = seat.sheet is not None and seat.sheet.kind == "confirm"
    _do(seat) if is_effect else answering.yes(seat)


def _no(seat: Seat) -> None:
    if seat.sheet is not None and seat.sheet.kind == "confirm":
        seat.sheet = seat.sheet.under
    else:
        answering.no(seat)


def _effect(make: Callable[[Seat], Confirmation]) -> Callable[[Seat], None]:
    return lambda seat: confirm(seat, make(seat))


def _plan_edit(
    make: Callable[[str, int | None], Confirmation],
) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        path = next((one.path for one in seat.snapshot.sources if one.name == "plan"), "todo.json")
        confirm(seat, make(path, seat.snapshot.plan.value.revision))

    return act


def _begin(seat: Seat) -> None:
    """Find out what would be created before it is confirmed."""
    send(seat, deeds.Init(dry_run=True))


# --- how it went --------------------------------------------------------------------------------


def done(seat: Seat, deed: Deed, result: Result) -> None:
    """Say how a deed went; without a session here one is offered."""
    if isinstance(deed, deeds.PlanAudit) or (isinstance(deed, deeds.Close) and deed.dry_run):
        from ppgp_tui.ui.acts import auditing

        (auditing.foreseen if isinstance(deed, deeds.Close) else auditing.planned)(seat, result)
        return
    seat.say(one_line("; ".join((result.message, *result.warnings))))
    if isinstance(deed, deeds.Mending):
        return
    if isinstance(deed, deeds.StartLoop) and result.ok:
        from ppgp_tui.ui.acts import looping

        looping.started(seat)
    if isinstance(deed, deeds.OpenPane) and result.data.get("copy"):
        seat.outside.copy(result.data["copy"])
    elif isinstance(deed, deeds.Connect) and result.data.get("shown"):
        if seat.sheet is None:
            confirm(seat, forms.connect(result.data))
    elif isinstance(deed, deeds.Init) and deed.dry_run and result.data.get("create"):
        if seat.sheet is None:
            confirm(seat, forms.init(result.data["create"]))
    elif result.code == "not_initialised" and seat.journey is None:
        _begin(seat)
    elif result.ok and isinstance(deed, deeds.Typed):
        seat.acting.said.clear()


ACTS: dict[str, Callable[[Seat], None]] = {
    "answer.yes": _yes,
    "answer.no": _no,
    "agents.pause": _pause,
    "goal.new": _ask(forms.new_goal),
    "goal.tweak": _ask(forms.tweak),
    "goal.block": _ask(forms.block),
    "goal.abandon": _ask(forms.abandon),
    "goal.unblock": _effect(lambda seat: forms.unblock(seat.snapshot.lifecycle.value)),
    "todo.adopt": _plan_edit(forms.adopt),
    "todo.drop": _plan_edit(forms.drop),
    "log.restore": _effect(lambda seat: forms.restore(seat.snapshot.events.value)),
    "session.init": _begin,
}
"""By action id."""
