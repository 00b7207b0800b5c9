"""The live session: what `show` reads once and the app follows."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ppgp_tui.session.live.readers import Readers
from ppgp_tui.session.model import SessionSnapshot

if TYPE_CHECKING:
    from ppgp_tui.session.live.following import Following


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class LiveSession:
    """One root, read and followed. Safe to use from any thread."""

    def __init__(self, root: Path, *, clock: Callable[[], int] = now_ms) -> None:
        self._readers = Readers(root, clock)
        self._following: Following | None = None

    @property
    def snapshot(self) -> SessionSnapshot:
        """The newest picture."""
        return self._readers.snapshot

    def document(self) -> bytes:
        """The goal document's bytes as last read; empty when there is none."""
        return self._readers.known.goal.look.data

    def open(self) -> SessionSnapshot:
        """Read what takes little time: documents, plan, orders, agents, the end of the log."""
        self._readers.read_documents()
        self._readers.read_goal(briefly=True)
        self._readers.glimpse_log()
        return self.snapshot

    def read_all(self) -> SessionSnapshot:
        """Read everything, the whole log and Git included; returns when it is done."""
        self._readers.read_documents()
        self._readers.read_goal()
        self._readers.read_log()
        self._readers.read_journal()
        self._readers.read_answers()
        self._readers.read_pi()
        self._readers.read_audit()
        self._readers.read_loops()
        self._readers.ask_git()
        self._readers.read_conformance()
        self._readers.read_history()
        return self.snapshot

    def want_graph(self) -> None:
        """Have the log's graph folded and kept up from now on; returns at once.

        It comes with the pictures (`snapshot.graph`). Without `follow`, see `read_graph`.
        """
        self._readers.graph_wanted = True
        if self._following is not None:
            self._following.want_graph()

    def read_graph(self) -> SessionSnapshot:
        """Fold what has been read of the log; returns when it is done."""
        self._readers.graph_wanted = True
        self._readers.read_graph()
        return self.snapshot

    def check_log(self) -> None:
        """Have the log checked although it is long; returns at once.

        The verdict comes with the pictures (`snapshot.conformance`).
        """
        self._readers.check_asked = True
        if self._following is not None:
            self._following.check_log()

    def follow(self, on_change: Callable[[SessionSnapshot], None]) -> None:
        """Start the threads; `on_change` is called from one of them with each newer picture."""
        from ppgp_tui.session.live.following import Following

        self._following = Following(self._readers, on_change)
        self._following.start()

    def close(self) -> None:
        """End all threads; waits for them a moment at most."""
        if self._following is not None:
            self._following.stop()
