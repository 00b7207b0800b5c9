"""How the log stands with what was promised of it: cut lines, the outbox, an act cut short.

Git may take its time, so this has a thread of its own; it is asked only when the log, its safe copy
or HEAD changed, and while no lock of the journal is held.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from ppgp_tui.session.files.reading import stamp
from ppgp_tui.session.files.root import git_top
from ppgp_tui.session.journal import Journal, MalformedEventError, event_of, history
from ppgp_tui.session.members import whole
from ppgp_tui.session.picture.beside import OWN_FILES, PENDING_FILE, JournalLook
from ppgp_tui.session.sources.repo import refs_stamp


class JournalSource:
    """Asks the journal of one root. Not thread-safe."""

    def __init__(self, root: Path, state: Path, clock: Callable[[], int]) -> None:
        """`state` is the root's own folder in the user's state folder."""
        self._root = root
        self._state = state
        self._clock = clock
        self._key: object = None
        self._head: object = None
        self._look = JournalLook()

    def look(self, log: str) -> JournalLook:
        """Say how the log at `log`, relative to the root, stands now."""
        refs = refs_stamp(self._root)
        files = (self._root / log, *(self._state / name for name in OWN_FILES))
        key = log, refs, tuple(stamp(path) for path in files)
        if key != self._key:
            self._look = self._asked(log, refs)
            self._key = key
        pending = stamp(self._root / PENDING_FILE)
        self._look = self._look._replace(
            pending_ms=pending.mtime_ns // 1_000_000 if pending else None, seen_ms=self._clock()
        )
        return self._look

    def _asked(self, log: str, refs: object) -> JournalLook:
        journal = Journal(self._root, self._state, log=PurePosixPath(log))
        cut = journal.cut()
        committed, why = self._look.committed, self._look.git_why
        if (log, refs) != self._head:
            committed, why = self._committed(log)
            self._head = log, refs
        return JournalLook(
            outbox=journal.waiting(),
            cut=None if cut.unknown else cut.lines,
            cut_ms=max((ms for ms in map(_time, cut.lines) if ms is not None), default=None),
            missing=cut.committed,
            unknown=cut.unknown,
            committed=committed,
            git_why=why,
        )

    def _committed(self, log: str) -> tuple[int | None, str]:
        """Bytes of the log in HEAD's commit; None without Git, or where it cannot be asked."""
        if git_top(self._root) is None:
            return None, ""
        try:
            return history.committed_size(self._root, PurePosixPath(log)) or 0, ""
        except history.GitUnknownError as error:
            return None, str(error)


def _time(line: bytes) -> int | None:
    try:
        return whole(event_of(line).get("ts_ms"))
    except MalformedEventError:
        return None
