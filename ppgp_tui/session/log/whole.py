"""A log read once from beginning to end, for a command that looks at it and ends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ppgp_tui.gasp.envelope import Envelope, is_blank
from ppgp_tui.gasp.event_reader import event_reader
from ppgp_tui.gasp.tracing.log_index import LogIndex
from ppgp_tui.gasp.tracing.things import Things
from ppgp_tui.session.files.reading import CannotReadError, open_inside
from ppgp_tui.session.log.lines import Lines, LogFile

_TOLD_EVERY = 1024 * 1024
"""Bytes between two words about the progress."""


class WholeLog:
    """One log file: its lines, its events by index and what they are linked to.

    Everything that is not blank is an event, a piece without a newline at the end as well.
    """

    def __init__(self, root: Path, path: str) -> None:
        """Open the log `path` below `root`. Raises `CannotReadError`."""
        descriptor = open_inside(root, path)
        if descriptor is None:
            raise CannotReadError(
                "log-absent",
                f"there is no log at {root / path}",
                "name the repository, or run ppgp-tui init there",
            )
        self.path = path
        self._lines = Lines()
        self._file = LogFile(descriptor)
        self._stream = os.fdopen(os.dup(descriptor), "rb")
        self._read = event_reader()
        self.index = LogIndex()
        self.things = Things(self.index, self.event)

    def __len__(self) -> int:
        return len(self.index)

    def read_on(
        self, progress: Callable[[float], None] = lambda _: None
    ) -> Iterator[tuple[int, Envelope]]:
        """Read what has not been read, event by event, and index it on the way.

        `progress` is told now and then what part of the file was read, and 1 at the end.
        """
        size = max(1, self._file.stat().st_size)
        told = self._lines.end
        for line in self._stream:
            at = self._lines.end
            self._lines.end += len(line)
            if at - told >= _TOLD_EVERY:
                told = at
                progress(min(1.0, at / size))
            bare = line.removesuffix(b"\n")
            if is_blank(bare):
                self._lines.add_blank()
                continue
            event = self._read(bare)
            self._lines.add(at, bare, event.id)
            yield self.index.take(event), event
        progress(1.0)

    def read_all(self, progress: Callable[[float], None] = lambda _: None) -> WholeLog:
        """Read it to the end and return it; `progress` as in `read_on`."""
        for _ in self.read_on(progress):
            pass
        return self

    def event(self, index: int) -> Envelope:
        """The event at an index."""
        return self._read(self.raw(index))

    def raw(self, index: int) -> bytes:
        """The bytes of an event's line, without the line end; empty when the file was changed."""
        line = self._lines.raw(self._file, index) or b""
        return line.removesuffix(b"\r")

    def line(self, index: int) -> int:
        """The number of an event's line in the file, from 1."""
        return self._lines.number(index)
