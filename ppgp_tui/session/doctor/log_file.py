"""The log as a plain open file, for the questions that only need its bytes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from ppgp_tui.session.files.reading import open_inside

_PIECE: Final = 1 << 20
_TIME: Final = re.compile(rb'"ts_ms"\s*:\s*(\d{10,16})[,}\s]')


@dataclass(frozen=True, slots=True)
class OpenLog:
    """The log at `path` (relative to its root), `size` bytes when it was opened."""

    path: str
    file: BinaryIO
    size: int

    def lines_since(self, offset: int) -> int:
        """How many lines begin at or after `offset`; an unfinished one counts."""
        count, last = 0, b"\n"
        self.file.seek(offset)
        while piece := self.file.read(_PIECE):
            count += piece.count(b"\n")
            last = piece[-1:]
        return count + (last != b"\n")

    def times(self, since: int) -> Iterator[tuple[int, int]]:
        """Time in Unix ms and length of each line from the first that begins after `since` on.

        The time is that of the envelope as our own and the usual writers write it: the first
        `ts_ms` of the line.
        """
        self.file.seek(since)
        if since:
            self.file.readline()
        for line in self.file:
            if found := _TIME.search(line):
                yield int(found[1]), len(line)

    def whole(self) -> int:
        """Where the last whole line ends."""
        end = self.size
        while end:
            start = max(0, end - _PIECE)
            self.file.seek(start)
            newline = self.file.read(end - start).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0


@contextmanager
def opened(root: Path, path: str) -> Iterator[OpenLog | None]:
    """The log, open while the block runs; None when there is none. Raises `CannotReadError`."""
    descriptor = open_inside(root, path)
    if descriptor is None:
        yield None
        return
    with os.fdopen(descriptor, "rb") as file:
        yield OpenLog(path, file, os.fstat(descriptor).st_size)
