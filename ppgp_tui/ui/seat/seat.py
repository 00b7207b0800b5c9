"""The seat: which view, which row, which sheet; and the whole screen as lines.

The screen is a function of the seat, the newest picture, the size and the time. Keys change the
seat; nothing here knows a terminal, so every screen can be drawn and every key pressed in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual.strip import Strip

from ppgp_tui.session.model import Session, SessionSnapshot
from ppgp_tui.ui.acts import lineage, planning
from ppgp_tui.ui.acts.revisions import Lately, compared, since
from ppgp_tui.ui.app.crew import Crew
from ppgp_tui.ui.app.manner import Manner
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows import flash
from ppgp_tui.ui.rows.layout import Density, Frame, Layout, Pane, View
from ppgp_tui.ui.rows.linked import fit
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.screen.body import places
from ppgp_tui.ui.seat import where
from ppgp_tui.ui.seat.asking import Acting, changed, listed
from ppgp_tui.ui.seat.audit_stay import AuditStay, want_reports
from ppgp_tui.ui.seat.journey import Journey, by_id, document
from ppgp_tui.ui.seat.place import PICKED_FROM, Place
from ppgp_tui.ui.seat.revision_choice import Walk
from ppgp_tui.ui.seat.stay import OpenSheet, Stay
from ppgp_tui.ui.views import AUDIT, RIBBON, VIEWS

if TYPE_CHECKING:
    from ppgp_tui.session.picture.commit import Commit
    from ppgp_tui.ui.seat.entry import Entry
    from ppgp_tui.ui.seat.outside import Outside

LEAST_WIDTH, LEAST_HEIGHT = 40, 12
"""Below this nothing can be laid out: one line, and only quit and help act."""
RIBBON_WIDTH = 20
"""From here up, below the least width, a ribbon can be drawn."""
RIBBON_LAMPS = 6
"""Lines above its list, without the blank one below them."""
ROOMY_HEIGHT = 30
"""From here up one blank line follows the tab line."""
WIDE = 100
"""From here up a sheet is a column in the middle, not the whole width."""
SHEET_WIDTH = 72
TOAST_S = 3.0
COMMITS_KEPT = 8
"""Commits that were read and can be looked at again at once."""


class Seat:
    """One person's place before the screen."""

    def __init__(
        self,
        session: Session,
        views: Sequence[View],
        keymap: Keymap,
        look: Look,
        outside: Outside,
        clock: Callable[[], int],
    ) -> None:
        self.session = session
        self.snapshot: SessionSnapshot = session.snapshot
        """What is shown."""
        self.live = self.snapshot
        """What is now: the same, unless the person is in the past."""
        self.journey: Journey | None = None
        """What the person does in the past; None: they are in the present."""
        self.taken = 0
        """How many newer pictures were taken."""
        self.views = (*views, AUDIT)
        self.numbered = len(views)
        """Views that have a number: the first ones."""
        self.keymap = keymap
        self.look = look
        self.outside = outside
        self.clock = clock
        self.density: Density = "normal"
        self.width = self.height = 0
        self.current = 0
        self.before: list[int] = []
        """Views to go back to, the last one last."""
        self.stays = [Stay() for _ in self.views]
        self.sheet: OpenSheet | None = None
        self.entry: Entry | None = None
        """The line being typed: into the sheet if one is open, else into the filter."""
        self.prefix = ""
        """The first key of a sequence that was pressed; the key after it is waited for."""
        self.toast = ""
        self.toast_until = 0
        self.behind = False
        """The cursor moved, and panes that follow it have not been laid out yet."""
        self.drawn_top: tuple[object, Sequence[Strip]] = (None, ())
        """The lines above the body as last drawn, and what they were drawn from."""
        self.leaving = 0
        """When Ctrl+C was pressed for the first time."""
        self.commits: dict[str, Commit | str] = {}
        """By hash what was read of commits, or why one could not be."""
        self.manner = Manner()
        self.bright: dict[str, int] = {}
        """Until when, by row key, a state word stands out because it changed."""
        self.acting = Acting()
        self.walk = Walk()
        """Where the person is among the revisions of the plan."""
        self.lately = Lately()
        self.audits = AuditStay()
        """What is known of audits beside the picture."""
        self.kept: dict[str, Any] = {}
        """What views made for this seat; see `Frame.kept`."""
        self.crew = Crew()
        """What is known of the kinds of agents."""
        self.can_act = True
        """Deeds can be done: the picture is of now, and there is somebody to do them."""
        self.home = ""
        """Where Esc goes at last: the open session by its name, the list, or nowhere."""
        self.others = True
        """Other sessions can be listed and opened."""
        self.ribbon = False
        """A ribbon is drawn where the screen is too narrow for a view."""
        self.left_wide = 0
        """The view that was left for the ribbon."""

    # --- what is where --------------------------------------------------------------------------

    @property
    def small(self) -> bool:
        """The terminal is too small to lay anything out."""
        too_small = self.width < LEAST_WIDTH or self.height < LEAST_HEIGHT
        return too_small and not self.is_ribbon

    @property
    def is_ribbon(self) -> bool:
        """The ribbon is on the screen: one list under lamps of its own."""
        fits = RIBBON_WIDTH <= self.width < LEAST_WIDTH and self.height >= LEAST_HEIGHT
        return fits and self.ribbon and self.views[0].name == VIEWS[0].name

    @property
    def view(self) -> View:
        """The view on screen."""
        return RIBBON if self.is_ribbon else self.views[self.current]

    @property
    def stay(self) -> Stay:
        """What the person left in the view on screen."""
        return self.stays[self.current]

    @property
    def body_top(self) -> int:
        """The first line of the body."""
        if self.is_ribbon:
            return RIBBON_LAMPS + (self.density != "compact")
        return 4 if self.height >= ROOMY_HEIGHT and self.density != "compact" else 3

    @property
    def filter_bar(self) -> bool:
        """The last body line says what the rows are filtered by."""
        return bool(self.stay.filter) or (self.entry is not None and self.sheet is None)

    @property
    def body_height(self) -> int:
        """Lines for the panes."""
        return max(0, self.height - self.body_top - 1 - self.filter_bar)

    @property
    def rows(self) -> RowList | None:
        """The list that moving keys move in."""
        if self.sheet is not None:
            return self.sheet.rows
        return self.stay.lists.get(self.stay.focus)

    @property
    def row(self) -> Row | None:
        """The row under the cursor of the focused pane."""
        rows = self.stay.lists.get(self.stay.focus)
        return rows.row if rows is not None else None

    def place(self) -> Place:
        """Where the person is, which decides what keys do."""
        return where.place(self)

    @property
    def at_ms(self) -> int:
        """The time of what is shown: now, or that of the moment."""
        return self.clock() if self.snapshot.moment is None else self.snapshot.at_ms

    def key(self, action_id: str) -> str:
        """The first key of an action, as it is written."""
        return self.keymap.first[action_id]

    def panes(self) -> list[str]:
        """The panes the focus can be in, in reading order."""
        lists = self.stay.lists
        ids = [place.pane.id for place in self.stay.placed]
        return [pane for pane in ids if _moves(lists[pane])]

    def layout_shown(self) -> list[tuple[str, Sequence[Row]]]:
        """What the view shows, for telling whether something changed it."""
        return [(place.pane.id, place.pane.rows) for place in self.stay.placed]

    def first_focus(self) -> str:
        """The pane that has the focus when the person has chosen none."""
        placed = self.stay.placed
        lists = self.stay.lists
        able = (
            place.pane.id for place in placed if lists[place.pane.id].pile.next(0, 1) is not None
        )
        return next(able, placed[0].pane.id if placed else "")

    @property
    def lists_raw(self) -> bool:
        """Whether events are listed one by one, not as a story."""
        if self.snapshot.moment is not None and self.stay.raw is None:
            return True
        from ppgp_tui.ui.views.log.event_panes import is_raw  # no start shows view 4

        log = self.snapshot.events.value.log
        return is_raw(self.stay.raw, 0 if log is None else len(log))

    def show_view(self, index: int) -> None:
        """Go to another view; Esc comes back."""
        if index != self.current:
            self.before = [view for view in self.before if view != index] + [self.current]
            self.current = index
            self.entry = None

    # --- what arrives ---------------------------------------------------------------------------

    def take(self, snapshot: SessionSnapshot) -> None:
        """Show a newer picture; the cursor stays on its row, and the row on its line."""
        self.taken += 1
        if self.journey is not None:
            from ppgp_tui.ui.acts import travelling  # no start travels

            travelling.take(self, snapshot)
            self.arrange()
            return
        before, self.snapshot, self.live = self.snapshot, snapshot, snapshot
        flash.note(self, before)
        self.arrange()
        if self.acting.awaits_loop is not None:
            from ppgp_tui.ui.acts import looping  # few start loops

            looping.arrived(self)
            self.arrange()

    def take_over(self, other: Seat) -> None:
        """Look as `other` does now: what the person chose holds for every seat."""
        links, self.look = self.look.links or other.look.links, other.look
        fit(self, links)
        self.density, self.crew = other.density, other.crew
        self.others, self.ribbon, self.manner = other.others, other.ribbon, other.manner

    def resize(self, width: int, height: int) -> None:
        """The terminal is `width` by `height` cells."""
        was = self.is_ribbon
        self.width, self.height = width, height
        if self.is_ribbon and not was:
            self.current, self.left_wide = 0, self.current
        elif was and not self.is_ribbon:
            self.current = self.left_wide
        self.arrange()

    def keep_commit(self, name: str, found: Commit | str) -> None:
        """Keep a commit that was read, or why there is none, and forget the oldest of many."""
        while len(self.commits) >= COMMITS_KEPT:
            del self.commits[next(iter(self.commits))]
        self.commits[name] = found

    def say(self, text: str) -> None:
        """Show a toast: one line, three seconds, about something the person just did."""
        self.toast = text
        self.toast_until = self.clock() + int(TOAST_S * 1000)

    def forget_toast(self) -> bool:
        """Drop the toast when its time is over; return whether it was."""
        over = bool(self.toast) and self.clock() >= self.toast_until
        if over:
            self.toast = ""
        return over

    # --- laying out -----------------------------------------------------------------------------

    def arrange(self) -> None:
        """Ask the view for its panes and let every list take what changed."""
        self.behind = False
        if not self.small:
            self._arrange_view()
        if self.sheet is not None:
            self._arrange_sheet(self.sheet)

    def _arrange_view(self) -> None:
        stay = self.stay
        lineage.follow_list(self)
        lineage.want_graph(self)
        want_reports(self)
        planning.want_nodes(self)
        for _ in range(2):
            frame = self.frame()
            self._take(stay, self.view.layout(self.snapshot, frame))
            if (frame.cursor, frame.newer) == self._left(stay):
                return

    def frame(self) -> Frame:
        """The room the view has, and what the person is doing in it."""
        cursor, newer = self._left(self.stay)
        return Frame(
            width=self.width,
            height=self.body_height,
            look=self.look,
            now_ms=self.at_ms,
            cursor=cursor,
            opened=self.stay.opened,
            newer=newer,
            density=self.density,
            filter="" if self.stay.found_in else self.stay.filter,
            document=document(self),
            order=() if self.journey else listed(self),
            changed="" if self.journey else changed(self),
            later=by_id(self.live) if self.journey else None,
            keys=self.keymap.first,
            trail=self.stay.trail,
            more=self.stay.more,
            raw=self.stay.raw,
            turned=self.stay.turned,
            commits=self.commits,
            kind=self.crew.kind,
            kept=self.kept,
            plan=self.stay.plan,
            compared=compared(self),
            since=since(self),
            reports=self.audits.reports,
        )

    def _left(self, stay: Stay) -> tuple[dict[str, str], dict[str, int]]:
        cursor = {pane: rows.cursor for pane, rows in stay.lists.items() if rows.cursor}
        newer = {pane: rows.newer for pane, rows in stay.lists.items() if rows.newer is not None}
        return cursor, newer

    def _take(self, stay: Stay, layout: Layout) -> None:
        stay.placed = places(layout, self.width, self.body_height)
        moment = self.snapshot.moment
        at = None if moment is None else moment.at
        for place in stay.placed:
            rows = stay.lists.setdefault(place.pane.id, RowList())
            rows.show(place.pane, place.height, stay.asked, at)
            rows.marked = stay.filter if stay.found_in == place.pane.id else ""
        if stay.found_in and not any(place.pane.id == stay.found_in for place in stay.placed):
            stay.filter = stay.found_in = ""
        if not any(place.pane.id == stay.focus for place in stay.placed):
            stay.focus = self.first_focus()
        if stay.focus:
            stay.lists[stay.focus].visit()

    def _arrange_sheet(self, sheet: OpenSheet) -> None:
        from ppgp_tui.ui.screen.sheet_rows import sheet_rows  # no start shows a sheet

        rows = sheet_rows(self, sheet)
        width = self.sheet_width
        most = max(1, self.height - 1) if self.small else max(0, self.height - self.body_top - 5)
        sheet.tall = max(sheet.tall, sum(max(1, len(row.lines)) for row in rows))
        sheet.rows.show(Pane(sheet.kind, rows, width), min(sheet.tall, most), sheet.found)
        if sheet.kind == "palette":
            sheet.rows.let_go()  # Enter never does what no longer fits what was typed
        if sheet.kind in PICKED_FROM:
            sheet.rows.visit()
        if sheet.rows.top <= sheet.seen:
            sheet.seen = max(sheet.seen, sheet.rows.top + sheet.rows.height)

    @property
    def sheet_width(self) -> int:
        """Cells a sheet is wide."""
        return self.width if self.width < WIDE else SHEET_WIDTH


def _moves(rows: RowList) -> bool:
    return rows.overflows or rows.pile.next(0, 1) is not None
