"""Whether a file still is the one that was read, up to where it was read."""

from __future__ import annotations

import hashlib
import os
from typing import Final, NamedTuple

_LOOKED_AT: Final = 64 * 1024


class Mark(NamedTuple):
    """A place in a file that only grows."""

    device: int
    inode: int
    offset: int
    digest: str
    """SHA-256 of the 64 KiB before the offset."""


def mark(descriptor: int, offset: int) -> Mark:
    """The mark of that place in an open file."""
    status = os.fstat(descriptor)
    return Mark(status.st_dev, status.st_ino, offset, _digest(descriptor, offset))


def agrees(descriptor: int, made: Mark) -> bool:
    """Whether the open file is the same one, not shorter, and the same before the mark."""
    status = os.fstat(descriptor)
    if (status.st_dev, status.st_ino) != (made.device, made.inode):
        return False
    return _digest(descriptor, made.offset) == made.digest  # of fewer bytes it is another one


def _digest(descriptor: int, offset: int) -> str:
    begin = max(0, offset - _LOOKED_AT)
    return hashlib.sha256(os.pread(descriptor, offset - begin, begin)).hexdigest()
