"""The log file, open: its lines, its unfinished tail, and where an event is."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from ppgp_tui.session.canonical import encode
from ppgp_tui.session.files.safe import Folder, components
from ppgp_tui.session.journal.events import MalformedEventError, event_of

CHUNK = 1 << 20
TAIL = 1 << 14


class Line(NamedTuple):
    """One whole line: where it begins, and its bytes without the newline."""

    offset: int
    raw: bytes


class Log:
    """The log at `root / path`, opened for reading and appending. Close it after use."""

    def __init__(self, root: Path, path: PurePosixPath, *, writable: bool = True) -> None:
        """Raises FileNotFoundError when there is no log, `UnsafePathError` for a link."""
        self._root, self._parts = root, components(path)
        with Folder.open(root, *self._parts[:-1]) as folder:
            flags = os.O_RDWR | os.O_APPEND if writable else os.O_RDONLY
            self.descriptor = folder.open_file(self._parts[-1], flags)

    @property
    def size(self) -> int:
        """Bytes in the file now."""
        return os.fstat(self.descriptor).st_size

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode."""
        found = os.fstat(self.descriptor)
        return found.st_dev, found.st_ino

    def is_current(self) -> bool:
        """Whether the path still leads to this file (Git replaces files instead of editing)."""
        try:
            with Folder.open(self._root, *self._parts[:-1]) as folder:
                found = folder.status(self._parts[-1])
        except OSError:
            return False
        return found is not None and (found.st_dev, found.st_ino) == self.identity

    def read(self, start: int, end: int) -> bytes:
        """The bytes from `start` up to `end`, fewer where the file is shorter."""
        pieces = []
        while start < end and (piece := os.pread(self.descriptor, min(CHUNK, end - start), start)):
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)

    def lines(self, since: int = 0) -> Iterator[Line]:
        """Whole lines from the offset `since` on, which must be where a line begins."""
        offset, end, rest = since, self.size, b""
        at = since
        while at < end and (chunk := self.read(at, min(at + CHUNK, end))):
            at += len(chunk)
            *whole, rest = (rest + chunk).split(b"\n")
            for raw in whole:
                if raw:
                    yield Line(offset, raw)
                offset += len(raw) + 1

    def whole(self) -> int:
        """Where the last whole line ends: the unfinished tail, if any, begins there."""
        end = self.size
        while end:
            start = max(0, end - TAIL)
            newline = self.read(start, end).rfind(b"\n")
            if newline >= 0:
                return start + newline + 1
            end = start
        return 0

    def line_at(self, offset: int) -> bytes | None:
        """The whole line that begins at `offset`; None where none begins."""
        if offset and self.read(offset - 1, offset) != b"\n":
            return None
        return next((line.raw for line in self.lines(offset) if line.offset == offset), None)

    def find(self, event_id: str) -> int | None:
        """Where the whole line of the event with that id begins. Searched newest first."""
        quoted = encode(event_id)
        member = re.compile(rb'"id"\s*:\s*' + re.escape(quoted))
        for line in self._lines_with(quoted):
            if member.search(line.raw) and _is_event(line.raw, event_id):
                return line.offset
        return None

    def append(self, data: bytes) -> int:
        """Put `data` at the end with one write, flush it to disk, return where it begins.

        Raises OSError where the disk refuses or takes only a part, which is then taken back.
        """
        written = os.write(self.descriptor, data)
        end = os.lseek(self.descriptor, 0, os.SEEK_CUR)
        try:
            if written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self.descriptor)
        except OSError:
            if self.size == end:  # else another program has written behind it
                self.cut_back(end - written)
            raise
        return end - written

    def cut_back(self, size: int) -> None:
        """Make the file end at `size` and flush that."""
        os.ftruncate(self.descriptor, size)
        os.fsync(self.descriptor)

    def close(self) -> None:
        """Give the descriptor back, and with it the lock on it."""
        os.close(self.descriptor)

    def _lines_with(self, needle: bytes) -> Iterator[Line]:
        """Whole lines that contain `needle`, the newest first."""
        end, rest = self.whole(), b""
        while end:
            start = max(0, end - CHUNK)
            chunk = self.read(start, end) + rest
            first = chunk.find(b"\n") + 1 if start else 0  # where the first whole line begins
            if first or not start:
                for line in _backwards(chunk, needle, first):
                    yield Line(start + line.offset, line.raw)
            end, rest = start, chunk[:first] if first else chunk


def _backwards(chunk: bytes, needle: bytes, first: int) -> Iterator[Line]:
    """Lines of `chunk` from `first` on that contain `needle`, the last first."""
    start = len(chunk)
    while (at := chunk.rfind(needle, first, start)) >= 0:
        start = chunk.rfind(b"\n", first, at) + 1 or first
        yield Line(start, chunk[start : chunk.find(b"\n", at)])


def _is_event(line: bytes, event_id: str) -> bool:
    try:
        return bool(event_of(line)["id"] == event_id)
    except MalformedEventError:
        return False
