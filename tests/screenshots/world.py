"""The repositories in the pictures: the demo's, told up to one second, and more of it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, NoReturn

from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.lookout import Lookout
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.seat.sessions import Others
from tests.cli.telling import OPENED_MS, tell
from tests.screenshots import audited
from tests.screenshots.looped import Looped

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
        self._place = place
        self.more = [place / name for name, _, _ in _MORE]
        with contextlib.chdir("/"):  # where the asker works is in the pictures
            tell(self.root, place / "state", until=SECOND, pid=_EVER_ALIVE)
            for seed, (name, until, goal) in enumerate(_MORE, 2):
                tell(place / name, place / f"state-{name}", seed=seed, until=until, pid=_EVER_ALIVE)
                document = place / name / "docs/ACTIVE_GOAL.md"
                document.write_text(document.read_text("utf-8").replace(_GOAL, goal), "utf-8")
            loops = Home(place / "loops")
            Looped(loops, self.root, NOW_MS, _EVER_ALIVE).fill()
            for name in audited.NAMES:
                audited.told(name, *self._of(name), _EVER_ALIVE)

    def _of(self, name: str) -> tuple[Path, Path]:
        """The repository of that audit, and the folder for what lies outside of it."""
        return self._place / name / "importer", self._place / name / "state"

    def look_for_loops(self, *, there: bool) -> None:
        """From now on these loops are found, or none: never those of whoever takes the pictures."""
        os.environ[HOME_VARIABLE] = str(self._place / ("loops" if there else "no-loops"))

    @staticmethod
    def now_ms(name: str) -> int:
        """The moment at which the demo's repository is looked at, or the one of that audit."""
        return audited.NOW_MS if name else NOW_MS

    def audit_under_way(self) -> AbstractContextManager[None]:
        """As long as this lasts, an audit is under way where one is to be."""
        return audited.under_way(*self._of("running"))

    def doer(self, name: str) -> Callable[[Deed], Result]:
        """What does the deeds of the person before the screen: next to nothing."""
        return audited.doer(*self._of(name)) if name else lambda _: Result("look", "unchanged", "")

    def session(self, name: str) -> LiveSession:
        """The demo's session or that of the audit of that name, read whole, at its moment."""
        root = self._of(name)[0] if name else self.root
        session = LiveSession(root, clock=lambda: self.now_ms(name))
        session.read_all()
        return session

    def others(self) -> Callable[[], Others]:
        """How the further sessions are found."""
        found = [Found(str(root), "named") for root in (self.root, *self.more)]

        def lookout() -> Lookout:
            return Lookout([lambda: found], {}, lambda: NOW_MS, with_requests=True)

        return lambda: Others(lookout, LiveSession, lambda _: lambda _: _nothing())


def _nothing() -> NoReturn:
    raise RuntimeError("nobody acts in a picture")
