"""When the person looked at the plan last: kept beside the screen, told by what is on it.

A look begins when the plan, or what changed in it, comes on the screen of a terminal in focus, and
ends when it leaves. What is compared by default is the revision looked at before this look; a short
glance elsewhere does not end one. What is remembered lies outside the repository (`seen.json`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from ppgp_tui.ui.rows.row_list import RowList

if TYPE_CHECKING:
    from ppgp_tui.session.plan_history.seen import Looked
    from ppgp_tui.ui.seat.seat import Seat

LOOK_MS = 3_000
"""So long it must be on the screen to count as looked at."""
AWAY_MS = 60_000
"""So long it must be away for the next look to be another one."""
AGAIN_MS = 60_000
"""So often the time of a look that lasts is written down anew."""
_SHOWN = ("changed:",)
"""What keys of rows begin with that show what changed in the plan."""


class LastLook:
    """Follows what is on one screen, and says what was looked at before."""

    def __init__(self, read: Callable[[], Looked | None], keep: Callable[[Looked], None]) -> None:
        """`read` gives what is remembered, `keep` remembers a look; neither is waited for."""
        self.last: Looked | None = None
        """The newest look, this one as well."""
        self._keep = keep
        self._began: int | None = None
        self._ended: int | None = None
        self._remembered: Looked | None = None
        self._news = False
        Thread(target=self._begin, args=(read,), name="looked", daemon=True).start()

    def _begin(self, read: Callable[[], Looked | None]) -> None:
        self._remembered = read()
        self._news = True

    def note(self, seat: Seat, in_focus: bool) -> bool:
        """Take in what is on the screen now; return whether something else is to be compared."""
        now, history = seat.clock(), seat.snapshot.history.value
        changed = self._news and self._take(seat)
        looking = in_focus and len(history) > 0 and _on_screen(seat)
        if not looking:
            if self._began is not None:
                self._began, self._ended = None, now
            return changed
        if self._began is None:
            self._began = now
            if self._ended is not None and now - self._ended >= AWAY_MS:
                changed = seat.lately.looked != self.last
                seat.lately.looked = self.last
        if now - self._began >= LOOK_MS:
            self._looked(seat, now)
        return changed

    def _take(self, seat: Seat) -> bool:
        """What is remembered from earlier is what this person saw last."""
        self._news = False
        self.last = self.last or self._remembered
        seat.lately.looked = self._remembered
        return self._remembered is not None

    def _looked(self, seat: Seat, now: int) -> None:
        from ppgp_tui.session.plan_history.seen import Looked

        newest = seat.snapshot.history.value.revisions[-1]
        look, last = Looked.at(newest, now), self.last
        same = last is not None and last[:2] == look[:2]
        if last is None or not same or now - last.at_ms >= AGAIN_MS:
            self.last = look
            self._keep(look)


def _on_screen(seat: Seat) -> bool:
    """Whether the plan of now, or what changed in it, can be read on the screen."""
    if seat.small or seat.sheet is not None or seat.snapshot.moment is not None:
        return False
    if seat.views[seat.current].name == "plan":
        return True
    lists = (seat.stay.lists[place.pane.id] for place in seat.stay.placed)
    return any(_shows(rows) for rows in lists if not rows.pile.uniform)


def _shows(rows: RowList) -> bool:
    return any(seen is not None and seen[0].key.startswith(_SHOWN) for seen in rows.visible())


def attend(seat: Seat, failed: Callable[[str], None], *, in_focus: bool) -> bool:
    """Take note of what `seat` shows; return whether it has to be laid out anew.

    `failed` is told, from another thread, why a look could not be remembered.
    """
    look = seat.lately.look
    if look is None:
        look = seat.lately.look = kept_for(seat.snapshot.root, failed)
    return look.note(seat, in_focus)


def kept_for(root: Path, failed: Callable[[str], None]) -> LastLook:
    """The looks at the plan of `root`, remembered in the user's folder by a thread of its own."""
    from ppgp_tui.session.plan_history.seen import keep_looked, last_looked

    def keep(look: Looked) -> None:
        def work() -> None:
            try:
                keep_looked(root, look)
            except OSError as error:
                failed(f"your last look is not remembered: {error.strerror or error}")

        Thread(target=work, name="last look", daemon=True).start()

    return LastLook(lambda: last_looked(root), keep)
