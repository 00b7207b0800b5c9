"""The graph of the log, folded when somebody asks for it and kept up with new lines.

Nothing is folded before: most sessions never look at it, and it is large. One thread folds, all may
read: `Folded.reading` gives what is folded so far, and no line is ever half taken in while it does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from ppgp_tui.gasp.envelope import Envelope, is_blank, read_line
from ppgp_tui.session.log.feed import Block, Feed, MovedError
from ppgp_tui.session.log.view import GONE, LogView
from ppgp_tui.session.picture.graph_look import GraphLook

if TYPE_CHECKING:
    from ppgp_tui.gasp.folding.fold import FoldError, Skip
    from ppgp_tui.gasp.folding.graph import Graph
    from ppgp_tui.gasp.telling.story import Story
    from ppgp_tui.gasp.tracing.log_index import LogIndex
    from ppgp_tui.gasp.tracing.things import Things
    from ppgp_tui.session.log.graph_cache import Kept

SLICE: Final = 64
"""Lines taken in while readers wait: about a millisecond."""

KEEP_EVERY: Final = 16 * 1024 * 1024
"""Bytes of the log folded since the last time after which the graph is worth keeping: folding them
takes about half a second, and keeping a graph writes two fifths of its log's size."""

PICTURE_S: Final = 0.25
"""How often there is word of how far a long fold is."""


class Contents(NamedTuple):
    """What the log folds into. Only valid inside `Folded.reading`; nobody but the fold changes it.

    Events have the index that the log's own view gives them (`EventLog.event`).
    """

    graph: Graph
    links: LogIndex
    """What every event and node is linked to: for `lineage.find` and `hops.hops`."""
    things: Things
    """Words for them: for `lineage.lineage` and `spine.spine`."""
    story: Story
    """Its events in groups, for `gasp.chapters`."""
    skipped: list[Skip]
    """Operations on nodes that do not exist."""
    error: FoldError | None
    """Why the graph ends before the log does; None when it does not."""


class Folded:
    """One reading of a log, folded."""

    def __init__(self, view: LogView, kept: Kept | None = None) -> None:
        """Begin with nothing, or with what was `kept`; the lines to come lie in `view`."""
        from ppgp_tui.gasp.event_reader import event_reader
        from ppgp_tui.gasp.folding.fold import Fold
        from ppgp_tui.gasp.telling.story import Story
        from ppgp_tui.gasp.tracing.log_index import LogIndex
        from ppgp_tui.gasp.tracing.things import Things

        self._view = view
        self._lock = Lock()
        if kept is None:
            self._fold, self._index = Fold(), LogIndex()
            self._story = Story(self._index)
        else:
            self._fold, self._index, self._story = kept
        self._things = Things(self._index, self._event, self._fold.graph.nodes.get)
        self._read = event_reader()

    @contextmanager
    def reading(self) -> Iterator[Contents]:
        """Hold still while it is read: for a moment, as the fold waits meanwhile."""
        with self._lock:
            fold = self._fold
            yield Contents(
                fold.graph, self._index, self._things, self._story, fold.skipped, fold.error
            )

    def take(self, block: Block) -> None:
        """Fold more lines in; readers get a turn between slices."""
        for first in range(0, len(block.lines), SLICE):
            lines = block.lines[first : first + SLICE]
            events = [self._read(line) for line in lines if not is_blank(line)]
            with self._lock:
                self._take(lines, block.first + first)
                for event in events:
                    self._index.take(event)
                self._story.extend()

    def look(self) -> GraphLook:
        """Say how much there is."""
        with self._lock:
            fold = self._fold
            return GraphLook(
                "folded",
                lines=len(self._index),
                nodes=len(fold.graph.nodes),
                relations=len(fold.graph.relations),
                version=fold.graph.version,
                skipped=len(fold.skipped),
                why="" if fold.error is None else str(fold.error),
                folded=self,
            )

    def kept(self) -> Kept:
        """All of it, for the thread that folds."""
        from ppgp_tui.session.log.graph_cache import Kept

        return Kept(self._fold, self._index, self._story)

    def _event(self, index: int) -> Envelope:
        """The event at an index, as the file has it now; an error in its place when it is gone."""
        line = self._view.lines.raw(self._view.file, index)
        return Envelope(error=GONE) if line is None else read_line(line)

    def _take(self, lines: list[bytes], first: int) -> None:
        from ppgp_tui.gasp.folding.fold import FoldError

        if self._fold.error is not None:
            return
        try:
            self._fold.take(lines, first)
        except FoldError:
            return  # the fold keeps it, and the graph stays as it was before


class LogGraph:
    """Follows a log that somebody else reads. Used by one thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder`: the user's own folder of this root, where the graph of a long log is kept."""
        self._folder = folder
        self._feed = Feed()
        self._folded: Folded | None = None
        self._kept_at = 0

    def look(
        self,
        view: LogView,
        progress: Callable[[GraphLook], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> GraphLook:
        """Fold what is new in `view`, or everything when it is of another reading of the log."""
        if self._feed.is_anew(view) or self._folded is None:
            self._folded = self._begun(view)
        folded, said = self._folded, time.monotonic()
        try:
            for block in self._feed.blocks(view):
                folded.take(block)
                if stopped():
                    break
                time.sleep(0)  # let the screen draw between two blocks
                if time.monotonic() - said >= PICTURE_S:
                    said = time.monotonic()
                    part = self._feed.index / max(1, view.count)
                    progress(folded.look()._replace(state="folding", progress=part))
        except MovedError:
            self._feed, self._folded = Feed(), None
            return GraphLook("folding")
        self._keep(view, folded)
        return folded.look()

    def _begun(self, view: LogView) -> Folded:
        """What was kept of this very log, or nothing."""
        self._kept_at = 0
        if self._folder is None or view.lines.end < KEEP_EVERY:
            return Folded(view)
        from ppgp_tui.session.log import graph_cache

        kept = graph_cache.load(self._folder, view)
        if kept is None:
            return Folded(view)
        self._feed.resume(view, kept[1])
        self._kept_at = self._feed.offset
        return Folded(view, kept[0])

    def _keep(self, view: LogView, folded: Folded) -> None:
        """Keep the graph for the next time, if much was folded since the last one."""
        position = self._feed.position
        if self._folder is None or position.offset - self._kept_at < KEEP_EVERY:
            return
        from ppgp_tui.session.log import graph_cache

        graph_cache.store(self._folder, view, position, folded.kept())
        self._kept_at = position.offset
