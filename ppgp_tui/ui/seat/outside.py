"""What the seat asks of the program it sits in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ppgp_tui.session.travel.traveller import Traveller
    from ppgp_tui.ui.acts.deeds import Deed


class Outside(Protocol):
    """What the seat asks of the program it sits in."""

    def leave(self) -> None:
        """End the app."""
        ...

    def to_background(self) -> None:
        """Stop the process until the shell continues it."""
        ...

    def copy(self, text: str) -> str:
        """Put `text` on the clipboard; return what is known of how that went, to be said."""
        ...

    def reread(self) -> None:
        """Read every file again."""
        ...

    def check_log(self) -> None:
        """Check the log although it is long."""
        ...

    def read_commit(self, name: str) -> None:
        """Have the commit with that hash read; the seat gets it in `commits`."""
        ...

    def read_report(self, eval_id: str, digest: str) -> None:
        """Have the report of an audit read; the seat gets it in `audits`."""
        ...

    def under_way(self) -> Sequence[str]:
        """Names of the roots that this program audits now."""
        ...

    def use_theme(self, name: str) -> None:
        """Draw with another theme; the seat gets its look."""
        ...

    def theme_in_use(self) -> str:
        """The name of the theme in use."""
        ...

    def themes(self) -> Sequence[str]:
        """The names of all themes, and which is in use first."""
        ...

    def look_again(self) -> None:
        """Lay out and paint again soon; any thread may ask."""
        ...

    def edit(self, path: str, line: int) -> None:
        """Open a file, given relative to the root, in the person's editor; line 0 is no line."""
        ...

    def open_file(self, path: str, line: int) -> None:
        """The same for an absolute path that the person has said yes to."""
        ...

    def show_all(self) -> None:
        """Go to the list of all sessions."""
        ...

    def open_session(self, key: str, view: str) -> None:
        """Open the session of the root with that key, in a view if one is named."""
        ...

    def go_home(self) -> None:
        """Go from the list to the open session, or from that to the list."""
        ...

    def traveller(self) -> Traveller:
        """What makes pictures of the past; the seat gets them with `travelling.arrived`."""
        ...

    def do(self, deed: Deed) -> None:
        """Have a deed done; how it went is said when it is."""
        ...
