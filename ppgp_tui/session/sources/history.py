"""Check 4, live: whether Git's history only ever appended to the files that never lose a line.

Git takes its time, so it is asked only when something moved that the answer depends on: HEAD, refs,
the index, another file than the log, or the log other than by growing.
"""

from __future__ import annotations

from pathlib import Path

from ppgp_tui.gasp.checks import append_only
from ppgp_tui.gasp.checks.append_only import ALWAYS, History
from ppgp_tui.gasp.checks.names import LOG
from ppgp_tui.gasp.history import read_history
from ppgp_tui.session.live.watch import Concern, stamps
from ppgp_tui.session.log.tail import LogRead
from ppgp_tui.session.picture.conformance import Outcome
from ppgp_tui.session.sources.conformance import is_long, left_out, outcome
from ppgp_tui.session.sources.repo import git_files


class HistorySource:
    """Asks Git about one root. Not thread-safe."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._key: object = None
        self._history = History("no repository")
        self._outcome = Outcome()

    def look(self, log: LogRead, *, asked: bool = False) -> Outcome | None:
        """Say how check 4 stands; None when it cannot be said before the log was read.

        `asked`: however long the log is.
        """
        if log.view is not None and not log.view.whole:
            return None
        if is_long(log) and not asked and self._key is None:
            return Outcome("unchecked", why=left_out(log).why)
        key = self._state(log)
        if key != self._key:
            self._history = read_history(str(self._root))
            self._outcome = outcome(list(append_only.result(self._history).findings))
            self._key = key
        return self._outcome

    def _state(self, log: LogRead) -> object:
        """What the answer depends on. That the log only grew is proved by whoever reads it."""
        lines = log.view.lines if log.view else None
        refs = stamps(Concern(git_files(self._root)))
        return log.state, lines, self._growth(log), log.torn, refs, self._others()

    def _growth(self, log: LogRead) -> int | None:
        """How long the log is, where growing may mend what was found."""
        paths = (path for path in self._history.paths if path.path == LOG)
        return log.bytes if any(path.working != "appended" for path in paths) else None

    def _others(self) -> object:
        paths = {path.path for path in self._history.paths} | set(ALWAYS)
        return stamps(Concern(tuple(self._root / path for path in sorted(paths - {LOG}))))
