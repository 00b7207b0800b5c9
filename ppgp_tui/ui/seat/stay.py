"""What a person left in a view, and the sheet that lies over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.screen.body import Place as PanePlace
from ppgp_tui.ui.seat.place import Sheet
from ppgp_tui.ui.seat.plan_choice import FOLD, PlanStay

if TYPE_CHECKING:
    from ppgp_tui.ui.finder.finder import Finder


class Stay:
    """What the person left in one view."""

    def __init__(self) -> None:
        self.lists: dict[str, RowList] = {}
        self.placed: tuple[PanePlace, ...] = ()
        self.focus = ""
        self.opened: str | None = None
        self.filter = ""
        self.found_in = ""
        """The pane in which alone that is looked for; empty: it filters the lists."""
        self.trail: tuple[str, ...] = ()
        """What was gone through to what is opened; see `Frame.trail`."""
        self.more = 0
        self.raw: bool | None = None
        self.turned: frozenset[str] = frozenset()
        self.plan = PlanStay()

    @property
    def asked(self) -> str:
        """What the lists are chosen by: when a person asks for other rows, none is kept struck."""
        words = "" if self.found_in else self.filter
        return f"{words}\0{self.plan.chosen_by} {FOLD in self.turned}"


class OpenSheet:
    """A sheet over the body."""

    def __init__(
        self,
        kind: Sheet,
        *,
        under: OpenSheet | None = None,
        about: str = "",
        finder: Finder | None = None,
    ) -> None:
        self.kind = kind
        self.rows = RowList()
        self.found = ""
        self.tall = 0
        """Its height at its largest: it does not shrink while one types."""
        self.under = under
        """What help was opened over, and closing it comes back to."""
        self.seen = 0
        """Lines of it that were on the screen, from its first one on."""
        self.about = about
        """Key of the task whose changes it tells."""
        self.finder = finder
        """What the palette finds with."""
