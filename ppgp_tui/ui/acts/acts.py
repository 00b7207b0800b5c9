"""What every action of the table does to the seat."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.session.text import safe
from ppgp_tui.ui.acts import (
    answering,
    auditing,
    commanding,
    confirming,
    editing,
    lineage,
    looping,
    planning,
    revisions,
    searching,
    session_list,
    this_screen,
    travelling,
)
from ppgp_tui.ui.finder import palette
from ppgp_tui.ui.keys import prefix
from ppgp_tui.ui.keys.keymap import key_name
from ppgp_tui.ui.rows.row import Row, words
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.seat.place import PICKED_FROM, Place
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.sharing import acts as sharing

TWICE_MS = 2_000
"""How soon Ctrl+C must come again to quit."""

Act = Callable[[Seat], None]


def press(seat: Seat, key: str, character: str | None) -> None:
    """Do what `key` (as Textual reports it) means in this place, or say why it cannot."""
    if seat.entry is not None and seat.entry.press(key, character):
        _typed(seat)
        return
    if key == "shift+tab" and confirming.one_back(seat):
        return
    name = key_name(key, character)
    if seat.prefix:
        name = prefix.second(seat, name)
    elif name in seat.keymap.prefixes and not seat.small:
        prefix.begin(seat, name)
        return
    place = seat.place()
    action = seat.keymap.action(name, place)
    if action is not None:
        run(seat, action.id, place)


def run(seat: Seat, action_id: str, place: Place | None = None) -> None:
    """Do one action, or say why it cannot be done here; `place` spares asking where that is."""
    action = next(action for action in seat.keymap.actions if action.id == action_id)
    why = action.refuses(place or seat.place())
    if why:
        seat.say(why)
        return
    seat.toast = ""
    act = ACTS[action_id] if action_id in ACTS else _view(action_id)
    act(seat)
    if action_id.startswith("move.") or action_id in planning.MOVES:
        # The moved cursor is painted first; what depends on it (details) can take a moment longer.
        seat.behind = True
        if seat.sheet is not None:
            this_screen.preview(seat)
    else:
        seat.arrange()


def paste(seat: Seat, text: str) -> None:
    """Pasted text goes into the line being typed; elsewhere it presses no keys."""
    seat.prefix = ""
    if seat.entry is not None:
        seat.entry.insert(text)
        _typed(seat)


# --- moving ------------------------------------------------------------------------------------


def _in_rows(move: Callable[[RowList], None]) -> Act:
    def act(seat: Seat) -> None:
        rows = seat.rows
        if rows is not None:
            move(rows)

    return act


def _first(rows: RowList) -> None:
    rows.bottom_row() if rows.newest_first else rows.top_row()


def _last(rows: RowList) -> None:
    rows.top_row() if rows.newest_first else rows.bottom_row()


def _pane(step: int) -> Act:
    def act(seat: Seat) -> None:
        stay = seat.stay
        able = seat.panes()
        at = able.index(stay.focus) if stay.focus in able else -step
        stay.focus = able[(at + step) % len(able)]
        stay.lists[stay.focus].visit()

    return act


def _view(action_id: str) -> Act:
    name = action_id.removeprefix("view.")

    def act(seat: Seat) -> None:
        if not session_list.opens(seat, seat.row, name):
            show_view(seat, [view.name for view in seat.views].index(name))

    return act


def show_view(seat: Seat, index: int) -> None:
    """Go to another view; Esc comes back."""
    seat.show_view(index)


# --- looking closer ----------------------------------------------------------------------------


def _open(seat: Seat) -> None:
    if seat.sheet is not None and seat.sheet.kind == "palette":
        palette.go_to_chosen(seat, seat.sheet)
    elif seat.sheet is not None and seat.sheet.kind in ("themes", "quiet"):
        this_screen.take_chosen(seat, seat.sheet)
    elif seat.sheet is not None and seat.sheet.kind == "confirm":
        confirming.chosen(seat)
    elif seat.sheet is not None and seat.sheet.kind == "blame":
        revisions.open_change(seat)
    elif seat.sheet is not None and seat.sheet.kind == "audit":
        auditing.chosen(seat)
    elif seat.sheet is not None and seat.sheet.kind in ("card", "form"):
        confirming.typed_out(seat)
    elif seat.entry is not None:
        seat.entry = None
    elif seat.place().asks:
        answering.open_card(seat)
    elif seat.row is not None:
        _open_row(seat, seat.row)


def _open_row(seat: Seat, row: Row) -> None:
    if row.key.startswith("do:"):
        run(seat, row.key.removeprefix("do:"))
        return
    if (
        planning.opens_row(seat, row)
        or auditing.opens_row(seat, row)
        or looping.opens_row(seat, row)
    ):
        return
    if session_list.opens(seat, row):
        return
    if row.leads or lineage.here(seat):
        lineage.open_row(seat, row)
        return
    if row.key.startswith("line:"):  # of the goal's text
        seat.say("there is no more to it")
        return
    stay = seat.stay
    before, focus = seat.layout_shown(), stay.focus
    stay.opened = row.key
    seat.arrange()
    if seat.layout_shown() != before:
        return
    stay.opened = None
    seat.arrange()
    stay.focus = focus
    able = seat.panes()
    after = able.index(focus) + 1 if focus in able else len(able)
    if after < len(able):
        stay.focus = able[after]
        stay.lists[stay.focus].visit()
    else:
        seat.say("there is no more to it")


def _back(seat: Seat) -> None:
    stay = seat.stay
    if seat.sheet is not None:
        typing_in_card = seat.sheet.kind == "card" and seat.entry is not None
        confirming.stop_typing(seat)
        if not typing_in_card:
            palette.close(seat)
            this_screen.preview(seat)
    elif seat.entry is not None or stay.filter:
        seat.entry = None
        stay.filter = stay.found_in = ""
    elif stay.opened is not None and lineage.here(seat):
        lineage.back(seat)
    elif stay.opened is not None:
        stay.opened = None
    elif revisions.leaves(seat):
        revisions.leave(seat)
    elif planning.leaves(seat):
        planning.leave(seat)
    elif stay.focus != seat.first_focus():
        stay.focus = seat.first_focus()
    elif seat.before:
        seat.current = seat.before.pop()
    elif seat.home:
        seat.outside.go_home()


def _lineage(seat: Seat) -> None:
    lineage.go(seat, lineage.thing(seat))


def _story(seat: Seat) -> None:
    before = seat.layout_shown()
    seat.stay.raw = not seat.lists_raw
    if lineage.here(seat) and seat.stay.opened:  # it may cover the list that is asked for
        lineage.close(seat)
        seat.arrange()
        seat.stay.focus = seat.first_focus()
    seat.arrange()
    if seat.layout_shown() == before:
        seat.say("every event is listed" if seat.lists_raw else "the story is listed")


def _family(seat: Seat) -> None:
    if seat.row is not None:
        lineage.turn(seat, seat.row)


def _typed(seat: Seat) -> None:
    assert seat.entry is not None
    seat.toast = ""
    if seat.sheet is not None and seat.sheet.kind in ("card", "form"):
        seat.arrange()
        lines, sheet = len(seat.entry.lines(seat.sheet_width - 2)) + 1, seat.sheet.rows
        sheet.scroll(max(0, lines - sheet.height) - sheet.top)
        return
    if seat.sheet is not None:
        seat.sheet.found = seat.entry.text
        seat.arrange()
        if seat.sheet.kind in PICKED_FROM:
            seat.sheet.rows.top_row()
            this_screen.preview(seat)
        return
    searching.typed(seat)


def _origin(seat: Seat) -> None:
    seat.sheet = None if seat.sheet is not None else OpenSheet("origin")


def _help(seat: Seat) -> None:
    """Help stands over whatever is open, and goes back to it."""
    seat.entry = None
    if seat.sheet is not None and seat.sheet.kind == "help":
        seat.sheet = seat.sheet.under
    else:
        seat.sheet = OpenSheet("help", under=seat.sheet)


def _copy(seat: Seat) -> None:
    row = seat.row
    if row is None:
        return
    seat.say(seat.outside.copy(safe(row.copy) or words(row)))


# --- the app -----------------------------------------------------------------------------------


def _reread(seat: Seat) -> None:
    seat.outside.reread()


def _check_log(seat: Seat) -> None:
    seat.outside.check_log()


def _suspend(seat: Seat) -> None:
    seat.outside.to_background()


def _quit(seat: Seat) -> None:
    if confirming.may_leave(seat):
        seat.outside.leave()


def _quit_twice(seat: Seat) -> None:
    now = seat.clock()
    if 0 < now - seat.leaving <= TWICE_MS:
        if confirming.may_leave(seat):
            seat.outside.leave()
    else:
        seat.leaving = now
        seat.say(f"press {seat.key('quit.twice')} again to quit")


ACTS: dict[str, Act] = {
    "row.open": _open,
    "back": _back,
    "move.down": _in_rows(lambda rows: rows.move(1)),
    "move.up": _in_rows(lambda rows: rows.move(-1)),
    "move.half_down": _in_rows(lambda rows: rows.page(max(1, rows.height // 2))),
    "move.half_up": _in_rows(lambda rows: rows.page(-max(1, rows.height // 2))),
    "move.page_down": _in_rows(lambda rows: rows.page(max(1, rows.height - 1))),
    "move.page_up": _in_rows(lambda rows: rows.page(-max(1, rows.height - 1))),
    "move.first": _in_rows(_first),
    "move.last": _in_rows(_last),
    "move.top": _in_rows(RowList.top_row),
    "move.bottom": _in_rows(RowList.bottom_row),
    "pane.next": _pane(1),
    "pane.previous": _pane(-1),
    "lineage": _lineage,
    "story": _story,
    "family": _family,
    "find": searching.find,
    "find.next": searching.match(1),
    "find.previous": searching.match(-1),
    "origin": _origin,
    "copy": _copy,
    "reread": _reread,
    "log.check": _check_log,
    "help": _help,
    "suspend": _suspend,
    "quit": _quit,
    "quit.twice": _quit_twice,
    **answering.ACTS,
    **auditing.ACTS,
    **confirming.ACTS,
    **commanding.ACTS,
    **editing.ACTS,
    **looping.ACTS,
    **session_list.ACTS,
    **planning.ACTS,
    **revisions.ACTS,
    **palette.ACTS,
    **this_screen.ACTS,
    **travelling.ACTS,
    **sharing.ACTS,
}
"""By action id; actions `view.NAME` are made from the views."""
