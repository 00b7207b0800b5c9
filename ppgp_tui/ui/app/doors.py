"""What the app does for its seat: leave, copy, read again, edit, travel, open another session."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ppgp_tui.ui.looks.settings_file import SettingsError

if TYPE_CHECKING:
    from ppgp_tui.session.travel.traveller import Traveller
    from ppgp_tui.ui.acts.deeds import Deed
    from ppgp_tui.ui.app.app import PpgpApp
    from ppgp_tui.ui.app.long_deeds import LongDeeds
    from ppgp_tui.ui.seat.seat import Seat
    from ppgp_tui.ui.seat.sessions import Sessions


class Doors:
    """The outside of every seat of one app."""

    def __init__(self, app: PpgpApp) -> None:
        self._app = app
        self._travellers: WeakKeyDictionary[Seat, Traveller] = WeakKeyDictionary()
        self.long: LongDeeds | None = None
        """Deeds under way that take long; None: there never was one."""

    def leave(self) -> None:
        """End the app."""
        self._app.exit(0)

    def to_background(self) -> None:
        """Stop the process; the shell's `fg` brings it back."""
        self._app.action_suspend_process()

    def reread(self) -> None:
        """Read everything again without stopping the screen."""
        self._app.seat.say("reading every file again")
        from ppgp_tui.ui.app import readings

        readings.read_again(self._app.session, self._app.tell)

    def check_log(self) -> None:
        """Have the log checked although it is long."""
        self._app.seat.say("checking the log")
        self._app.session.check_log()

    def read_commit(self, name: str) -> None:
        """Have Git read a commit beside the screen."""
        if name not in self._app.seat.commits:
            from ppgp_tui.ui.app import readings

            readings.read_commit(self._app.seat.snapshot.root, name, self._app.tell)

    def read_report(self, eval_id: str, digest: str) -> None:
        """Read the report of an audit beside the screen."""
        from ppgp_tui.ui.app import readings

        seat = self._app.seat
        readings.read_report(seat.snapshot.root, eval_id, digest, seat, self._app.tell)

    def under_way(self) -> Sequence[str]:
        """Names of the roots that are audited from here."""
        return self.long.under_way() if self.long is not None else ()

    def look_again(self) -> None:
        """Lay out and paint again soon, as for a newer picture."""
        self._app.newer()

    def edit(self, path: str, line: int) -> None:
        """Open a file of the repository in the person's editor, or ask about one elsewhere."""
        self._app.manners.edit(path, line)

    def open_file(self, path: str, line: int) -> None:
        """Open a file in the person's editor."""
        self._app.manners.open(Path(path), line)

    def traveller(self) -> Traveller:
        """What makes pictures of the past; loaded with the first one that is asked for."""
        seat = self._app.seat
        if seat not in self._travellers:
            from ppgp_tui.ui.acts.travelling import traveller

            self._travellers[seat] = traveller(lambda: seat.session.snapshot, self._app.tell)
        return self._travellers[seat]

    def do(self, deed: Deed) -> None:
        """Have a deed done beside the screen."""
        from ppgp_tui.ui.acts.deeds import AtLength, Share

        if isinstance(deed, Share):
            from ppgp_tui.ui.sharing import outward

            outward.write(deed.what, self._app.seat, self._app.tell)
        elif self._app.beside is None:
            return
        elif isinstance(deed, AtLength):
            from ppgp_tui.ui.app.long_deeds import LongDeeds

            self.long = self.long or LongDeeds(self._app.done)
            self.long.begin(self._app.seat, self._app.beside.doer, deed)
        else:
            self._app.beside.do(deed)

    def copy(self, text: str) -> str:
        """Put `text` on the clipboard; return what is known of how that went."""
        from ppgp_tui.ui.sharing import outward

        return outward.copy(text, self._app.send, self._app.tell)

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

    def _seats(self) -> Sessions | None:
        """What goes from seat to seat; loaded with the first one that is asked for."""
        if self._app.sessions is None and self._app.others is not None:
            from ppgp_tui.ui.seat.sessions import Sessions

            self._app.sessions = Sessions(self._app, self._app.others(), self._app.views)
            self._app.sessions.begin()
        return self._app.sessions

    def theme_in_use(self) -> str:
        """The theme in use: asked with every key, so no folder is looked into for it."""
        return self._app.wardrobe.in_use

    def themes(self) -> Sequence[str]:
        """The theme in use, then the others."""
        return self._app.wardrobe.names()

    def use_theme(self, name: str) -> None:
        """Draw with another theme, or say what is wrong with its file."""
        try:
            shown, self._app.seat.look = self._app.wardrobe.take(name)
        except SettingsError as error:
            self._app.seat.say(str(error))
            return
        self._app.register_theme(shown.textual())
        self._app.theme = shown.name
        self._app.manners.fit()
