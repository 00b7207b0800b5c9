"""Where each line of one log file lies, and a fingerprint of every line.

28 bytes an event: a million events fit into 28 MB. Entries are the lines that are not blank; they
are only ever added, by one thread, so other threads may read whatever index is below the length
they know.
"""

from __future__ import annotations

import os
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Iterator

from ppgp_tui.gasp.envelope import is_blank

BLOCK = 256 * 1024
"""How much is read at once when lines are looked at again."""


class LogFile:
    """An open log. The descriptor lives as long as anything still reads from it.

    While it is open its inode cannot be given to another file, so device and inode prove identity.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        found = os.fstat(descriptor)
        self.identity = (found.st_dev, found.st_ino)
        weakref.finalize(self, os.close, descriptor)

    def stat(self) -> os.stat_result:
        """What the file system says about the open file."""
        return os.fstat(self._descriptor)

    def read(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes from `offset`; fewer at the end of the file."""
        return os.pread(self._descriptor, size, offset)


class Lines:
    """The compact index of a log."""

    def __init__(self) -> None:
        self.starts = array("Q")
        self.lengths = array("I")
        self.prints = array("q")
        """`hash` of every line's bytes: differs between processes, never leaves this one."""
        self.ids = array("q")
        """`hash` of every event's id."""
        self._blanks = array("Q")
        self.end = 0
        """Offset after the last whole line read, blank ones included."""

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, start: int, line: bytes, event_id: str) -> None:
        """Add one line that is not blank, `line` without its newline."""
        self.starts.append(start)
        self.lengths.append(len(line))
        self.prints.append(hash(line))
        self.ids.append(hash(event_id))

    def add_blank(self) -> None:
        """Count a blank line after the last entry."""
        self._blanks.append(len(self.ids))

    def number(self, index: int) -> int:
        """The physical line number, from 1, of an entry; of the next line when `index` is `len`."""
        return index + 1 + bisect_right(self._blanks, index)

    def raw(self, file: LogFile, index: int) -> bytes | None:
        """The bytes of a line without its newline; None when the file no longer holds them."""
        line = file.read(self.starts[index], self.lengths[index])
        return line if hash(line) == self.prints[index] else None

    def find(self, event_id: str, count: int) -> Iterator[int]:
        """Entries below `count` that may have that id, newest first."""
        wanted = array("q", [hash(event_id)]).tobytes()
        step = 65536
        for first in range((count - 1) // step * step, -1, -step):
            chunk = self.ids[first : min(first + step, count)].tobytes()
            at = chunk.rfind(wanted)
            while at >= 0:
                if at % 8 == 0:
                    yield first + at // 8
                at = chunk.rfind(wanted, 0, at + 7)

    def ends_blank(self, file: LogFile) -> bool:
        """Whether nothing but whole blank lines still stands between the last entry and `end`."""
        begin = self.after(len(self) - 1)
        data = file.read(begin, self.end - begin)
        whole = len(data) == self.end - begin and data[-1:] in (b"", b"\n")
        return whole and all(is_blank(line) for line in data.split(b"\n"))

    def first_difference(
        self, file: LogFile, first: int = 0, last: int | None = None
    ) -> int | None:
        """The first entry of `first` to `last` that `file` does not hold where it was read.

        None when all of them are as they were; `last` (exclusive) is every entry when left out.
        """
        last = len(self) if last is None else last
        while first < last:
            until = self.until(first, last)
            begin = self.after(first - 1)
            data = file.read(begin, self.after(until - 1) - begin)
            found = prints(data)
            known = self.prints[first:until]
            if found != known:
                pairs = enumerate(zip(found, known, strict=False))
                same = min(len(found), len(known))
                return first + next((at for at, (new, old) in pairs if new != old), same)
            if not data.endswith(b"\n"):
                return until - 1
            first = until
        return None

    def after(self, index: int) -> int:
        """Offset after the newline of an entry; 0 before the first one."""
        return self.starts[index] + self.lengths[index] + 1 if index >= 0 else 0

    def until(self, first: int, last: int, size: int = BLOCK) -> int:
        """The entry after the last one that begins within `size` bytes from the start of `first`.

        At least the one after `first`, at most `last`.
        """
        limit = self.starts[first] + size
        return max(first + 1, bisect_right(self.starts, limit, first, last))


def prints(data: bytes) -> array[int]:
    """The fingerprints of the lines in `data` that are not blank."""
    return array("q", [hash(piece) for piece in data.split(b"\n") if not is_blank(piece)])
