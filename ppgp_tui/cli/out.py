"""Writing to standard output, quietly when nobody reads on."""

from __future__ import annotations

import os
import sys


def write(text: str) -> bool:
    """Write `text`; a reader that has closed the pipe is no error. Whether somebody reads on.

    What the terminal's encoding lacks is written as a backslash escape, never dropped.
    """
    try:
        try:
            sys.stdout.write(text)
        except UnicodeEncodeError:
            encoding = sys.stdout.encoding
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def write_bytes(data: bytes) -> bool:
    """Write `data` as it is; otherwise as `write`."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True
