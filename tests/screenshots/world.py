"""The repositories in the pictures: the demo's, told up to one second, and two more around it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.lookout import Lookout
from ppgp_tui.session.store import LiveSession
from ppgp_tui.ui.sessions import Others
from tests.cli.telling import OPENED_MS, tell

SECOND: Final = 22.0
"""When two decisions and a question wait, blockers of three classes stand, and both agents work."""
NOW_MS: Final = OPENED_MS + round(SECOND * 1000)
_EVER_ALIVE: Final = 1
"""The process that stands for the agents: the one that always runs and always has this number."""
_GOAL: Final = "Make the importer resumable"
_MORE: Final = (
    ("catalogue", 4.0, "Rebuild the search index while the shop stays open"),
    ("payments", 14.0, "Retry a failed payment once, never twice"),
)
"""Further repositories: their names, how far they are told, what they are after."""


class World:
    """The repositories on disk, below one folder."""

    def __init__(self, place: Path) -> None:
        self.root = place / "importer"
        self.more = [place / name for name, _, _ in _MORE]
        with contextlib.chdir("/"):  # where the asker works is in the pictures
            tell(self.root, place / "state", until=SECOND, pid=_EVER_ALIVE)
            for seed, (name, until, goal) in enumerate(_MORE, 2):
                tell(place / name, place / f"state-{name}", seed=seed, until=until, pid=_EVER_ALIVE)
                document = place / name / "docs/ACTIVE_GOAL.md"
                document.write_text(document.read_text("utf-8").replace(_GOAL, goal), "utf-8")

    def session(self) -> LiveSession:
        """The demo's session, read whole, at its moment."""
        session = LiveSession(self.root, clock=lambda: NOW_MS)
        session.read_all()
        return session

    def others(self) -> Callable[[], Others]:
        """How the further sessions are found."""
        found = [Found(str(root), "named") for root in (self.root, *self.more)]

        def lookout() -> Lookout:
            return Lookout([lambda: found], {}, lambda: NOW_MS, with_requests=True)

        return lambda: Others(lookout, LiveSession, lambda _: lambda _: _nothing())


def _nothing() -> None:
    raise RuntimeError("nobody acts in a picture")
