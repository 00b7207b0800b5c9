"""The app: a seat before a live session, in a terminal.

Keys go to the seat, newer pictures come from the session's threads, and what the seat draws goes
to the canvas. Between a change and its paint there is nothing but this.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, time_ns
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen

from ppgp_tui.session.text import one_line
from ppgp_tui.ui import readings
from ppgp_tui.ui.asking import note_painted, settles_in_s
from ppgp_tui.ui.attention import Caller, Notify
from ppgp_tui.ui.flash import FLASH_MS
from ppgp_tui.ui.keymap import read_keymap
from ppgp_tui.ui.layout import Density, View
from ppgp_tui.ui.live import LiveSource
from ppgp_tui.ui.manners import Manners
from ppgp_tui.ui.messages import Arrived, CommitRead, Done, Newer, Opened, ReadAgain, Said
from ppgp_tui.ui.screen import screen_lines
from ppgp_tui.ui.seat import TOAST_S, Seat
from ppgp_tui.ui.settings_file import SettingsError
from ppgp_tui.ui.table import action_table
from ppgp_tui.ui.theme import Theme
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.wardrobe import Wardrobe, fitting
from ppgp_tui.ui.widgets.canvas import Canvas

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.travel.traveller import Traveller
    from ppgp_tui.ui.beside import Beside
    from ppgp_tui.ui.crew import Crew
    from ppgp_tui.ui.deeds import Deed, Doer
    from ppgp_tui.ui.manner import Motion
    from ppgp_tui.ui.memory import Memory
    from ppgp_tui.ui.sessions import Others, Sessions, Sitting
    from ppgp_tui.ui.terminal.ability import Ability

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
COMMITS_KEPT = 8
"""Commits that were read and can be looked at again at once."""
_SECONDS = re.compile(r"(?<!\w)\d{1,2}s(?!\w)")


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time_ns() // 1_000_000


def _all_views() -> Sequence[View]:
    from ppgp_tui.ui.sessions import EVERY

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
        self._wardrobe = Wardrobe(config, ability)
        self._paint_s = paint_s
        self._painted_at = 0.0
        self._paint_due = False
        self._ticks = 0
        self._fading = False
        """A timer runs for state words that stand out."""
        self._in_focus = True
        table = action_table([view.name for view in views])
        keymap = read_keymap(table, keys or (config / "keys.toml" if config else None))
        shown, look = self._wardrobe.take(theme or fitting(self.console.color_system))
        shown_views = views if session.snapshot.sessions is None else _all_views()
        self.seat = Seat(session, shown_views, keymap, look, self, clock)
        self.seat.density = density
        self.seat.manner.motion = motion
        self.memory = memory
        if memory is not None:
            memory.restore(self.seat)
            memory.begin(self.seat)
            memory.failed = lambda why: self._tell(Said(why))
        if crew is not None:
            self.seat.crew = crew
        self.beside: Beside | None = None
        self._doer = doer
        self.seat.can_act = doer is not None
        self._settling = False
        self._travellers: WeakKeyDictionary[Seat, Traveller] = WeakKeyDictionary()
        self._notify = notify
        self._caller = self._made_caller(notify, clock) if notify else None
        self.sessions: Sessions | None = None
        self._others = others
        self.seat.others = others is not None
        self._views = tuple(views)
        self._begin_with(shown)
        self.canvas = Canvas()

    def _made_caller(self, notify: Notify, clock: Callable[[], int]) -> Caller:
        def failed(why: str) -> None:
            self._tell(Said(why))

        ascii_only = self.ability.ascii_words
        return Caller(notify, self, os.environ, ascii_only=ascii_only, clock=clock, failed=failed)

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
        self._paint()
        yield self.canvas

    def on_mount(self) -> None:
        """Nothing may come between the start and the first paint."""
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        """The first picture is painted: follow the session and the time."""
        self._on_first_paint()
        self.session.follow(lambda _: self.newer())
        self.set_interval(1.0, self._tick)
        self._be_ready()
        self._attend()
        if self.seat.journey is not None:
            from ppgp_tui.ui import travelling

            travelling.begin(self.seat)
        if self.memory is not None and self.memory.wrong:
            self.seat.say(self.memory.wrong)
            self._paint_after_act()

    def _be_ready(self) -> None:
        """Load what a person's keys need; a start has no time for it, and a key no time either."""
        from ppgp_tui.ui import acts, confirming, mouse  # noqa: F401
        from ppgp_tui.ui.beside import Beside

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
        if not same or monotonic() - self._painted_at > STOPPED_S:
            self.seat.resize(*event.size)
            self._paint()
        self.canvas.refresh()

    def on_key(self, event: events.Key) -> None:
        """Every key goes to the seat."""
        from ppgp_tui.ui import acts

        event.stop()
        self.seat.acting.late_ms = max(0, int((monotonic() - event.time) * 1000))
        acts.press(self.seat, event.key, event.character)
        self._paint_after_act()

    def on_paste(self, event: events.Paste) -> None:
        """Pasted text is text, never keys."""
        from ppgp_tui.ui import acts

        acts.paste(self.seat, event.text)
        self._paint()

    def on_app_focus(self) -> None:
        """The person looks here."""
        self._in_focus = True
        if self._caller is not None:
            self._caller.in_focus = True

    def on_app_blur(self) -> None:
        """The person looks elsewhere."""
        self._in_focus = False
        self._note_look()
        if self._caller is not None:
            self._caller.in_focus = False

    def on_canvas_clicked(self, event: Canvas.Clicked) -> None:
        """A click moves the cursor; on the cursor's row it opens."""
        from ppgp_tui.ui import mouse

        mouse.click(self.seat, event.x, event.y)
        self._paint_after_act()

    def on_canvas_wheeled(self, event: Canvas.Wheeled) -> None:
        """The wheel scrolls what is under it."""
        from ppgp_tui.ui import mouse

        mouse.wheel(self.seat, event.x, event.y, event.step)
        self._paint()

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

    # --- painting -------------------------------------------------------------------------------

    def _paint(self) -> None:
        self._painted_at = monotonic()
        self.canvas.show(screen_lines(self.seat))
        note_painted(self.seat)
        wait = settles_in_s(self.seat)
        if wait and not self._settling:
            self._settling = True
            self.set_timer(wait, self._settle)

    def _settle(self) -> None:
        """Keys that were grey because something had just changed act again."""
        self._settling = False
        self._paint()

    def _paint_after_act(self) -> None:
        if self.memory is not None:
            self.memory.note(self.seat)
        if self.seat.toast:
            self.set_timer(TOAST_S + 0.05, self._forget_toast)
        self._paint()
        if self.seat.behind:
            self.set_timer(CATCH_UP_S, self._catch_up)

    def _catch_up(self) -> None:
        """The moved cursor is on the screen: lay out what follows it."""
        if self.seat.behind:
            self.seat.arrange()
            self._paint()

    def _forget_toast(self) -> None:
        if self.seat.forget_toast():
            self._paint()

    def on_newer(self) -> None:
        """Paint a newer picture at once, or as soon as a storm allows."""
        if self._paint_due:
            return
        wait = self._painted_at + self._paint_s - monotonic()
        if wait <= 0:
            self._take_newer()
        else:
            self._paint_due = True
            self.set_timer(wait, self._take_newer)

    def _take_newer(self) -> None:
        self._paint_due = False
        self.seat.take(self.session.snapshot)
        self._paint()
        self._fade_later()
        self._attend()
        if self.beside is not None and self.seat.live.control.value.lost:
            self.beside.look()

    def _fade_later(self) -> None:
        """Paint state words that stand out as they are again: one timer for all of them."""
        if self.seat.bright and not self._fading:
            self._fading = True
            self.set_timer(FLASH_MS / 1000 + 0.05, self._fade)

    def _fade(self) -> None:
        wait = self._painted_at + self._paint_s - monotonic()
        if wait > 0 or self._paint_due:
            self.set_timer(max(wait, 0) + 0.01, self._fade)
            return
        self._fading = False
        now = self.seat.clock()
        self.seat.bright = {key: to for key, to in self.seat.bright.items() if to > now}
        self._paint()
        self._fade_later()

    def _note_look(self) -> None:
        """The plan may be looked at: that decides what is new in it next time."""
        if self.seat.snapshot.sessions is not None:
            return
        from ppgp_tui.ui.last_look import attend

        told = attend(self.seat, lambda why: self._tell(Said(why)), in_focus=self._in_focus)
        if told:
            self.seat.arrange()
            self._paint()

    def _attend(self) -> None:
        """What is new may be worth a call; never before it is painted."""
        if self._caller is not None:
            quiet = self.seat.manner.quiet(self.seat.clock())
            self._caller.attend(self.seat.live, quiet=quiet)

    def _tick(self) -> None:
        """Let ages grow: each second while one is below a minute, else now and then.

        What is looked for may still be searched beside the screen, so that is asked for too.
        """
        self._ticks += 1
        self._attend()
        self._note_look()
        still = self.seat.manner.motion == "reduced"
        seconds = not still and any(_SECONDS.search(line.text) for line in self.canvas.lines)
        slow = STILL_TICKS if still else SLOW_TICKS
        if self._paint_due or monotonic() - self._painted_at < self._paint_s:
            return  # what is painted just now has the ages of now
        if seconds or self.seat.stay.filter or self._ticks % slow == 0:
            self.seat.arrange()
            self._paint()

    def newer(self) -> None:
        """Say that there is a newer picture; from any thread."""
        self._tell(Newer())

    def tell(self, message: Message) -> None:
        """Post a message; from any thread."""
        self._tell(message)

    def _tell(self, message: Message) -> None:
        """Post from another thread; the app may just have ended."""
        try:
            self.post_message(message)
        except RuntimeError:
            return

    # --- what the seat asks ---------------------------------------------------------------------

    def leave(self) -> None:
        """End the app."""
        self.exit(0)

    def to_background(self) -> None:
        """Stop the process; the shell's `fg` brings it back."""
        self.action_suspend_process()

    def copy(self, text: str) -> str:
        """Put `text` on the clipboard; return what is known of how that went."""
        from ppgp_tui.ui.sharing import outward

        return outward.copy(text, self.send, self._tell)

    def reread(self) -> None:
        """Read everything again without stopping the screen."""
        self.seat.say("reading every file again")
        readings.read_again(self.session, self._tell)

    def check_log(self) -> None:
        """Have the log checked although it is long."""
        self.seat.say("checking the log")
        self.session.check_log()

    def read_commit(self, name: str) -> None:
        """Have Git read a commit beside the screen."""
        if name not in self.seat.commits:
            readings.read_commit(self.seat.snapshot.root, name, self._tell)

    def on_commit_read(self, event: CommitRead) -> None:
        """Show the commit, or why there is none; a few are kept."""
        commits = self.seat.commits
        while len(commits) >= COMMITS_KEPT:
            del commits[next(iter(commits))]
        commits[event.commit] = event.found
        self.seat.arrange()
        self._paint()

    def on_read_again(self, event: ReadAgain) -> None:
        """Say how reading again went."""
        self.seat.say(f"not read: {event.problem}" if event.problem else "every file read again")
        self.seat.take(self.session.snapshot)
        self._paint_after_act()

    def look_again(self) -> None:
        """Lay out and paint again soon, as for a newer picture."""
        self.newer()

    def edit(self, path: str, line: int) -> None:
        """Open a file of the repository in the person's editor, or ask about one elsewhere."""
        self.manners.edit(path, line)

    def open_file(self, path: str, line: int) -> None:
        """Open a file in the person's editor."""
        self.manners.open(Path(path), line)

    def draw_in_ascii(self) -> None:
        """Draw with ASCII signs from now on: the terminal draws others too wide."""
        self.ability = self._wardrobe.ability = self.ability._replace(ascii_signs=True)
        _, self.seat.look = self._wardrobe.take(self._wardrobe.in_use)
        if self._painted_at:
            self.seat.arrange()
            self._paint()

    def say(self, text: str) -> None:
        """Say something; from any thread."""
        self._tell(Said(text))

    def traveller(self) -> Traveller:
        """What makes pictures of the past; loaded with the first one that is asked for."""
        seat = self.seat
        if seat not in self._travellers:
            from ppgp_tui.ui.travelling import traveller

            self._travellers[seat] = traveller(lambda: seat.session.snapshot, self._tell)
        return self._travellers[seat]

    def on_arrived(self, event: Arrived) -> None:
        """Show the moment, or say that there is none."""
        from ppgp_tui.ui import travelling

        travelling.arrived(self.seat, event.made)
        self._paint_after_act()

    def do(self, deed: Deed) -> None:
        """Have a deed done beside the screen."""
        from ppgp_tui.ui.deeds import Share

        if isinstance(deed, Share):
            from ppgp_tui.ui.sharing import outward

            outward.write(deed.what, self.seat, self._tell)
        elif self.beside is not None:
            self.beside.do(deed)

    def done(self, seat: Seat, deed: Deed, result: Result) -> None:
        """Say how a deed went that was wanted at `seat`; from any thread."""
        self._tell(Done(deed, result, seat))

    # --- the other sessions ---------------------------------------------------------------------

    def _seats(self) -> Sessions | None:
        """What goes from seat to seat; loaded with the first one that is asked for."""
        if self.sessions is None and self._others is not None:
            from ppgp_tui.ui.sessions import Sessions

            self.sessions = Sessions(self, self._others(), self._views)
            self.sessions.begin()
        return self.sessions

    def show_all(self) -> None:
        """Go to the list of all sessions."""
        if (seats := self._seats()) is not None:
            seats.show_all()

    def open_session(self, key: str, view: str) -> None:
        """Open the session of the root with that key."""
        if (seats := self._seats()) is not None:
            seats.open(key, view)

    def go_home(self) -> None:
        """Go from the list to the open session, or from that to the list."""
        if (seats := self._seats()) is not None:
            seats.go_home()

    def on_opened(self, event: Opened) -> None:
        """A session that was asked for is open, or cannot be."""
        if self.sessions is not None:
            self.sessions.opened(event)
        self._paint_after_act()

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
        self._paint()
        self._attend()
        self.manners.begin()

    def on_done(self, event: Done) -> None:
        """Say how a deed went, or what it needs first."""
        from ppgp_tui.ui import confirming

        if event.seat is self.seat:
            confirming.done(self.seat, event.deed, event.result)
        else:
            self.seat.say(one_line(event.result.message))
        self.seat.arrange()
        self._paint_after_act()

    def on_said(self, event: Said) -> None:
        """Say what something beside the screen has to say."""
        if event.instead_of and event.instead_of != self.seat.toast:
            return
        if event.copies:
            self.copy(event.copies)
        self.seat.say(one_line(event.text))
        self._paint_after_act()

    def send(self, codes: str) -> None:
        """Send escape codes to the terminal, apart from what is drawn."""
        if self._driver is not None:
            self._driver.write(codes)

    def set_title(self, text: str) -> None:
        """Name the terminal's window until the app ends."""
        from ppgp_tui.ui.terminal.driver import TerminalDriver

        if isinstance(self._driver, TerminalDriver):
            self._driver.set_title(text)

    def themes(self) -> Sequence[str]:
        """The theme in use, then the others."""
        return self._wardrobe.names()

    def use_theme(self, name: str) -> None:
        """Draw with another theme, or say what is wrong with its file."""
        try:
            shown, self.seat.look = self._wardrobe.take(name)
        except SettingsError as error:
            self.seat.say(str(error))
            return
        self.register_theme(shown.textual())
        self.theme = shown.name
        self.manners.fit()
