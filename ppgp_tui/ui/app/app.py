"""The app: a seat before a live session, in a terminal.

Keys go to the seat, newer pictures come from the session's threads, and what the seat draws goes
to the canvas. Between a change and its paint there is nothing but this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen

from ppgp_tui.session.live.store import now_ms
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.attention import Caller, Notify
from ppgp_tui.ui.app.doors import Doors
from ppgp_tui.ui.app.manners import Manners
from ppgp_tui.ui.app.painter import PAINT_S, STOPPED_S, Painter
from ppgp_tui.ui.keys.keymap import read_keymap
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.looks.theme import Theme
from ppgp_tui.ui.looks.wardrobe import Wardrobe, fitting
from ppgp_tui.ui.rows.layout import Density, View
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.widgets.canvas import Canvas

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.ui.acts.deeds import Deed, Doer
    from ppgp_tui.ui.app.beside import Beside
    from ppgp_tui.ui.app.crew import Crew
    from ppgp_tui.ui.app.live import LiveSource
    from ppgp_tui.ui.app.manner import Motion
    from ppgp_tui.ui.app.messages import (
        Arrived,
        CommitRead,
        Done,
        Opened,
        ReadAgain,
        ReportRead,
        Said,
    )
    from ppgp_tui.ui.seat.memory import Memory
    from ppgp_tui.ui.seat.sessions import Others, Sessions, Sitting
    from ppgp_tui.ui.terminal.ability import Ability


def _all_views() -> Sequence[View]:
    from ppgp_tui.ui.seat.sessions import EVERY

    return EVERY


class BareScreen(Screen[None], inherit_bindings=False):
    """A screen without keys of its own."""


class PpgpApp(App[int], inherit_bindings=False):
    """The terminal app on one session."""

    TITLE = "ppgp-tui"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    CSS = "Screen { background: $background; }"

    def __init__(
        self,
        session: LiveSource,
        views: Sequence[View] = VIEWS,
        *,
        ability: Ability,
        clock: Callable[[], int] = now_ms,
        theme: str | None = None,
        config: Path | None = None,
        keys: Path | None = None,
        density: Density = "normal",
        paint_s: float = PAINT_S,
        on_first_paint: Callable[[], None] = lambda: None,
        doer: Doer | None = None,
        notify: Notify | None = None,
        crew: Crew | None = None,
        motion: Motion = "full",
        memory: Memory | None = None,
        others: Callable[[], Others] | None = None,
    ) -> None:
        """Sit down before `session`.

        `doer` does the person's deeds; without one the app only looks. `notify` says how a person
        who looks elsewhere is called; without it nobody is. `config` is the user's folder with
        `themes/` and `keys.toml`; `keys` names another file than that. `paint_s` is how often a
        changing picture is painted at most. `crew` knows the kinds of agents. `others` is
        how further sessions are found and opened; without it there is only this one. Raises
        `SettingsError` for a theme or keys that cannot be used.
        """
        from ppgp_tui.ui.terminal.driver import TerminalDriver

        super().__init__(driver_class=TerminalDriver)
        self.session = session
        self.ability = ability
        self._on_first_paint = on_first_paint
        self.crash: Exception | None = None
        self.manners = Manners(self)
        self.doors = Doors(self)
        self.wardrobe = Wardrobe(config, ability)
        self.painter = Painter(self, paint_s)
        self._in_focus = True
        table = action_table([view.name for view in views])
        keymap = read_keymap(table, keys or (config / "keys.toml" if config else None))
        shown, look = self.wardrobe.take(theme or fitting(self.console.color_system))
        shown_views = views if session.snapshot.sessions is None else _all_views()
        self.seat = Seat(session, shown_views, keymap, look, self.doors, clock)
        self.seat.density = density
        self.seat.manner.motion = motion
        self.memory = memory
        if memory is not None:
            memory.restore(self.seat)
            memory.begin(self.seat)
            memory.failed = self.say
        if crew is not None:
            self.seat.crew = crew
        self.beside: Beside | None = None
        self._doer = doer
        self.seat.can_act = doer is not None
        self._notify = notify
        self._caller = self._made_caller(notify, clock) if notify else None
        self.sessions: Sessions | None = None
        self.others = others
        self.seat.others = others is not None
        self.views = tuple(views)
        self._begin_with(shown)
        self.canvas = Canvas()

    def _made_caller(self, notify: Notify, clock: Callable[[], int]) -> Caller:
        ascii_only = self.ability.ascii_words
        return Caller(notify, self, os.environ, ascii_only=ascii_only, clock=clock, failed=self.say)

    def _begin_with(self, theme: Theme) -> None:
        """Set the first theme; assigning it would parse all styles again before the first paint."""
        self.register_theme(theme.textual())
        if theme.ansi:
            self.theme = theme.name
        else:
            self.set_reactive(App.theme, theme.name)
            self.stylesheet.set_variables(self.get_css_variables())

    # --- Textual's side -------------------------------------------------------------------------

    def get_default_screen(self) -> Screen[None]:
        """A screen without keys of its own."""
        return BareScreen(id="_default")

    def compose(self) -> ComposeResult:
        """One widget that shows everything."""
        self.seat.resize(*self.size)
        self.painter.paint()
        yield self.canvas

    def on_mount(self) -> None:
        """Nothing may come between the start and the first paint."""
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        """The first picture is painted: follow the session and the time."""
        self._on_first_paint()
        self.session.follow(lambda _: self.newer())
        self.set_interval(1.0, self.painter.tick)
        self._be_ready()
        self.attend()
        if self.seat.journey is not None:
            from ppgp_tui.ui.acts import travelling

            travelling.begin(self.seat)
        if self.memory is not None and self.memory.wrong:
            self.seat.say(self.memory.wrong)
            self.painter.after_act()

    def _be_ready(self) -> None:
        """Load what a person's keys need; a start has no time for it, and a key no time either."""
        from ppgp_tui.ui.acts import mouse  # noqa: F401
        from ppgp_tui.ui.app.beside import Beside

        if self._doer is not None:
            source, seat = self.session, self.seat
            self.beside = Beside(
                self._doer,
                lambda: source.snapshot,
                lambda deed, result: self.done(seat, deed, result),
            )
            self.beside.start()
        self.manners.begin()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew, also after a stop; and paint all: what a terminal cut off is gone."""
        same = event.size == (self.seat.width, self.seat.height)
        if not same or monotonic() - self.painter.painted_at > STOPPED_S:
            self.seat.resize(*event.size)
            self.painter.paint()
        self.canvas.refresh()

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the seat."""
        from ppgp_tui.ui.acts import acts

        event.stop()
        self.seat.acting.late_ms = max(0, int((monotonic() - event.time) * 1000))
        acts.press(self.seat, event.key, event.character)
        self.painter.after_act()

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is text, never keys."""
        from ppgp_tui.ui.acts import acts

        acts.paste(self.seat, event.text)
        self.painter.paint()

    def on_app_focus(self) -> None:
        """The person looks here."""
        self._in_focus = True
        if self._caller is not None:
            self._caller.in_focus = True

    def on_app_blur(self) -> None:
        """The person looks elsewhere."""
        self._in_focus = False
        self.note_look()
        if self._caller is not None:
            self._caller.in_focus = False

    def on_canvas_clicked(self, event: Canvas.Clicked) -> None:
        """A click moves the cursor; on the cursor's row it opens."""
        from ppgp_tui.ui.acts import mouse

        mouse.click(self.seat, event.x, event.y)
        self.painter.after_act()

    def on_canvas_wheeled(self, event: Canvas.Wheeled) -> None:
        """The wheel scrolls what is under it."""
        from ppgp_tui.ui.acts import mouse

        mouse.wheel(self.seat, event.x, event.y, event.step)
        self.painter.paint()

    def _fatal_error(self) -> None:
        """Keep the mistake for `run`, which reports it once the terminal is given back."""
        error = self._exception
        self.crash = error if isinstance(error, Exception) else RuntimeError("unknown")
        self._close_messages_no_wait()

    def panic(self, *_: object) -> None:
        """Textual's word for a mistake outside a message handler."""
        error = sys.exc_info()[1]
        self.crash = error if isinstance(error, Exception) else RuntimeError("unknown")
        self._return_code = 1
        self._close_messages_no_wait()

    def note_look(self) -> None:
        """The plan may be looked at: that decides what is new in it next time."""
        if self.seat.snapshot.sessions is not None:
            return
        from ppgp_tui.ui.seat.last_look import attend

        told = attend(self.seat, self.say, in_focus=self._in_focus)
        if told:
            self.seat.arrange()
            self.painter.paint()

    def attend(self) -> None:
        """What is new may be worth a call; never before it is painted."""
        if self._caller is not None:
            quiet = self.seat.manner.quiet(self.seat.clock())
            self._caller.attend(self.seat.live, quiet=quiet)

    def on_newer(self) -> None:
        """Paint a newer picture at once, or as soon as a storm allows."""
        self.painter.newer()

    def newer(self) -> None:
        """Say that there is a newer picture; from any thread."""
        from ppgp_tui.ui.app.messages import Newer  # nothing is told before the first paint

        self.tell(Newer())

    def tell(self, message: Message) -> None:
        """Post a message, from any thread; the app may just have ended."""
        try:
            self.post_message(message)
        except RuntimeError:
            return

    def on_commit_read(self, event: CommitRead) -> None:
        """Show the commit, or why there is none."""
        self.seat.keep_commit(event.commit, event.found)
        self.seat.arrange()
        self.painter.paint()

    def on_report_read(self, event: ReportRead) -> None:
        """Show the report of an audit, or why there is none to go by."""
        event.seat.audits.wanted.discard(event.eval)
        event.seat.audits.reports[event.eval] = event.found
        self.seat.arrange()
        self.painter.paint()

    def on_read_again(self, event: ReadAgain) -> None:
        """Say how reading again went."""
        self.seat.say(f"not read: {event.problem}" if event.problem else "every file read again")
        self.seat.take(self.session.snapshot)
        self.painter.after_act()

    def on_arrived(self, event: Arrived) -> None:
        """Show the moment, or say that there is none."""
        from ppgp_tui.ui.acts import travelling

        travelling.arrived(self.seat, event.made)
        self.painter.after_act()

    def draw_in_ascii(self) -> None:
        """Draw with ASCII signs from now on: the terminal draws others too wide."""
        self.ability = self.wardrobe.ability = self.ability._replace(ascii_signs=True)
        _, self.seat.look = self.wardrobe.take(self.wardrobe.in_use)
        if self.painter.painted_at:
            self.seat.arrange()
            self.painter.paint()

    def say(self, text: str) -> None:
        """Say something; from any thread."""
        from ppgp_tui.ui.app.messages import Said

        self.tell(Said(text))

    def done(self, seat: Seat, deed: Deed, result: Result) -> None:
        """Say how a deed went that was wanted at `seat`; from any thread."""
        from ppgp_tui.ui.app.messages import Done

        self.tell(Done(deed, result, seat))

    # --- the other sessions ---------------------------------------------------------------------

    def on_opened(self, event: Opened) -> None:
        """A session that was asked for is open, or cannot be."""
        if self.sessions is not None:
            self.sessions.opened(event)
        self.painter.after_act()

    def sit(self, there: Sitting) -> None:
        """Show another seat from now on, in the looks that the person has chosen."""
        before = self.seat
        self.seat, self.session, self.beside = there.seat, there.source, there.beside
        self.seat.take_over(before)
        before.toast = ""
        if self._caller is not None and self._notify is not None and before is not there.seat:
            in_focus = self._caller.in_focus
            self._caller = self._made_caller(self._notify, self.seat.clock)
            self._caller.in_focus = in_focus
        self.seat.resize(before.width, before.height)
        self.painter.paint()
        self.attend()
        self.manners.begin()

    def on_done(self, event: Done) -> None:
        """Say how a deed went, or what it needs first."""
        from ppgp_tui.ui.acts import confirming

        if event.seat is self.seat:
            confirming.done(self.seat, event.deed, event.result)
        else:
            self.seat.say(one_line(event.result.message))
        self.seat.arrange()
        self.painter.after_act()

    def on_said(self, event: Said) -> None:
        """Say what something beside the screen has to say."""
        if event.instead_of and event.instead_of != self.seat.toast:
            return
        if event.copies:
            self.doors.copy(event.copies)
        self.seat.say(one_line(event.text))
        self.painter.after_act()

    def send(self, codes: str) -> None:
        """Send escape codes to the terminal, apart from what is drawn."""
        if self._driver is not None:
            self._driver.write(codes)

    def set_title(self, text: str) -> None:
        """Name the terminal's window until the app ends."""
        from ppgp_tui.ui.terminal.driver import TerminalDriver

        if isinstance(self._driver, TerminalDriver):
            self._driver.set_title(text)
