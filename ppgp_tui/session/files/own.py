"""Reading the user's own files: settings, and what was remembered."""

from __future__ import annotations

import os
from pathlib import Path


def read_at_once(path: Path, most: int = -1) -> bytes:
    """At most `most` bytes of a file; a named pipe holds nothing, and is not waited for.

    Links are followed: people keep such files where they like. Raises OSError.
    """
    with open(path, "rb", opener=_not_waiting) as file:
        return file.read(most)


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
