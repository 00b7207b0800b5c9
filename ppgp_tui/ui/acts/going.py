"""Going to a thing by its name from anywhere: its view, with the cursor on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ppgp_tui.ui.acts import lineage, revisions

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def to_task(seat: Seat, key: str) -> None:
    """To the plan, with the cursor on the task."""
    _to_row(seat, "plan", "plan.list", f"task:{key}", f"{key} is not in the plan any more")


def to_request(seat: Seat, request_id: str) -> None:
    """To the inbox, with the cursor on the request."""
    gone = "this request is no longer there"
    _to_row(seat, "inbox", "inbox.list", f"req:{request_id}", gone)


def to_event(seat: Seat, index: int) -> None:
    """To the events, with this one opened; Esc comes back."""
    lineage.go(seat, f"event:{index}")


def to_revision(seat: Seat, at: int) -> None:
    """To the plan, comparing the revision at that place of its history with the one before."""
    revisions.go_to(seat, at)


def to_session(seat: Seat, key: str) -> None:
    """Open the session of the root with that key."""
    seat.outside.open_session(key, "")


def to_file(seat: Seat, path: str) -> None:
    """Open a file of the repository in the person's editor."""
    seat.outside.edit(path, 0)


def _to_row(seat: Seat, view: str, pane: str, key: str, gone: str) -> None:
    """Show `view` whole, and put the cursor of `pane` on the row with `key`."""
    names = [one.name for one in seat.views]
    if view not in names:
        seat.say(f"there is no view {view} here")
        return
    seat.show_view(names.index(view))
    stay = seat.stay
    stay.opened = None
    seat.arrange()
    rows = stay.lists.get(pane)
    if rows is None or not rows.go_to(key):
        stay.filter, seat.entry = "", None
        stay.plan = stay.plan._replace(family="", states="all")
        seat.arrange()
        rows = stay.lists.get(pane)
    if rows is None or not rows.go_to(key):
        seat.say(gone)
        return
    stay.focus = pane
