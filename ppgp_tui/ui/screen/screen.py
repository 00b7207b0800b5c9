"""The whole screen as lines: lamps, tabs or notice, body, toast, key line, and a sheet over it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from ppgp_tui.ui.acts.quiet import quiet_spans
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.cells import shorten
from ppgp_tui.ui.rows.flash import bright
from ppgp_tui.ui.rows.row import Line, Span
from ppgp_tui.ui.screen import lamps
from ppgp_tui.ui.screen.body import blank, body_lines, drawn, pane_lines
from ppgp_tui.ui.screen.key_line import key_line
from ppgp_tui.ui.seat.asking import card_head
from ppgp_tui.ui.seat.place import PICKED_FROM
from ppgp_tui.ui.seat.seat import LEAST_HEIGHT, RIBBON_WIDTH, Seat
from ppgp_tui.ui.seat.stay import OpenSheet

SHEET_HEAD = 3
"""Lines of a sheet above its rows: a blank one, its head, a blank one."""
REMNANT = 2
"""So few lines of a view below a sheet would be taken for its last ones: they are covered too."""
TOAST_LINES = 3
"""Lines that a toast may take."""


def screen_lines(seat: Seat) -> list[Strip]:
    """Draw everything: exactly as many lines as the terminal has, each exactly as wide."""
    if not seat.width or not seat.height:
        return []
    lines = _small(seat) if seat.small else _whole(seat)
    return lines[: seat.height]


def _whole(seat: Seat) -> list[Strip]:
    lines = [*_top(seat), *_body(seat), _keys(seat)]
    if seat.sheet is not None:
        lines = _with_sheet(lines, seat, seat.sheet)
    if seat.prefix:
        return _with_hints(lines, seat)
    return _with_toast(lines, seat) if seat.toast else lines


def _top(seat: Seat) -> Sequence[Strip]:
    """Lamps, and tabs or notice; drawn again when the picture, the second or the room differs."""
    width, look, now = seat.width, seat.look, seat.clock()
    journey = seat.journey and (seat.journey.target, seat.journey.playing)
    drawn_from = (seat.taken, now // 1000, width, seat.body_top, look, seat.current, journey)
    if seat.drawn_top[0] != drawn_from:
        lines = _ribbon_lamps(seat) if seat.is_ribbon else _lamps(seat)
        if seat.journey is not None and not seat.is_ribbon and len(lines) < seat.body_top:
            lines.append(drawn(tab_line(seat), width, look))
        lines += [blank(width, look)] * (seat.body_top - len(lines))
        seat.drawn_top = (drawn_from, lines)
    return seat.drawn_top[1]


def _lamps(seat: Seat) -> list[Strip]:
    width, look = seat.width, seat.look
    first, second, third = _top_lines(seat, width, look, seat.clock())
    return [
        drawn(first, width, look, "panel"),
        drawn(second, width, look, "panel"),
        _third(third, seat, width, look),
    ]


def _ribbon_lamps(seat: Seat) -> list[Strip]:
    from ppgp_tui.ui.screen import ribbon  # few screens are that narrow

    width, look = seat.width, seat.look
    wrong = notice(seat)
    if seat.journey is not None:
        wrong = ribbon.past_line(seat.at_ms, seat.clock(), seat.key("travel.now"), width)
    lines = ribbon.lamp_lines(seat.snapshot, width, look, seat.at_ms, wrong)
    return [drawn(line, width, look, "panel") for line in lines]


def _top_lines(seat: Seat, width: int, look: Look, now_ms: int) -> tuple[Line, Line, Line]:
    every = seat.snapshot.sessions
    if every is not None:
        from ppgp_tui.ui.screen import all_lamps  # a start on one session has no use for it

        first, second = all_lamps.lamp_lines(every, width, look, now_ms)
        return first, second, all_lamps.third_line(every, width, look)
    if seat.journey is not None:
        from ppgp_tui.ui.screen.replay_band import past_lines  # no start travels

        return past_lines(seat, seat.journey, width, look, now_ms)
    first, second = lamps.lamp_lines(seat.snapshot, width, look, now_ms)
    return first, second, notice(seat) or tab_line(seat)


def _third(line: Line, seat: Seat, width: int, look: Look) -> Strip:
    if seat.journey is None:
        return drawn(line, width, look)
    return drawn(line, width + 1, look).crop(0, width)  # the band fills the last column as well


def notice(seat: Seat) -> Line | None:
    """What is wrong with the picture itself; it takes the place of the tabs while it stands."""
    if seat.journey is not None:
        from ppgp_tui.ui.screen.replay_band import brief  # no start travels

        return brief(seat, seat.journey)
    return lamps.notice_line(seat.snapshot, seat.width, seat.look, seat.clock())


def tab_line(seat: Seat) -> Line:
    """The views by number; over the one that has none, what leads there and back."""
    names = [view.name for view in seat.views]
    current = names[seat.current]
    if seat.current >= seat.numbered:
        back = names[seat.before[-1]] if seat.before else "session"
        keys = seat.keymap.first
        return lamps.aside_line(current, keys["audit"], keys["back"], back)
    names = names[: seat.numbered]
    return lamps.tab_line(names, current, seat.snapshot, seat.width, seat.look)


def _body(seat: Seat) -> list[Strip]:
    look = seat.look.muted if seat.sheet is not None and not _shows_theme(seat) else seat.look
    stay = seat.stay
    height = seat.body_height
    for rows in stay.lists.values():
        rows.bright = bright(seat)
    lines = body_lines(stay.placed, stay.lists, stay.focus, seat.width, height, look)
    if seat.filter_bar:
        from ppgp_tui.ui.acts import searching  # no start looks for words

        lines.append(drawn(searching.bar(seat), seat.width, look, "field"))
    return lines


def _with_toast(lines: list[Strip], seat: Seat) -> list[Strip]:
    """Lay the toast over the lowest body lines; where it may not, over the key line."""
    width, look = seat.width, seat.look
    said = _toast_lines(seat.toast, width - 2, look)
    if len(said) > _free_lines(seat):
        return [*lines[:-1], drawn(_toast(seat.toast), width, look, "panel")]
    toast = (drawn(_toast(text), width, look, "field") for text in said)
    return [*lines[: -1 - len(said)], *toast, lines[-1]]


def _toast_lines(text: str, width: int, look: Look) -> list[str]:
    """The toast in `TOAST_LINES` at most; of what is longer the end is kept, as paths need it."""
    from ppgp_tui.ui.views.prose import wrapped  # a start seldom has anything to say

    said = wrapped(text, width)
    if len(said) <= TOAST_LINES:
        return said
    kept, last = said[: TOAST_LINES - 1], said[TOAST_LINES - 1 :]
    tied = "".join(last)
    rest = tied if tied in text else " ".join(last)
    return [*kept, shorten(rest, width, "middle", look.sign("cut"))]


def _with_hints(lines: list[Strip], seat: Seat) -> list[Strip]:
    """Lay the keys that may follow the prefix over the lowest lines, above the key line."""
    from ppgp_tui.ui.keys import prefix  # no start waits for a second key

    width, look, most = seat.width, seat.look, len(lines) - seat.body_top - 1
    hints = prefix.hints(seat.keymap, seat.prefix, seat.place(), width, most, look)
    strips = (drawn(line, width, look, "field") for line in hints)
    return [*lines[: -1 - len(hints)], *strips, lines[-1]]


def _toast(text: str) -> Line:
    return Line((Span(text, "ink", bold=True),), indent=1)


def _free_lines(seat: Seat) -> int:
    """Body lines from the lowest one up that are no request, no cursor and nothing being typed."""
    if seat.sheet is not None:
        return max(0, seat.body_height - seat.sheet.rows.height - SHEET_HEAD)
    if seat.filter_bar:
        return 0
    free = 0
    while free < TOAST_LINES and not _must_be_seen(seat, seat.body_height - 1 - free):
        free += 1
    return free


def _must_be_seen(seat: Seat, line: int) -> bool:
    for place in seat.stay.placed:
        if place.y <= line < place.y + place.height:
            rows = seat.stay.lists[place.pane.id]
            row = rows.on_line(line - place.y)
            if row is not None and (row is rows.row or row.key.startswith("req:")):
                return True
    return line < 0


def _shows_theme(seat: Seat) -> bool:
    """A theme is looked at: what lies behind the sheet keeps its colours."""
    sheet = seat.sheet
    if sheet is None or sheet.kind not in ("themes", "palette"):
        return False
    return sheet.kind == "themes" or sheet.rows.cursor.startswith("theme:")


def _keys(seat: Seat) -> Strip:
    source = (*quiet_spans(seat), *_source(seat))
    if seat.is_ribbon:
        from ppgp_tui.ui.screen import ribbon

        line = ribbon.key_line(seat.key("help"), source)
    elif seat.prefix:
        from ppgp_tui.ui.keys import prefix

        line = prefix.key_line(seat.prefix, source, seat.width)
    else:
        line = key_line(seat.keymap, seat.place(), source, seat.width)
    return drawn(line, seat.width, seat.look, "panel")


def _source(seat: Seat) -> tuple[Span, ...]:
    if seat.snapshot.sessions is not None:
        from ppgp_tui.ui.screen.all_lamps import source_spans

        return source_spans(seat.snapshot.sessions)
    mark, past = seat.look.sign("finding"), seat.journey is not None
    return lamps.source_spans(seat.live, seat.width, seat.clock(), mark=mark, replay=past)


def _one_line(seat: Seat) -> Line:
    if seat.snapshot.sessions is not None:
        from ppgp_tui.ui.screen.all_lamps import one_line

        return one_line(seat.snapshot, seat.look, seat.clock())
    return lamps.one_line(seat.live, seat.width, seat.look, seat.clock())


def _small(seat: Seat) -> list[Strip]:
    width, look = seat.width, seat.look
    one = drawn(_one_line(seat), width, look)
    below: list[Strip] = []
    if seat.sheet is not None:
        below = pane_lines(seat.sheet.rows, width, look, False)
        if seat.height < 2:
            return below
    if not below and width >= RIBBON_WIDTH and seat.height >= LEAST_HEIGHT:
        below = [blank(width, look), *_room_hint(seat)]
    return [one, *below, *[blank(width, look)] * (seat.height - 1 - len(below))]


def _room_hint(seat: Seat) -> list[Strip]:
    """Where there is room for words only: what a larger pane shows, and how a list fits here."""
    from ppgp_tui.ui.views.prose import wrapped

    said = wrapped("40 columns show everything; ppgp-tui --ribbon lists it here", seat.width - 2)
    return [drawn(Line((Span(text, "soft"),), indent=1), seat.width, seat.look) for text in said]


def _with_sheet(lines: Sequence[Strip], seat: Seat, sheet: OpenSheet) -> list[Strip]:
    """Lay the sheet over the body from the line below the tabs; nothing slides."""
    width, look = seat.sheet_width, seat.look
    left = (seat.width - width) // 2
    content = [
        blank(width, look, "field"),
        drawn(_sheet_head(seat, sheet), width, look, "field"),
        blank(width, look, "field"),
        *pane_lines(sheet.rows, width, look, sheet.kind in PICKED_FROM, "field"),
        blank(width, look, "field"),
    ]
    rest = len(lines) - 1 - seat.body_top - len(content)
    if not left and rest <= REMNANT:
        content += [blank(width, look, "field")] * rest
    covered = list(lines)
    for at, strip in enumerate(content, seat.body_top):
        if at < len(covered) - 1:
            covered[at] = _over(covered[at], strip, left)
    return covered


def _over(under: Strip, strip: Strip, left: int) -> Strip:
    if not left and strip.cell_length == under.cell_length:
        return strip
    right = left + strip.cell_length
    parts = [under.crop(0, left), strip, under.crop(right, under.cell_length)]
    return Strip(Strip.join(parts), under.cell_length)


def _sheet_head(seat: Seat, sheet: OpenSheet) -> Line:
    esc = Span("Esc", "soft")
    if sheet.kind in ("card", "form", "confirm"):
        return _deed_head(seat, sheet, esc)
    if seat.entry is not None:
        sign = {"palette": ": ", "quiet": "Do not disturb until "}.get(sheet.kind, "/ ")
        found = sheet.finder.found.said() if sheet.finder is not None else ""
        return Line(
            (Span(sign, "ink", bold=True), *seat.entry.spans()), (Span(found, "soft"),), indent=1
        )
    if sheet.kind == "blame":
        title = f"Who changed {sheet.about}"
        return Line((Span(title, "ink", bold=True),), (esc,), indent=1)
    if sheet.kind == "audit":
        return Line((Span("Plan of the audit", "ink", bold=True),), (esc,), indent=1)
    if sheet.kind == "themes":
        return Line((Span("Themes", "ink", bold=True),), (esc,), indent=1)
    if sheet.kind == "help":
        right = (Span("/ finds  ", "soft"), esc)
        return Line((Span("Keys that work here", "ink", bold=True),), right, indent=1)
    return Line((Span("Where this comes from", "ink", bold=True),), (esc,), indent=1)


def _deed_head(seat: Seat, sheet: OpenSheet, esc: Span) -> Line:
    """The head of a card, a form or a confirmation."""
    acting = seat.acting
    if sheet.kind == "card":
        left, right = card_head(seat)
        return Line(
            (Span(left, "ink", bold=True),), (Span(f"{right}  ", "stop", bold=True), esc), indent=1
        )
    about = acting.form if sheet.kind == "form" else acting.confirmation
    return Line((Span(about.title if about else "", "ink", bold=True),), (esc,), indent=1)
