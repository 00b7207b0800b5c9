"""Keeping the rows of many roots fresh: a few threads, asking ever more seldom while nothing moves.

A root that gives no answer holds up its own thread only: that one is given up, its row says since
when, and another thread goes on with the others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ppgp_tui.session.sessions.finding import Found, worktrees
from ppgp_tui.session.sessions.known import path_key
from ppgp_tui.session.sessions.looking import Looker
from ppgp_tui.session.sessions.row import SessionRow, ordered

AT_WORK: Final = 4
"""Threads that look, apart from those given up."""
GIVEN_UP: Final = 64
"""Threads that may hang at the same time; a root more than that is not looked at."""
SLOW_S: Final = 3.0
"""A look that takes longer is said, and its thread is given up."""
PACE_S, SLOWEST_S, CALM_S = 1.0, 5.0, 20.0
"""Between two looks at a root: after a change, when nothing moves, and while nobody watches."""
_BACKOFF: Final = 1.5
EARLY_S: Final = 1.0
"""So long after the start the order of the rows means nothing yet, while some are missing."""
SEEK_S: Final = 60.0
"""Between two searches for roots."""
NOT_ENDED: Final = "reading it has not ended yet"

Seek = Callable[[], Sequence[Found]]
"""Names places; may block, so each has a thread of its own."""


@dataclass(slots=True)
class _Place:
    found: Found
    looker: Looker
    row: SessionRow | None = None
    looked: bool = False
    due: float = 0.0
    pause: float = PACE_S
    began: float | None = None
    """When the look under way began."""
    slow_ms: int | None = None
    """When that look began, once it has taken too long."""

    def shown(self) -> SessionRow | None:
        """The row as it stands now."""
        if self.slow_ms is None:
            return self.row
        path, by = self.found
        row = self.row or SessionRow(path_key(path), path, by)
        return row._replace(problem=NOT_ENDED, since_ms=self.slow_ms)


class Lookout:
    """The rows of all roots; safe to use from any thread."""

    def __init__(
        self,
        seeks: Sequence[Seek],
        environ: Mapping[str, str],
        clock: Callable[[], int],
        *,
        with_requests: bool = False,
        looker: Callable[[Found], Looker] | None = None,
    ) -> None:
        """`seeks` name the places, the most telling ones first.

        Of those that are named or started in, the other worktrees are found as well.
        """

        def usual(found: Found) -> Looker:
            return Looker(found, environ, clock, with_requests=with_requests)

        self._seeks = tuple(seeks)
        self._clock = clock
        self._looker = looker or usual
        self._places: dict[str, _Place] = {}
        self._lock = threading.Lock()
        self._tick = threading.Event()
        self._ended = False
        self._watched = True
        self._seeking = 0
        self._workers = 0
        self._changed: Callable[[], None] = lambda: None
        self._problems: list[str] = []
        self._began = time.monotonic()
        self.version = 0
        """Rises with every change of a row."""

    def start(self, changed: Callable[[], None] = lambda: None) -> None:
        """Begin; `changed` is called from a thread whenever a row differs."""
        self._changed = changed
        self._began = time.monotonic()
        threading.Thread(target=self._run, name="sessions", daemon=True).start()

    def stop(self) -> None:
        """End; what hangs is left alone."""
        self._ended = True
        self._tick.set()

    def watch(self, on: bool) -> None:
        """Whether somebody watches: if not, roots are looked at seldom."""
        self._watched = on
        if on:
            self.wake()

    def wake(self, root: str = "", *, whole: bool = False) -> None:
        """Look at `root` now, or at all of them; `whole` even where no file differs."""
        with self._lock:
            for place in self._places.values():
                if not root or (place.row is not None and place.row.root == root):
                    place.due, place.pause = 0.0, PACE_S
                    if whole:
                        place.looker.forget()
        self._tick.set()

    def rows(self) -> tuple[SessionRow, ...]:
        """The rows in the order of the list; of a root found twice the first one."""
        with self._lock:
            shown = [place.shown() for place in self._places.values()]
        by_root: dict[str, SessionRow] = {}
        for row in shown:
            if row is not None:
                by_root.setdefault(row.root, row)
        return ordered(by_root.values())

    @property
    def reading(self) -> bool:
        """Places are still being found, or looked at for the first time."""
        with self._lock:
            first = (place.looked or place.slow_ms is not None for place in self._places.values())
            return self._seeking > 0 or self._busy_seeking or not all(first)

    @property
    def early(self) -> bool:
        """It began just now, and rows are still missing."""
        return time.monotonic() - self._began < EARLY_S and self.reading

    @property
    def problems(self) -> tuple[str, ...]:
        """Why some places could not be found."""
        return tuple(self._problems)

    def settle(self, limit_s: float) -> None:
        """Wait until every place was looked at once, or is known to take long; or for so long."""
        end = time.monotonic() + limit_s
        while self.reading and time.monotonic() < end:
            time.sleep(0.005)

    # --- the thread that keeps the time -----------------------------------------------------------

    _busy_seeking = True

    def _run(self) -> None:
        sought, said = -SEEK_S, (True, True)
        while not self._ended:
            now = time.monotonic()
            if now - sought >= SEEK_S:
                sought = now
                self._seek(self._seeks)
            self._give_up(now)
            self._set_to_work(now)
            self._tick.wait(PACE_S)
            self._tick.clear()
            if said != (said := (self.reading, self.early)):
                self._tell()

    def _seek(self, seeks: Sequence[Seek]) -> None:
        with self._lock:
            self._seeking += len(seeks)
        self._busy_seeking = False
        for seek in seeks:
            threading.Thread(target=self._sought, args=(seek,), name="seek", daemon=True).start()

    def _sought(self, seek: Seek) -> None:
        further: list[Seek] = []
        try:
            for found in seek():
                self._add(found)
                if found.by in ("named", "here"):
                    further.append(partial(worktrees, found.path))
        except Exception as error:  # what cannot be found must not hide what can
            if str(error) not in self._problems:
                self._problems.append(str(error))
        if further:
            self._seek(further)
        with self._lock:
            self._seeking -= 1
        self._tick.set()

    def _add(self, found: Found) -> None:
        with self._lock:
            if found.path not in self._places:
                self._places[found.path] = _Place(found, self._looker(found))
        self._tick.set()

    def _give_up(self, now: float) -> None:
        """Say of every look that takes too long that it does."""
        slow = False
        with self._lock:
            for place in self._places.values():
                if place.began is not None and place.slow_ms is None and now - place.began > SLOW_S:
                    place.slow_ms = self._clock() - int((now - place.began) * 1000)
                    slow = True
        if slow:
            self._tell()

    def _set_to_work(self, now: float) -> None:
        with self._lock:
            due = sum(1 for _ in self._due(now))
            lost = sum(place.slow_ms is not None for place in self._places.values())
            room = min(AT_WORK - (self._workers - lost), AT_WORK + GIVEN_UP - self._workers)
            more = max(0, min(room, -(-due // 4)))
            self._workers += more
        for _ in range(more):
            threading.Thread(target=self._work, name="look", daemon=True).start()

    def _due(self, now: float) -> Iterator[_Place]:
        for place in self._places.values():
            if place.began is None and place.due <= now:
                yield place

    # --- the threads that look --------------------------------------------------------------------

    def _work(self) -> None:
        while (place := self._take()) is not None:
            try:
                row = place.looker.look()
            except Exception as error:  # a reader's fault is said of that root alone
                said = f"{type(error).__name__}: {error}"
                was = place.row or SessionRow(path_key(place.found.path), *place.found)
                row = was._replace(problem=said, since_ms=was.since_ms or self._clock())
            if self._put(place, row):
                return

    def _take(self) -> _Place | None:
        with self._lock:
            now = time.monotonic()
            due = () if self._ended else self._due(now)
            place = min(due, key=lambda one: one.looked, default=None)
            if place is None:
                self._workers -= 1
            else:
                place.began = now
            return place

    def _put(self, place: _Place, row: SessionRow | None) -> bool:
        """Take in what was found; return whether the thread had been given up, and is to end."""
        with self._lock:
            was_slow, first = place.slow_ms is not None, not place.looked
            differs = was_slow or first or _told(row) != _told(place.row)
            place.row, place.looked, place.began, place.slow_ms = row, True, None, None
            place.pause = PACE_S if differs else min(SLOWEST_S, place.pause * _BACKOFF)
            pause = 0.0 if place.looker.more else place.pause if self._watched else CALM_S
            place.due = time.monotonic() + pause
            if was_slow:
                self._workers -= 1
        if differs:
            self._tell()
        return was_slow

    def _tell(self) -> None:
        self.version += 1
        self._changed()


def _told(row: SessionRow | None) -> object:
    """What a row says apart from when it was made."""
    return None if row is None else row._replace(looked_ms=None)
