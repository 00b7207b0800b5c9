"""What threads beside the screen tell the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.ui.acts.deeds import Deed

if TYPE_CHECKING:
    from pathlib import Path

    from ppgp_tui.audit.kept import Kept
    from ppgp_tui.session.model import SessionSnapshot
    from ppgp_tui.session.picture.commit import Commit
    from ppgp_tui.ui.seat.seat import Seat
    from ppgp_tui.ui.seat.sessions import ClosableSource


class Newer(Message):
    """There is a newer picture. Ten of them say no more than one."""

    def can_replace(self, message: Message) -> bool:
        """Older ones may be dropped."""
        return isinstance(message, Newer)


class ReadAgain(Message):
    """Everything was read again, or could not be."""

    def __init__(self, problem: str) -> None:
        super().__init__()
        self.problem = problem


class Done(Message):
    """A deed was done, or refused."""

    def __init__(self, deed: Deed, result: Result, seat: Seat) -> None:
        """`seat` is where the person wanted it."""
        super().__init__()
        self.deed = deed
        self.result = result
        self.seat = seat


class CommitRead(Message):
    """A commit was read, or could not be."""

    def __init__(self, name: str, found: Commit | str) -> None:
        super().__init__()
        self.commit = name
        self.found = found


class ReportRead(Message):
    """The report of an audit was read, or there is none to go by."""

    def __init__(self, eval_id: str, found: Kept | str, seat: Seat) -> None:
        """`seat` is where it is shown."""
        super().__init__()
        self.eval = eval_id
        self.found = found
        self.seat = seat


class Opened(Message):
    """A session was opened, or could not be."""

    def __init__(self, root: Path, source: ClosableSource | None, why: str) -> None:
        super().__init__()
        self.root = root
        self.source = source
        self.why = why


class Arrived(Message):
    """The picture of a moment was made; a newer one says all that is wanted."""

    def __init__(self, made: SessionSnapshot | None) -> None:
        """`made` is None where the log does not have what was pointed at."""
        super().__init__()
        self.made = made

    def can_replace(self, message: Message) -> bool:
        """Older ones may be dropped."""
        return isinstance(message, Arrived)


class Said(Message):
    """Something beside the screen has a word to say."""

    def __init__(self, text: str, instead_of: str = "", copies: str = "") -> None:
        """With `instead_of` it is only said while that stands there; `copies` is copied."""
        super().__init__()
        self.text = text
        self.instead_of = instead_of
        self.copies = copies
