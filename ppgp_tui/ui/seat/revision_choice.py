"""How a person goes through the plan's revisions, as values: what is chosen, shown, can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ppgp_tui.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.session.plan_history.comparing import Comparison
    from ppgp_tui.session.plan_history.history import PlanHistory
    from ppgp_tui.session.plan_history.revision import Revision

Mode = Literal["", "since", "step", "pair"]
"""Nothing is compared; since one last looked; one revision with the one before; any two."""


class Mark(NamedTuple):
    """A revision that is found again while others come: by its id, near where it was."""

    id: str = ""
    near: int = -1

    def place(self, history: PlanHistory) -> int | None:
        """Where it is now, or None where it is no longer there."""
        revisions = history.revisions
        if 0 <= self.near < len(revisions) and revisions[self.near].id == self.id:
            return self.near
        found = (at for at in range(len(revisions) - 1, -1, -1) if revisions[at].id == self.id)
        return next(found, None)


class Walk(NamedTuple):
    """Where the person is among the revisions."""

    mode: Mode = ""
    at: Mark = Mark()
    """The revision that was walked to; the newest where `mode` is `since`."""
    pin: Mark = Mark()
    """The one it is compared with in a `pair`."""


class Compared(NamedTuple):
    """Two revisions as they are to be shown."""

    history: PlanHistory
    mode: Mode
    first: int
    """Index of the older revision; -1: the empty plan before the first."""
    last: int
    at: int
    """The one that was walked to: it is marked on the rail."""
    found: Comparison | None
    """None where one of the plans cannot be read any more."""
    pinned: int | None = None
    looked: int | None = None
    """The revision that was looked at last, before this look."""
    looked_ms: int | None = None

    @property
    def name(self) -> str:
        """`r12 to r14`."""
        before = "nothing" if self.first < 0 else self.history.revisions[self.first].name
        return f"{before} to {self.revision.name}"

    @property
    def revision(self) -> Revision:
        """The newer of the two."""
        return self.history.revisions[self.last]


class OnRevisions(NamedTuple):
    """What keys can do with the plan's revisions where the person is."""

    known: int = 0
    """Revisions that are known."""
    here: bool = False
    """This is the plan's view."""
    mode: Mode = ""
    oldest: bool = False
    """There is no older one to walk to."""
    task: bool = False
    """One is under the cursor, for which somebody may be blamed. Which one makes no other place:
    the key line is made anew for each."""


def rail_key(revision: Revision, at: int) -> str:
    """Key of the row of a revision on the rail."""
    return f"rev:{at}:{revision.id}"
