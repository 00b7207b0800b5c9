"""Files below the root, opened by the rules of `files` without anything heavy.

Paths are text in all of the status line: importing pathlib would take a tenth of its time.
"""

from __future__ import annotations

import json
import os
import stat
from typing import Any

LARGEST = 64 * 1024 * 1024


def stamp(path: str) -> list[int] | None:
    """What changes when a file is written or replaced; None when nothing can be seen there."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return [found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]


def open_inside(root: str, path: str) -> int | None:
    """Open a regular file that lies inside the root; None where `files.open_inside` refuses."""
    try:
        real = os.path.realpath(os.path.join(root, path), strict=True)
        if not real.startswith(f"{root}/".replace("//", "/")):
            return None
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    return None


def read(root: str, path: str, last: int | None = None) -> tuple[bytes, int | None]:
    """Return the bytes of a file and when it was written, in Unix milliseconds.

    With `last`, only whole lines among so many last bytes. Empty and None where there is no such
    file, or none that may be read.
    """
    descriptor = open_inside(root, path)
    if descriptor is None:
        return b"", None
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if last is None and found.st_size > LARGEST:
            return b"", None
        skipped = 0 if last is None else max(0, found.st_size - last)
        file.seek(skipped)
        try:
            data = file.read(found.st_size - skipped)
        except OSError:
            return b"", None
        if skipped:
            data = data[data.find(b"\n") + 1 :]
        return data, found.st_mtime_ns // 1_000_000


def json_object(root: str, path: str) -> tuple[dict[str, Any], int | None] | None:
    """The JSON object in a file and when the file was written; None when it makes no sense."""
    data, changed_ms = read(root, path)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return (value, changed_ms) if isinstance(value, dict) else None
