"""What the keys of the plan's history do to the seat: walk, compare any two, blame."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ppgp_tui.ui.seat.revision_choice import Compared, Mark, OnRevisions, Walk, rail_key
from ppgp_tui.ui.seat.stay import OpenSheet

if TYPE_CHECKING:
    from ppgp_tui.session.plan_history.comparing import Comparison
    from ppgp_tui.session.plan_history.history import PlanHistory
    from ppgp_tui.session.plan_history.revision import Revisions
    from ppgp_tui.session.plan_history.seen import Looked
    from ppgp_tui.ui.seat.last_look import LastLook
    from ppgp_tui.ui.seat.seat import Seat

VIEW = "plan"
CHANGES, RAIL = "plan.changes", "plan.rail"
"""Panes of the comparison."""
TASK_ROWS = ("task", "changed", "ref")
"""What keys of rows begin with that stand for a task."""


_COMPARED = 8
"""Comparisons that are remembered."""


class Lately:
    """What was compared last, and which revision was looked at last: worked out once."""

    def __init__(self) -> None:
        self.looked: Looked | None = None
        """The last look before this one; None: nobody knows of one."""
        self.look: LastLook | None = None
        """What follows the looks; None until the first picture is painted."""
        self._found: dict[tuple[Revisions, int, int], Comparison | None] = {}
        self._placed: tuple[Revisions, Looked] | None = None
        self._place: int | None = None

    def between(self, history: PlanHistory, one: int, other: int) -> Comparison | None:
        """As `comparing.between`."""
        from ppgp_tui.session.plan_history.comparing import between  # no start compares

        key = history.revisions, one, other
        if key not in self._found:
            if len(self._found) >= _COMPARED:
                self._found.clear()
            self._found[key] = between(history, one, other)
        return self._found[key]

    def place(self, history: PlanHistory) -> int | None:
        """Where the revision that was looked at last is; None where nobody knows."""
        if self.looked is None:
            return None
        if self._placed != (history.revisions, self.looked):
            self._place = self.looked.place(history)
            self._placed = history.revisions, self.looked
        return self._place


# --- what is shown ------------------------------------------------------------------------------


def here(seat: Seat) -> bool:
    """Whether the view on screen is the plan's."""
    return seat.views[seat.current].name == VIEW


def compared(seat: Seat) -> Compared | None:
    """What is to be compared in the view of the plan; None where it shows the plan of now."""
    return _compared(seat, seat.walk) if seat.walk.mode and here(seat) else None


def since(seat: Seat) -> Compared | None:
    """What changed since the person last looked; None where nothing did, or nobody knows."""
    return _compared(seat, Walk("since")) if _anything_since(seat) else None


def _anything_since(seat: Seat) -> bool:
    history = seat.snapshot.history.value
    looked = seat.lately.place(history)
    return looked is not None and looked < len(history) - 1


def _compared(seat: Seat, walk: Walk) -> Compared | None:
    history, lately = seat.snapshot.history.value, seat.lately
    newest, looked = len(history) - 1, lately.place(history)
    at = newest if walk.mode == "since" else walk.at.place(history)
    if newest < 0 or at is None:
        return None
    pinned = walk.pin.place(history) if walk.mode == "pair" else None
    other = at - 1
    if walk.mode == "since" and looked is not None:
        other = looked
    elif pinned is not None:
        other = pinned
    first, last = min(at, other), max(at, other)
    found = lately.between(history, first, last)
    at_ms = lately.looked.at_ms if lately.looked is not None else None
    return Compared(history, walk.mode, first, last, at, found, pinned, looked, at_ms)


def on_revisions(seat: Seat) -> OnRevisions:
    """What the keys can do here."""
    history, walk = seat.snapshot.history.value, seat.walk
    return OnRevisions(
        known=len(history),
        here=here(seat),
        mode=walk.mode if here(seat) else "",
        oldest=_target(seat, -1) is None,
        task=bool(task_at(seat)),
    )


def task_at(seat: Seat) -> str:
    """Key of the task under the cursor; empty where there is none."""
    kind, _, rest = (seat.row.key if seat.row is not None else "").partition(":")
    if kind not in TASK_ROWS:
        return ""
    return rest.partition(">")[2] if kind == "ref" else rest


def leaves(seat: Seat) -> str:
    """What Esc comes back to from a comparison; empty where nothing is compared."""
    return "plan of now" if seat.walk.mode and here(seat) else ""


def leave(seat: Seat) -> None:
    """Show the plan of now again."""
    seat.walk = Walk()


# --- walking ------------------------------------------------------------------------------------


def _mark(history: PlanHistory, at: int) -> Mark:
    return Mark(history.revisions[at].id, at)


def _target(seat: Seat, step: int) -> Walk | None:
    """Where one step leads: older (-1) or newer (1); None where there is nothing more."""
    history, walk = seat.snapshot.history.value, seat.walk
    newest = len(history) - 1
    if newest < 0:
        return None
    may_since = _anything_since(seat)
    if not walk.mode:
        if step > 0:
            return None
        return Walk("since") if may_since else Walk("step", _mark(history, newest))
    if walk.mode == "since":
        return Walk("step", _mark(history, newest)) if step < 0 else Walk()
    at = walk.at.place(history)
    if at is None:
        return Walk()
    to = at + step
    if walk.mode == "pair":
        pinned = walk.pin.place(history)
        to = to + step if to == pinned else to
        return walk._replace(at=_mark(history, to)) if 0 <= to <= newest else None
    if to > newest:
        return Walk("since") if may_since else Walk()
    return Walk("step", _mark(history, to)) if to >= 0 else None


def _step(step: int) -> Callable[[Seat], None]:
    def act(seat: Seat) -> None:
        target = _target(seat, step)
        if target is None:
            history = seat.snapshot.history.value
            older = history.revisions.older
            first = f"older ones are not kept: {older:,}" if older else "this is the first one"
            seat.say(first if step < 0 else "this is the newest one")
            return
        _go(seat, target)

    return act


def go_to(seat: Seat, at: int) -> None:
    """Show what the revision at that place of the history changed."""
    history = seat.snapshot.history.value
    if 0 <= at < len(history):
        _go(seat, Walk("step", _mark(history, at)))


def _go(seat: Seat, walk: Walk) -> None:
    """Show what `walk` compares, in the view of the plan."""
    entered = not seat.walk.mode or not here(seat)
    seat.show_view([view.name for view in seat.views].index(VIEW))
    seat.walk = walk
    seat.stay.opened = None
    if entered and walk.mode:
        seat.stay.focus = CHANGES
    _stand_on_rail(seat)


def _stand_on_rail(seat: Seat) -> None:
    """The cursor of the rail, where there is one, is on the revision that was walked to."""
    shown, rail = compared(seat), seat.stay.lists.get(RAIL)
    if shown is not None and rail is not None:
        rail.go_to(rail_key(shown.history.revisions[shown.at], shown.at))


def _compare(seat: Seat) -> None:
    """Hold one side and walk with the other; held already, let it go again."""
    history, walk = seat.snapshot.history.value, seat.walk
    newest = len(history) - 1
    if walk.mode == "pair":
        _go(seat, Walk("step", walk.at))
        return
    now = compared(seat)
    at = newest if now is None else now.at
    other = now.first if now is not None and now.first >= 0 else at - 1
    if other < 0:
        other = at + 1
    _go(seat, Walk("pair", _mark(history, other), _mark(history, at)))
    seat.say(f"{history.revisions[at].name} is held: {seat.key('revision.older')} and "
             f"{seat.key('revision.newer')} choose the other one")  # fmt: skip


# --- blame --------------------------------------------------------------------------------------


def _blame(seat: Seat) -> None:
    seat.sheet = OpenSheet("blame", about=task_at(seat))


def open_change(seat: Seat) -> None:
    """From the sheet to the event or commit that made a change; Esc comes back to the view."""
    from ppgp_tui.ui.acts import lineage

    row = seat.sheet.rows.row if seat.sheet is not None else None
    if row is None or not row.thing:
        seat.say("this change is in no event of the log")
        return
    seat.sheet = None
    lineage.go(seat, row.thing)


ACTS: dict[str, Callable[[Seat], None]] = {
    "revision.older": _step(-1),
    "revision.newer": _step(1),
    "revision.compare": _compare,
    "blame": _blame,
}
"""By action id."""
