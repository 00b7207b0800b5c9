"""Looking for words: a list keeps the rows that say them, a text shows where they are.

In a list `/` leaves out all other rows. In what is opened or stands beside a list nothing is left
out: there the words are marked, and `n` and `N` go from one place to the next. The bar below the
body says how many there are, and which one the cursor is on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.session.text import safe
from ppgp_tui.ui.acts import lineage
from ppgp_tui.ui.rows.columns import cells
from ppgp_tui.ui.rows.row import Line, Row, Span, words
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.rows.row_search import is_text, match_at, matches, seek, seek_finding
from ppgp_tui.ui.seat.entry import Entry
from ppgp_tui.ui.views.log.event_panes import FILTERS

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

_TEXTS = ("detail", "card", "event", "below")
"""Last parts of the names of panes that are read, not chosen from."""


def inside(pane: str) -> bool:
    """Whether words are looked for within the pane, with nothing left out."""
    return pane.rpartition(".")[2] in _TEXTS


def find(seat: Seat) -> None:
    """Begin to type what is looked for: where the focus is, or in the sheet."""
    text = seat.sheet.found if seat.sheet is not None else seat.stay.filter
    if seat.sheet is None:
        stay = seat.stay
        if inside(stay.focus) != bool(stay.found_in):
            text = ""
        stay.found_in = stay.focus if inside(stay.focus) else ""
        stay.filter = text
    seat.entry = Entry(text, len(text))


def typed(seat: Seat) -> None:
    """What is looked for in the view is another word now; the cursor goes to the nearest place."""
    assert seat.entry is not None
    stay = seat.stay
    stay.filter = seat.entry.text
    seat.arrange()
    rows, row = _rows(seat), seat.row
    if rows is None or not stay.filter:
        return
    if stay.found_in or is_text(rows):
        at = match_at(rows, stay.filter)
        if at is None:
            match(1)(seat)
        else:
            rows.go_to_match(at)
    elif row is not None and not rows.pile.uniform and not _says(row, stay.filter):
        match(1)(seat)


def match(step: int) -> Callable[[Seat], None]:
    """To the next place (1) or the one before (-1), round the end."""

    def act(seat: Seat) -> None:
        rows, wanted = _rows(seat), seat.stay.filter
        if rows is None:
            return
        if wanted and (seat.stay.found_in or is_text(rows)):
            _next_place(seat, rows, wanted, step)
            return
        target = seek(rows, lambda row: _says(row, wanted), step) if wanted else None
        if not wanted:
            target = seek_finding(rows, step)
        if target is not None:
            rows.go_to(target)
        elif seat.entry is None:
            seat.say(f"no other match of {safe(wanted)}" if wanted else "no other finding")

    return act


def _next_place(seat: Seat, rows: RowList, wanted: str, step: int) -> None:
    places = matches(rows, wanted)
    if not places:
        if seat.entry is None:
            seat.say(f"no match of {safe(wanted)}")
        return
    here = match_at(rows, wanted)
    if here is None:
        from_here = rows.standing
        ahead = [at for at in places if (at - from_here) * step > 0]
        target = (ahead or places)[0 if step > 0 else -1]
    else:
        target = places[(places.index(here) + step) % len(places)]
    if target == here and seat.entry is None:
        seat.say(f"no other match of {safe(wanted)}")
    rows.go_to_match(target)


def _rows(seat: Seat) -> RowList | None:
    """The pane in which words are looked for."""
    stay = seat.stay
    return stay.lists.get(stay.found_in) if stay.found_in in stay.lists else seat.rows


def _says(row: Row, wanted: str) -> bool:
    """As the lists take it: every word of a row counts, shown or copied."""
    if not row.selectable:
        return False
    spans = (span.text for line in row.lines for span in (*line.left, *line.columns, *line.right))
    said = f"{words(row)} {row.copy} {' '.join(spans)}"
    return wanted.casefold() in said.casefold()


def bar(seat: Seat) -> Line:
    """The line below the body: what is looked for, and how often it is there."""
    typing = seat.entry
    said = typing.spans() if typing is not None else (Span(seat.stay.filter, exact=True),)
    right = _count(seat)
    hint = " ".join(f"{name}:" for name in FILTERS)
    filters = lineage.here(seat) and not seat.stay.found_in
    if filters and typing is not None and cells(*said) + len(hint) + 6 < seat.width:
        right = hint
    return Line((Span("/ ", "soft"), *said), (Span(right, "soft"),), indent=1)


def _count(seat: Seat) -> str:
    """`2 of 5` on one of the places, `5 rows` or `5 places` elsewhere.

    In what was opened from a list, or stands beside it, nothing is left out: nothing is counted.
    """
    rows, wanted = _rows(seat), seat.stay.filter
    if rows is None:
        return ""
    if inside(seat.stay.focus) and not seat.stay.found_in:
        return "in the list"
    if seat.stay.found_in or is_text(rows):
        if not wanted:
            return ""
        places, here = matches(rows, wanted), match_at(rows, wanted)
        if here is not None:
            return f"{places.index(here) + 1:,} of {len(places):,}"
        if not places and seat.stay.found_in:
            return "0 places in this text"
        return f"{len(places):,} place{'' if len(places) == 1 else 's'}"
    if rows.pile.uniform:
        return ""
    found = rows.selectable_count()
    if seat.entry is None and rows.index is not None and not rows.gone:
        before = sum(row.selectable for row in rows.pile.rows[: rows.index])
        return f"{before + 1:,} of {found:,}"
    return f"{found:,} row{'' if found == 1 else 's'}"
