"""What a person left in a view, and the sheet that lies over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ppgp_tui.ui.rows.row_list import RowList
from ppgp_tui.ui.screen.body import Place as PanePlace
from ppgp_tui.ui.seat.place import Sheet
from ppgp_tui.ui.seat.plan_choice import FOLD, PlanStay

if TYPE_CHECKING:
    from ppgp_tui.ui.finder.finder import Finder


@dataclass(slots=True)
class Stay:
    """What the person left in one view."""

    lists: dict[str, RowList] = field(default_factory=dict)
    placed: tuple[PanePlace, ...] = ()
    focus: str = ""
    opened: str | None = None
    filter: str = ""
    found_in: str = ""
    """The pane in which alone that is looked for; empty: it filters the lists."""
    trail: tuple[str, ...] = ()
    """What was gone through to what is opened; see `Frame.trail`."""
    more: int = 0
    raw: bool | None = None
    turned: frozenset[str] = frozenset()
    plan: PlanStay = field(default_factory=PlanStay)

    @property
    def asked(self) -> str:
        """What the lists are chosen by: when a person asks for other rows, none is kept struck."""
        words = "" if self.found_in else self.filter
        return f"{words}\0{self.plan.chosen_by} {FOLD in self.turned}"


@dataclass(slots=True)
class OpenSheet:
    """A sheet over the body."""

    kind: Sheet
    rows: RowList = field(default_factory=RowList)
    found: str = ""
    tall: int = 0
    """Its height at its largest: it does not shrink while one types."""
    under: OpenSheet | None = None
    """What help was opened over, and closing it comes back to."""
    seen: int = 0
    """Lines of it that were on the screen, from its first one on."""
    about: str = ""
    """Key of the task whose changes it tells."""
    finder: Finder | None = None
    """What the palette finds with."""
