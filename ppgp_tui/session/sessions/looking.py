"""Looking at one root of many, again and again, for the little that its row says.

By the readers of the status line: only new bytes are read, and while no file differs not even
those. Everything here may block for as long as the root's file system pleases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ppgp_tui.session.files.root import (
    RootError,
    git_folder_at,
    git_top_at,
    must_list,
    root_at,
    stat_of,
)
from ppgp_tui.session.sessions.finding import Found
from ppgp_tui.session.sessions.known import has_session, path_key
from ppgp_tui.session.sessions.row import SessionRow
from ppgp_tui.session.status import cache as status_cache
from ppgp_tui.session.status.files import stamp
from ppgp_tui.session.status.line import look_at, read_from

if TYPE_CHECKING:
    from ppgp_tui.session.live.readers import Readers

SURELY_S = 15.0
"""So long a root whose agents or requests may change by the passing of time is not looked at while
no file differs."""
SELDOM_S = 60.0
"""The same of any other root."""
_ENTRIES = 200
_RUN = (".ppgp/run/agents", ".ppgp/run/held", ".ppgp/run/requests", ".ppgp/run/answers")


class Looker:
    """Looks at one place; used by one thread at a time."""

    def __init__(
        self,
        found: Found,
        environ: Mapping[str, str],
        clock: Callable[[], int],
        *,
        with_requests: bool = False,
    ) -> None:
        """`with_requests` reads what waits for a person whole, not only how much it is."""
        self._found = found
        self._environ = environ
        self._clock = clock
        self._with_requests = with_requests
        self._memory: dict[str, Any] | None = None
        self._stamps: object = None
        self._readers: Readers | None = None
        self.more = False
        """Its requests are to be read whole with the next look, which takes longer."""
        self.row: SessionRow | None = None
        """What the last look found; None: no session, and nobody named the place."""

    def look(self) -> SessionRow | None:
        """Look, if anything may differ from the last time; return `row`."""
        try:
            top = self._top()
            if top is None:
                self.row = None
            else:
                self.row = self._look(top)
        except (RootError, OSError) as error:
            self.row = self._failed(str(error))
        return self.row

    def forget(self) -> None:
        """Look whole the next time, whether files differ or not."""
        self._stamps = None

    def _top(self) -> str | None:
        """The root at the place; None where nothing is and nobody would miss it."""
        path, by = self._found
        wanted = by in ("named", "here", "worktree") or self.row is not None
        if not wanted and not os.path.isdir(path):
            return None
        if not os.path.isdir(path):
            stat_of(path, "its folder is gone")
            raise RootError(f"{path} is no folder")
        top = os.path.realpath(path) if by == "known" else root_at(path, None, {})
        must_list(top)
        if not wanted and not has_session(top):
            return None
        return top

    def _look(self, top: str) -> SessionRow:
        now, row = self._clock(), self.row
        stamps = tuple(_stamps(top, self._environ, self._memory or {}))
        if row is not None and not row.problem and stamps == self._stamps and not self.more:
            seen = row.glance
            moves = seen is not None and (seen.agents or seen.needs)
            if now - (row.looked_ms or 0) < (SURELY_S if moves else SELDOM_S) * 1000:
                return row
        cache = status_cache.place(top, self._environ)
        memory = status_cache.load(cache, top) if self._memory is None else self._memory
        looked = look_at(top, self._environ, memory, now)
        if looked.is_news:
            status_cache.store(cache, top, looked.memory)
        self._memory = looked.memory
        self._stamps = stamps if looked.memory["ground"] is not None else None
        made = SessionRow(
            path_key(top), top, self._found.by, _branch(top), looked.objective, looked.glance, now
        )
        return made._replace(requests=self._requests(made))

    def _requests(self, row: SessionRow) -> tuple[Any, ...]:
        """What it asks, as the session itself would show it; the first time with the next look."""
        needs = row.glance is not None and row.glance.needs
        if not self._with_requests or not (needs or self._readers):
            return ()
        self.more = self._readers is None and not self.more
        if self.more:
            return ()
        from pathlib import Path

        from ppgp_tui.session.live.readers import Readers

        if self._readers is None:
            self._readers = Readers(Path(row.root), self._clock)
        read = self._readers
        read.read_documents()
        read.read_goal()
        read.read_log()
        read.read_journal()
        read.read_answers()
        return read.snapshot.inbox.value

    def _failed(self, why: str) -> SessionRow:
        path = self._found.path
        row = self.row or SessionRow(path_key(os.path.normpath(path)), path, self._found.by)
        self._stamps = None
        since = row.since_ms if row.problem else self._clock()
        return row._replace(problem=why, since_ms=since)


def _stamps(top: str, environ: Mapping[str, str], memory: Mapping[str, Any]) -> Iterator[object]:
    """What differs when a file differs that a row rests on."""
    ground = memory.get("ground")
    for path in read_from(top, environ, ground):
        yield stamp(path)
    yield stamp(f"{top}/{ground['said']['log'] if ground else 'state/events.jsonl'}")
    yield stamp(f"{top}/.ppgp/run/control.json")
    own = status_cache.own_folder(top, environ)
    yield stamp(f"{own}/outbox.jsonl")
    yield stamp(f"{own}/pause.json")
    for folder in _RUN:
        yield from _entries(f"{top}/{folder}")


def _entries(folder: str) -> Iterator[object]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry, _ in zip(entries, range(_ENTRIES), strict=False))
    except OSError:
        return
    for name in names:
        yield name, stamp(f"{folder}/{name}")


def _branch(top: str) -> str:
    """The branch by the file `HEAD`, without asking Git."""
    tree = git_top_at(top)
    git = git_folder_at(tree) if tree else None
    if git is None:
        return ""
    try:
        with open(f"{git}/HEAD", "rb") as file:
            head = file.read(4096).decode("utf-8", "replace").strip()
    except OSError:
        return ""
    if head.startswith("ref: refs/heads/"):
        return head.removeprefix("ref: refs/heads/")
    return "" if head.startswith("ref:") else f"detached {head[:7]}"
