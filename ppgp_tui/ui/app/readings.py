"""What is read on demand, in a thread beside the screen; a message says how it went."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from textual.message import Message

from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.live import LiveSource
from ppgp_tui.ui.app.messages import CommitRead, ReadAgain, ReportRead

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat


def read_again(session: LiveSource, tell: Callable[[Message], None]) -> None:
    """Read every file again."""

    def work() -> None:
        try:
            session.read_all()
        except Exception as error:
            tell(ReadAgain(one_line(f"{type(error).__name__}: {error}")))
        else:
            tell(ReadAgain(""))

    Thread(target=work, name="reread", daemon=True).start()


def read_commit(root: Path, name: str, tell: Callable[[Message], None]) -> None:
    """Have Git read the commit called `name`."""

    def work() -> None:
        from ppgp_tui.session.picture import commit

        try:
            found: commit.Commit | str = commit.read_commit(root, name)
        except (commit.NoCommitError, OSError, ValueError) as error:
            found = str(error)
        tell(CommitRead(name, found))

    Thread(target=work, name="commit", daemon=True).start()


def read_report(
    root: Path, eval_id: str, digest: str, seat: Seat, tell: Callable[[Message], None]
) -> None:
    """Read the report of the audit `eval_id`, of which the log has `digest`, for `seat`."""

    def work() -> None:
        from ppgp_tui.audit.kept import Kept, NotKeptError, kept

        try:
            found: Kept | str = kept(root, eval_id, digest)
        except NotKeptError as error:
            found = str(error)
        tell(ReportRead(eval_id, found, seat))

    Thread(target=work, name="report", daemon=True).start()
