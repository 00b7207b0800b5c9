"""The outside as the runner reads it: the prompt before a run, the conditions' files after it.

Only plain files are read, and only so much: a pipe would be waited for, a device never ends.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

LARGEST_PROMPT: Final = 16 * 1024 * 1024
LARGEST_TEXT: Final = 64 * 1024 * 1024
"""Of a condition's file the first bytes are looked at, so many."""


class PromptError(Exception):
    """The prompt file cannot be read; says why."""


class DiskWorld:
    """The files that conditions look at (`persist.condition.World`)."""

    def __init__(self, cwd: Path) -> None:
        self._cwd = cwd

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder at `path`."""
        try:
            return (self._cwd / path).exists()
        except (OSError, ValueError):  # such as a name that is too long, or a NUL byte
            return False

    def text(self, path: str) -> str | None:
        """The text of the plain file at `path`; None where there is none that can be read."""
        try:
            return _read(self._cwd / path, LARGEST_TEXT).decode("utf-8", "replace")
        except (OSError, ValueError):
            return None


def read_prompt(path: Path) -> bytes:
    """The prompt as it is at this moment (I1), byte for byte. Raises `PromptError`."""
    try:
        data = _read(path, LARGEST_PROMPT + 1)
    except FileNotFoundError as error:
        raise PromptError(f"prompt file not found: {path}") from error
    except IsADirectoryError as error:
        raise PromptError(f"the prompt {path} is a folder; name a file") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise PromptError(f"the prompt file {path} cannot be read: {why}") from error
    if len(data) > LARGEST_PROMPT:
        raise PromptError(f"the prompt file {path} has more than {LARGEST_PROMPT} bytes")
    return data


def _read(path: Path, most: int) -> bytes:
    """The first bytes of a plain file; raises OSError, ValueError for anything else there."""
    with open(path, "rb", opener=_not_waiting) as file:
        kind = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(kind):
            raise ValueError("it is no plain file")
        return file.read(most)


def _not_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
