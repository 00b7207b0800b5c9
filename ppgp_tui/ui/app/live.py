"""What the app needs of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ppgp_tui.session.model import SessionSnapshot


class LiveSource(Protocol):
    """What the app needs of a session (`session.store.LiveSession`)."""

    @property
    def snapshot(self) -> SessionSnapshot:
        """The newest picture."""
        ...

    def document(self) -> bytes:
        """The goal document as last read."""
        ...

    def follow(self, on_change: Callable[[SessionSnapshot], None]) -> None:
        """Call `on_change` from a thread with every newer picture."""
        ...

    def read_all(self) -> SessionSnapshot:
        """Read every file; blocks."""
        ...

    def check_log(self) -> None:
        """Check the log although it is long; the picture says how it goes."""
        ...

    def want_graph(self) -> None:
        """Fold the log's graph; the picture brings it."""
        ...
