"""A past session as a source of pictures: one log, read and never written, nothing beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from ppgp_tui.session.live.composition import Known, compose
from ppgp_tui.session.log.tail import LogRead, LogTail
from ppgp_tui.session.model import Control, SessionSnapshot, Watching
from ppgp_tui.session.picture.graph_look import GraphLook
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.control import CONTROL_FILE
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.goal import GoalLook
from ppgp_tui.session.travel.picture import goal_of

if TYPE_CHECKING:
    from ppgp_tui.session.log.graph import LogGraph

OnChange = Callable[[SessionSnapshot], None]


class Recording:
    """The log at `path` below `root`. Safe to use from any thread.

    Its picture of now is that of the last event; what no log holds is not looked for.
    """

    def __init__(
        self, root: Path, path: str, clock: Callable[[], int], document: str | None = None
    ) -> None:
        """`document` is where the goal document of the repository may lie; None: a log alone."""
        self._root = root
        self._document = document
        self._path = path
        self._clock = clock
        self._tail = LogTail(root, path, clock, settle_s=0)
        self._log = LogRead()
        self._lock = threading.Lock()
        self._ended = False
        self._on_change: OnChange = lambda _: None
        self._graph: LogGraph | None = None
        self._graph_wanted = False
        self._kept: TemporaryDirectory[str] | None = None
        self._threads: list[threading.Thread] = []
        self.snapshot = compose(root, self._known(), None, clock())
        """The newest picture."""

    def document(self) -> bytes:
        """A log holds no document."""
        return b""

    def open(self) -> SessionSnapshot:
        """Read a short log whole, of a long one the end: in bounded time."""
        with self._lock:
            self._put(self._tail.glimpse())
        return self.snapshot

    def read_all(self) -> SessionSnapshot:
        """Read what is new; returns when it is done."""
        with self._lock:
            self._put(self._tail.look(self._put, lambda: self._ended))
        return self.snapshot

    def follow(self, on_change: OnChange) -> None:
        """Read the rest in a thread; `on_change` is called from it with each newer picture."""
        self._on_change = on_change
        self._begin(self.read_all)

    def check_log(self) -> None:
        """Nothing: what is checked is a repository, not its recording."""

    def want_graph(self) -> None:
        """Have the log's graph folded; the pictures bring it."""
        if not self._graph_wanted:
            self._graph_wanted = True
            self._begin(self._fold)

    def close(self) -> None:
        """End the threads; waits for them a moment at most."""
        self._ended = True
        for thread in self._threads:
            thread.join(1)
        if self._kept is not None:
            self._kept.cleanup()

    def _begin(self, work: Callable[[], object]) -> None:
        thread = threading.Thread(target=work, name="recording", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _fold(self) -> None:
        from ppgp_tui.session.log.graph import LogGraph

        self.read_all()
        view = self._log.view
        if view is None or not view.whole:
            return
        self._kept = TemporaryDirectory(prefix="ppgp-tui-replay-")
        self._graph = LogGraph(Path(self._kept.name))
        look = self._graph.look(view, lambda _: None, lambda: self._ended)
        with self._lock:
            self._put(self._log, graph=look)

    def _put(self, log: LogRead, graph: GraphLook | None = None) -> None:
        self._log = log
        known = self._known()._replace(graph=graph or self.snapshot.graph.value)
        made = compose(self._root, known, self.snapshot, self._now_ms())
        if made is not self.snapshot:
            self.snapshot = made
            self._on_change(made)

    def _known(self) -> Known:
        goal = goal_of(self._path, self._log.says, "")
        return Known(
            settings=Settings()._replace(log=self._path),
            goal=GoalLook(Look(goal.path, goal), self._roles()),
            todo=Look("", None),
            control=Look(CONTROL_FILE, Control()),
            log=self._log,
            watching=Watching("live"),
        )

    def _roles(self) -> tuple[tuple[str, str | None], ...]:
        return () if self._document is None else (("ACTIVE_GOAL", self._document),)

    def _now_ms(self) -> int:
        view = self._log.view
        last = view.event(len(view) - 1) if view is not None and len(view) else None
        return last.ts_ms if last is not None and last.ts_ms is not None else self._clock()
