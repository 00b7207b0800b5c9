"""When the screen is painted: at once after a key, seldom in a storm, and as time goes by."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING

from ppgp_tui.ui.rows.flash import FLASH_MS
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.asking import note_painted, settles_in_s
from ppgp_tui.ui.seat.seat import TOAST_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.strip import Strip

    from ppgp_tui.ui.app.app import PpgpApp

PAINT_S = 0.1
"""In a storm of changes the screen is painted at most this often; the first one at once."""
FAR_PAINT_S = 0.25
"""The same over a network."""
CATCH_UP_S = 0.03
"""How long what follows the cursor waits, so that the moved cursor itself is on the screen first:
a little more than the toolkit waits between two frames."""
STOPPED_S = 1.5
"""Ages are painted more often than this, unless the process was stopped in between."""
SLOW_TICKS = 5
"""Without a seconds' age on the screen, ages are looked at every so many seconds."""
STILL_TICKS = 60
"""The same where motion is reduced, whatever is on the screen."""
_SECONDS = re.compile(r"(?<!\w)\d{1,2}s(?!\w)")


class Painter:
    """Paints what the seat of an app shows."""

    def __init__(self, app: PpgpApp, paint_s: float) -> None:
        """`paint_s` is how often a changing picture is painted at most."""
        self._app = app
        self.paint_s = paint_s
        self.painted_at = 0.0
        self._due = False
        self._ticks = 0
        self._settling = False
        self._fading = False
        """A timer runs for state words that stand out."""
        self._looked_through: tuple[Sequence[Strip], bool] = ((), False)
        """The lines last looked through for an age in seconds, and whether there is one."""

    def paint(self) -> None:
        """Paint now."""
        self.painted_at = monotonic()
        self._app.canvas.show(screen_lines(self._app.seat))
        note_painted(self._app.seat)
        wait = settles_in_s(self._app.seat)
        if wait and not self._settling:
            self._settling = True
            self._app.set_timer(wait, self._settle)

    def _settle(self) -> None:
        """Keys that were grey because something had just changed act again."""
        self._settling = False
        self.paint()

    def after_act(self) -> None:
        """Paint what the person has just done."""
        if self._app.memory is not None:
            self._app.memory.note(self._app.seat)
        if self._app.seat.toast:
            self._app.set_timer(TOAST_S + 0.05, self._forget_toast)
        self.paint()
        if self._app.seat.behind:
            self._app.set_timer(CATCH_UP_S, self._catch_up)

    def _catch_up(self) -> None:
        """The moved cursor is on the screen: lay out what follows it."""
        if self._app.seat.behind:
            self._app.seat.arrange()
            self.paint()

    def _forget_toast(self) -> None:
        if self._app.seat.forget_toast():
            self.paint()

    def newer(self) -> None:
        """Paint a newer picture at once, or as soon as a storm allows."""
        if self._due:
            return
        wait = self.painted_at + self.paint_s - monotonic()
        if wait <= 0:
            self._take_newer()
        else:
            self._due = True
            self._app.set_timer(wait, self._take_newer)

    def _take_newer(self) -> None:
        self._due = False
        self._app.seat.take(self._app.session.snapshot)
        self.paint()
        self._fade_later()
        self._app.attend()
        if self._app.beside is not None and self._app.seat.live.control.value.lost:
            self._app.beside.look()

    def _fade_later(self) -> None:
        """Paint state words that stand out as they are again: one timer for all of them."""
        if self._app.seat.bright and not self._fading:
            self._fading = True
            self._app.set_timer(FLASH_MS / 1000 + 0.05, self._fade)

    def _fade(self) -> None:
        wait = self.painted_at + self.paint_s - monotonic()
        if wait > 0 or self._due:
            self._app.set_timer(max(wait, 0) + 0.01, self._fade)
            return
        self._fading = False
        now = self._app.seat.clock()
        self._app.seat.bright = {key: to for key, to in self._app.seat.bright.items() if to > now}
        self.paint()
        self._fade_later()

    def tick(self) -> None:
        """Let ages grow: each second while one is below a minute, else now and then.

        What is looked for may still be searched beside the screen, so that is asked for too.
        """
        self._ticks += 1
        self._app.attend()
        self._app.note_look()
        still = self._app.seat.manner.motion == "reduced"
        seconds = not still and self._shows_seconds()
        slow = STILL_TICKS if still else SLOW_TICKS
        if self._due or monotonic() - self.painted_at < self.paint_s:
            return  # what is painted just now has the ages of now
        if seconds or self._app.seat.stay.filter or self._ticks % slow == 0:
            self._app.seat.arrange()
            self.paint()

    def _shows_seconds(self) -> bool:
        """Whether an age in seconds is on the screen; the same lines are looked through once."""
        lines = self._app.canvas.lines
        if lines is not self._looked_through[0]:
            found = any(_SECONDS.search(line.text) for line in lines)
            self._looked_through = (lines, found)
        return self._looked_through[1]
