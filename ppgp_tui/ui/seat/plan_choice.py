"""How a person looks at the plan, as values: what is kept, what is asked for, what can be done.

`Stay.plan` holds a `PlanStay` for the plan's view. Its `look` is all that is worth keeping for the
next time in this repository: read `seat.stay.plan.look`, and put one back with
`stay.plan = stay.plan._replace(look=PlanLook(...))`; both members are plain words.
"""

from __future__ import annotations

from typing import Literal

from ppgp_tui.named_tuple import NamedTuple

Zoom = Literal["", "dots", "keys", "cards"]
"""How much of a task the graph draws; empty: as much as there is room for."""
ZOOMS: tuple[Zoom, ...] = ("dots", "keys", "cards")
States = Literal["all", "ready", "stopped", "running", "open", "done"]
"""Which tasks are listed; `stopped`: blocked, or for a person; `open`: not done."""
STATES: tuple[States, ...] = ("all", "ready", "stopped", "running", "open", "done")

FOLD = "fold:done"
"""Key of the row that stands for the finished tasks that are folded away."""
LEADS_FROM = 2_000
"""Tasks of a plan from which on it is not drawn, only the family of one of them."""

NOTHING = {
    "r": "no task is ready",
    "b": "no task is blocked",
    "p": "no task is running",
    "u": "no task keeps another one waiting",
    "c": "nothing is left to do",
    "y": "no task waits for you",
}
"""Why a jump leads nowhere, by its letter."""


class PlanLook(NamedTuple):
    """What a person chose for good."""

    zoom: Zoom = ""
    tree: bool = False
    """The dependencies as an indented list, not drawn."""


class PlanStay(NamedTuple):
    """What the person left in the plan."""

    look: PlanLook = PlanLook()
    family: str = ""
    """Key of the task that is shown with its ancestors and descendants only."""
    states: States = "all"
    chain: bool = False
    """The longest chain of what is left stands out while the cursor is on it."""
    pan: tuple[str, int] = ("", 0)
    """The row under the cursor when the graph was moved by hand, and the first column (or line,
    where it grows downwards) in view since; with another cursor the graph follows that."""

    @property
    def chosen_by(self) -> str:
        """By what the tasks are chosen that are listed."""
        return f"{self.states} {self.look.tree} {self.family}"


class OnPlan(NamedTuple):
    """What keys can do with the plan on the screen."""

    tasks: bool = False
    """This is the plan's view, and there are tasks."""
    task: bool = False
    """One of them is under the cursor."""
    family: str = ""
    """Key of the task whose family alone is shown."""
    states: States = "all"
    large: bool = False
    """There are too many tasks to be drawn."""
    zoom: Zoom = ""
    """How the graph is drawn; empty: it is not."""
    tree: bool = False
    wider: bool = False
    """There is more of the graph than is in view."""
    goes: str = ""
    """Letters of the jumps that lead somewhere."""
